"""Reads logs in the Standard Workload Format (Feitelson's Parallel Workloads Archive)."""

import gzip
import zlib
from fractions import Fraction
from io import StringIO
from pathlib import Path

from model.core.log import Log, Record, is_bounded, numbered
from model.ground.errors import InputError, cut
from model.ground.units import BYTES_PER_KB, exact

FIELDS = 18
PARTIAL_EXECUTION = (2, 3, 4)  # statuses of records that are parts of another record's job


def read_swf(path: Path, memory_unit_bytes: int = BYTES_PER_KB) -> Log:
    """Read a log, plain or gzip-compressed, whose memory is in units of so many bytes.

    Comments (`;`) may stand anywhere; only `MaxProcs` is read from them. Without it the machine is
    as large as the largest job. A short line of numbers is padded with -1, and what stands behind
    the last field is not read; records of partial executions (status 2, 3, 4) are not jobs and are
    left out, as the format's definition asks. Raises InputError naming file and line for anything
    else.
    """
    records: list[Record] = []
    max_procs = None
    most_fields = 0
    for number, line in enumerate(_lines(path), start=1):
        text, _, comment = line.partition(";")
        if comment and max_procs is None:
            max_procs = _max_procs(comment)
        fields = text.split()
        if fields:
            most_fields = max(most_fields, len(fields))
            record = _record(path, number, fields[:FIELDS], memory_unit_bytes)
            if record is not None:
                records.append(record)
    if not records:
        raise InputError(
            f"{path}: no job records in it; give a log in the Standard Workload Format"
        )
    return Log(path, numbered(records), max_procs, max(0, most_fields - FIELDS))


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


def _record(path: Path, line: int, fields: list[str], unit_bytes: int) -> Record | None:
    try:
        values = [float(field) for field in fields]
    except ValueError as error:
        raise InputError(f"{path}, line {line}: {cut(str(error))}; give numbers") from None
    if not all(map(is_bounded, values)):
        raise InputError(f"{path}, line {line}: a number beyond all bounds (10^15)")
    padded = fields + ["-1"] * (FIELDS - len(fields))
    values += [-1.0] * (FIELDS - len(fields))
    if values[10] in PARTIAL_EXECUTION:
        return None
    if values[1] < 0:
        raise InputError(
            f"{path}, line {line}: submit time (field 2) {padded[1]}; it must be known"
        )

    def memory(field: int) -> Fraction | None:
        size = values[field - 1]
        if size <= 0:
            return None
        whole = size.is_integer()  # in which case it is exact, and a fraction of it fast
        return Fraction(int(size) * unit_bytes) if whole else exact(size) * unit_bytes

    return Record(
        line=line,
        number=int(values[0]) if values[0] >= 0 else -1,
        submit_s=padded[1],
        run_s=padded[3],
        processors=int(values[4]) if values[4] > 0 else int(values[7]),
        cpu_s=padded[5],
        used=memory(7),
        requested=memory(10),
        user=int(values[11]),
    )
