"""Where the records come from that the page shows: a run that goes on, or a journal in a file."""

from abc import ABC, abstractmethod
from collections.abc import Callable

import networkx as nx

from model.core.journal.file import rows
from model.core.journal.kinds import Record, Sent
from model.core.scenario import BaseScenario
from model.ground.errors import Beyond, CheckFailed, InputError, Stalled
from model.systems import comparison_of, declared_as
from model.views.caption import caption, of_run
from model.views.recording import Recording, Selection

Read = Callable[[Record], None]

_ROWS_AT_ONCE = 5_000


class Source(ABC):
    """One run of one design (or policy), whose records come as far as they are asked for."""

    scenario: BaseScenario
    name: str  # of the design or policy
    managers: tuple[int, ...]
    network: nx.Graph
    every_hop: bool  # whether it has hops
    caption: str  # which run it is, and what is lacking of it
    is_part: bool = False  # whether it lacks messages that others may have made void
    kinds: tuple[str, ...]  # of messages, as far as they are known before they are sent
    last_ns: int | None  # the end, if it is known before all has been read
    complaint: str | None = None  # why there is no more, if that is a mistake or a stall

    @abstractmethod
    def next_ns(self) -> int | None:
        """The time of what comes next; None if nothing does."""

    @abstractmethod
    def go_on(self) -> None:
        """Let a little more happen, all of it at `next_ns` or later."""


class Running(Source):
    """A run that goes on, event by event."""

    def __init__(self, scenario: BaseScenario, declared: str, read: Read) -> None:
        """Raises InputError if anything that the scenario names is invalid."""
        comparison = comparison_of(scenario.comparing(declared_as(scenario, declared)))
        comparison.validate()
        (self.name,) = comparison.contestants
        self.scenario = comparison.scenario
        self.managers = comparison.managers(self.name)
        self.network = comparison.loaded.graph
        self.every_hop = True
        self.caption = of_run(self.scenario, self.name, 0)
        self.last_ns = None
        self.emulation = comparison.emulation(self.name, (read,), "all", "actors")
        self.kinds = tuple(kind.__name__ for kind in self.emulation.message_kinds)

    def next_ns(self) -> int | None:
        """The time of the next event."""
        key = None if self.complaint else self.emulation.clock.next_key()
        return None if key is None else key[0]

    def go_on(self) -> None:
        """Execute the next event; a protocol's mistake, or what ends a run, is a complaint."""
        try:
            with self.emulation.blaming():
                self.emulation.clock.run(1)
        except (InputError, Stalled, Beyond, CheckFailed) as error:
            self.complaint = str(error)
            return
        if self.next_ns() is not None:
            return
        if self.emulation.unfinished:
            self.complaint = self.emulation.stall_story()
        else:
            self.emulation.tell_queues()


class Recorded(Source):
    """A journal from a file."""

    def __init__(self, recording: Recording, read: Read) -> None:
        self.scenario = recording.scenario
        self.name = recording.design
        self.managers = recording.managers
        self.network = recording.network
        self.every_hop = recording.every_hop
        self.caption = caption(recording, Selection())
        self.is_part = bool(recording.part)
        self._table, self._read = recording.records, read
        self.kinds = tuple(self._table["what"][self._table["kind"] == Sent.name].unique())
        self._times_ns = recording.records["time_ns"].to_numpy("int64")
        self.last_ns = int(self._times_ns[-1])
        self._place = 0
        self._rows: list[Record] = []

    def next_ns(self) -> int | None:
        return int(self._times_ns[self._place]) if self._place < len(self._times_ns) else None

    def go_on(self) -> None:
        """Read the next record."""
        within = self._place % _ROWS_AT_ONCE
        if within == 0:
            self._rows = list(rows(self._table.iloc[self._place : self._place + _ROWS_AT_ONCE]))
        self._read(self._rows[within])
        self._place += 1
