"""What a function that makes a network or a design takes besides the cluster, and its values.

Its annotations say of which type they are: int, float, bool, str, a `Literal`, one of several with
`|`, or any of these with limits of pydantic (`Annotated[int, Field(ge=1)]`).
"""

import inspect
from collections.abc import Callable, Mapping
from contextlib import suppress
from typing import Annotated, Any, Literal, get_args, get_origin

from pydantic import ConfigDict, PydanticUserError, TypeAdapter, ValidationError

from model.core.names import text_of
from model.ground.errors import InputError, cut, shown

Parameters = Mapping[str, inspect.Parameter]
_NAMED = (inspect.Parameter.POSITIONAL_OR_KEYWORD, inspect.Parameter.KEYWORD_ONLY)
_WORDS = {"true": True, "false": False, "none": None}


def parameters_of(build: Callable[..., object], after: int, called: str) -> Parameters:
    """What a function takes besides its first arguments, by name; raises InputError."""
    try:
        signature = inspect.signature(build, eval_str=True)
    except (ValueError, TypeError):  # it has none
        return {}
    except Exception as error:  # whatever an annotation raises
        raise InputError(f"{called}: its annotations cannot be read: {cut(str(error))}") from None
    own = list(signature.parameters.items())[after:]
    return {name: parameter for name, parameter in own if parameter.kind in _NAMED}


def typed(called: str, parameters: Parameters, given: Mapping[str, str]) -> dict[str, object]:
    """The values of these texts, in the order of the parameters.

    Raises InputError, with all that there is, for a name that is none of them and for a text that
    is no value of its parameter's type.
    """
    if unknown := [name for name in given if name not in parameters]:
        raise InputError(f"{called}: takes no {unknown[0]}; {in_words(parameters)}")
    for name, parameter in parameters.items():
        if is_needed(parameter) and name not in given:
            raise InputError(f"{called}: needs {name}; {in_words(parameters)}")
    try:
        return {
            name: _value(given[name], parameter)
            for name, parameter in parameters.items()
            if name in given
        }
    except ValueError as error:
        raise InputError(f"{called}: {error}; {in_words(parameters)}") from None


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
    known = parameter.default is not parameter.empty and parameter.default is not None
    return type(parameter.default) if known else Any


def _type_in_words(parameter: inspect.Parameter) -> str:
    kind = _type(parameter)
    if get_origin(kind) is Annotated:
        kind = get_args(kind)[0]
    if get_origin(kind) is Literal:
        return " or ".join(map(text_of, get_args(kind)))
    return kind.__name__ if isinstance(kind, type) else str(kind).replace("typing.", "")


def _value(text: str, parameter: inspect.Parameter) -> object:
    """What a text stands for: a number or a word, if the type allows that, or else the text."""
    try:
        config = ConfigDict(strict=True, allow_inf_nan=False)
        kind: TypeAdapter[object] = TypeAdapter(_type(parameter), config=config)
    except PydanticUserError:
        what = _type_in_words(parameter)
        raise ValueError(f"{parameter.name} is a {what}, which no name can give") from None
    try:
        return kind.validate_python(_scalar(text))
    except ValidationError as error:
        with suppress(ValidationError):
            return kind.validate_python(text)
        message = error.errors()[0]["msg"].replace("Input", parameter.name, 1)
        raise ValueError(f"{message} (not {shown(text)})") from None


def _scalar(text: str) -> object:
    if text.lower() in _WORDS:
        return _WORDS[text.lower()]
    for number in (int, float):
        with suppress(ValueError):
            return number(text)
    return text
