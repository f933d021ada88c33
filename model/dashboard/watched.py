"""A cluster to watch: it steps from event to event, and remembers what a page shows."""

import threading
from collections import Counter, defaultdict, deque
from collections.abc import Callable
from dataclasses import dataclass
from time import perf_counter

from agents.messages import DATA_PHASES
from model.core.journal import Record
from model.ground.errors import Stalled
from model.ground.units import NS_PER_S, seconds
from model.pnr.cluster import Cluster
from model.pnr.scenario import Scenario
from model.views.outages import ENDS as OUTAGE_ENDS

KINDS = tuple(kind.__name__ for kind in Cluster.message_kinds)

# How far a step goes, by the words of the page's menu: one event, some simulated seconds, or up to
# the next wanted record.
Wanted = Callable[[Record], bool]


def _arrival_of(kind: str) -> Wanted:
    return lambda record: record.kind == "delivered" and record.what == kind


def _protocol_arrival(record: Record) -> bool:
    return record.kind == "delivered" and record.phase not in DATA_PHASES


def _next(kind: str) -> Wanted:
    return lambda record: record.kind == kind


EVENT = "one event"
SPANS_S = {"1 s": 1, "10 s": 10, "1 min": 60, "10 min": 600}
_RECORDS: dict[str, Wanted] = {
    "a protocol message arrives": _protocol_arrival,
    "a job is placed": _next("placed"),
    "a job ends": _next("ended"),
    "a context switch": _next("switch"),
    "memory is lent": _next("lent"),
    "a process grows or shrinks": _next("resized"),
    "a page fault": _next("fault"),
    "a message is lost": _next("lost"),
    "a servent fails": lambda record: record.kind in OUTAGE_ENDS,
    **{f"{kind} arrives": _arrival_of(kind) for kind in KINDS},
}
PACES = (EVENT, *SPANS_S, *_RECORDS)

_LONGEST_STEP_S = 0.2  # of real time, so that the page can answer in between
_LONGEST_WAIT_S = 2.0  # for the page, in real time
_EVENTS_AT_ONCE = 100
_LAST_MESSAGES = 12
_POINTS = 400


@dataclass
class Pace:
    """How far a step goes: one of PACES, which the page changes while the cluster runs."""

    goal: str = "a protocol message arrives"


@dataclass
class Flight:
    """A message on its way: its sending and its latest hop."""

    sent: Record
    hops: int = 0
    hop: Record | None = None


class Witness:
    """Reads the journal and keeps messages on their way, arrivals by kind and node, and ends."""

    def __init__(self) -> None:
        self.flights: dict[int, Flight] = {}
        self.arrived = Counter[str]()  # by kind
        self.last: defaultdict[int, deque[Record]] = defaultdict(
            lambda: deque(maxlen=_LAST_MESSAGES)
        )
        self.ended: list[tuple[int, int]] = []  # job, time in ns
        self.lost: list[Record] = []  # in the last step
        self.down: dict[int, dict[tuple[str, str], int]] = {}  # node -> what and how: since, in ns
        self.goal: Wanted | None = None
        self.reached: Record | None = None  # the first wanted record since `look_for`

    def look_for(self, goal: Wanted | None) -> None:
        """Note the next record that this goal wants."""
        self.goal = goal
        self.reached = None

    def read(self, record: Record) -> None:
        """Take in a record of the journal."""
        kind = record.kind
        if kind == "sent":
            if record.node != record.peer:
                self.flights[record.id] = Flight(record)
        elif kind == "hop":
            flight = self.flights[record.id]
            flight.hop = record
            flight.hops += 1
        elif kind == "lost":
            self.flights.pop(record.id, None)
            self.lost.append(record)
        elif kind == "delivered":
            if record.node != record.peer:
                del self.flights[record.id]
                self.arrived[record.what] += 1
            if record.phase not in DATA_PHASES:
                self.last[record.node].append(record)
        elif kind == "ended":
            self.ended.append((record.job, record.time_ns))
        elif record.what is not None:
            self._note_outage(record)
        if self.goal is not None and self.reached is None and self.goal(record):
            self.reached = record

    def _note_outage(self, record: Record) -> None:
        for how, end in OUTAGE_ENDS.items():
            if record.kind == how:
                self.down.setdefault(record.node, {})[record.what, how] = record.time_ns
            elif record.kind == end:
                self.down.get(record.node, {}).pop((record.what, how), None)


class WatchedCluster(Cluster):
    """The emulation behind the page; Mesa's Reset makes a new one from its parameters.

    `kwargs` are parameters that override those of the scenario `like`. It steps in one thread and
    is drawn in another; `lock` keeps them apart.
    """

    def __init__(
        self,
        like: Scenario,
        pace: Pace,
        design: str,
        **kwargs: object,  # Mesa looks for this very name
    ) -> None:
        self.witness = Witness()
        kwargs.pop("scenario", None)  # an empty one that Mesa adds from 3.5 on
        chosen = like.model_copy(update=kwargs)
        super().__init__(chosen, design, readers=(self.witness.read,))
        self.lock = threading.RLock()
        self.drawn = threading.Event()  # the browser shows the last drawing sent to it
        self.drawn.set()
        self.pace = pace
        #: Times (s), and the messages that had arrived by then, by kind.
        self.curve: list[tuple[float, dict[str, int]]] = [(0.0, dict(self.witness.arrived))]

    def step(self) -> None:
        """Go on as far as the pace says, but for at most a fifth of a second of real time.

        Before that, wait for the browser: a backlog of drawings would delay the answer to a click.
        Nothing happens behind a closed page.
        """
        if not self.drawn.wait(_LONGEST_WAIT_S):
            return
        with self.lock:
            self.witness.lost.clear()
            try:
                self._go_on(self.pace.goal)
            except Stalled:
                self.stuck, self.running = True, False
            self._remember()

    def _go_on(self, goal: str) -> None:
        if goal == EVENT:
            self.running = self.clock.run(1)
        elif goal in SPANS_S:
            self._advance(self.clock.now_ns + SPANS_S[goal] * NS_PER_S)
        else:
            self._seek(_RECORDS[goal])

    def _advance(self, until_ns: int) -> None:
        deadline = perf_counter() + _LONGEST_STEP_S
        while perf_counter() < deadline:
            for _ in range(_EVENTS_AT_ONCE):
                key = self.clock.next_key()
                if key is None:
                    self.running = False
                    return
                if key[0] > until_ns:
                    self.clock.now_ns = until_ns  # time passes even if nothing happens
                    return
                self.clock.run(1)

    def _seek(self, goal: Wanted) -> None:
        deadline = perf_counter() + _LONGEST_STEP_S
        self.witness.look_for(goal)
        while self.running and perf_counter() < deadline:
            for _ in range(_EVENTS_AT_ONCE):
                self.running = self.clock.run(1)
                if self.witness.reached is not None or not self.running:
                    return

    def _remember(self) -> None:
        self.curve.append((seconds(self.clock.now_ns), dict(self.witness.arrived)))
        if len(self.curve) > _POINTS:
            del self.curve[1:-1:2]
