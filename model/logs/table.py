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
from pathlib import Path
from typing import TYPE_CHECKING, Literal

import numpy as np
import numpy.typing as npt
from pydantic import BaseModel, ConfigDict, ValidationError

from model.core.scenario import one_line, read_toml
from model.ground.errors import InputError, cut, shown
from model.logs.log import MOST, UNKNOWN, Column, Log, Numbers, amounts, numbered

if TYPE_CHECKING:
    import pandas as pd

SUFFIXES = (".csv", ".csv.gz", ".parquet")

NS_IN = {
    **{"ns": 1, "us": 10**3, "ms": 10**6, "s": 10**9},
    **{"min": 60 * 10**9, "h": 3600 * 10**9},
}
_BYTES_IN = {"bytes": 1, "kb": 2**10, "mb": 2**20, "gb": 2**30}


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
    return _Table(path, columns).log()


class _Table:
    """The cells of a table as text, and what they mean."""

    def __init__(self, path: Path, columns: ColumnMap) -> None:
        self.path, self.columns = path, columns
        is_csv = path.suffix.lower() != ".parquet"
        self.cells = _cells(path, columns.columns(), is_csv)
        self.rows = np.arange(1, len(self.cells) + 1) + is_csv  # in a CSV table those of its lines
        if not len(self.rows):
            raise InputError(f"{path}: no jobs in it; give a table with a row for each")

    def log(self) -> Log:
        columns = self.columns
        processors = self._whole(columns.processors)
        time_ns = self._amounts(columns.seconds.column, NS_IN[columns.seconds.unit])
        unknown = np.full(len(self.rows), UNKNOWN)
        number = unknown if columns.number is None else self._whole(columns.number)
        return Log(
            self.path,
            line=self.rows,
            number=numbered(number),
            submit_ns=self._submitted_ns(),
            run_ns=time_ns,
            cpu_ns=time_ns,
            processors=processors,
            used_bytes=self._memory(columns.memory, processors),
            requested_bytes=self._memory(columns.requested, processors),
            user=unknown if columns.user is None else self._users(columns.user),
        )

    def _refuse(self, wrong: npt.NDArray[np.bool_], column: str, what: str) -> None:
        """Raise InputError for the first row that is wrong, if one is; {} in it is the cell."""
        for place in np.flatnonzero(wrong)[:1]:
            cell = cut(self.cells[column].iloc[place], 40)
            what = what.format(shown(cell), cell)
            raise InputError(f"{self.path}, row {self.rows[place]}, column {column}: {what}")

    def _numbers(self, column: str) -> Numbers:
        """The numbers in a column; NaN where there is none."""
        import pandas as pd

        cells = self.cells[column]
        values: Numbers = pd.to_numeric(cells, errors="coerce").to_numpy("float64", na_value=np.nan)
        empty = cells.str.lower().isin(["", "nan"]).to_numpy(bool)
        self._refuse(np.isnan(values) & ~empty, column, "{} is not a number")
        return values

    def _amounts(self, column: str, unit: int) -> Column:
        """Numbers that count units of so many."""
        values = self._numbers(column)
        self._refuse(values > MOST / unit, column, "a number beyond all bounds")
        return amounts(values, self.cells[column].iloc.__getitem__, unit)

    def _whole(self, column: str) -> Column:
        values = self._numbers(column)
        self._refuse((values % 1 != 0) & (values >= 0), column, "{1} is no whole number")
        return self._amounts(column, 1)

    def _memory(self, source: Memory | None, processors: Column) -> Column:
        """The bytes of each process."""
        if source is None:
            return np.full(len(self.rows), UNKNOWN)
        sizes = self._amounts(source.column, _BYTES_IN[source.unit])
        if source.of == "job":
            parts = np.maximum(1, processors)
            sizes = (sizes + parts // 2) // parts
        return np.where(sizes > 0, sizes, UNKNOWN)

    def _submitted_ns(self) -> Column:
        source = self.columns.submit
        must_be = "the time of submission must be known (not {})"
        if source.unit != "date":
            times_ns = self._amounts(source.column, NS_IN[source.unit])
            self._refuse(times_ns < 0, source.column, must_be)
            return times_ns
        import pandas as pd

        cells = self.cells[source.column]
        dates = pd.to_datetime(cells, utc=True, format="ISO8601", errors="coerce")
        self._refuse(dates.isna().to_numpy(bool), source.column, must_be)
        since_1970: Column = dates.dt.as_unit("ns").astype("int64").to_numpy()
        return since_1970

    def _users(self, column: str) -> Column:
        """Users by number, in the order in which they appear."""
        import pandas as pd

        cells = self.cells[column]
        known = ~cells.isin(["", str(UNKNOWN)])
        numbers: Column = pd.factorize(cells.where(known))[0]
        return numbers


def _cells(path: Path, names: list[str], is_csv: bool) -> "pd.DataFrame":
    """The named columns of a table, each cell as text."""
    import pandas as pd  # slow to import, and needed for no other log

    try:
        if is_csv:
            table = pd.read_csv(path, usecols=names, dtype=str, keep_default_na=False)
        else:
            table = pd.read_parquet(path, columns=names, dtype_backend="numpy_nullable")
    except (OSError, EOFError, zlib.error, ValueError) as error:
        reason = cut(getattr(error, "strerror", None) or str(error), 200)
        wanted = f"a CSV or Parquet table with the columns {', '.join(names)}"
        raise InputError(f"{path}: {reason}; give {wanted}") from None
    return table.apply(lambda column: column.astype(str).where(column.notna(), "").str.strip())
