from types import FunctionType
from typing import Protocol

from numba.core.codegen import JITCodeLibrary, JITCPUCodegen

class _Target(Protocol):
    def codegen(self) -> JITCPUCodegen: ...

class _Function(Protocol):
    func: FunctionType
    func_qualname: str

class StateDict:
    library: JITCodeLibrary
    targetctx: _Target
    func_id: _Function
