"""Reads logs that are tables: CSV and its kin, JSON lines, Parquet, and what sacct prints.

Which column has which fact of a job, a map says (`columns.py`); of sacct's tables it is known.
"""

import csv
import json
import warnings
from dataclasses import replace
from io import StringIO
from pathlib import Path

import numpy as np
import pandas as pd  # slow to import, and needed for no other log

from model.ground.errors import InputError, cut, shown
from model.logs import cells as read
from model.logs import sacct
from model.logs.columns import ColumnMap, Memory, Processors, Time
from model.logs.file import text_of
from model.logs.log import (
    MOST,
    UNKNOWN,
    Chosen,
    Column,
    Log,
    Numbers,
    amounts,
    left_out,
    numbered,
)

_NS_IN = {
    **{"ns": 1, "us": 10**3, "ms": 10**6, "s": 10**9},
    **{"min": 60 * 10**9, "h": 3600 * 10**9},
}
_BYTES_IN = {"bytes": 1, "kb": 2**10, "mb": 2**20, "gb": 2**30}
_JSON = (".json", ".jsonl", ".ndjson")
_SEPARATORS = ",;\t|"
_MAY_NOT_HAVE_RUN = "cancel|pend|fail|kill|wait|queue|delet"  # in the state of a job
_NO_DATE = (
    "{} is no date from 1970 on, such as 2004-05-31T12:00:00; give its form, such as "
    'format = "%d.%m.%Y %H:%M:%S"'
)
_HOUR_NS = 3600 * 10**9


def read_table(path: Path, columns: ColumnMap | None) -> Log:
    """Read a log, without a map one of sacct; raises InputError with file, row and column."""
    table = _read(path, columns)
    is_of_sacct = columns is None
    if columns is None:
        columns = sacct.map_of(path, [*table])
    if absent := [name for name in columns.names() if name not in table]:
        has = ", ".join(map(str, table))
        raise InputError(f"{path}: no column {', '.join(absent)}; its columns are {cut(has, 200)}")
    of_steps = [name for name in (sacct.ID, sacct.MEMORY) if name in table]
    table = _as_text(table[list(dict.fromkeys([*columns.names(), *of_steps]))])
    if sacct.ID in table and (is_of_sacct or sacct.MEMORY in table):
        table = sacct.without_steps(table)
    for name, wanted in columns.where.items():
        table = table[table[name].isin([str(value) for value in wanted])]
    if table.empty:
        rows = "rows that fit `where`" if columns.where else "jobs"
        raise InputError(f"{path}: no {rows} in it; give a table with a row for each job")
    return _Table(path, columns, table).log()


class _Table:
    """The cells of a table, and what they mean; rows keep their numbers."""

    def __init__(self, path: Path, columns: ColumnMap, cells: "pd.DataFrame") -> None:
        self.path, self.columns, self.cells = path, columns, cells
        self.rows = cells.index.to_numpy("int64")
        self.unknown = np.full(len(cells), UNKNOWN)

    def log(self) -> Log:
        columns = self.columns
        processors = self._processors(columns.processors)
        cpu_ns = self._time_ns(columns.seconds, processors)
        run_ns = cpu_ns if columns.run is None else self._time_ns(columns.run, processors)
        never_ran = self._never_ran(np.maximum(run_ns, cpu_ns))
        submit_ns = self._submitted_ns(~never_ran)
        log = Log(
            self.path,
            line=self.rows,
            number=self.unknown if columns.number is None else self._ids(columns.number),
            submit_ns=submit_ns,
            run_ns=run_ns,
            cpu_ns=cpu_ns,
            processors=processors,
            used_bytes=self._memory(columns.memory, processors),
            requested_bytes=self._memory(columns.requested, processors),
            user=self.unknown if columns.user is None else self._users(columns.user),
            is_table=True,
        )
        jobs = log.part(~never_ran)
        if not len(jobs):
            raise InputError(f"{self.path}: none of its {len(log):,} jobs ran; give others")
        notes = left_out(never_ran, np.full(len(log), True)) + self._set_back(submit_ns)
        return replace(jobs, number=numbered(jobs.number), notes=notes)

    def _refuse(self, wrong: Chosen, column: str, what: str) -> None:
        """Raise InputError for the first row that is wrong, if one is; {} in it is the cell."""
        for place in np.flatnonzero(wrong)[:1]:
            what = what.replace("{}", shown(self.cells[column].iloc[place], 40))
            raise InputError(f"{self.path}, row {self.rows[place]}, column {column}: {what}")

    def _refuse_others(self, unknown: Chosen, column: str, what: str) -> None:
        """Refuse cells of which nothing is known although they do state something."""
        self._refuse(unknown & ~read.is_empty(self.cells[column]), column, what)

    def _numerals(self, column: str) -> "pd.Series[str]":
        cells, decimal = self.cells[column], self.columns.decimal
        return cells if decimal == "." else cells.str.replace(decimal, ".", regex=False)

    def _numbers(self, column: str) -> Numbers:
        """The numbers in a column; NaN where there is none."""
        cells = self._numerals(column)
        values = read.numbers(cells)
        wrong = np.isnan(values) & ~read.is_empty(cells)
        if wrong.any():
            self._refuse(wrong, column, "{} is not a number" + _remedy(cells[wrong].iloc[0]))
        return values

    def _amounts(self, column: str, unit: int) -> Column:
        """Numbers that count units of so many."""
        values = self._numbers(column)
        self._refuse(values > MOST / unit, column, "{} is beyond all bounds")
        return amounts(values, self._numerals(column).iloc.__getitem__, unit)

    def _moments_ns(self, column: str, unit: str, written: str | None) -> Column:
        """What a column says in a unit of time, clock and date among these."""
        if unit == "clock":
            found = read.clock_ns(self._numerals(column))
            self._refuse_others(found < 0, column, "{} is no time such as D-HH:MM:SS or MM:SS.mmm")
        elif unit == "date":
            found = read.dates_ns(self.cells[column], written)
            self._refuse_others(found < 0, column, _NO_DATE)
        else:
            found = self._amounts(column, _NS_IN[unit])
        return found

    def _submitted_ns(self, needed: Chosen) -> Column:
        source = self.columns.submit
        times_ns = self._moments_ns(source.column, source.unit, source.format)
        unknown = (times_ns < 0) & needed
        self._refuse(unknown, source.column, "the time of submission must be known (not {})")
        return times_ns

    def _time_ns(self, source: Time, processors: Column) -> Column:
        """How long each process computed."""
        if source.column is not None:
            times_ns = self._moments_ns(source.column, source.unit, source.format)
        else:
            begin_ns, end_ns = (
                self._moments_ns(str(name), source.unit, source.format)
                for name in (source.from_, source.to)
            )
            known = (begin_ns >= 0) & (end_ns >= begin_ns)
            times_ns = np.where(known, end_ns - begin_ns, UNKNOWN)
        return _shared(times_ns, processors) if source.of == "job" else times_ns

    def _never_ran(self, time_ns: Column) -> Chosen:
        """Jobs without any time that were cancelled or the like, or have no start."""
        stopped = np.full(len(self.rows), False)
        if self.columns.state is not None:
            states = self.cells[self.columns.state].str.lower()
            stopped |= states.str.contains(_MAY_NOT_HAVE_RUN).to_numpy(bool)
        for time in (self.columns.seconds, self.columns.run):
            if time is not None and time.from_ is not None:
                stopped |= read.is_empty(self.cells[time.from_])
        never_ran: Chosen = (time_ns <= 0) & stopped
        return never_ran

    def _set_back(self, submit_ns: Column) -> tuple[str, ...]:
        """A note if submissions in order go back by an hour, as clocks do in autumn."""
        source = self.columns.submit
        back_ns = submit_ns[:-1] - submit_ns[1:]
        places = np.flatnonzero((submit_ns[1:] >= 0) & (back_ns > 0))
        if source.unit != "date" or not 0 < len(places) < 4 or back_ns.max() > _HOUR_NS:
            return ()
        return (
            f"times of submission go back in row {self.rows[places[0] + 1]}, as if a clock was set "
            "back; write times with their zone, or in UTC (TZ=UTC sacct ...)",
        )

    def _whole(self, column: str) -> Column:
        values = self._numbers(column)
        self._refuse((values % 1 != 0) & (values >= 0), column, "{} is no whole number")
        return self._amounts(column, 1)

    def _processors(self, source: Processors) -> Column:
        if source.each == 1:
            return self._whole(source.column)
        values = self._numbers(source.column)
        return np.where(values >= 0, np.ceil(values / source.each), UNKNOWN).astype(np.int64)

    def _ids(self, column: str) -> Column:
        """The jobs' numbers, if they all are; those with texts are numbered in order."""
        cells = self.cells[column]
        values = read.numbers(cells)
        if (np.isnan(values) & ~read.is_empty(cells)).any():
            return self.unknown
        found = self._whole(column)
        again = (pd.Series(found).duplicated() & (found >= 0)).to_numpy(bool)
        self._refuse(
            again,
            column,
            "job {} appears twice; leave `number` out of the map, and jobs are numbered in order",
        )
        return found

    def _memory(self, source: Memory | None, processors: Column) -> Column:
        """The bytes of each process."""
        if source is None:
            return self.unknown
        of = np.full(len(self.rows), source.of)
        if source.unit == "suffixed":
            sizes, letters = read.size_bytes(self._numerals(source.column))
            self._refuse_others(sizes < 0, source.column, "{} is no size such as 423232K or 1.50G")
            of = np.select([letters == "n", letters == "c"], ["node", "process"], of)
        else:
            sizes = self._amounts(source.column, _BYTES_IN[source.unit])
        if (of == "node").any():
            nodes = self._whole(self.columns.nodes) if self.columns.nodes else 1
            sizes = np.where(of == "node", sizes * np.maximum(1, nodes), sizes)
        sizes = np.where(of == "process", sizes, _shared(sizes, processors))
        return np.where(sizes > 0, sizes, UNKNOWN)

    def _users(self, column: str) -> Column:
        """Users by number, in the order in which they appear."""
        cells = self.cells[column]
        numbers: Column = pd.factorize(cells.where(~cells.isin(["", str(UNKNOWN)])))[0]
        return numbers


def _shared(amount: Column, processors: Column) -> Column:
    """What each process has of the job's, rounded half up."""
    parts = np.maximum(1, processors)
    return np.where(amount < 0, UNKNOWN, (amount + parts // 2) // parts)


def _remedy(cell: str) -> str:
    """What to say in the map about a cell that is no number, if it is something else."""
    one = pd.Series([cell])
    if read.clock_ns(one)[0] >= 0:
        return '; if these are times, say unit = "clock"'
    if read.size_bytes(one)[0][0] >= 0:
        return '; if these are sizes, say unit = "suffixed"'
    if read.dates_ns(one, None)[0] >= 0:
        return '; if these are dates, say unit = "date"'
    if "," in cell:
        return '; if it has a decimal comma, say decimal = ","'
    return ""


def _as_text(table: "pd.DataFrame") -> "pd.DataFrame":
    """Each cell as text without blanks around it."""
    return table.apply(lambda column: column.astype(str).where(column.notna(), "").str.strip())


def _read(path: Path, columns: ColumnMap | None) -> "pd.DataFrame":
    """The table; its index are the rows' numbers, in a CSV table from the line of names on."""
    wanted = "a CSV, JSON or Parquet table"
    if columns is not None:
        wanted += f" with the columns {', '.join(columns.names())}"
    suffixes = [suffix.lower() for suffix in path.suffixes]
    try:
        if suffixes[-1:] == [".parquet"]:
            table, first = pd.read_parquet(path, dtype_backend="numpy_nullable"), 1
        elif {*suffixes} & {*_JSON}:
            text = text_of(path, wanted)
            table, first = _json(text), 1
        else:
            text = text_of(path, wanted)
            has_names = columns is None or not columns.columns
            table, first = _separated(text, columns), 1 + has_names
    except (OSError, ValueError) as error:
        if isinstance(error, InputError):
            raise
        reason = cut(getattr(error, "strerror", None) or str(error), 200)
        raise InputError(f"{path}: {reason}; give {wanted}") from None
    table = table.rename(columns=lambda name: str(name).strip())
    table.index = pd.RangeIndex(first, first + len(table))
    return table


def _json(text: str) -> "pd.DataFrame":
    """A table of one list of rows, or with a row in each line."""
    is_list = text.lstrip().startswith("[")
    lines = [line for line in text.splitlines() if line.strip()]
    return pd.DataFrame(json.loads(text) if is_list else map(json.loads, lines), dtype=object)


def _separated(text: str, columns: ColumnMap | None) -> "pd.DataFrame":
    """A table whose cells are separated by the character that its first line has most of."""
    names = None if columns is None else columns.columns
    comment = None if columns is None else columns.comment
    separator = None if columns is None else columns.separator
    if separator is None:
        head = text.lstrip().partition("\n")[0]
        separator = max(_SEPARATORS, key=head.count)
    with warnings.catch_warnings():
        # of a separator at the end of each line
        warnings.simplefilter("ignore", pd.errors.ParserWarning)
        return pd.read_csv(
            StringIO(text),
            sep=separator,
            names=names or None,
            header=None if names else "infer",
            index_col=False,
            dtype=str,
            keep_default_na=False,
            skipinitialspace=True,
            comment=comment,
            quoting=csv.QUOTE_NONE if separator == "|" else csv.QUOTE_MINIMAL,
        )
