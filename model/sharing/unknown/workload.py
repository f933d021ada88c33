"""Three traces for load sharing with unknown memory demands, in place of the lost ones.

The paper states the originals' programs, their number of jobs, the seconds in which they are
submitted, and a lognormal law (equation 6) that lacks its 1/t and gives those counts neither as a
rate nor as a law of gaps. Here the gaps are lognormal and rescaled so that the last job arrives at
the stated second; programs are drawn by the scenario's mix, and homes uniformly.
"""

from dataclasses import dataclass
from itertools import count

import numpy as np

from agents.sharing.job import SequentialSpec
from model.ground.errors import InputError
from model.ground.streams import stream
from model.ground.units import NS_PER_S
from model.sharing.log import read_jobs
from model.sharing.unknown.programs import PROGRAMS
from model.sharing.unknown.scenario import UnknownScenario


@dataclass(frozen=True, slots=True)
class Trace:
    """What the paper states about one trace (section 5.2)."""

    sigma: float  # which is also mu
    jobs: int
    span_s: int


TRACES = {1: Trace(0.5, 503, 1365), 2: Trace(3.5, 420, 2503), 3: Trace(5.0, 359, 3634)}


@dataclass(frozen=True, slots=True)
class Mix:
    """The shares of the programs among the jobs, in the order of table 1."""

    shares: tuple[float, ...]

    def programs(self, random: np.random.Generator, count: int) -> np.ndarray:
        """`count` draws of rows of table 1."""
        steps = np.cumsum(self.shares)
        return np.searchsorted(steps, random.random(count) * steps[-1], side="right")

    def draw(self, random: np.random.Generator, count: int) -> np.ndarray:
        """The largest working sets of `count` drawn programs, in MB."""
        most_mb = np.array([float(program.most_mb) for program in PROGRAMS])
        return most_mb[self.programs(random, count)]


def jobs_of(scenario: UnknownScenario) -> list[SequentialSpec]:
    """The jobs of a generated trace or of a log; raises InputError."""
    if not sum(scenario.mix):
        raise InputError("--mix: all shares are 0; give at least one program a share above 0")
    if scenario.trace.isdecimal():
        return generate(int(scenario.trace), scenario)
    return read_jobs(scenario, Mix(scenario.mix))


def generate(number: int, scenario: UnknownScenario) -> list[SequentialSpec]:
    """The jobs of a trace in the order of arrival; raises InputError."""
    if number not in TRACES:
        raise InputError(f"--trace {number}: give 1, 2 or 3, or an SWF file")
    trace, seed = TRACES[number], scenario.seed
    places = Mix(scenario.mix).programs(stream(seed, "programs", number), trace.jobs)
    homes = stream(seed, "homes", number).integers(scenario.nodes, size=trace.jobs)
    arrivals = zip(count(1), submissions_s(trace, seed, number), homes, places, strict=False)
    return [
        SequentialSpec(
            job,
            round(at_s * NS_PER_S),
            int(home),
            PROGRAMS[place].demand_ns,
            PROGRAMS[place].memory,
            PROGRAMS[place].growth,
            ios=PROGRAMS[place].ios,
        )
        for job, at_s, home, place in arrivals
    ]


def submissions_s(trace: Trace, seed: int, number: int) -> np.ndarray:
    """When jobs arrive, in s, increasing; the last one arrives at the end of the span."""
    gaps = stream(seed, "gaps", number).lognormal(trace.sigma, trace.sigma, trace.jobs)
    since = np.cumsum(gaps)
    return since * (trace.span_s / since[-1])
