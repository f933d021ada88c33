from collections.abc import Callable
from typing import TypeVar

F = TypeVar("F", bound=Callable[..., object])

def register_jitable(function: F) -> F: ...
