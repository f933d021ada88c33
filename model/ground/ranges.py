"""Between which values a parameter of a design lies."""

from collections.abc import Iterator
from dataclasses import dataclass

from annotated_types import BaseMetadata, Ge, GroupedMetadata, Le


@dataclass(frozen=True)
class Range(GroupedMetadata):
    """Limits of a parameter, both included, as in `size: Annotated[int, Range(2, 32)]`.

    `run.py judge … --tune` searches between them.
    """

    low: float
    high: float

    def __iter__(self) -> Iterator[BaseMetadata]:
        """The limits, as pydantic reads them."""
        yield Ge(self.low)
        yield Le(self.high)
