from contextlib import AbstractContextManager

from numba.core.compiler import Flags

class ConfigStack:
    @classmethod
    def top_or_none(cls) -> Flags | None: ...
    def enter(self, flags: Flags) -> AbstractContextManager[None]: ...
