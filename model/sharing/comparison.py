"""Compares load sharing policies: how they are loaded, run and measured."""

from pathlib import Path
from typing import ClassVar

import pandas as pd

from agents.sharing.job import SequentialSpec
from agents.sharing.policy import Policy
from model.core.comparison import Comparison
from model.core.emulation import Emulation, Readers
from model.core.names import is_file_name
from model.core.result import RunResult
from model.core.version import version_of_file
from model.ground.units import seconds
from model.sharing.checks import SharingChecker
from model.sharing.cluster import SharingCluster
from model.sharing.constants import SharingConstants
from model.sharing.measures import MEASURES
from model.sharing.metrics import ended, measure
from model.sharing.scenario import SharingScenario
from model.sharing.system import load_policy, system_of
from model.sharing.workload import load_jobs


class PolicyComparison(Comparison[type[Policy]]):
    """Load sharing policies on sequential jobs."""

    scenario: SharingScenario

    measures: ClassVar = MEASURES
    kept: ClassVar = {"demand_ns": lambda job: job.demand_ns}

    def load_constants(self) -> SharingConstants:
        return system_of(self.scenario).constants(self.scenario)

    def load_workload(self) -> list[SequentialSpec]:
        return load_jobs(self.scenario)

    def expected_s(self, name: str) -> float:
        """By the number of jobs and what they compute; within a factor of four in the papers."""
        jobs = self.loaded.workload
        return 0.2 + 50e-6 * len(jobs) + 20e-6 * sum(seconds(job.demand_ns) for job in jobs)

    def identity_of(self, declared: str) -> str:
        """A policy's name, and the version of a user's file."""
        name, _ = self.load_contestant(declared)
        if not is_file_name(declared):
            return name.upper()
        return f"{name.upper()} {version_of_file(Path(declared.partition(':')[0]))}"

    def load_contestant(self, declared: str) -> tuple[str, type[Policy]]:
        """A policy by its name, or from a user's file."""
        return load_policy(declared, system_of(self.scenario))

    def emulation(
        self, name: str, readers: Readers = (), journal_level: str = "all", plane: str = "auto"
    ) -> SharingCluster:
        """The cluster with this policy; there is one plane."""
        return SharingCluster(
            self.scenario, name, self.contestants[name], self.loaded, readers, journal_level
        )

    def checker(self) -> SharingChecker:
        return SharingChecker()

    def measure(self, emulation: Emulation) -> RunResult:
        assert isinstance(emulation, SharingCluster)
        return measure(emulation)

    def ended(self, jobs: pd.DataFrame) -> pd.DataFrame:
        """Of a run's jobs, those that were not killed."""
        return ended(jobs)
