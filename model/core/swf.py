"""Reads logs in the Standard Workload Format (Feitelson's Parallel Workloads Archive)."""

import math
from dataclasses import dataclass
from pathlib import Path

from model.core.files import gunzip, read_file
from model.ground.errors import InputError

FIELDS = 18
_DIGITS = 15  # of the largest number
_LONGEST = 100  # characters of a number
PARTIAL_EXECUTION = (2, 3, 4)  # statuses of records that are parts of another record's job


@dataclass(frozen=True, slots=True)
class Record:
    """The fields of one record that we use, counted from 1; -1 means unknown."""

    line: int  # of the file, counted from 1
    number: int  # field 1
    submit_s: str  # field 2, as written
    run_s: str  # field 4, as written
    processors: int  # field 5, and field 8 (requested) where 5 is unknown
    cpu_s: str  # field 6, as written
    memory_kb: float  # field 7, used memory of each processor
    requested_kb: float  # field 10
    user: int  # field 12


@dataclass(frozen=True, slots=True)
class Log:
    """A log: its records in order, and the size of the machine that it was taken on."""

    path: Path
    records: list[Record]
    processors: int


def read_swf(path: Path) -> Log:
    """Read a log, plain or gzip-compressed.

    Comments (`;`) may stand anywhere; only `MaxProcs` is read from them. Without it the machine is
    as large as the largest job. A short line of numbers is padded with -1; records of partial
    executions (status 2, 3, 4) are not jobs and are left out, as the format's definition asks.
    Raises InputError naming file and line for anything else.
    """
    records: list[Record] = []
    max_procs = None
    for number, line in enumerate(_lines(path), start=1):
        text, _, comment = line.partition(";")
        if comment and max_procs is None:
            max_procs = _max_procs(comment)
        fields = text.split()
        if fields:
            record = _record(path, number, fields, place=len(records) + 1)
            if record is not None:
                records.append(record)
    if not records:
        raise InputError(
            f"{path}: no job records in it; give a log in the Standard Workload Format"
        )
    return Log(path, records, max_procs or max(1, max(r.processors for r in records)))


def _lines(path: Path) -> list[str]:
    try:
        raw = read_file(path)
        if raw[:2] == b"\x1f\x8b":
            raw = gunzip(raw)
    except OSError as error:
        raise InputError(
            f"{path}: {error.strerror}; give a readable SWF file, plain or .gz"
        ) from None
    except ValueError as error:
        raise InputError(f"{path}: {error}; give a readable SWF file, plain or .gz") from None
    if b"\0" in raw:
        raise InputError(f"{path}: binary data, not a log in the Standard Workload Format")
    return raw.decode("utf-8", errors="replace").splitlines()


def _max_procs(comment: str) -> int | None:
    name, _, value = comment.strip().partition(":")
    digits = value.split()[0] if value.split() else ""
    told = name.strip().lower() == "maxprocs" and digits.isdecimal() and len(digits) <= _DIGITS
    return int(digits) if told else None


def _record(path: Path, line: int, fields: list[str], place: int) -> Record | None:
    if len(fields) > FIELDS:
        raise InputError(
            f"{path}, line {line}: {len(fields)} fields; a record of the Standard Workload Format "
            f"has {FIELDS}"
        )
    try:
        values = [float(field) for field in fields]
    except ValueError:
        bad = next(field for field in fields if not _is_number(field))
        raise InputError(f"{path}, line {line}: {bad[:40]!r} is not a number") from None
    if (
        not all(map(math.isfinite, values))
        or max(map(abs, values)) > 10**_DIGITS
        or max(map(len, fields)) > _LONGEST
        or not all(map(_is_written_out, fields, values))
    ):
        raise InputError(f"{path}, line {line}: a number beyond all bounds (10^15)")
    padded = fields + ["-1"] * (FIELDS - len(fields))
    values += [-1.0] * (FIELDS - len(fields))
    if values[10] in PARTIAL_EXECUTION:
        return None
    if values[1] < 0:
        raise InputError(
            f"{path}, line {line}: submit time (field 2) {padded[1]}; it must be known"
        )
    return Record(
        line=line,
        number=int(values[0]) if values[0] >= 0 else place,
        submit_s=padded[1],
        run_s=padded[3],
        processors=int(values[4]) if values[4] > 0 else int(values[7]),
        cpu_s=padded[5],
        memory_kb=values[6],
        requested_kb=values[9],
        user=int(values[11]),
    )


def _is_written_out(field: str, value: float) -> bool:
    """Whether it is 0 only if it says so: 1e-999999999 is no 0, and as a fraction has no end."""
    return value != 0 or not set(field.lower().partition("e")[0]) & set("123456789")


def _is_number(text: str) -> bool:
    try:
        float(text)
    except ValueError:
        return False
    return True
