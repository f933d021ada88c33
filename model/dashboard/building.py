"""Builds what is watched in a thread, which can be stopped: a large network takes minutes."""

import ctypes
from collections.abc import Callable
from threading import Lock, get_ident
from typing import TypeVar

from model.ground.errors import InputError

T = TypeVar("T")


class _Stopped(BaseException):
    """Raised in the thread that is to stop, wherever it is."""


class Builder:
    """Builds one thing at a time."""

    def __init__(self) -> None:
        self._thread: int | None = None  # that builds
        self._lock = Lock()  # so that no thread is stopped that has just ended its work

    def build(self, make: Callable[[], T]) -> T:
        """What `make` makes, in this thread; raises InputError if it was stopped."""
        try:
            with self._lock:
                self._thread = get_ident()
            try:
                return make()
            finally:
                with self._lock:
                    self._thread = None
        except _Stopped:
            raise InputError("stopped while it was built; what was shown before stays") from None

    def stop(self) -> None:
        """Stop what is being built, if anything is."""
        with self._lock:
            if self._thread is not None:
                thread = ctypes.c_ulong(self._thread)
                ctypes.pythonapi.PyThreadState_SetAsyncExc(thread, ctypes.py_object(_Stopped))
