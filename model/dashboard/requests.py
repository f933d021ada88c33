"""What a page may ask for, as JSON objects with a `do`."""

from typing import Annotated

import msgspec

from model.ground.errors import InputError, cut, shown


class _Request(msgspec.Struct, tag_field="do", tag=str.lower):
    pass


class Step(_Request):
    """Go on to a goal."""

    goal: str


class Back(_Request):
    """Go back by a goal."""

    goal: str


class Seek(_Request):
    """Go to a time, which no run reaches if it is the last possible."""

    at_ns: Annotated[int, msgspec.Meta(le=2**62)]


class Begin(_Request):
    """Begin anew with these designs, and the values of a form if there are any."""

    first: str
    beside: str | None = None
    values: dict[str, str] = {}


class Faults(_Request):
    """Have these faults, from the beginning on."""

    tables: list[dict[str, object]]


class Pause(_Request):
    """End what takes long."""


Request = Step | Back | Seek | Begin | Faults | Pause
_DECODER: msgspec.json.Decoder[Request] = msgspec.json.Decoder(Request)


def request_of(text: str | bytes) -> Request:
    """The request that a page has sent; raises InputError for anything else."""
    try:
        return _DECODER.decode(text)
    except (msgspec.DecodeError, ValueError, RecursionError) as error:
        reason = cut(str(error), 200)
        raise InputError(f"{shown(text)} is no request of a page: {reason}") from None
