"""Reads logs in the Standard Workload Format (Feitelson's Parallel Workloads Archive)."""

import re
from collections.abc import Iterator
from dataclasses import replace
from io import StringIO
from pathlib import Path

import numpy as np
import numpy.typing as npt

from model.ground.errors import InputError, cut
from model.ground.units import BYTES_PER_KB, NS_PER_S
from model.logs.file import text_of
from model.logs.log import MOST, UNKNOWN, Column, Log, Numbers, amounts, left_out, numbered

FIELDS = 18
PARTIAL_EXECUTION = (2, 3, 4)  # statuses of records that are parts of another record's job
_MAY_NOT_HAVE_RUN = (0, 5)  # failed, cancelled

# What is read of a record: its fields, counted from 1 as the format does.
_NUMBER, _SUBMIT, _RUN, _PROCESSORS, _CPU, _USED, _ASKED_PROCESSORS = 1, 2, 4, 5, 6, 7, 8
_REQUESTED, _STATUS, _USER = 10, 11, 12
_READ = [
    *(_NUMBER, _SUBMIT, _RUN, _PROCESSORS, _CPU, _USED, _ASKED_PROCESSORS),
    *(_REQUESTED, _STATUS, _USER),
]
_TIMES = (_SUBMIT, _RUN, _CPU)
_LARGEST = 10**15
_STATED = re.compile(r"(?i)\s*(MaxProcs|MaxNodes):\s*(\d+)(?!\S*\d)")
_WANTED = "a readable SWF file, plain or .gz"
_PADDING = " -1" * FIELDS  # what stands behind a record that ends early


def read_swf(path: Path, memory_unit_bytes: int = BYTES_PER_KB) -> Log:
    """Read a log, plain or gzip-compressed, whose memory is in units of so many bytes.

    Comments (`;`) may stand anywhere; only `MaxProcs`, or else `MaxNodes`, is read from them.
    Without them the machine is as large as the largest job. A short line of numbers is padded with
    -1, and fields that are not used are not read. Records of partial executions (status 2, 3, 4)
    are not jobs and are left out, as the format's definition asks; so are jobs that failed or were
    cancelled before they ran. Users may have names, and comments begin with `#`, as in the Grid
    Workloads Format, whose first fields are the same. Raises InputError naming file and line for
    anything else.
    """
    lines: list[int] = []
    records: list[str] = []
    sizes: dict[str, int] = {}  # of the machine, by their names in the header
    # not at form feeds and what else str.splitlines splits at, which comments may hold
    for number, line in enumerate(StringIO(text_of(path, _WANTED), newline=None), start=1):
        record, _, comment = line.partition(";")
        if comment and (stated := _STATED.match(comment)):
            sizes.setdefault(stated[1].lower(), int(stated[2]))
        if (record := record.strip()) and not record.startswith("#"):
            lines.append(number)
            records.append(record)
    _without_names(lines, records)
    if not records:
        raise _empty(path)
    values = _values(path, lines, records)

    def column(field: int, unit: int) -> Column:
        return amounts(values[field], lambda place: records[place].split()[field - 1], unit)

    def memory(field: int) -> Column:
        sizes = column(field, memory_unit_bytes)
        return np.where(sizes > 0, sizes, UNKNOWN)

    used_processors, asked_processors = (
        values[field].astype(np.int64) for field in (_PROCESSORS, _ASKED_PROCESSORS)
    )
    processors = np.where(used_processors > 0, used_processors, asked_processors)
    size = sizes.get("maxprocs", 0)
    if not size and sizes.get("maxnodes", 0) >= processors.max():  # or else nodes have several
        size = sizes["maxnodes"]
    log = Log(
        path,
        line=np.array(lines),
        number=np.maximum(values[_NUMBER].astype(np.int64), UNKNOWN),
        submit_ns=column(_SUBMIT, NS_PER_S),
        run_ns=column(_RUN, NS_PER_S),
        cpu_ns=column(_CPU, NS_PER_S),
        processors=processors,
        used_bytes=memory(_USED),
        requested_bytes=memory(_REQUESTED),
        user=values[_USER].astype(np.int64),
        stated_processors=size or None,
        unread=max(0, len(records[0].split()) - FIELDS),
    )
    is_whole = ~np.isin(values[_STATUS], PARTIAL_EXECUTION)
    no_time = np.maximum(values[_RUN], values[_CPU]) <= 0
    no_processors = (used_processors <= 0) & (2 * (used_processors > 0).sum() > len(lines))
    never_ran = np.isin(values[_STATUS], _MAY_NOT_HAVE_RUN) & (no_time | no_processors) & is_whole
    jobs = log.part(is_whole & ~never_ran)
    if not len(jobs):
        raise _empty(path)
    return replace(jobs, number=numbered(jobs.number), notes=left_out(never_ran, is_whole))


def _empty(path: Path) -> InputError:
    return InputError(f"{path}: no job records in it; give a log in the Standard Workload Format")


def _without_names(lines: list[int], records: list[str]) -> None:
    """Take away a first line that names columns, as no log of this format needs."""
    names = records[0].split() if records else []
    if len(names) > 3 and not any(map(_is_number, names)):
        del lines[0], records[0]


def _is_number(text: str) -> bool:
    try:
        float(text)
    except ValueError:
        return False
    return True


def _values(path: Path, lines: list[int], records: list[str]) -> dict[int, Numbers]:
    """The numbers in each field that is read; raises InputError for the first line with others."""
    users: dict[str, int] = {}  # with a name, in the order of appearance

    def user(text: str) -> float:
        return float(text) if _is_number(text) else users.setdefault(text, len(users))

    try:
        table = np.loadtxt(
            [record + _PADDING for record in records],
            comments=None,
            usecols=[field - 1 for field in _READ],
            converters={_USER - 1: user},
            encoding=None,
            ndmin=2,
        )
    except ValueError:
        line, text = next(_malformed(lines, records))
        is_table = any(mark in text for mark in ",|{")
        or_map = ", or if it is a table say what its columns are (--columns)" * is_table
        raise InputError(f"{path}, line {line}: {cut(text, 40)!r}; give numbers{or_map}") from None
    values = dict(zip(_READ, table.T, strict=True))

    def refuse(wrong: npt.NDArray[np.bool_] | np.bool_, what: str) -> None:
        for place in np.flatnonzero(wrong)[:1]:
            raise InputError(f"{path}, line {lines[place]}: {what}")

    refuse(~(np.abs(table) <= _LARGEST).all(axis=1), "a number beyond all bounds (10^15)")
    for field in _TIMES:
        beyond = values[field] > MOST // NS_PER_S
        refuse(beyond, f"field {field} is beyond all bounds; the format counts seconds")
    is_job = ~np.isin(values[_STATUS], PARTIAL_EXECUTION)
    refuse((values[_SUBMIT] < 0) & is_job, "the submit time (field 2) must be known")
    return values


def _malformed(lines: list[int], records: list[str]) -> Iterator[tuple[int, str]]:
    for line, record in zip(lines, records, strict=True):
        for field, text in enumerate(record.split(), start=1):
            if field in _READ and field != _USER and not _is_number(text):
                yield line, text
