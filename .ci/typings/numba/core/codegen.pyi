from collections.abc import Iterable
from typing import Any, Protocol

class _Named(Protocol):
    name: str

class _Module(Protocol):
    global_variables: Iterable[_Named]

class JITCodeLibrary:
    _finalized: bool
    _final_module: _Module
    def __init__(self, codegen: JITCPUCodegen, name: str) -> None: ...
    def get_pointer_to_function(self, name: str) -> int: ...
    def _optimize_final_module(self) -> None: ...
    def _finalize_final_module(self) -> None: ...

class JITCPUCodegen:
    _engine: Any
    set_env: Any
