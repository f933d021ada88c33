"""A sequential job: what a workload says of it, and its life on the nodes."""

from collections import deque
from dataclasses import dataclass
from fractions import Fraction
from typing import TYPE_CHECKING

from model.units import round_half_up

if TYPE_CHECKING:
    from agents.workstation import Workstation

# What a job does, and where its time goes. One that is ready waits for the CPU or computes.
SUBMITTED, READY, PAGING, IO, MOVING, ENDED, HELD, KILLED = range(8)
STATES = (
    "not submitted",
    "ready",
    "waiting for a page",
    "waiting for I/O",
    "moving to another node",
    "ended",
    "held back at its home",
    "killed",
)


@dataclass(frozen=True, slots=True)
class Resize:
    """From this CPU time on the job needs so many bytes."""

    age_ns: int
    memory: int


@dataclass(frozen=True, slots=True)
class SequentialSpec:
    """What a workload says of a job: number, ns, home node, bytes."""

    number: int
    submit_ns: int
    home: int
    demand_ns: int  # CPU time
    memory: int  # requested
    events: tuple[Resize, ...] = ()  # on its way, by rising age below the demand
    ios: int = 0  # reads and writes in its life


class SequentialJob:
    """One job of a run. Its node drives it; it keeps the accounts.

    For disk and journal it is its own only process (`job`, `rank`, `first_process`).
    """

    rank = 0

    def __init__(
        self, spec: SequentialSpec, place: int, working_set: Fraction, first_fault: float
    ) -> None:
        self.number = spec.number
        self.submit_ns = spec.submit_ns
        self.home = spec.home
        self.demand_ns = spec.demand_ns
        self._working_set = working_set
        self.resize(spec.memory)
        self.ios = spec.ios
        self.first_process = place  # in the order of arrival
        self.node: Workstation | None = None  # where it is
        self.state = SUBMITTED
        self.since_ns = spec.submit_ns
        self.spent_ns = [0] * len(STATES)
        self.cpu_left_ns = spec.demand_ns
        self._events = deque(spec.events)  # still to come
        self._faults = False
        self._first_fault = first_fault  # where in its first interval, from 0 to 1
        self._fault_every_ns: int | None = None  # the interval, when it last faulted at all
        self._fault_left_ns = 0  # CPU time until the next, while it faults
        self.stint_ns = 0  # for how long it would compute if nothing changed, when that was asked
        self.until_stop_ns = 0  # what is left of that; the CPU counts it down
        self.end_ns: int | None = None
        self.faults = 0
        self.remote_submissions = 0
        self.migrations = 0
        self.steps = 0  # told to the journal
        self.cause = 0

    @property
    def job(self) -> "SequentialJob":
        """The job whose process this is."""
        return self

    @property
    def age_ns(self) -> int:
        """CPU time that it has had, as of when its node last looked."""
        return self.demand_ns - self.cpu_left_ns

    def enter(self, state: int, now_ns: int) -> None:
        """It does something else from now on."""
        self.spent_ns[self.state] += now_ns - self.since_ns
        self.state = state
        self.since_ns = now_ns

    def resize(self, memory: int) -> None:
        """It needs so many bytes; of them its working set is its threshold."""
        self.memory = memory
        self.threshold = round_half_up(self._working_set * memory)

    def begin_stint(self, fault_every_ns: int | None) -> None:
        """Say for how long it computes until it ends, faults, or what its spec says comes.

        It faults at this interval (None: not at all). Where the interval changes, what is left of
        it changes in proportion.
        """
        self._faults = fault_every_ns is not None
        if self._faults and fault_every_ns != self._fault_every_ns:
            if self._fault_every_ns is None:
                self._fault_left_ns = 1 + int(self._first_fault * fault_every_ns)
            else:
                share_ns = self._fault_left_ns * fault_every_ns
                self._fault_left_ns = -(-share_ns // self._fault_every_ns)
            self._fault_every_ns = fault_every_ns
        self.stint_ns = self.cpu_left_ns
        if self._faults:
            self.stint_ns = min(self.stint_ns, self._fault_left_ns)
        if self._events:
            self.stint_ns = min(self.stint_ns, self._events[0].age_ns - self.age_ns)
        self.until_stop_ns = self.stint_ns

    def settle(self) -> None:
        """Account for what it has computed of its stint."""
        computed_ns = self.stint_ns - self.until_stop_ns
        self.stint_ns = self.until_stop_ns
        self.cpu_left_ns -= computed_ns
        if self._faults:
            self._fault_left_ns -= computed_ns

    def fault_is_due(self) -> bool:
        """Whether it faults now; then its next fault is one interval away."""
        if not self._faults or self._fault_left_ns > 0:
            return False
        self._fault_left_ns = self._fault_every_ns
        self.faults += 1
        return True

    def event_due(self) -> Resize | None:
        """What its spec says happens now, once."""
        if self._events and self._events[0].age_ns <= self.age_ns:
            return self._events.popleft()
        return None

    def page_loaded(self) -> None:
        """The disk has read its page; one that was killed meanwhile does not need it."""
        if self.state == PAGING:
            self.node.page_loaded(self)

    def story(self) -> str:
        """What it waits for now, for a person."""
        where = "" if self.node is None else f" on node {self.node.index}"
        return f"job {self.number}{where}: {STATES[self.state]}"
