"""The policies of Chen, Xiao and Zhang: two share no load, and seven are variants of a loop."""

from collections.abc import Callable
from typing import TYPE_CHECKING, cast

from agents.sharing.policy import Answer, Deciding, Hold, Kill, Move, Policy, View
from model.sharing.unknown.constants import UnknownConstants
from model.sharing.unknown.load import Load

if TYPE_CHECKING:
    from agents.sharing.job import SequentialJob
    from agents.sharing.workstation import Workstation


class NO_LS(Policy):
    """No load sharing: every job runs at home, and is killed if RAM and swap cannot hold it."""

    constants: UnknownConstants

    def arrived(self, view: View, job: "SequentialJob") -> Answer:
        """Kill the job if with it the node's demand would exceed RAM + swap."""
        return Kill(job) if self._too_large(view.here.plus(job)) else None

    def resized(self, view: View, job: "SequentialJob") -> Answer:
        """Kill a job that has grown if the node's demand exceeds RAM + swap."""
        return Kill(job) if self._too_large(view.here) else None

    def _too_large(self, load: Load) -> bool:
        return load.memory > self.constants.ram + self.constants.swap


class NO_LS_BLOCKING(Policy):
    """Every job runs at home; submissions wait while the node thrashes, and nothing is killed."""

    constants: UnknownConstants

    def arrived(self, view: View, job: "SequentialJob") -> Answer:
        """Hold the job back while the node thrashes, or while others are held back."""
        return Hold(job) if view.held or self._thrashes(view.here) else None

    def reported(self, view: View) -> Answer:
        """Let the first job held back begin when the node no longer thrashes."""
        if view.held and not self._thrashes(view.here):
            return Move(view.held[0], view.node)
        return None

    def ended(self, view: View, job: "SequentialJob") -> Answer:
        return self.reported(view)

    def _thrashes(self, load: Load) -> bool:
        return self.constants.oversized(load.memory) >= self.constants.thrashing


class MemoryCentric(Policy):
    """The loop of section 4.1; its variants differ in the job that they identify for migration.

    The paper's variables are Qo, the oversized fraction; MT and CT, the thresholds; FM, the free
    memory; WS, a job's working set. FB, the buffer cache, is not modelled: it counts as in use. The
    memory of jobs on their way to a node is not free and can block the node, but causes page faults
    only once they are there.
    """

    constants: UnknownConstants

    def identified_job(self, view: View, jobs: list["SequentialJob"]) -> "SequentialJob":
        """The job among these that is to be migrated."""
        raise NotImplementedError

    def age_ns(self, view: View, job: "SequentialJob") -> int:
        """Age: for how long it has been there since it began, or the CPU time that it has had."""
        if self.constants.age == "wall-clock":
            assert job.started_ns is not None
            return view.now_ns - job.started_ns
        return job.age_ns

    def fault_rate(self, job: "SequentialJob") -> float:
        """Rp, up to a factor that the jobs of a node share.

        With measured weights it is the rate at this moment, or that with which the job would fault
        if its node did; else all rates are equal, and it is that over the job's life so far.
        """
        if self.constants.fault_weights == "measured":
            return job.fault_weight
        return job.faults / job.age_ns if job.age_ns else 0.0

    def pays(self, view: View, job: "SequentialJob", target: int) -> bool:
        """Whether migrating the identified job to the target pays."""
        return True

    def states(self, node: Deciding) -> Load:
        """The load of a node, including the jobs on their way to it."""
        load, coming = cast(Load, node.memory.load), cast("Workstation", node).coming
        return load.expecting(*coming.values()) if coming else load

    def arrived(self, view: View, job: "SequentialJob") -> Answer:
        """Run the job here or where there is room, or hold it back; first come, first served."""
        return Hold(job) if view.held else self._submission(view, job) or Hold(job)

    def reported(self, view: View) -> Answer:
        """Do one turn of the loop, which takes a report period."""
        Qo, MT = self.constants.oversized(view.here.memory), self.constants.memory_threshold
        if (Qo > 0 and Qo >= MT) or view.here.jobs > self.constants.cpu_threshold:
            return self._migration(view)
        return self._submission(view, view.held[0]) if view.held else None

    def _submission(self, view: View, job: "SequentialJob") -> Answer:
        target: int | None = view.node
        if self._is_blocked(view.here):
            target = self.machine_for_submission(view, job)
        return None if target is None else Move(job, target)

    def _migration(self, view: View) -> Answer:
        jobs = view.present
        if not jobs or not self._is_room(view, min(job.memory for job in jobs)):
            return None
        job = self.identified_job(view, view.jobs if self._reads_accounts else jobs)
        target = self.machine_for_migration(view, job)
        return Move(job, target) if target is not None and self.pays(view, job, target) else None

    def machine_for_submission(self, view: View, job: "SequentialJob") -> int | None:
        """The machine with the largest FM among those with fewer than CT jobs, if Qo < MT there."""
        k = self._largest_free_memory(view, job)
        if k is not None and not self._is_blocked(view.others[k]):
            return k
        return None

    def machine_for_migration(self, view: View, job: "SequentialJob") -> int | None:
        """The same machine, if Qo < MT there and FM exceeds the job's WS.

        As printed it is *or*, by which a job could move to where it does not fit: then Qo < MT
        alone would do, since it holds wherever FM exceeds a WS (unless MT is negative).
        """
        k = self._largest_free_memory(view, job)
        return k if k is not None and self._fits(view.others[k], job.memory) else None

    def _fits(self, load: Load, WS: int) -> bool:
        room = self.free_memory(load) > WS
        if self.constants.target == "room":
            return room and not self._is_blocked(load)
        return room or not self._is_blocked(load)

    def _is_room(self, view: View, least: int) -> bool:
        """Whether any machine suits a job of `least` bytes; else none suits a larger one."""
        CT = self.constants.cpu_threshold
        return any(load.jobs < CT and self._fits(load, least) for load in view.others.values())

    @property
    def _reads_accounts(self) -> bool:
        """Whether the choice of a job depends on its CPU time or on its faults so far."""
        return self.constants.age == "cpu" or self.constants.fault_weights == "demand"

    def free_memory(self, load: Load) -> int:
        """FM, bytes; negative where the demand exceeds the RAM."""
        return self.constants.ram - load.memory - load.coming

    def _is_blocked(self, load: Load) -> bool:
        Qo = self.constants.oversized(load.memory + load.coming)
        return Qo >= self.constants.memory_threshold or load.jobs >= self.constants.cpu_threshold

    def _largest_free_memory(self, view: View, job: "SequentialJob") -> int | None:
        CT = self.constants.cpu_threshold
        machines = [node for node, load in view.others.items() if load.jobs < CT]
        return view.least(machines, lambda load: (-self.free_memory(load),), job.number)


class PF_RATE(MemoryCentric):
    """Migration of the job with the highest page fault rate."""

    def identified_job(self, view: View, jobs: list["SequentialJob"]) -> "SequentialJob":
        return max(jobs, key=self.fault_rate)


class WORKSIZE(MemoryCentric):
    """Migration of the job with the largest working set."""

    def identified_job(self, view: View, jobs: list["SequentialJob"]) -> "SequentialJob":
        return max(jobs, key=lambda job: job.memory)


class AGE(MemoryCentric):
    """Migration of the oldest job, with an estimate of its cost (Harchol-Balter and Downey)."""

    def identified_job(self, view: View, jobs: list["SequentialJob"]) -> "SequentialJob":
        return max(jobs, key=lambda job: self.age_ns(view, job))

    def pays(self, view: View, job: "SequentialJob", target: int) -> bool:
        """Whether its age exceeds what its migration costs over the difference in jobs.

        The migrant counts at the target. With CPU time as its age, the difference does not count.
        """
        fewer = view.here.jobs - (view.others[target].jobs + 1)
        times = fewer if self.constants.age == "wall-clock" else 1
        return self.age_ns(view, job) * times > self.constants.migration_ns(job.memory)


class Weighing(MemoryCentric):
    """Weighs all activities of a job (equation 5)."""

    def weight(self, view: View, jobs: list["SequentialJob"]) -> Callable[["SequentialJob"], float]:
        """What weighs a job: its age, fault rate, working set and I/Os, each in parts of the most.

        It is their mean.
        """
        activities: list[Callable[[SequentialJob], float]] = [
            lambda job: self.age_ns(view, job),
            self.fault_rate,
            lambda job: job.memory,
            lambda job: job.ios,
        ]
        most = [max(map(activity, jobs)) or 1 for activity in activities]

        def weight(job: "SequentialJob") -> float:
            parts = zip(activities, most, strict=True)
            return sum(activity(job) / greatest for activity, greatest in parts) / 4

        return weight


class COMBINED(Weighing):
    """Migration of the job with the highest weight."""

    def identified_job(self, view: View, jobs: list["SequentialJob"]) -> "SequentialJob":
        return max(jobs, key=self.weight(view, jobs))


class LOWEST_WEIGHT(Weighing):
    """Its opposite (section 4.2, alternative 4), of which the paper shows no results."""

    def identified_job(self, view: View, jobs: list["SequentialJob"]) -> "SequentialJob":
        return min(jobs, key=self.weight(view, jobs))


class IO_ACTIVE(MemoryCentric):
    """Migration of the most I/O-active job (section 4.2, alternative 2; no results shown)."""

    def identified_job(self, view: View, jobs: list["SequentialJob"]) -> "SequentialJob":
        return max(jobs, key=lambda job: job.ios)


class YOUNGEST(MemoryCentric):
    """Migration of the youngest job (section 4.2, alternative 3; no results shown).

    AGE's estimate of a migration's worth rests on old jobs living on, so there is none here.
    """

    def identified_job(self, view: View, jobs: list["SequentialJob"]) -> "SequentialJob":
        return min(jobs, key=lambda job: self.age_ns(view, job))


POLICIES: dict[str, type[Policy]] = {
    policy.__name__: policy
    for policy in (
        *(NO_LS, NO_LS_BLOCKING, PF_RATE, WORKSIZE, AGE, COMBINED),
        *(IO_ACTIVE, YOUNGEST, LOWEST_WEIGHT),
    )
}
