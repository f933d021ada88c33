"""A scenario in which computing takes another time than it says, and all else as long as before."""

from collections.abc import Callable
from dataclasses import replace
from fractions import Fraction

from model.ground.units import exact, round_half_up
from model.pnr.comparison import DesignComparison
from model.pnr.constants import Constants
from model.pnr.job_spec import JobSpec, Mark
from model.pnr.scenario import Scenario


def _by(time_scale: float) -> Callable[[int], int]:
    factor: Fraction = exact(time_scale)
    return lambda time_ns: max(1, round_half_up(time_ns * factor))


def scaled_constants(scenario: Scenario, time_scale: float) -> Constants:
    """The scenario's constants, with as many page faults and barriers in a scaled demand."""
    constants, scaled = Constants.of(scenario), _by(time_scale)
    return replace(
        constants,
        page_walk_ns=scaled(constants.page_walk_ns),
        barrier_ns=scaled(constants.barrier_ns),
        quantum_ns=scaled(constants.quantum_ns),
        pcs_ns=scaled(constants.pcs_ns),
    )


def scaled_job(spec: JobSpec, time_scale: float) -> JobSpec:
    """A job whose processes compute, and which is submitted, after a scaled time."""
    scaled = _by(time_scale)
    return replace(
        spec,
        submit_ns=scaled(spec.submit_ns) if spec.submit_ns else 0,
        demand_ns=scaled(spec.demand_ns),
        marks=tuple(Mark(scaled(at) if at else 0, size) for at, size in spec.marks),
    )


class ScaledComparison(DesignComparison):
    """Designs in an emulation in which computing, time slots and arrivals take a scaled time."""

    def __init__(self, scenario: Scenario, time_scale: float) -> None:
        super().__init__(scenario)
        self.time_scale = time_scale

    def load_constants(self) -> Constants:
        """The scaled constants."""
        return scaled_constants(self.scenario, self.time_scale)

    def load_workload(self) -> list[JobSpec]:
        """The scaled jobs, in the order of arrival."""
        return [scaled_job(spec, self.time_scale) for spec in super().load_workload()]
