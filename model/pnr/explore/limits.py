"""What may be explored, whoever asks for it: at the command line or in Python."""

from typing import Annotated, Literal

from pydantic import Field

Nodes = Annotated[int, Field(ge=1, le=64)]
Jobs = Annotated[int, Field(ge=1, le=100)]
Order = Literal["fifo", "any"]
Placements = Literal["lowest", "any"]
Faults = Annotated[int, Field(ge=0, le=255)]  # of a kind; one or two make millions of states
Seed = Annotated[int, Field(ge=0)]
States = Annotated[int, Field(ge=2, le=10**12)]
