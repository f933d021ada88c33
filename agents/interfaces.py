"""The types of what agents expect of one another and of the emulation that they live in.

They stand here so that no file has to import another one merely to name a type.
"""

from collections.abc import Sequence
from typing import Any, Protocol

from model.ground.clock import Clock


class Surroundings(Protocol):
    """The part of the Mesa model (`model/core/emulation.py`) that agents use."""

    clock: Clock
    journal: Any  # of `model/core/journal/writer.py`, or None if nobody reads it
    network: Any  # of `model/core/network.py`
    constants: Any  # of the system, in ns and bytes
    parameters: Any  # the scenario
    nodes: Sequence[Any]


class Job(Protocol):
    """The job to which something that computes on a node belongs."""

    number: int  # in the trace
    first_process: int  # the index of its first process among the processes of all jobs


class Resident(Protocol):
    """Something that computes on a node and waits for its disk: a process or a sequential job."""

    job: Job
    rank: int
    node: Any
    cause: int  # the record that let it compute, for the journal
    steps: int  # journaled so far
    placed: Any  # of agents/pnr/messages.py, for its client; None before the client is told

    def page_loaded(self) -> None:
        """Go on: the page has been read."""
