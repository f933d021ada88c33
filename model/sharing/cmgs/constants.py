"""The constants of CMGS in addition to the shared ones: each node's speed, RAM and faults."""

from collections.abc import Sequence
from dataclasses import dataclass
from fractions import Fraction
from itertools import cycle, islice
from typing import Self

from model.ground.units import BYTES_PER_MB, NS_PER_S, exact, round_half_up, whole
from model.sharing.cmgs.scenario import REFERENCE_MIPS, CmgsScenario
from model.sharing.constants import SharingConstants

# From the paper's table 1.
PLATFORM_I_MIPS = (500, 1000, 2000, 500, 1500, 500)
PLATFORM_II_RAM_MB = (512, 1024, 2048, 512, 1536, 384)


@dataclass(frozen=True, slots=True, kw_only=True)
class CmgsConstants(SharingConstants):
    """The shared constants, and those of CMGS."""

    fault_every_ns: tuple[Fraction, ...]  # by node: CPU time if requests are fully allocated
    cpu_threshold: float  # CT

    @classmethod
    def of(cls, scenario: CmgsScenario) -> Self:
        first = scenario.platform == "I"
        mips: Sequence[float] = PLATFORM_I_MIPS if first else (scenario.mips,)
        ram_mb = (scenario.ram_mb,) if first else PLATFORM_II_RAM_MB
        speeds_mips = [exact(value) for value in islice(cycle(mips), scenario.nodes)]
        rams_mb = [exact(value) for value in islice(cycle(ram_mb), scenario.nodes)]
        reference, *speeds = whole([Fraction(REFERENCE_MIPS), *speeds_mips])
        return cls(
            **{
                **cls.shared(scenario),
                "reference_speed": reference,
                "speeds": tuple(speeds),
                "rams": tuple(round_half_up(value * BYTES_PER_MB) for value in rams_mb),
            },
            fault_every_ns=tuple(exact(scenario.sigma) * NS_PER_S / value for value in speeds_mips),
            cpu_threshold=scenario.ct,
        )
