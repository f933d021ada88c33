"""The Mesa model: nodes with servents on a network, a scheduler, jobs, and the clock."""

from collections.abc import Callable, Iterable
from time import perf_counter

import mesa

from agents.disk import Disk
from agents.node import Node
from agents.pnr.servent import Servent
from model.core.journal import Journal, Record
from model.core.network import Network, load_network
from model.ground.clock import ARRIVAL, Clock
from model.ground.errors import Stalled
from model.pnr.constants import Constants
from model.pnr.design import load_design
from model.pnr.gang import GangScheduler
from model.pnr.job import Job, JobSpec
from model.pnr.sampling import Sampling
from model.pnr.scenario import Scenario
from model.pnr.workload import load_workload

Progress = Callable[["Cluster"], None]


class Cluster(mesa.Model):
    """A cluster on which one design runs the scenario's jobs.

    `run()` goes through to the end, `step()` executes one event. Nodes, servents, disks, links and
    switches are Mesa agents (`cluster.agents`, `cluster.agents_by_type`); memory samples are in
    `cluster.datacollector`. `readers` get every record of the journal as it is made.
    Raises InputError if the design, topology or workload does not do.
    """

    clock_type = Clock
    network_type = Network
    node_type = Node
    job_type = Job

    def __init__(
        self,
        scenario: Scenario,
        design: str,
        readers: Iterable[Callable[[Record], None]] = (),
        journal_level: str = "all",
        workload: list[JobSpec] | None = None,
    ) -> None:
        super().__init__(rng=scenario.seed)
        self.parameters = scenario  # not "scenario": that name is Mesa's from 3.4 on
        self.design = load_design(design, scenario)
        self.constants = constants = Constants.of(scenario)
        graph = load_network(scenario, constants)
        self.clock = self.clock_type()
        readers = tuple(readers)
        self.journal = Journal(self.clock, readers, journal_level) if readers else None
        self.nodes: list[Node] = []
        self.network = self.network_type(self, graph, scenario.duplex)
        for index in range(scenario.nodes):
            self.nodes.append(self.node_type(self, index))
        for node in self.nodes:
            node.connect(Servent(self, node))
        self.network.connect()
        self.scheduler = GangScheduler(self)
        self.jobs = self._make_jobs(load_workload(scenario) if workload is None else workload)
        self._unfinished = len(self.jobs)
        for place, job in enumerate(self.jobs):
            self.clock.schedule(
                (job.submit_ns, ARRIVAL, place, 0, 0, self.scheduler.job_arrives, job)
            )
        self.sampling = Sampling(self)
        self.datacollector = self.sampling.collector
        self.wall_s = 0.0

    def run(self, progress: Progress | None = None) -> "Cluster":
        """Run until nothing is left to happen; raises Stalled if work remains then."""
        began = perf_counter()
        while self.clock.run(self.clock.events_between_reports):
            if progress is not None:
                progress(self)
        self.running = False
        self.wall_s += perf_counter() - began
        if self._unfinished:
            raise Stalled(self.stall_story())
        return self

    def step(self) -> None:
        """Execute the next event."""
        self.running = self.clock.run(1)

    @property
    def servents(self) -> list[Servent]:
        """All servents, by node."""
        return [node.servent for node in self.nodes]

    @property
    def disks(self) -> list[Disk]:
        """All disks, by node."""
        return [node.disk for node in self.nodes]

    def progress(self) -> float:
        """The share of all CPU time, over all processes, that is computed."""
        done = sum(
            job.size * job.demand_ns
            if job.end_ns is not None
            else sum(process.cpu_ns for process in job.processes)
            for job in self.jobs
        )
        return done / sum(job.size * job.demand_ns for job in self.jobs)

    def job(self, number: int) -> Job:
        """The job with this number in the trace; raises KeyError."""
        for job in self.jobs:
            if job.number == number:
                return job
        raise KeyError(f"no job {number} in this run")

    def _make_jobs(self, workload: list[JobSpec]) -> list[Job]:
        jobs, first_process = [], 0
        for spec in workload:
            jobs.append(self.job_type(spec, first_process))
            first_process += spec.processes
        return jobs

    def job_ended(self) -> None:
        """One more job is done; after the last, nothing is left to sample."""
        self._unfinished -= 1
        if not self._unfinished:
            self.sampling.stop()

    def stall_story(self) -> str:
        """Which jobs are not done, and what each waits for."""
        waiting = [job for job in self.jobs if job.end_ns is None]
        shown = "; ".join(job.story() for job in waiting[:10])
        more = f"; and {len(waiting) - 10} more jobs" if len(waiting) > 10 else ""
        return (
            f"{self.design.name} stalled at {self.clock.now_ns} ns: {len(waiting)} jobs are not "
            f"done and nothing is scheduled. {shown}{more}"
        )
