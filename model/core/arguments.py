"""What a function that makes a network or a design takes besides the cluster, and its values.

Its annotations say of which type they are: int, float, bool, str, a `Literal`, one of several with
`|`, or any of these with limits of pydantic (`Annotated[int, Field(ge=1)]`).
"""

import inspect
from collections.abc import Callable, Mapping
from contextlib import suppress
from typing import Annotated, Any, Literal, get_args, get_origin

from pydantic import ConfigDict, TypeAdapter, ValidationError

from model.core.names import text_of
from model.ground.errors import InputError, shown

Parameters = Mapping[str, inspect.Parameter]
_NAMED = (inspect.Parameter.POSITIONAL_OR_KEYWORD, inspect.Parameter.KEYWORD_ONLY)


def parameters_of(build: Callable[..., object], after: int) -> Parameters:
    """What a function takes besides its first arguments, by name."""
    own = list(inspect.signature(build, eval_str=True).parameters.items())[after:]
    return {name: parameter for name, parameter in own if parameter.kind in _NAMED}


def typed(called: str, parameters: Parameters, given: Mapping[str, str]) -> dict[str, object]:
    """The values of these texts, in the order of the parameters.

    Raises InputError, with all that there is, for a name that is none of them and for a text that
    is no value of its parameter's type.
    """
    takes = in_words(parameters)
    if unknown := [name for name in given if name not in parameters]:
        raise InputError(f"{called}: takes no {unknown[0]}; {takes}")
    values = {}
    for name, parameter in parameters.items():
        if name in given:
            try:
                values[name] = _value(given[name].strip("'\""), parameter)
            except ValidationError as error:
                wrong = error.errors()[0]["msg"].replace("Input", name, 1)
                what = f"{wrong} (not {shown(given[name])})"
                raise InputError(f"{called}: {what}; {takes}") from None
        elif is_needed(parameter):
            raise InputError(f"{called}: needs {name}; {takes}")
    return values


def is_needed(parameter: inspect.Parameter) -> bool:
    """Whether it has to be given."""
    return parameter.default is parameter.empty


def in_words(parameters: Parameters) -> str:
    """What a function takes, with types and defaults."""
    listed = [
        f"{name} ({_type_in_words(parameter)}"
        + ("" if is_needed(parameter) else f", default {text_of(parameter.default)}")
        + ")"
        for name, parameter in parameters.items()
    ]
    return f"it takes {', '.join(listed)}" if listed else "it has no parameters"


def _type(parameter: inspect.Parameter) -> Any:
    """Of which type its values are: as annotated, or as that of its default."""
    if parameter.annotation is not parameter.empty:
        return parameter.annotation
    if is_needed(parameter) or parameter.default is None:
        return int | float | str
    return type(parameter.default)


def _type_in_words(parameter: inspect.Parameter) -> str:
    kind = _type(parameter)
    if get_origin(kind) is Annotated:
        kind = get_args(kind)[0]
    if get_origin(kind) is Literal:
        return " or ".join(map(text_of, get_args(kind)))
    return kind.__name__ if isinstance(kind, type) else str(kind).replace("typing.", "")


def _value(text: str, parameter: inspect.Parameter) -> object:
    """What a text stands for; raises ValidationError."""
    kind = TypeAdapter(_type(parameter), config=ConfigDict(allow_inf_nan=False))
    if text.lower() == "none":
        with suppress(ValidationError):
            return kind.validate_python(None)
    return kind.validate_strings(text)
