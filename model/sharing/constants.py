"""A load sharing scenario's hardware in ns and bytes; each constant is derived and rounded once."""

from collections.abc import Mapping
from dataclasses import dataclass
from fractions import Fraction
from typing import Any

from agents.disk import Disk
from agents.sharing.job import SequentialSpec
from agents.sharing.messages import SharingSizes
from agents.sharing.requests import Requests
from agents.sharing.surroundings import SharingCosts
from model.ground.delays import switch_delay_ns
from model.ground.units import BYTES_PER_MB, NS_PER_MS, NS_PER_S, exact, round_half_up
from model.sharing.scenario import SharingScenario


@dataclass(frozen=True, slots=True, kw_only=True)
class SharingConstants(SharingCosts):
    """What agents and policies of every system must know about the scenario, in ns and bytes."""

    ram: int
    reference_speed: int  # the speed for which a workload gives CPU times
    working_set: Fraction  # of the requested memory
    report_ns: int  # period

    @staticmethod
    def shared(scenario: SharingScenario) -> dict[str, Any]:
        """The constants that every system has, by name."""
        ram = round_half_up(exact(scenario.ram_mb) * BYTES_PER_MB)
        disk_ns = round_half_up(exact(scenario.fault_ms) * NS_PER_MS)
        return {
            "ram": ram,
            "rams": (ram,) * scenario.nodes,
            "speeds": (1,) * scenario.nodes,
            "reference_speed": 1,
            "page": scenario.page_bytes,
            "disk_bytes": scenario.page_bytes,
            "disk": Disk,
            "disk_ns": disk_ns,
            "disks_ns": (disk_ns,) * scenario.nodes,
            "slice_ns": round_half_up(exact(scenario.slice_ms) * NS_PER_MS),
            "context_switch_ns": round_half_up(exact(scenario.context_switch_ms) * NS_PER_MS),
            "working_set": exact(scenario.working_set_pct) / 100,
            "remote_ns": round_half_up(exact(scenario.remote_s) * NS_PER_S),
            "bandwidth_mbps": scenario.bandwidth_mbps,
            "report_ns": round_half_up(exact(scenario.report_period_s) * NS_PER_S),
            "latency_ns": scenario.latency_ns,
            "switch_ns": switch_delay_ns(
                scenario.switch_us, scenario.bandwidth_mbps, scenario.switch_scaling
            ),
            "sizes": SharingSizes(
                report=scenario.report_bytes, submission=scenario.submission_bytes
            ),
        }

    def stated(self) -> Mapping[str, object]:
        """The constants that a summary states because the scenario leaves them open."""
        return {}

    def requests_of(self, spec: SequentialSpec, seed: int) -> Requests | None:
        """The I/O requests of a job that reach the disk; None if it does no I/O."""
        return None

    def unshared_io_ns(self, spec: SequentialSpec) -> int:
        """How long a job's I/O would take if the job were alone on a node."""
        return 0
