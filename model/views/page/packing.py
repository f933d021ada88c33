"""Whole numbers and texts as few bytes, for a browser to unpack.

A column loses its least value, keeps as many bytes a number as the largest then needs, and is
written byte by byte: first the lowest bytes of all numbers, and so on. So the deflate that follows
finds what repeats. `records.js` reads it.
"""

import base64
import zlib
from collections.abc import Mapping, Sequence

import numpy as np

Columns = Mapping[str, np.ndarray]
_LEVEL = 6  # of deflate: the next ones gain a percent and take twice as long


def pack(
    tables: Mapping[str, Columns], texts: Sequence[str], rising: Sequence[str]
) -> dict[str, object]:
    """The tables and texts as JSON can hold them: what each column is, and all bytes in base64.

    Columns whose names are in `rising` are written as differences from row to row. Texts must not
    have line breaks. Numbers are exact in a browser up to 2**53.
    """
    specs, parts = [], []
    for table, columns in tables.items():
        for name, values in columns.items():
            numbers = np.asarray(values, dtype=np.int64)
            if name in rising:
                numbers = np.diff(numbers, prepend=0)
            least = int(numbers.min()) if len(numbers) else 0
            rest = (numbers - least).astype("<u8")
            width = (int(rest.max()).bit_length() + 7) // 8 if len(rest) else 0
            planes = rest.view(np.uint8).reshape(-1, 8)[:, :width]
            parts.append(planes.T.tobytes())
            specs.append([table, name, len(numbers), width, least, int(name in rising)])
    written = "\n".join(texts).encode()
    parts.append(written)
    body = zlib.compress(b"".join(parts), _LEVEL)
    return {
        "columns": specs,
        "text_bytes": len(written),
        "body": base64.b64encode(body).decode("ascii"),
    }
