"""The Mesa model of load sharing: workstations on a network, a policy, jobs, and the clock."""

from collections.abc import Callable, Iterable
from time import perf_counter

import mesa

from agents.disk import Disk
from agents.sharing.job import SequentialJob, SequentialSpec
from agents.sharing.messages import SHARING_TRAFFIC
from agents.sharing.workstation import Workstation
from model.core.journal import Journal, Record
from model.core.network import Network, Tally, load_network
from model.ground.clock import ARRIVAL, Clock
from model.ground.errors import Stalled
from model.ground.randomness import FAULT_TIME, draws
from model.sharing.ahead import AheadWorkstation
from model.sharing.change_reports import ChangeReports
from model.sharing.reports import LoadTables, MessageReports, SteadyReports
from model.sharing.scenario import SharingScenario
from model.sharing.system import load_policy, system_of
from model.sharing.workload import load_jobs

Progress = Callable[["SharingCluster"], None]


class SharingCluster(mesa.Model):
    """A cluster on which one policy shares the load of the scenario's jobs.

    `run()` goes through to the end, `step()` executes one event. `readers` get every record of the
    journal as it is made. Raises InputError if the policy, topology or workload does not do.
    """

    def __init__(
        self,
        scenario: SharingScenario,
        policy: str,
        readers: Iterable[Callable[[Record], None]] = (),
        journal_level: str = "all",
        workload: list[SequentialSpec] | None = None,
    ) -> None:
        super().__init__(rng=scenario.seed)
        self.parameters = scenario
        self.system = system_of(scenario)
        self.constants = constants = self.system.constants(scenario)
        self.policy_name = policy
        self.policy = load_policy(policy, self.system, constants)
        self.clock = Clock()
        readers = tuple(readers)
        self.journal = Journal(self.clock, readers, journal_level) if readers else None
        self.nodes: list[Workstation] = []
        self.network = Network(self, load_network(scenario, constants), scenario.duplex)
        self.network.tallies = {kind: Tally() for kind in SHARING_TRAFFIC}
        self.jobs = [
            self._make_job(place, spec)
            for place, spec in enumerate(workload or load_jobs(scenario))
        ]
        alone = scenario.transfer == "formula" and self.journal is None  # on network and node
        ahead = alone and not any(job.does_io for job in self.jobs)
        for index in range(scenario.nodes):
            self.nodes.append((AheadWorkstation if ahead else Workstation)(self, index))
        self.network.connect()
        self._by_number = {job.number: job for job in self.jobs}
        self.unfinished = len(self.jobs)
        for place, job in enumerate(self.jobs):
            home = self.nodes[job.home]
            self.clock.schedule((job.submit_ns, ARRIVAL, home.index, 0, place, home.submit, job))
        self.reports = self._make_reports(scenario, alone)
        self.wall_s = 0.0

    def run(self, progress: Progress | None = None) -> "SharingCluster":
        """Run until nothing is left to happen; raises Stalled if work remains then."""
        began = perf_counter()
        while self.clock.run(self.clock.events_between_reports):
            if progress is not None:
                progress(self)
        self.running = False
        self.wall_s += perf_counter() - began
        if self.unfinished:
            raise Stalled(self.stall_story())
        return self

    def step(self) -> None:
        """Execute the next event."""
        self.running = self.clock.run(1)

    @property
    def disks(self) -> list[Disk]:
        """All disks, by node."""
        return [node.disk for node in self.nodes]

    def progress(self) -> float:
        """The share of the jobs that have ended."""
        return 1 - self.unfinished / len(self.jobs)

    def job(self, number: int) -> SequentialJob:
        """The job with this number; raises KeyError."""
        return self._by_number[number]

    def job_ended(self) -> None:
        """One more job is done."""
        self.unfinished -= 1

    def set_buffers(self, size: int) -> None:
        """All nodes buffer I/O in so many bytes of their RAM from now on."""
        for node in self.nodes:
            node.set_buffer(size)

    def stall_story(self) -> str:
        """Which jobs are not done, and what each waits for."""
        waiting = [job for job in self.jobs if job.end_ns is None]
        return (
            f"{self.policy_name} stalled at {self.clock.now_ns} ns: {len(waiting)} jobs are not "
            f"done and nothing is scheduled. {'; '.join(job.story() for job in waiting[:10])}"
        )

    def _make_reports(self, scenario: SharingScenario, alone: bool) -> LoadTables:
        if scenario.reports == "changes":
            return ChangeReports(self)
        return (SteadyReports if alone and scenario.reports == "auto" else MessageReports)(self)

    def _make_job(self, place: int, spec: SequentialSpec) -> SequentialJob:
        """A job whose faults begin at a random place within their interval."""
        first_fault = next(draws(self.parameters.seed, FAULT_TIME, spec.number, 0))
        constants = self.constants
        return SequentialJob(
            spec,
            place,
            constants.working_set,
            first_fault,
            constants.reference_speed,
            constants.requests_of(spec, self.parameters.seed),
            constants.unshared_io_ns(spec),
        )
