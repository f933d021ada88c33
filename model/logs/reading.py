"""Reads a log by what its file is."""

from functools import lru_cache
from pathlib import Path

from model.ground.errors import InputError
from model.logs.log import Log
from model.logs.sacct import is_sacct
from model.logs.swf import read_swf

_TABLES = (".csv", ".tsv", ".psv", ".json", ".jsonl", ".ndjson", ".parquet")


def read_log(path: Path, columns: Path | None, memory_unit_bytes: int) -> Log:
    """A log in a format that is recognised, or else a table by a map of its columns.

    Raises InputError.
    """
    files = tuple(file for file in (path, columns) if file is not None)
    changed_ns = tuple(file.stat().st_mtime_ns for file in files if file.is_file())
    return _read(path, columns, memory_unit_bytes, changed_ns)


@lru_cache(maxsize=2)  # a comparison reads its log for the jobs and for what is unknown of them
def _read(path: Path, columns: Path | None, unit_bytes: int, changed_ns: tuple[int, ...]) -> Log:
    if columns is not None:
        from model.logs.columns import read_column_map
        from model.logs.table import read_table

        return read_table(path, read_column_map(columns))
    if is_sacct(path):
        from model.logs.table import read_table

        return read_table(path, None)
    if path.name.lower().removesuffix(".gz").endswith(_TABLES):
        raise InputError(
            f"{path}: a table; say which of its columns is what in a TOML file (--columns)"
        )
    return read_swf(path, unit_bytes)
