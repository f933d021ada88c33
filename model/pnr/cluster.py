"""The Mesa model of Parallel Network RAM: nodes with servents, a scheduler and parallel jobs."""

from collections.abc import Mapping, Sequence
from contextlib import AbstractContextManager
from dataclasses import replace

import agents.pnr.messages
from agents.messages import DATA_PHASES, Message, kinds_in
from agents.pnr.process import GRANT, Process
from agents.pnr.processing_element import ProcessingElement
from agents.pnr.servent import Servent, ServentSurroundings
from agents.pnr.synchronization import Exchange
from agents.pnr.timers import Timers
from model.core.emulation import Emulation, Loaded, Progress, Readers
from model.core.network import Network, load_network
from model.ground.clock import ARRIVAL, DELIVERY
from model.ground.errors import Beyond, Stalled
from model.pnr.constants import Constants
from model.pnr.design import Design, blamed_on_roles, load_design
from model.pnr.faults import Faults, FaultyCluster, changed_network, load_rule
from model.pnr.giving_up import AwaitedCluster, GivingUp
from model.pnr.job import COLUMNS, OF_ATTEMPTS, OF_ESTIMATES, OF_MOVES, Job
from model.pnr.membership import ChangingCluster, Membership
from model.pnr.migration import MigratingCluster, Migration
from model.pnr.node_crashes import NodeCrashes
from model.pnr.page_costs import page_costs_of
from model.pnr.sampling import Sampling
from model.pnr.scenario import Scenario
from model.pnr.scheduler import ScheduledCluster, Scheduler
from model.pnr.schedulers import SCHEDULERS
from model.pnr.watchdog import Watchdog, WatchedCluster
from model.pnr.workload import load_workload


class Cluster(
    Emulation,
    FaultyCluster,
    ScheduledCluster,
    MigratingCluster,
    WatchedCluster,
    AwaitedCluster,
    ChangingCluster,
    ServentSurroundings,
):
    """A cluster on which one design runs the scenario's jobs.

    Besides what every emulation has: `servents` by node, the `scheduler` and the `design`; samples
    of memory are in `sampling`. A design or a scenario that is not loaded yet is loaded here,
    which raises InputError if the design, topology or workload is invalid.
    """

    message_kinds = kinds_in(agents.pnr.messages)
    job_columns = (*COLUMNS, *OF_MOVES, *OF_ATTEMPTS, *OF_ESTIMATES)

    parameters: Scenario
    constants: Constants
    nodes: Sequence[ProcessingElement]
    network: Network
    jobs: Sequence[Job]
    by_number: Mapping[int, Job]
    faults: Faults | None
    design: Design
    scheduler: Scheduler
    watchdog: Watchdog
    absent: Sequence[int]
    membership: Membership

    node_type: type[ProcessingElement] = ProcessingElement
    job_type = Job
    servent_type = Servent

    def __init__(
        self,
        scenario: Scenario,
        design: str | Design,
        readers: Readers = (),
        journal_level: str = "all",
        loaded: Loaded | None = None,
    ) -> None:
        if isinstance(design, str):
            design = load_design(design, scenario)
        if loaded is None:
            loaded = load(scenario)
        loaded = replace(loaded, graph=changed_network(loaded.graph, scenario.fault))
        if scenario.exchange_kb:
            self.message_kinds = (*self.message_kinds, Exchange)
        super().__init__(scenario, design.name, loaded, readers, journal_level)
        self.design = design
        self.page_costs = page_costs_of(scenario)
        self.faults: Faults | None = None
        nodes = [self.node_type(self, index) for index in range(scenario.nodes)]
        jobs, first_process = [], 0
        for spec in loaded.workload:
            jobs.append(self.job_type(spec, first_process))
            first_process += spec.processes
        self.begin(nodes, jobs)
        self.timers = Timers(self)
        if scenario.has_faults:
            rule = load_rule(scenario.fault_file)
            self.faults = self.network.faults = Faults(self, scenario.fault or (), rule)
        self.absent = [node for node, when in enumerate(self.constants.joins_ns) if when]
        self.shares = design.shares(self.constants)
        self.watchdog = Watchdog(self, self.timers)
        self.servents = [self.servent_type(self, node) for node in nodes]
        for servent in self.servents:
            if servent.host.waits_for_start:
                first = (0, DELIVERY, servent.node.index, -1, 0)  # before all else at that time
                self.clock.schedule((*first, servent.start, None))
        self.membership = Membership(self)
        self.scheduler = SCHEDULERS[scenario.scheduler](self)
        if design.migrates:
            self.scheduler.migration = Migration(self)
        self.node_crashes = NodeCrashes(self)
        for place, job in enumerate(self.jobs):
            self.clock.schedule(
                (job.submit_ns, ARRIVAL, place, 0, 0, self.scheduler.job_arrives, job)
            )
        self.sampling = Sampling(self)
        self.giving_up = GivingUp(self)
        if self.faults is not None:
            self.membership.begin()
            self.faults.begin()
            self.watchdog.begin()

    def run(self, progress: Progress | None = None) -> "Cluster":
        """Run to the end; with faults, jobs that never end are `stuck`, and no error.

        Without, the design's protocol has made a mistake if it is not the thesis's. A run whose
        jobs take too long is given up (`giving_up.py`).
        """
        try:
            with self.blaming():
                super().run(progress)
        except Beyond:
            self.beyond = True
            self._stop()
        except Stalled as stall:
            if self.faults is not None:
                self._stop()
            elif self.design.has_own_protocol:
                raise self._mistake(stall) from None
            else:
                raise
        return self

    def _stop(self) -> None:
        """End a run in which jobs never end."""
        self.stuck = True
        self.clock.settle()
        self.tell_queues()

    def blaming(self) -> AbstractContextManager[None]:
        return blamed_on_roles(self.design)

    def _mistake(self, stall: Stalled) -> Exception:
        """The protocol's mistake that has led to a stall: the first process that never started."""
        for job in self.jobs:
            for process in job.processes:
                if process.state == GRANT:
                    return self.servents[process.node.index].unanswered(process)
        return stall

    def job(self, number: int) -> Job:
        return self.by_number[number]

    @property
    def nodes_crash(self) -> bool:
        return any(table.stops_jobs for table in self.parameters.fault or ())

    def progress(self) -> float:
        """The share of the CPU time of all processes that has been computed."""
        done = sum(
            job.size * job.demand_ns
            if job.end_ns is not None
            else sum(process.cpu_ns for process in job.processes)
            for job in self.jobs
        )
        return done / sum(job.size * job.demand_ns for job in self.jobs)

    def job_ended(self) -> None:
        """Count one more job as done; after the last one, nothing is left to sample."""
        super().job_ended()
        if not self.unfinished:
            self.sampling.stop()
            self.giving_up.last_job_ended()
            self.watchdog.last_job_ended()

    def job_failed(self) -> None:
        """Count one more job as done that was given up; the mean is over one less."""
        self.job_ended()
        self.giving_up.look_anew()

    def vanish(self, processes: list[Process]) -> list[Message]:
        """Let nothing happen to processes any more; returns their messages that are under way."""
        gone = {id(process) for process in processes}
        jobs = {process.job.number for process in processes}
        messages = []
        for key, what in list(self.clock.pending_events()):
            if isinstance(what, Message):
                if what.content.phase in DATA_PHASES and what.content.job in jobs:
                    messages.append(what)
            elif id(what) in gone:
                self.clock.cancel(*key)
        return messages

    def data_plane_pending(self) -> bool:
        """Whether processes have something to come that is not among the clock's events."""
        return False


def load(scenario: Scenario) -> Loaded:
    """The scenario's constants, network and jobs; raises InputError if they are invalid."""
    constants = Constants.of(scenario)
    return Loaded(constants, load_network(scenario, constants), load_workload(scenario))
