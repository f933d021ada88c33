"""Compares coordination designs: how they are loaded, run on either data plane and measured."""

from collections.abc import Callable, Hashable, Sequence
from dataclasses import replace
from functools import cached_property, lru_cache
from typing import ClassVar

import pandas as pd

from agents.messages import Content
from agents.pnr.synchronization import Exchange
from model.core.comparison import Comparison
from model.core.emulation import Emulation, Loaded, Readers
from model.core.network import load_network
from model.core.result import RunResult
from model.core.topology import fingerprint
from model.ground.errors import InputError
from model.pnr.checks import MemoryChecker
from model.pnr.cluster import Cluster
from model.pnr.constants import Constants
from model.pnr.design import Design, load_design
from model.pnr.estimate import expected_s
from model.pnr.faults import load_rule, needs_actors, unknown_message
from model.pnr.job_spec import JobSpec
from model.pnr.measures import MEASURES, PAGING, optimization_ratio_pct
from model.pnr.metrics import measure
from model.pnr.scenario import Scenario, make_scenario
from model.pnr.services import refuse_long_exchange, refuse_long_services
from model.pnr.waste import Waste
from model.pnr.workload import load_workload, remark

#: What sweeps vary, and neither designs nor jobs depend on, nor how long exchanged data take.
_OF_NO_JOB = (
    *("ram", "ram_mb", "seek_ms", "rotation", "topology", "bandwidth_mbps", "latency_ns"),
    *("switch_us", "frame_bytes", "duplex", "routing", "page_exchange", "disk_writes"),
    *("give_up_response_s", "relocality_unit", "page_costs", "page_costs_by", "count_pages"),
)


class DesignComparison(Comparison[Design]):
    """Coordination designs on parallel jobs; disk paging, if it is among them, runs first."""

    scenario: Scenario

    @cached_property
    def contestants(self) -> dict[str, Design]:
        """The designs by name, disk paging first."""
        designs = super().contestants
        return dict(sorted(designs.items(), key=lambda item: item[0] != PAGING))

    @cached_property
    def loaded(self) -> Loaded:
        """Everything that is the same for every run; raises InputError if it takes too long."""
        loaded = super().loaded
        refuse_long_services(self.scenario, loaded.constants, loaded.graph)
        refuse_long_exchange(self.scenario, loaded)
        return loaded

    measures: ClassVar = MEASURES
    kept: ClassVar = {"wait_ns": lambda job: job.start_ns - job.submit_ns}

    def load_constants(self) -> Constants:
        return _constants_of(self.scenario.comparing().model_copy(update={"seed": 0, "job": None}))

    def load_workload(self) -> list[JobSpec]:
        return load_workload(self.scenario)

    def remark(self) -> str:
        """And what the person's log does not say of jobs, and what can hardly be meant."""
        return "\n".join(filter(None, (super().remark(), remark(self.scenario))))

    def parts(self) -> list[tuple[Hashable, Callable[[], object]]]:
        """Constants and network; designs with their faults; jobs, which take longest."""
        network = self.scenario.comparing().model_copy(update={"seed": 0, "job": None})
        all_else = self._without_what_jobs_ignore
        return [
            (("network", network), self._check_network),
            (("designs", all_else), self._check_designs),
            (("jobs", self.workload_key), lambda: self.loaded),
        ]

    @property
    def workload_key(self) -> Hashable:
        return self._without_what_jobs_ignore.comparing()

    @property
    def _without_what_jobs_ignore(self) -> Scenario:
        others = dict.fromkeys(() if self.scenario.exchange_kb else _OF_NO_JOB)
        return self.scenario.model_copy(update={**others, "seed": 0})

    def expected_s(self, name: str) -> float:
        return expected_s(self.scenario, self.loaded, self.contestants[name])

    def validate(self) -> None:
        super().validate()
        self._check_designs()

    def _check_network(self) -> None:
        """Load the network; raises InputError if it is invalid or serves a message for too long."""
        graph = load_network(self.scenario, self.constants)
        refuse_long_services(self.scenario, self.constants, graph)

    def _check_designs(self) -> None:
        """Load what is compared; raises InputError if faults do not go with it."""
        load_rule(self.scenario.fault_file)
        complaint = unknown_message(self.scenario.fault or (), self._kinds())
        if complaint is not None:
            raise InputError(complaint)

    def _kinds(self) -> tuple[type[Content], ...]:
        """The kinds of messages that the designs know: the thesis's, and those of own protocols."""
        kinds = dict.fromkeys((*Cluster.message_kinds, Exchange))
        for design in self.contestants.values():
            kinds |= dict.fromkeys(design.message_kinds())
        return tuple(kinds)

    def managers(self, name: str) -> tuple[int, ...]:
        return tuple(self.contestants[name].managers)

    def identity_of(self, declared: str) -> str:
        return fingerprint("managers", declared, self.scenario.nodes)

    def load_contestant(self, declared: str) -> tuple[str, Design]:
        design = load_design(declared, self.scenario)
        return design.name, design

    def emulation(
        self, name: str, readers: Readers = (), journal_level: str = "all", plane: str = "auto"
    ) -> Cluster:
        """The cluster with this design.

        The planes "actors" and "compiled" give the same journal and results. "auto" takes the
        compiled one, unless every hop is journaled or checked, when it is no faster.
        """
        readers = tuple(readers)
        every_hop = bool(readers) and journal_level == "all"
        make = cluster_type(plane_of(self.scenario, plane, every_hop))
        return make(self.scenario, self.contestants[name], readers, journal_level, self.loaded)

    def checker(self) -> MemoryChecker:
        return MemoryChecker()

    def observer(self) -> Waste:
        """What measures the use of messages and beliefs."""
        constants = self.load_constants()
        return Waste(constants.rams, constants.threshold)

    def measure(self, emulation: Emulation) -> RunResult:
        assert isinstance(emulation, Cluster)
        with emulation.blaming():
            return measure(emulation)

    def ended(self, jobs: pd.DataFrame) -> pd.DataFrame:
        """All jobs of the table: it has none that did not end."""
        return jobs

    def compared(self, results: Sequence[RunResult]) -> list[RunResult]:
        """The results over the same jobs, with optimization ratios if disk paging has run."""
        results = super().compared(results)
        by_design = {result.summary["design"]: result.summary for result in results}
        if PAGING not in by_design:
            return results
        paging_s = by_design[PAGING]["mean_response_s"]
        return [
            replace(
                result,
                summary=result.summary
                | {
                    "optimization_ratio_pct": optimization_ratio_pct(
                        paging_s, result.summary["mean_response_s"]
                    )
                },
            )
            for result in results
        ]


def plane_of(scenario: Scenario, plane: str, every_hop: bool) -> str:
    """The plane on which a run takes place if this one is asked for; raises InputError."""
    why = needs_actors(scenario.fault or ())
    if why is not None and plane == "compiled":
        raise InputError(f"--plane compiled: {why} need --plane actors")
    on_actors = plane == "actors" or (plane == "auto" and (every_hop or why is not None))
    return "actors" if on_actors else "compiled"


def cluster_type(plane: str) -> type[Cluster]:
    if plane == "actors":
        return Cluster
    from model.pnr.compiled.cluster import CompiledCluster  # the first import compiles

    return CompiledCluster


@lru_cache(64)  # thousands of runs of a sweep have few different ones, which take longer to derive
def _constants_of(scenario: Scenario) -> Constants:
    """The constants of all scenarios that differ from this one in what they do not depend on."""
    return Constants.of(scenario)


def load_data_plane() -> None:
    """Compile the data plane, or load what is compiled; processes forked from this one have it."""
    job = {"processes": 2, "memory_mb": 40, "demand_s": 1}
    DesignComparison(make_scenario(job=[job], nodes=4, designs="MAN")).run("MAN", plane="compiled")
