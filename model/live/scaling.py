"""A scenario in which computing takes another time than it says, and all else as long as before."""

from dataclasses import replace

from model.ground.units import exact, round_half_up
from model.pnr.comparison import DesignComparison
from model.pnr.constants import Constants
from model.pnr.job_spec import JobSpec, Mark
from model.pnr.scenario import Scenario


def _scaled(time_ns: int, time_scale: float) -> int:
    return max(1, round_half_up(time_ns * exact(time_scale))) if time_ns else 0


def scaled_constants(scenario: Scenario, time_scale: float) -> Constants:
    """The scenario's constants, with as many page faults and barriers in a scaled demand."""
    constants = Constants.of(scenario)
    return replace(
        constants,
        page_walk_ns=_scaled(constants.page_walk_ns, time_scale),
        barrier_ns=_scaled(constants.barrier_ns, time_scale),
        quantum_ns=_scaled(constants.quantum_ns, time_scale),
        pcs_ns=_scaled(constants.pcs_ns, time_scale),
    )


def scaled_job(spec: JobSpec, time_scale: float) -> JobSpec:
    """A job whose processes compute, and which is submitted, after a scaled time."""
    return replace(
        spec,
        submit_ns=_scaled(spec.submit_ns, time_scale),
        demand_ns=_scaled(spec.demand_ns, time_scale),
        marks=tuple(Mark(_scaled(cpu_ns, time_scale), size) for cpu_ns, size in spec.marks),
    )


class ScaledComparison(DesignComparison):
    """Designs in an emulation in which computing, time slots and arrivals take a scaled time."""

    def __init__(self, scenario: Scenario, time_scale: float) -> None:
        super().__init__(scenario)
        self.time_scale = time_scale

    def load_constants(self) -> Constants:
        return scaled_constants(self.scenario, self.time_scale)

    def load_workload(self) -> list[JobSpec]:
        return [scaled_job(spec, self.time_scale) for spec in super().load_workload()]
