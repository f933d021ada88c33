"""The Mesa model of load sharing: workstations on a network, a policy and sequential jobs."""

from collections.abc import Mapping, Sequence

import agents.sharing.messages
from agents.messages import kinds_in
from agents.sharing.job import SequentialJob, SequentialSpec
from agents.sharing.node_memory import NodeMemory
from agents.sharing.policy import Policy
from agents.sharing.workstation import Workstation
from agents.station import Station
from model.core.emulation import Emulation, Loaded, Readers
from model.ground.clock import ARRIVAL
from model.ground.randomness import FAULT_TIME, draws
from model.sharing.ahead import AheadWorkstation
from model.sharing.change_reports import ChangeReports
from model.sharing.constants import SharingConstants
from model.sharing.reports import Cluster, LoadTables, MessageReports, SteadyReports
from model.sharing.scenario import SharingScenario
from model.sharing.system import system_of


class SharingCluster(Emulation, Cluster):
    """A cluster on which one policy shares the load of the scenario's jobs.

    Besides what every emulation has: `policy`, the nodes' load tables (`reports`) and `system`.
    """

    message_kinds = kinds_in(agents.sharing.messages)

    parameters: SharingScenario
    constants: SharingConstants
    nodes: Sequence[Workstation]
    jobs: Sequence[SequentialJob]
    by_number: Mapping[int, SequentialJob]
    reports: LoadTables

    def __init__(
        self,
        scenario: SharingScenario,
        name: str,
        policy: type[Policy],
        loaded: Loaded,
        readers: Readers = (),
        journal_level: str = "all",
    ) -> None:
        super().__init__(scenario, name, loaded, readers, journal_level)
        self.system = system_of(scenario)
        self.policy = policy(self.constants)
        jobs = [self._make_job(place, spec) for place, spec in enumerate(loaded.workload)]
        alone = scenario.transfer == "formula" and self.journal is None  # no jobs on the network
        ahead = alone and not any(job.does_io for job in jobs)
        make_node = AheadWorkstation if ahead else Workstation
        self.begin([make_node(self, index) for index in range(scenario.nodes)], jobs)
        for place, job in enumerate(self.jobs):
            home = self.nodes[job.home]
            self.clock.schedule((job.submit_ns, ARRIVAL, home.index, 0, place, home.submit, job))
        self.reports = self._make_reports(scenario, alone)

    def stations(self) -> list[Station]:
        """All links and switches, with those of the reports last, then the disks by node."""
        return [*self.network.stations(), *self.reports.stations(), *self.disks]

    def memory_of(self, node: int) -> NodeMemory:
        return self.system.memory(self.constants, node)

    def job(self, number: int) -> SequentialJob:
        return self.by_number[number]

    def set_buffers(self, size: int) -> None:
        for node in self.nodes:
            node.set_buffer(size)

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
