"""Reads logs in the Standard Workload Format (Feitelson's Parallel Workloads Archive)."""

import gzip
import zlib
from collections.abc import Iterator
from dataclasses import replace
from io import StringIO
from pathlib import Path

import numpy as np
import numpy.typing as npt

from model.ground.errors import InputError, cut
from model.ground.units import BYTES_PER_KB, NS_PER_S
from model.logs.log import MOST, UNKNOWN, Column, Log, Numbers, amounts, numbered

FIELDS = 18
PARTIAL_EXECUTION = (2, 3, 4)  # statuses of records that are parts of another record's job

# What is read of a record: its fields, counted from 1 as the format does.
_NUMBER, _SUBMIT, _RUN, _PROCESSORS, _CPU, _USED, _ASKED_PROCESSORS = 1, 2, 4, 5, 6, 7, 8
_REQUESTED, _STATUS, _USER = 10, 11, 12
_READ = [
    *(_NUMBER, _SUBMIT, _RUN, _PROCESSORS, _CPU, _USED, _ASKED_PROCESSORS),
    *(_REQUESTED, _STATUS, _USER),
]
_TIMES = (_SUBMIT, _RUN, _CPU)
_LARGEST = 10**15
_PADDING = " -1" * FIELDS  # what stands behind a record that ends early


def read_swf(path: Path, memory_unit_bytes: int = BYTES_PER_KB) -> Log:
    """Read a log, plain or gzip-compressed, whose memory is in units of so many bytes.

    Comments (`;`) may stand anywhere; only `MaxProcs` is read from them. Without it the machine is
    as large as the largest job. A short line of numbers is padded with -1, and what stands behind
    the last field is not read; records of partial executions (status 2, 3, 4) are not jobs and are
    left out, as the format's definition asks. Raises InputError naming file and line for anything
    else.
    """
    lines: list[int] = []
    records: list[str] = []
    max_procs = None
    for number, line in enumerate(_lines(path), start=1):
        text, _, comment = line.partition(";")
        if comment and max_procs is None:
            max_procs = _max_procs(comment)
        if text := text.strip():
            lines.append(number)
            records.append(text)
    if not records:
        raise _empty(path)
    values = _values(path, lines, records)

    def column(field: int, unit: int) -> Column:
        return amounts(values[field], lambda place: records[place].split()[field - 1], unit)

    def memory(field: int) -> Column:
        sizes = column(field, memory_unit_bytes)
        return np.where(sizes > 0, sizes, UNKNOWN)

    used_processors = values[_PROCESSORS].astype(np.int64)
    asked_processors = values[_ASKED_PROCESSORS].astype(np.int64)
    log = Log(
        path,
        line=np.array(lines),
        number=np.maximum(values[_NUMBER].astype(np.int64), UNKNOWN),
        submit_ns=column(_SUBMIT, NS_PER_S),
        run_ns=column(_RUN, NS_PER_S),
        cpu_ns=column(_CPU, NS_PER_S),
        processors=np.where(used_processors > 0, used_processors, asked_processors),
        used_bytes=memory(_USED),
        requested_bytes=memory(_REQUESTED),
        user=values[_USER].astype(np.int64),
        stated_processors=max_procs,
        unread=max(0, len(records[0].split()) - FIELDS),
    )
    jobs = log.part(~np.isin(values[_STATUS], PARTIAL_EXECUTION))
    if not len(jobs):
        raise _empty(path)
    return replace(jobs, number=numbered(jobs.number))


def _empty(path: Path) -> InputError:
    return InputError(f"{path}: no job records in it; give a log in the Standard Workload Format")


def _lines(path: Path) -> list[str]:
    try:
        raw = path.read_bytes()
        if raw[:2] == b"\x1f\x8b":
            raw = gzip.decompress(raw)
    except (OSError, EOFError, zlib.error) as error:
        reason = getattr(error, "strerror", None) or f"damaged gzip ({error})"
        raise InputError(f"{path}: {reason}; give a readable SWF file, plain or .gz") from None
    if b"\0" in raw:
        raise InputError(f"{path}: binary data; give a readable SWF file, plain or .gz")
    # not at form feeds and what else str.splitlines splits at, which comments may hold
    return [*StringIO(raw.decode(errors="replace"), newline=None)]


def _max_procs(comment: str) -> int | None:
    name, _, value = comment.strip().partition(":")
    digits = value.split()[0] if value.split() else ""
    is_stated = name.strip().lower() == "maxprocs" and digits.isdecimal()
    return int(digits) if is_stated else None


def _values(path: Path, lines: list[int], records: list[str]) -> dict[int, Numbers]:
    """The numbers in each field that is read; raises InputError for the first line with others."""
    try:
        table = np.loadtxt(
            [record + _PADDING for record in records],
            comments=None,
            usecols=[field - 1 for field in _READ],
            ndmin=2,
        )
    except ValueError:
        line, text = next(_malformed(lines, records))
        raise InputError(f"{path}, line {line}: {cut(text, 40)!r}; give numbers") from None
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
            if field in _READ:
                try:
                    float(text)
                except ValueError:
                    yield line, text
