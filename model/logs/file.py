"""A log's file as text, whatever its compression and encoding."""

import gzip
import zlib
from pathlib import Path

from model.ground.errors import InputError

_GZIP = b"\x1f\x8b"
_UTF_16 = (b"\xff\xfe", b"\xfe\xff")


def text_of(path: Path, wanted: str) -> str:
    """The text of a file, plain or gzip-compressed; raises InputError, with what is wanted."""
    try:
        raw = path.read_bytes()
        if raw.startswith(_GZIP):
            raw = gzip.decompress(raw)
    except (OSError, EOFError, zlib.error) as error:
        reason = getattr(error, "strerror", None) or f"damaged gzip ({error})"
        raise InputError(f"{path}: {reason}; give {wanted}") from None
    text = _decoded(raw)
    if "\0" in text:
        raise InputError(f"{path}: binary data; give {wanted}")
    return text


def first_lines(path: Path) -> list[str]:
    """The first two lines with text in a file; none if it cannot be read."""
    try:
        with path.open("rb") as file:
            is_packed = file.read(2) == _GZIP
        with gzip.open(path) if is_packed else path.open("rb") as opened:
            head = _decoded(opened.read(2**16))
    except (OSError, EOFError, zlib.error):
        return []
    return [line for line in head.splitlines() if line.strip()][:2]


def _decoded(raw: bytes) -> str:
    encoding = "utf-16" if raw.startswith(_UTF_16) else "utf-8-sig"
    return raw.decode(encoding, errors="replace")
