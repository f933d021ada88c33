"""The nine policies of Zhang, Qu and Xiao: four load indices times two ways to move, and none."""

from typing import TYPE_CHECKING

from agents.sharing.policy import Move, Policy, View
from model.sharing.memory.constants import MemoryConstants
from model.sharing.memory.load import Load

if TYPE_CHECKING:
    from agents.sharing.job import SequentialJob


class IndexPolicy(Policy):
    """A node keeps an arriving job if its index, with the job's memory counted, is below a limit.

    Otherwise the least loaded node is the target, if it is better off with the job than its home
    would be. If the index looks at memory, nodes whose memory would be overloaded come last.
    """

    constants: MemoryConstants
    sees_memory = True

    def index(self, load: Load) -> float:
        """The load index; `load` counts the arriving job's memory, not the job."""
        raise NotImplementedError

    @property
    def limit(self) -> float:
        """The index from which on a node is overloaded."""
        return self.constants.cpu_threshold

    def overloaded(self, load: Load, job: "SequentialJob") -> bool:
        """Whether a node with this load does not want the job."""
        return self.index(self._with_memory_of(load, job)) >= self.limit

    def rank(self, load: Load, job: "SequentialJob") -> tuple[bool, float]:
        """The key by which nodes are compared as hosts of the job; the lowest is best."""
        load = self._with_memory_of(load, job)
        return self.sees_memory and load.threshold >= self.constants.ram, self.index(load)

    def best(self, view: View, job: "SequentialJob", home: Load) -> int | None:
        """The least loaded other node, if it is better for the job than a home with load `home`."""
        target = view.least(view.others, lambda load: self.rank(load, job), job.number)
        if target is None or self.rank(view.others[target], job) >= self.rank(home, job):
            return None
        return target

    def _with_memory_of(self, load: Load, job: "SequentialJob") -> Load:
        return load.plus(job)._replace(jobs=load.jobs)


class CPU(IndexPolicy):
    """The load index is the number of jobs, whatever memory they have."""

    sees_memory = False

    def index(self, load: Load) -> float:
        """L, the number of jobs."""
        return load.jobs


class MEM(IndexPolicy):
    """The load index is the sum of memory thresholds, MT; a node is overloaded if it fills RAM."""

    @property
    def limit(self) -> float:
        return self.constants.ram

    def index(self, load: Load) -> float:
        """MT, the sum of the jobs' memory thresholds, in bytes."""
        return load.threshold


class HP(IndexPolicy):
    """High performance: a node whose memory is overloaded is as good as full."""

    def index(self, load: Load) -> float:
        """L if MT < RAM, else CT."""
        return load.jobs if load.threshold < self.constants.ram else self.constants.cpu_threshold


class HT(IndexPolicy):
    """High throughput: jobs count for more on a node whose memory is overloaded."""

    def index(self, load: Load) -> float:
        """L if MT < RAM, else L * U / RAM."""
        if load.threshold < self.constants.ram:
            return load.jobs
        return load.jobs * load.requested / self.constants.ram


class RemoteExecution(IndexPolicy):
    """The arriving job itself goes."""

    def arrived(self, view: View, job: "SequentialJob") -> Move | None:
        if self.overloaded(view.here, job):
            target = self.best(view, job, view.here)
            if target is not None:
                return Move(job, target)
        return None


class PreemptiveMigration(IndexPolicy):
    """A running job goes: the oldest one whose age pays for its move.

    (Harchol-Balter and Downey: its age exceeds the cost over the difference in jobs, the migrant
    counted at the target and the arriving job at home; age is the CPU time it has had.)
    """

    def arrived(self, view: View, job: "SequentialJob") -> Move | None:
        """Send the oldest eligible job to the best node if this node is overloaded."""
        if not view.others or not self.overloaded(view.here, job):
            return None
        jobs_here = view.here.jobs + 1
        most = jobs_here - min(load.jobs + 1 for load in view.others.values())
        for running in sorted(view.running, key=lambda job: (-job.age_ns, job.number)):
            if running.age_ns * most <= self.constants.remote_ns:
                break  # too young to pay even for a move without data, as are all that follow
            home = view.here.plus(job).minus(running)
            target = self.best(view, running, home)
            if target is None:
                continue
            difference = jobs_here - (view.others[target].jobs + 1)
            if running.age_ns * difference > self.constants.migration_ns(running.memory):
                return Move(running, target)
        return None


class NO_LS(Policy):
    """No load sharing: every job runs at home."""


class CPU_RE(CPU, RemoteExecution):
    """By number of jobs, remote execution."""


class CPU_PM(CPU, PreemptiveMigration):
    """By number of jobs, preemptive migration."""


class MEM_RE(MEM, RemoteExecution):
    """By memory, remote execution."""


class MEM_PM(MEM, PreemptiveMigration):
    """By memory, preemptive migration."""


class CPU_MEM_HP_RE(HP, RemoteExecution):
    """By jobs and memory for high performance, remote execution."""


class CPU_MEM_HP_PM(HP, PreemptiveMigration):
    """By jobs and memory for high performance, preemptive migration."""


class CPU_MEM_HT_RE(HT, RemoteExecution):
    """By jobs and memory for high throughput, remote execution."""


class CPU_MEM_HT_PM(HT, PreemptiveMigration):
    """By jobs and memory for high throughput, preemptive migration."""


POLICIES: dict[str, type[Policy]] = {
    policy.__name__: policy
    for policy in (
        *(NO_LS, CPU_RE, CPU_PM, MEM_RE, MEM_PM),
        *(CPU_MEM_HP_RE, CPU_MEM_HP_PM, CPU_MEM_HT_RE, CPU_MEM_HT_PM),
    )
}
