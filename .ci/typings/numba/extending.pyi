from collections.abc import Callable
from typing import TypeVar

F = TypeVar("F", bound=Callable[..., object])

def register_jitable(function: F) -> F: ...
def register_model(kind: type) -> Callable[[type], type]: ...

class models:
    class OpaqueModel: ...
