"""The constants of load sharing with unknown memory demands in addition to the shared ones."""

from dataclasses import dataclass
from typing import Self

from model.ground.units import BYTES_PER_MB, exact, round_half_up
from model.sharing.constants import SharingConstants
from model.sharing.unknown.scenario import Age, FaultWeights, Target, UnknownScenario


@dataclass(frozen=True, slots=True, kw_only=True)
class UnknownConstants(SharingConstants):
    """The shared constants, and those of load sharing with unknown memory demands."""

    swap: int  # bytes
    thrashing: float  # Qo from which on a node thrashes
    memory_threshold: float  # MT, a fraction
    cpu_threshold: int  # CT
    age: Age
    target: Target
    fault_weights: FaultWeights

    @classmethod
    def of(cls, scenario: UnknownScenario) -> Self:
        """Derive the constants from a scenario; r defaults to the paper's value for the network."""
        if scenario.remote_s is None:
            remote_s = 0.1 if scenario.bandwidth_mbps < 100 else 0.05
            scenario = scenario.model_copy(update={"remote_s": remote_s})
        return cls(
            **cls.shared(scenario),
            swap=round_half_up(exact(scenario.swap_mb) * BYTES_PER_MB),
            thrashing=scenario.thrashing_pct / 100,
            memory_threshold=scenario.mt / 100,
            cpu_threshold=scenario.ct,
            age=scenario.age,
            target=scenario.target,
            fault_weights=scenario.fault_weights,
        )

    def oversized(self, demand: int) -> float:
        """Qo: the fraction of the RAM by which the bytes demanded exceed it; negative below."""
        return demand / self.ram - 1
