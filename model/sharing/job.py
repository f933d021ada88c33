"""A sequential job: what a workload says of it, and its life on the nodes."""

from dataclasses import dataclass
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from agents.workstation import Workstation

# What a job does, and where its time goes. One that is ready waits for the CPU or computes.
SUBMITTED, READY, PAGING, MOVING, ENDED = range(5)
STATES = ("not submitted", "ready", "waiting for a page", "moving to another node", "ended")


@dataclass(frozen=True, slots=True)
class SequentialSpec:
    """What a workload says of a job: number, ns, home node, bytes."""

    number: int
    submit_ns: int
    home: int
    demand_ns: int  # CPU time
    memory: int  # requested


class SequentialJob:
    """One job of a run. Its node drives it; it keeps the accounts.

    For disk and journal it is its own only process (`job`, `rank`, `first_process`).
    """

    rank = 0

    def __init__(self, spec: SequentialSpec, place: int, threshold: int, fault_ns: int) -> None:
        self.number = spec.number
        self.submit_ns = spec.submit_ns
        self.home = spec.home
        self.demand_ns = spec.demand_ns
        self.memory = spec.memory
        self.threshold = threshold  # bytes of its working set
        self.first_process = place  # in the order of arrival
        self.node: Workstation | None = None  # where it is
        self.state = SUBMITTED
        self.since_ns = spec.submit_ns
        self.spent_ns = [0] * len(STATES)
        self.cpu_left_ns = spec.demand_ns
        self.fault_left_ns = fault_ns  # CPU time on overloaded nodes until it faults
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

    def begin_stint(self, faulting: bool) -> None:
        """Say for how long it computes until it ends or, if its node is overloaded, faults."""
        self.stint_ns = self.cpu_left_ns
        if faulting and self.fault_left_ns < self.stint_ns:
            self.stint_ns = self.fault_left_ns
        self.until_stop_ns = self.stint_ns

    def settle(self, faulting: bool) -> None:
        """Account for what it has computed of its stint."""
        computed_ns = self.stint_ns - self.until_stop_ns
        self.stint_ns = self.until_stop_ns
        self.cpu_left_ns -= computed_ns
        if faulting:
            self.fault_left_ns -= computed_ns

    def page_loaded(self) -> None:
        """The disk has read its page."""
        self.node.page_loaded(self)

    def story(self) -> str:
        """What it waits for now, for a person."""
        where = "" if self.node is None else f" on node {self.node.index}"
        return f"job {self.number}{where}: {STATES[self.state]}"
