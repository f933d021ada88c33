"""What a page may ask for, as JSON objects with a `do`."""

from typing import Annotated, Literal

from pydantic import BaseModel, ConfigDict, Field, TypeAdapter, ValidationError

from model.ground.errors import InputError, cut, shown

_END_NS = 2**62  # later than any run goes


class _Request(BaseModel):
    model_config = ConfigDict(strict=True, frozen=True)


class Step(_Request):
    """Go on to a goal."""

    do: Literal["step"]
    goal: str


class Back(_Request):
    """Go back by a goal."""

    do: Literal["back"]
    goal: str


class Seek(_Request):
    """Go to a time."""

    do: Literal["seek"]
    at_ns: Annotated[int, Field(le=_END_NS)]


class Begin(_Request):
    """Begin anew with these designs, and the values of a form if there are any."""

    do: Literal["begin"]
    first: str
    beside: str | None = None
    values: dict[str, str] = {}


class Faults(_Request):
    """Have these faults, from the beginning on."""

    do: Literal["faults"]
    tables: list[dict[str, object]]


class Pause(_Request):
    """End what takes long."""

    do: Literal["pause"]


Request = Step | Back | Seek | Begin | Faults | Pause
_READER: TypeAdapter[Request] = TypeAdapter(Annotated[Request, Field(discriminator="do")])


def request_of(text: str | bytes) -> Request:
    """The request that a page has sent; raises InputError for anything else."""
    try:
        return _READER.validate_json(text)
    except ValidationError as error:
        reason = cut(error.errors(include_url=False)[0]["msg"], 200)
        raise InputError(f"{shown(text)} is no request of a page: {reason}") from None
