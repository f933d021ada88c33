"""An emulation: a Mesa model of nodes on a network, with a clock, a journal and jobs."""

import gc
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from contextlib import AbstractContextManager, contextmanager, nullcontext
from dataclasses import dataclass
from time import perf_counter
from typing import Any, Protocol

import mesa
import networkx as nx

from agents.disk import Disk
from agents.interfaces import BaseConstants
from agents.node import Node
from agents.station import Station
from model.core.journal.kinds import Record
from model.core.journal.queues import most_windows
from model.core.journal.writer import Journal
from model.core.network import Network, NetworkSurroundings
from model.core.scenario import BaseScenario
from model.ground.clock import Clock
from model.ground.errors import Stalled

Readers = Iterable[Callable[[Record], None]]
Progress = Callable[["Emulation"], None]

_MOST_YOUNG = 100_000  # objects among which Python looks for rings at once; else it takes 700
_JOBS_NAMED = 10  # how many waiting jobs the story of a stall names


@dataclass(frozen=True)
class Loaded:
    """What a scenario names, loaded once for all that is compared on it."""

    constants: BaseConstants
    graph: nx.Graph  # of the network
    workload: Sequence[Any]  # the specifications of jobs, in the order of arrival


class BaseJob(Protocol):
    """What an emulation must know of the jobs of every system."""

    number: int  # in the trace
    submit_ns: int
    end_ns: int | None

    def story(self) -> str:
        """One line for a person: what it waits for now."""


@contextmanager
def _few_collections() -> Iterator[None]:
    """Look for rings of dead objects seldom, since events leave hardly any, and that takes long."""
    young, *older = gc.get_threshold()
    gc.set_threshold(max(young, _MOST_YOUNG) if young else 0, *older)
    try:
        yield
    finally:
        gc.set_threshold(young, *older)


class Emulation(mesa.Model, NetworkSurroundings):
    """A cluster on which one design or policy runs a scenario's jobs.

    `run()` goes to the end, `step()` executes one event. Nodes, disks, links and switches are Mesa
    agents (`agents`, `agents_by_type`). `readers` get every record of the journal as it is made.
    Each system derives its own class, which makes the nodes and the jobs and then calls `begin`.
    """

    clock_type = Clock
    network_type = Network

    parameters: BaseScenario
    constants: BaseConstants
    nodes: Sequence[Node]
    network: Network
    jobs: Sequence[BaseJob]
    by_number: Mapping[int, BaseJob]

    def __init__(
        self,
        scenario: BaseScenario,
        name: str,
        loaded: Loaded,
        readers: Readers,
        journal_level: str,
    ) -> None:
        super().__init__(rng=scenario.seed)
        self.parameters = scenario  # not "scenario": that name is Mesa's from 3.4 on
        self.name = name  # of the design or policy
        self.constants = loaded.constants
        self.clock = self.clock_type()
        readers = tuple(readers)
        self.journal = Journal(self.clock, readers, journal_level) if readers else None
        self._nodes: list[Node] = []  # none before `begin`
        self.nodes = self._nodes
        self.network = self.network_type(self, loaded.graph)
        self.jobs = ()
        self.unfinished = 0  # jobs
        self.stuck = False  # whether a fault, not a mistake, keeps jobs from ending
        self.beyond = False  # whether it was given up, as jobs take too long (they are stuck then)
        self.wall_s = 0.0

    def begin(self, nodes: Iterable[Node], jobs: Iterable[BaseJob]) -> None:
        """Take these nodes and jobs, and connect the nodes to the network."""
        self._nodes.extend(nodes)
        self.network.connect()
        self.jobs = list(jobs)
        self.unfinished = len(self.jobs)
        self.by_number = {job.number: job for job in self.jobs}

    def blaming(self) -> AbstractContextManager[None]:
        """What goes wrong within it is told as the mistake of whoever made it, if that is known."""
        return nullcontext()

    def run(self, progress: Progress | None = None) -> "Emulation":
        """Run until no events are left; raises Stalled if work remains then."""
        began = perf_counter()
        try:
            with _few_collections():
                while self.clock.run(self.clock.events_between_reports):
                    if progress is not None:
                        progress(self)
        finally:
            self.wall_s += perf_counter() - began
        self.running = False
        if self.unfinished:
            raise Stalled(self.stall_story())
        self.tell_queues()
        return self

    def step(self) -> None:
        """Execute the next event."""
        self.running = self.clock.run(1)

    def journal_every_hop(self, _: None = None) -> None:
        """From now on journal whatever happens, and not the protocol alone.

        What is on its way may lack records of what has become of it before.
        """
        assert self.journal is not None
        self.journal.everything = True

    def tell_queues(self) -> None:
        """Journal where messages waited: the run is over."""
        if self.journal is not None:
            self.journal.queued(most_windows(len(self.stations())))

    @property
    def disks(self) -> list[Disk]:
        """All disks, by node."""
        return [node.disk for node in self.nodes]

    def stations(self) -> list[Station]:
        """All links and switches, then the disks by node."""
        return [*self.network.stations(), *self.disks]

    def progress(self) -> float:
        """The share of the work that is done."""
        return 1 - self.unfinished / len(self.jobs)

    def job(self, number: int) -> BaseJob:
        """The job with this number; raises KeyError if there is none."""
        return self.by_number[number]

    def job_ended(self) -> None:
        """Count one more job as done."""
        self.unfinished -= 1

    def stall_story(self) -> str:
        """Which jobs are not done, and what each waits for."""
        waiting = [job for job in self.jobs if job.end_ns is None]
        stories = "; ".join(job.story() for job in waiting[:_JOBS_NAMED])
        further = len(waiting) - _JOBS_NAMED
        more = f"; and {further} more job{'s' * (further > 1)}" if further > 0 else ""
        those = "1 job is" if len(waiting) == 1 else f"{len(waiting)} jobs are"
        return (
            f"{self.name} stalled at {self.clock.now_ns} ns: {those} not done and "
            f"nothing is scheduled. {stories}{more}"
        )
