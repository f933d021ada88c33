"""A sequential job: as a workload describes it, and its life on the nodes."""

from collections import deque
from dataclasses import dataclass
from fractions import Fraction
from math import ceil
from typing import Protocol

from agents.sharing.requests import Requests
from model.ground.units import round_half_up

# What a job does, and where its time goes. A job that is ready waits for the CPU or computes.
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
    """From this CPU time on (at the reference speed), the job needs `memory` bytes."""

    age_ns: int
    memory: int


@dataclass(frozen=True, slots=True)
class SequentialSpec:
    """A job as a workload describes it: times in ns, memory in bytes, and its home node."""

    number: int
    submit_ns: int
    home: int
    demand_ns: int  # CPU time at the reference speed
    memory: int  # requested
    events: tuple[Resize, ...] = ()  # by increasing age, all before its end
    io_per_ms: float = 0  # mean number of I/O requests in a ms of CPU time
    ios: int = 0  # reads and writes during its life
    #: Its share of a node's faults is in proportion, in systems that weight faults.
    fault_weight: int = 1


class Host(Protocol):
    """The node that a job is on (`workstation.py`)."""

    index: int

    def page_loaded(self, job: "SequentialJob") -> None:
        """A job's page has been read, or its I/O is done."""


class SequentialJob:
    """One job of a run. Its node drives it; the job keeps the accounts.

    Its demand is counted in units of work; a node does `speed` of them in a nanosecond of CPU time.
    They are whole numbers, so that moving between nodes of different speeds loses nothing. To the
    disk and the journal, the job is its own only process (`job`, `rank`, `first_process`).
    """

    rank = 0

    def __init__(
        self,
        spec: SequentialSpec,
        place: int,
        working_set: Fraction,
        first_fault: float,
        reference_speed: int = 1,
        requests: Requests | None = None,
        unshared_io_ns: int = 0,
    ) -> None:
        self.number = spec.number
        self.submit_ns = spec.submit_ns
        self.home = spec.home
        self.demand_ns = spec.demand_ns
        self._working_set = working_set
        self.resize(spec.memory)
        self.ios = spec.ios
        self.fault_weight = spec.fault_weight
        self.started_ns: int | None = None  # when it began to run, wherever that was
        self.first_process = place  # in the order of arrival
        self.node: Host | None = None  # where it is
        self.state = SUBMITTED
        self.since_ns = spec.submit_ns
        self.spent_ns = [0] * len(STATES)
        self.work = spec.demand_ns * reference_speed
        self._reference_speed = reference_speed
        self.speed = reference_speed  # of its node
        self._work_before = 0  # done on nodes of other speeds
        self._cpu_before_ns = 0  # the CPU time that this took there
        self._cpu_here_ns = spec.demand_ns  # the CPU time that the rest takes at this speed
        self.cpu_left_ns = spec.demand_ns  # what is left of it
        self._events = deque(spec.events)  # still to come
        self._faults = False
        self._first_fault = first_fault  # its place in the first interval, from 0 to 1
        self._fault_every_ns: int | None = None  # the latest interval, if it ever faulted
        self._fault_left_ns = 0  # CPU time until the next, while it faults
        self.io_per_ms = spec.io_per_ms
        self.unshared_io_ns = unshared_io_ns  # what its I/O would take alone on a node
        self._requests = requests  # those that reach the disk, if it does I/O
        self._requests_every_ns: float | None = None  # CPU time between them, on average
        self._request_left_ns = 0  # CPU time until the next
        self.stint_ns = 0  # how long it would compute if nothing changed, as of the last account
        self.until_stop_ns = 0  # what is left of the stint; the CPU counts it down
        self.end_ns: int | None = None
        self.faults = 0
        self.requests = 0  # to the disk
        self.remote_submissions = 0
        self.migrations = 0
        self.steps = 0  # numbered for the journal
        self.cause = 0

    @property
    def job(self) -> "SequentialJob":
        return self

    @property
    def cpu_ns(self) -> int:
        """The CPU time that it has had, as of its last account."""
        return self._cpu_before_ns + self._cpu_here_ns - self.cpu_left_ns

    def parts_ns(self) -> dict[str, int]:
        """Where its time went from its submission to its end, in ns, if it has ended."""
        return {
            "cpu": self.cpu_ns,
            "queueing": self.spent_ns[READY] + self.spent_ns[HELD] - self.cpu_ns,
            "paging": self.spent_ns[PAGING],
            "io": self.spent_ns[IO],
            "migration": self.spent_ns[MOVING],
        }

    @property
    def work_done(self) -> int:
        """Units of work done; at the end its work, rounded up to whole nanoseconds of CPU time."""
        return self._work_before + (self._cpu_here_ns - self.cpu_left_ns) * self.speed

    @property
    def age_ns(self) -> int:
        """The CPU time that what it has done takes at the reference speed, rounded down."""
        return min(self.demand_ns, self.work_done // self._reference_speed)

    def run_at(self, speed: int) -> None:
        """Work out the CPU time that the rest of its work takes on a node of this speed."""
        if speed != self.speed:
            self._work_before, self._cpu_before_ns = self.work_done, self.cpu_ns
            self.speed = speed
            self._cpu_here_ns = self.cpu_left_ns = -(-(self.work - self._work_before) // speed)

    @property
    def unshared_ns(self) -> int:
        """Its response time if it were alone on a node: its computing and its I/O."""
        return self.cpu_ns + self.unshared_io_ns

    @property
    def slowdown(self) -> float:
        """Response time over the time that it would take alone; the job must have ended."""
        assert self.end_ns is not None
        return (self.end_ns - self.submit_ns) / self.unshared_ns

    def enter(self, state: int, now_ns: int) -> None:
        self.spent_ns[self.state] += now_ns - self.since_ns
        self.state = state
        self.since_ns = now_ns

    def resize(self, memory: int) -> None:
        """Let it need `memory` bytes; its threshold is the working set's share of them."""
        self.memory = memory
        self.threshold = round_half_up(self._working_set * memory)

    def begin_stint(
        self, fault_every_ns: int | None, requests_every_ns: float | None = None
    ) -> None:
        """Work out how long it computes until it ends, faults, needs the disk or has an event.

        It faults every `fault_every_ns`, and its requests reach the disk at random,
        `requests_every_ns` apart on average (None: not at all). When an interval changes, what is
        left of it changes in proportion; so requests are a Poisson process whose rate changes.
        """
        self._faults = fault_every_ns is not None
        self.stint_ns = self.cpu_left_ns
        if fault_every_ns is not None:
            self._fault_left_ns = self.fault_left_ns(fault_every_ns)
            self._fault_every_ns = fault_every_ns
            self.stint_ns = min(self.stint_ns, self._fault_left_ns)
        if self._requests is not None:
            assert requests_every_ns is not None
            self._expect_request(self._requests, requests_every_ns)
            self.stint_ns = min(self.stint_ns, self._request_left_ns)
        event_left_ns = self.event_left_ns
        if event_left_ns is not None:
            self.stint_ns = min(self.stint_ns, event_left_ns)
        self.until_stop_ns = self.stint_ns

    def fault_left_ns(self, every_ns: int) -> int:
        """The CPU time until its next fault if it faults at this interval from now on."""
        if self._fault_every_ns is None:
            return 1 + int(self._first_fault * every_ns)
        if every_ns == self._fault_every_ns:
            return self._fault_left_ns
        return -(-self._fault_left_ns * every_ns // self._fault_every_ns)

    @property
    def event_left_ns(self) -> int | None:
        """The CPU time until the next event of its spec, at least 1 ns; None if there is none."""
        if not self._events:
            return None
        work = self._events[0].age_ns * self._reference_speed - self.work_done
        return max(1, -(-work // self.speed))

    def ran_ahead(self, cpu_left_ns: int, fault_left_ns: int) -> None:
        """Take over the state at the end of a stretch that was worked out elsewhere."""
        self.cpu_left_ns = cpu_left_ns
        if self._faults:
            self._fault_left_ns = fault_left_ns
        self.begin_stint(self._fault_every_ns if self._faults else None)

    @property
    def does_io(self) -> bool:
        """Whether I/O requests of it reach the disk, in addition to its pages."""
        return self._requests is not None

    def settle(self) -> None:
        """Account for the part of its stint that it has computed."""
        computed_ns = self.stint_ns - self.until_stop_ns
        self.stint_ns = self.until_stop_ns
        self.cpu_left_ns -= computed_ns
        if self._faults:
            self._fault_left_ns -= computed_ns
        self._request_left_ns -= computed_ns

    def fault_is_due(self) -> bool:
        """Whether it faults now; if so, its next fault is one interval away."""
        if not self._faults or self._fault_left_ns > 0:
            return False
        assert self._fault_every_ns is not None
        self._fault_left_ns = self._fault_every_ns
        self.faults += 1
        return True

    def request_due(self) -> int | None:
        """The bytes that it reads or writes on disk now, if any; draws the next request then."""
        if self._requests is None or self._request_left_ns > 0:
            return None
        assert self._requests_every_ns is not None
        self._request_left_ns = 1 + int(self._requests.gap() * self._requests_every_ns)
        self.requests += 1
        return self._requests.size()

    def _expect_request(self, requests: Requests, every_ns: float) -> None:
        if every_ns == self._requests_every_ns:
            return
        if self._requests_every_ns is None:
            self._request_left_ns = 1 + int(requests.gap() * every_ns)
        else:
            self._request_left_ns = ceil(self._request_left_ns * every_ns / self._requests_every_ns)
        self._requests_every_ns = every_ns

    def event_due(self) -> Resize | None:
        """The event of its spec that is due now, if any; each is returned once."""
        if self._events and self._events[0].age_ns <= self.age_ns:
            return self._events.popleft()
        return None

    def page_loaded(self) -> None:
        """Go on after the disk has read its page or done its I/O, unless killed meanwhile."""
        if self.state != KILLED:
            assert self.node is not None
            self.node.page_loaded(self)

    def story(self) -> str:
        """One line for a person: what it waits for now."""
        where = "" if self.node is None else f" on node {self.node.index}"
        return f"job {self.number}{where}: {STATES[self.state]}"
