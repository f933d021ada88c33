"""Compiling once: Numba's cache on disk, in a place that changes with the code."""

from collections.abc import Callable
from hashlib import sha256
from os import environ
from pathlib import Path
from tempfile import TemporaryFile
from typing import Any

import numba

_HERE = Path(__file__).parent
_SOURCES = [
    *sorted(_HERE.parent.glob("**/*.py")),
]


def _writable_cache() -> Path | None:
    """A folder for compiled code, named after the code it is made from; None if there is none.

    Numba itself compares each function with its own file only, and would keep using compiled code
    of which another file has changed.
    """
    stamp = sha256(b"".join(source.read_bytes() for source in _SOURCES)).hexdigest()[:16]
    home = Path(environ.get("XDG_CACHE_HOME") or Path.home() / ".cache")
    given = [Path(environ["NUMBA_CACHE_DIR"])] if "NUMBA_CACHE_DIR" in environ else []
    for place in [*given, _HERE / "__pycache__", home / "parallel-network-ram"]:
        folder = place / f"compiled-{stamp}"
        try:
            folder.mkdir(parents=True, exist_ok=True)
            with TemporaryFile(dir=folder):
                return folder
        except OSError:
            continue
    return None


CACHE = _writable_cache()
if CACHE is not None:
    numba.config.CACHE_DIR = str(CACHE)


def is_compiled() -> bool:
    """Whether the next run finds its compiled code on disk."""
    return CACHE is not None and any(CACHE.rglob("*advance*.nbc"))


# _nrt=False: without reference counts of arrays, which compiled functions neither make nor keep.
# They are two atomic operations an argument and call, and made everything five times as slow.
# forceinline: in one piece, since most of what a call does is to hand on the world; twice as fast.


def compiled(function: Callable[..., Any]) -> Callable[..., Any]:
    """Compile a function that Python calls, and keep it on disk."""
    return numba.njit(cache=CACHE is not None, _nrt=False)(function)


def inner(function: Callable[..., Any]) -> Callable[..., Any]:
    """Compile a function that only compiled functions call."""
    return numba.njit(_nrt=False, forceinline=True)(function)
