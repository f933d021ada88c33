"""Maps of columns: TOML files that say which column of a table has which fact of a job.

`model/data/README.md` shows one, lists the units, and says what each part means.
"""

from pathlib import Path
from typing import Annotated, Literal, Self

from pydantic import BaseModel, BeforeValidator, ConfigDict, Field, ValidationError, model_validator

from model.core.scenario import one_line, read_toml
from model.ground.errors import InputError


class _Part(BaseModel):
    model_config = ConfigDict(extra="forbid", frozen=True, populate_by_name=True)


class Time(_Part):
    """A column of times, or the time between those in two columns."""

    column: str | None = None
    from_: str | None = Field(None, alias="from")
    to: str | None = None
    unit: Literal["ns", "us", "ms", "s", "min", "h", "clock", "date"]
    of: Literal["process", "job"] = "process"
    format: str | None = None

    @model_validator(mode="after")
    def _column_or_two(self) -> Self:
        two = self.from_ is not None and self.to is not None
        if two == (self.column is not None) or (self.from_ is None) != (self.to is None):
            raise ValueError("give a column, or the columns from and to")
        if self.unit == "date" and not two:
            raise ValueError("a date is no length of time; give the columns from and to")
        return self


class Submission(_Part):
    """The column of times of submission."""

    column: str
    unit: Literal["ns", "us", "ms", "s", "min", "h", "clock", "date"]
    format: str | None = None


class Memory(_Part):
    """A column of memory."""

    column: str
    unit: Literal["bytes", "kb", "mb", "gb", "suffixed"]
    of: Literal["process", "job", "node"] = "process"


class Processors(_Part):
    """A column that counts processors, or of amounts of which so much is one."""

    column: str
    each: float = Field(1, gt=0)


def _column(value: object) -> object:
    return {"column": value} if isinstance(value, str) else value


def _listed(value: object) -> object:
    return [value] if isinstance(value, str | int | float) else value


_Values = Annotated[tuple[str | int | float | bool, ...], BeforeValidator(_listed)]


class ColumnMap(_Part):
    """Which column of a table has which fact of a job, and how the table is written."""

    submit: Submission
    processors: Annotated[Processors, BeforeValidator(_column)]
    seconds: Time
    run: Time | None = None
    memory: Memory | None = None
    requested: Memory | None = None
    number: str | None = None
    user: str | None = None
    state: str | None = None
    nodes: str | None = None
    where: dict[str, _Values] = Field(default_factory=dict)
    columns: tuple[str, ...] = ()
    separator: str | None = Field(None, min_length=1, max_length=1)
    decimal: str = Field(".", min_length=1, max_length=1)
    comment: str | None = Field(None, min_length=1, max_length=1)

    def names(self) -> list[str]:
        """The columns that it names."""
        times = [self.seconds, *([self.run] if self.run else [])]
        parts = (self.submit, self.processors, *times, self.memory, self.requested)
        named = [
            *(part.column for part in parts if part is not None),
            *(name for time in times for name in (time.from_, time.to)),
            *(self.number, self.user, self.state, self.nodes),
            *self.where,
        ]
        return list(dict.fromkeys(name for name in named if name is not None))


def read_column_map(file: Path) -> ColumnMap:
    """The map of columns in a TOML file; raises InputError."""
    values = read_toml(file, "map of columns")
    try:
        return ColumnMap(**values)
    except ValidationError as error:
        known = [*ColumnMap.model_fields]
        raise InputError(one_line(error, file, values.keys() | set(known), known=known)) from None
