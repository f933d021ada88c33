"""Parquet files that a person names: how many rows of them are read."""

from pathlib import Path
from typing import BinaryIO

import pyarrow.parquet as pq

MOST_ROWS = 10_000_000  # of a table; one becomes an object


def check_rows(file: Path | BinaryIO, most: int = MOST_ROWS) -> None:
    """Raise ValueError for more rows than `most`: equal ones take no room in a file.

    Raises OSError and pyarrow.ArrowException if it cannot be read.
    """
    rows = pq.read_metadata(file).num_rows
    if rows > most:
        raise ValueError(f"it has {rows:,} rows, of which at most {most:,} are read")
