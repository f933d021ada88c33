from collections.abc import Callable
from typing import TypeVar, overload

F = TypeVar("F", bound=Callable[..., object])

@overload
def register_jitable(function: F) -> F: ...
@overload
def register_jitable(
    *, _nrt: bool, forceinline: bool, no_cfunc_wrapper: bool
) -> Callable[[F], F]: ...
