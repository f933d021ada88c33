"""What agents expect of one another and of the emulation that they live in, as types.

They stand here so that no file has to import another one only to name a type.
"""

from collections.abc import Sequence
from typing import Any, Protocol

from model.ground.clock import Clock


class Surroundings(Protocol):
    """The Mesa model, as far as agents use it (`model/core/emulation.py`)."""

    clock: Clock
    journal: Any  # of `model/core/journal.py`, or None if nobody reads it
    network: Any  # of `model/core/network.py`
    constants: Any  # the system's, in ns and bytes
    parameters: Any  # the scenario
    nodes: Sequence[Any]


class Job(Protocol):
    """What something that computes on a node belongs to."""

    number: int  # in the trace
    first_process: int  # its first process's place among those of all jobs


class Resident(Protocol):
    """What computes on a node and waits for its disk: a process, or a sequential job."""

    job: Job
    rank: int
    node: Any
    cause: int  # the record that let it compute, for the journal
    steps: int  # so far, for the journal

    def page_loaded(self) -> None:
        """Its page has been read: it goes on."""
