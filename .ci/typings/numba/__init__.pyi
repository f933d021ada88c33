"""The types of the parts of Numba that we use; its own code states none."""

from collections.abc import Callable
from typing import TypeVar

F = TypeVar("F", bound=Callable[..., object])

def njit(**options: bool) -> Callable[[F], F]: ...
def typeof(value: object) -> object: ...

class config:
    CACHE_DIR: str
