"""What may be explored, whoever asks for it: at the command line or in Python."""

from typing import Annotated, Literal

from pydantic import Field

Nodes = Annotated[int, Field(ge=1, le=64)]
Jobs = Annotated[int, Field(ge=1, le=100)]
Order = Literal["fifo", "any"]
Placements = Literal["lowest", "any"]
#: What fits in the words of a compiled search: faults of a kind have 8 bits there, and of early
#: timers one less, since their number is signed.
Faults = Annotated[int, Field(ge=0, le=255)]
Early = Annotated[int, Field(ge=0, le=127)]
Seed = Annotated[int, Field(ge=0)]
States = Annotated[int, Field(ge=2, le=10**12)]
