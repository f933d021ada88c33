"""What CPU-memory load sharing needs to know beside the shared constants."""

from dataclasses import dataclass
from typing import Self

from model.sharing.constants import SharingConstants
from model.sharing.memory.calibration import calibrated_rate
from model.sharing.memory.scenario import MemoryScenario
from model.units import NS_PER_S, exact, round_half_up


@dataclass(frozen=True, slots=True, kw_only=True)
class MemoryConstants(SharingConstants):
    """The shared ones, and these."""

    faults_per_mi: float  # page faults per million instructions on an overloaded node
    fault_every_ns: int | None  # CPU time between them; None: there are none
    cpu_threshold: float  # CT

    @classmethod
    def of(cls, scenario: MemoryScenario) -> Self:
        """Derive them from a scenario; its fault rate, if not given, is that of its trace."""
        rate = calibrated_rate(scenario) if scenario.fault_rate is None else scenario.fault_rate
        rate *= scenario.fault_pct / 100
        faults_per_s = exact(rate) * exact(scenario.mips)
        return cls(
            **cls.shared(scenario),
            faults_per_mi=rate,
            fault_every_ns=max(1, round_half_up(NS_PER_S / faults_per_s)) if faults_per_s else None,
            cpu_threshold=scenario.ct,
        )

    def stated(self) -> dict[str, float]:
        """The fault rate."""
        return {"faults_per_mi": self.faults_per_mi}
