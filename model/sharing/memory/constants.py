"""The constants of CPU-memory load sharing in addition to the shared ones."""

from dataclasses import dataclass
from typing import Self

from model.ground.units import NS_PER_S, exact, round_half_up
from model.sharing.constants import SharingConstants
from model.sharing.memory.calibration import calibrated_rate
from model.sharing.memory.scenario import MemoryScenario


@dataclass(frozen=True, slots=True, kw_only=True)
class MemoryConstants(SharingConstants):
    """The shared constants, and those of CPU-memory load sharing."""

    scenario: MemoryScenario
    cpu_threshold: float  # CT

    @classmethod
    def of(cls, scenario: MemoryScenario) -> Self:
        return cls(**cls.shared(scenario), scenario=scenario, cpu_threshold=scenario.ct)

    @property
    def faults_per_mi(self) -> float:
        """Page faults per million instructions on an overloaded node."""
        rate = self.scenario.fault_rate
        if rate is None:
            rate = calibrated_rate(self.scenario)
        return rate * self.scenario.fault_pct / 100

    @property
    def fault_rate_of_node(self) -> bool:
        """Whether the rate counts the instructions of all jobs of the node."""
        return self.scenario.fault_rate_of == "node"

    @property
    def fault_every_ns(self) -> int | None:
        """CPU time between page faults at the given rate; None if there are none."""
        faults_per_s = exact(self.faults_per_mi) * exact(self.scenario.mips)
        return max(1, round_half_up(NS_PER_S / faults_per_s)) if faults_per_s else None

    def stated(self) -> dict[str, float]:
        """The fault rate, which calibration chooses for a generated trace."""
        return {"faults_per_mi": self.faults_per_mi}
