"""What the declaration of a field says of its option: the one reading for all commands."""

from types import NoneType
from typing import Any, Literal, get_args, get_origin

from pydantic.fields import FieldInfo


def help_of(field: FieldInfo) -> str:
    """The text below the field, in one line."""
    return " ".join((field.description or "").split())


def metavar(name: str, *annotations: object) -> str | None:
    """What an option takes, as the help shows it: <int>, <gang|space>; None for a flag.

    There are several annotations if a field stands in several classes.
    """
    if listed := choices(*annotations):
        return f"<{'|'.join(map(str, listed))}>"
    parts = [part for part in get_args(annotations[0]) if part is not NoneType]
    kinds: list[Any] = parts or [*annotations]
    if get_origin(annotations[0]) is tuple:
        if kinds[0] is str:
            return "<name,...>"
        return f"<{kinds[0].__name__ if isinstance(kinds[0], type) else 'float'},...>"
    if kinds[0] is str:
        return f"<{name.split('_')[-1]}>"  # a topology, trace or file
    return None if kinds[0] is bool else f"<{kinds[0].__name__.lower()}>"


def choices(*annotations: object) -> list[object]:
    """The values from which an option's one is chosen, perhaps from those of several classes."""
    literals = [
        part
        for annotation in annotations
        for part in (annotation, *get_args(annotation))
        if get_origin(part) is Literal
    ]
    return [*dict.fromkeys(value for literal in literals for value in get_args(literal))]
