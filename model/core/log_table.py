"""Reads logs that are tables, CSV or Parquet, by a map in TOML that names the columns.

```toml
# columns.toml: uv run run.py compare --trace jobs.parquet --columns columns.toml
number = "job_id"                                     # optional; else counted from 1
submit = { column = "time_submit", unit = "ms" }
processors = "cpus"
seconds = { column = "elapsed", unit = "s" }          # of CPU time of a process, or its run time
memory = { column = "max_rss", unit = "kb", of = "process" }
requested = { column = "req_mem", unit = "mb", of = "job" }     # optional, as is the memory used
user = "uid"                                          # optional: any text or number
```

Units of time are ns, us, ms, s, min and h, and `date` for submissions (a timestamp, or text as
2004-05-31T12:00:00); of memory bytes, kb, mb and gb (of 1,024). Memory is that of each process, or
of the whole job and divided by its processors. An empty cell or a negative number is unknown.
"""

import zlib
from collections.abc import Iterator
from datetime import UTC, datetime, timedelta
from decimal import Decimal
from fractions import Fraction
from pathlib import Path
from typing import Literal

from pydantic import BaseModel, ConfigDict, ValidationError

from model.core.log import Log, Record, is_bounded, numbered
from model.core.scenario import one_line, read_toml
from model.ground.errors import InputError, cut, shown
from model.ground.units import exact

SUFFIXES = (".csv", ".csv.gz", ".parquet")

_S_IN = {
    **{"ns": Decimal("1e-9"), "us": Decimal("1e-6"), "ms": Decimal("1e-3")},
    **{"s": Decimal(1), "min": Decimal(60), "h": Decimal(3600)},
}
_BYTES_IN = {"bytes": 1, "kb": 2**10, "mb": 2**20, "gb": 2**30}
_EPOCH = datetime(1970, 1, 1, tzinfo=UTC)
_UNKNOWN = "-1"


class _Part(BaseModel):
    model_config = ConfigDict(extra="forbid", frozen=True)


class Time(_Part):
    """A column of times."""

    column: str
    unit: Literal["ns", "us", "ms", "s", "min", "h"]


class Submission(_Part):
    """The column of times of submission."""

    column: str
    unit: Literal["ns", "us", "ms", "s", "min", "h", "date"]


class Memory(_Part):
    """The column of memory."""

    column: str
    unit: Literal["bytes", "kb", "mb", "gb"]
    of: Literal["process", "job"] = "process"


class ColumnMap(_Part):
    """Which column of a table has which fact of a job."""

    submit: Submission
    processors: str
    seconds: Time
    memory: Memory | None = None
    requested: Memory | None = None
    number: str | None = None
    user: str | None = None

    def columns(self) -> list[str]:
        """The columns that it names."""
        parts = self.model_dump(exclude_none=True).values()
        return list(
            dict.fromkeys(part if isinstance(part, str) else part["column"] for part in parts)
        )


def is_table(path: Path) -> bool:
    """Whether a log's name is that of a table."""
    return path.name.lower().endswith(SUFFIXES)


def read_column_map(file: Path) -> ColumnMap:
    """The map of columns in a TOML file; raises InputError."""
    values = read_toml(file, "map of columns")
    try:
        return ColumnMap(**values)
    except ValidationError as error:
        raise InputError(one_line(error, file, values.keys() | ColumnMap.model_fields)) from None


def read_table(path: Path, columns: ColumnMap) -> Log:
    """Read a log; raises InputError naming the file, row and column of what is wrong."""
    users: dict[str, int] = {}  # as written -> in the order of appearance
    records = [_record(path, columns, users, *row) for row in _rows(path, columns.columns())]
    if not records:
        raise InputError(f"{path}: no jobs in it; give a table with a row for each")
    return Log(path, numbered(records))


def _rows(path: Path, names: list[str]) -> Iterator[tuple[int, dict[str, object]]]:
    """Each row with its number, in a CSV table that of its line, and the named cells."""
    import pandas as pd  # slow to import, and needed for no other log

    is_csv = path.suffix.lower() != ".parquet"
    try:
        if is_csv:
            table = pd.read_csv(path, usecols=names, dtype=str, keep_default_na=False)
        else:
            table = pd.read_parquet(path, columns=names, dtype_backend="numpy_nullable")
    except (OSError, EOFError, zlib.error, ValueError) as error:
        reason = cut(getattr(error, "strerror", None) or str(error), 200)
        wanted = f"a CSV or Parquet table with the columns {', '.join(names)}"
        raise InputError(f"{path}: {reason}; give {wanted}") from None
    table = table.astype(object).where(table.notna(), "")
    yield from enumerate(table.to_dict("records"), start=1 + is_csv)


def _record(
    path: Path,
    columns: ColumnMap,
    users: dict[str, int],
    line: int,
    cells: dict[str, object],
) -> Record:
    def wrong(column: str, what: str) -> InputError:
        return InputError(f"{path}, row {line}, column {column}: {what}")

    def text_in(column: str) -> str:
        return str(cells[column]).strip()

    def number_in(column: str, unit: Decimal = Decimal(1)) -> str:
        """The number in a cell that counts units of so many; -1 if it is unknown."""
        text = text_in(column)
        try:
            value = float(text or "nan")
        except ValueError:
            raise wrong(column, f"{cut(text, 40)!r} is not a number") from None
        if not value >= 0:
            return _UNKNOWN
        if not is_bounded(value):
            raise wrong(column, "a number beyond all bounds (10^15)")
        return str(Decimal(text) * unit)

    def whole(column: str) -> int:
        text = number_in(column)
        if not float(text).is_integer():
            raise wrong(column, f"{text} is no whole number")
        return int(float(text))

    def memory(source: Memory | None) -> Fraction | None:
        """The bytes of each process."""
        if source is None or float(text := number_in(source.column)) <= 0:
            return None
        size = exact(text) * _BYTES_IN[source.unit]
        return size / max(1, processors) if source.of == "job" else size

    submit = columns.submit
    if submit.unit == "date":
        submit_s = _s_since_1970(cells[submit.column])
    else:
        submit_s = number_in(submit.column, _S_IN[submit.unit])
    if submit_s == _UNKNOWN:
        known = shown(cells[submit.column], 40)
        raise wrong(submit.column, f"the time of submission must be known (not {known})")
    processors = whole(columns.processors)
    time_s = number_in(columns.seconds.column, _S_IN[columns.seconds.unit])
    user = _UNKNOWN if columns.user is None else text_in(columns.user) or _UNKNOWN
    return Record(
        line=line,
        number=-1 if columns.number is None else whole(columns.number),
        submit_s=submit_s,
        run_s=time_s,
        processors=processors,
        cpu_s=time_s,
        used=memory(columns.memory),
        requested=memory(columns.requested),
        user=-1 if user == _UNKNOWN else users.setdefault(user, len(users)),
    )


def _s_since_1970(cell: object) -> str:
    """Seconds from 1970 to a timestamp or a date as text, to the microsecond.

    Without a time zone it is taken as UTC; what is no date is unknown.
    """
    try:
        date = cell if isinstance(cell, datetime) else datetime.fromisoformat(str(cell).strip())
    except ValueError:
        return _UNKNOWN
    date = date.replace(tzinfo=UTC) if date.tzinfo is None else date
    return str(Decimal((date - _EPOCH) // timedelta(microseconds=1)) * _S_IN["us"])
