"""Files that a person names: what can be read of them, and why one cannot be written."""

import os
import stat
import zlib
from collections.abc import Iterator
from contextlib import contextmanager
from errno import EFBIG, EINVAL, EISDIR
from functools import cache
from hashlib import sha256
from pathlib import Path

from model.ground.errors import InputError, cut

LARGEST = 2**30  # bytes of a file, or of what it holds compressed


def read_file(path: Path, most: int = LARGEST) -> bytes:
    """What is in the file; raises OSError, also for a pipe, a device, or more bytes than `most`."""
    try:
        status = path.stat()
        if stat.S_ISDIR(status.st_mode):
            raise IsADirectoryError(EISDIR, os.strerror(EISDIR))
        if not stat.S_ISREG(status.st_mode):
            raise OSError(EINVAL, "not a regular file")
        if status.st_size > most:
            raise OSError(EFBIG, f"it has {status.st_size} bytes, of which at most {most} are read")
        return path.read_bytes()
    except ValueError as error:  # a NUL in the name
        raise OSError(EINVAL, str(error)) from None


def gunzip(compressed: bytes, most: int = LARGEST) -> bytes:
    """All that gzip compressed; raises ValueError, also for more bytes than `most`."""
    found = bytearray()
    while compressed:
        member = zlib.decompressobj(wbits=31)
        try:
            found += member.decompress(compressed, most + 1 - len(found))
        except zlib.error as error:
            raise ValueError(f"damaged gzip file ({error})") from None
        if len(found) > most:
            raise ValueError(f"more than {most} bytes when it is decompressed")
        if not member.eof:
            raise ValueError("damaged gzip file (it ends too early)")
        compressed = member.unused_data.lstrip(b"\0")
    return bytes(found)


@contextmanager
def writing(option: str, path: Path, wanted: str = "a file that can be written") -> Iterator[None]:
    """Whatever cannot be written in this block, to the path that an option gave, is InputError."""
    try:
        yield
    except OSError as error:
        reason = error.strerror or cut(str(error))
        raise InputError(f"{option} {cut(str(path), 300)}: {reason}; give {wanted}") from None


def content(file: Path) -> str:
    """A hash of a file's content."""
    status = file.stat()
    return _file_hash(file, status.st_size, status.st_mtime_ns)


@cache
def _file_hash(file: Path, size: int, changed_ns: int) -> str:
    return sha256(file.read_bytes()).hexdigest()
