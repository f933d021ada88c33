"""The five policies of Qin, Jiang, Zhu and Swanson; only arriving jobs move."""

from typing import TYPE_CHECKING

from agents.sharing.policy import Move, Policy, View
from model.ground.units import BYTES_PER_MB, megabytes
from model.sharing.wal_fc.constants import WalFcConstants
from model.sharing.wal_fc.feedback import Feedback, Knob
from model.sharing.wal_fc.indices import Load, LoadIndices, io_of

if TYPE_CHECKING:
    from collections.abc import Callable

    from agents.sharing.job import SequentialJob


class NLB(Policy):
    """No load balancing: every job runs at home."""


class Balancer(Policy):
    """What the balancing policies have in common: the formulas, greedy placement, the guard."""

    constants: WalFcConstants

    def __init__(self, constants: WalFcConstants) -> None:
        super().__init__(constants)
        self.indices = LoadIndices(constants)

    def to_least(
        self, view: View, job: "SequentialJob", index: "Callable[[Load], float]"
    ) -> Move | None:
        """Send the job to the node with the least index, unless its home has an index as low."""
        target = view.least(view.others, lambda load: (index(load),), job.number)
        if target is None or index(view.others[target]) >= index(view.here):
            return None
        return Move(job, target) if self.is_worth_it(view, job, target, index) else None

    def is_worth_it(
        self, view: View, job: "SequentialJob", target: int, index: "Callable[[Load], float]"
    ) -> bool:
        """Whether loads differ by more than the job's own and the cost of moving it (section 3).

        Its own load is what it adds to the target's. The paper does not say how a cost in time is
        added to it: here the job's load counts for its CPU time t and for the time c of the move,
        (1 + c/t) times. By numbers of jobs that is Harchol-Balter and Downey's rule t > c / (n - m)
        for n jobs at home and m at the target, each with the job.
        """
        if not self.constants.guard:
            return True
        there = view.others[target]
        own = index(there.plus(job)) - index(there)
        longer = 1 + self.constants.move_ms(job) / io_of(job).cpu_ms
        return index(view.here.plus(job)) - index(there) > own * longer


class CM(Balancer):
    """CPU and memory: balances memory if that is imbalanced, else jobs if these are."""

    def arrived(self, view: View, job: "SequentialJob") -> Move | None:
        """Imbalanced: with the job at home, the highest load exceeds `overload` times the mean."""
        loads = [view.here.plus(job), *view.others.values()]
        indices: tuple[Callable[[Load], int], ...] = (
            lambda load: load.memory,
            lambda load: load.jobs,
        )
        for index in indices:
            values = [index(load) for load in loads]
            if max(values) * len(values) > self.constants.overload * sum(values):
                return self.to_least(view, job, index)
        return None


class IO(Balancer):
    """Every job goes to the node with the least explicit I/O."""

    def arrived(self, view: View, job: "SequentialJob") -> Move | None:
        return self.to_least(view, job, self.indices.explicit_io)


class WAL(Balancer):
    """Weighted average of jobs and I/O: a job leaves an overloaded home if that is to its gain."""

    def __init__(self, constants: WalFcConstants) -> None:
        super().__init__(constants)
        self.io_weight = constants.io_weight

    def index(self, load: Load) -> float:
        """The load of a node (4.1)."""
        cpu_weight = 1 - self.io_weight
        return cpu_weight * load.jobs + self.io_weight * self.indices.load_io(load)

    def arrived(self, view: View, job: "SequentialJob") -> Move | None:
        here = view.here.plus(job)
        home, others = self.index(here), [self.index(load) for load in view.others.values()]
        mean = (home + sum(others)) / (1 + len(others))
        if not others or home < max(others) or home <= self.constants.overload * mean:
            return None
        target = view.least(view.others, lambda load: (self.index(load),), job.number)
        if target is None or not self.is_worth_it(view, job, target, self.index):
            return None
        there, io = view.others[target].plus(job), io_of(job)
        gain_ms = self.indices.response_ms(io, here) - self.indices.response_ms(io, there)
        return Move(job, target) if gain_ms > self.constants.move_ms(job) else None


class WAL_FC(WAL):
    """WAL with feedback: the weight of I/O and the nodes' buffers follow the jobs' slowdowns."""

    def __init__(self, constants: WalFcConstants) -> None:
        super().__init__(constants)
        most_mb = megabytes(constants.ram - constants.user_least)
        self.feedback = Feedback(
            Knob(constants.io_weight, 0, 1),
            Knob(megabytes(constants.buffer), 0, most_mb),
            constants.weight_gain,
            constants.buffer_gain,
            constants.history,
            disjoint=constants.feedback_window == "disjoint",
        )

    def ended(self, view: View, job: "SequentialJob") -> None:
        """Tell the cluster's one controller, without delay and at no cost."""
        self.feedback.ended(job.slowdown)
        self.io_weight = self.feedback.weight.value
        self.indices.buffer = round(self.feedback.buffer_mb.value * BYTES_PER_MB)
        view.set_buffers(self.indices.buffer)

    def stated(self) -> dict[str, object]:
        """The values that the controller has reached, and how far it has turned the buffer."""
        return {
            "final_io_weight": self.io_weight,
            "final_buffer_mb": megabytes(self.indices.buffer),
            "buffer_path_mb": self.feedback.buffer_mb.path,
        }


POLICIES: dict[str, type[Policy]] = {
    policy.__name__: policy for policy in (NLB, CM, IO, WAL, WAL_FC)
}
