"""Three traces for load sharing with unknown memory demands, in place of the lost ones.

The paper states the originals' programs, their number of jobs, the seconds in which they are
submitted, and a lognormal law (equation 6) that lacks its 1/t and gives those counts neither as a
rate nor as a law of gaps. Here the gaps are lognormal and rescaled so that the last job arrives at
the stated second. Each program occurs in proportion to the scenario's mix, and each home receives
as many jobs as any other (but for one), in random order; or both are drawn independently.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from itertools import count

import numpy as np

from agents.sharing.job import SequentialSpec
from model.ground.errors import InputError
from model.ground.streams import stream
from model.ground.units import NS_PER_S
from model.sharing.log import read_jobs
from model.sharing.unknown.programs import PROGRAMS
from model.sharing.unknown.scenario import Draws, Submissions, UnknownScenario


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
        drawn: np.ndarray = np.searchsorted(steps, random.random(count) * steps[-1], side="right")
        return drawn

    def shuffled(self, random: np.random.Generator, count: int) -> np.ndarray:
        """`count` rows of table 1 in random order, each row in proportion to its share.

        What rounding down leaves over goes to the rows of which it left out the most.
        """
        exact = np.array(self.shares) * (count / sum(self.shares))
        counts = exact.astype(int)
        most = np.argsort(counts - exact, kind="stable")[: count - counts.sum()]
        counts[most] += 1
        return random.permutation(np.repeat(np.arange(len(counts)), counts))

    def draw(self, random: np.random.Generator, count: int) -> np.ndarray:
        """The largest working sets of `count` drawn programs, in MB."""
        most_mb = np.array([float(program.most_mb) for program in PROGRAMS])
        drawn: np.ndarray = most_mb[self.programs(random, count)]
        return drawn


def jobs_of(scenario: UnknownScenario) -> list[SequentialSpec]:
    if not sum(scenario.mix):
        raise InputError("--mix: all shares are 0; give at least one program a share above 0")
    if scenario.trace.isdecimal():
        return generate(int(scenario.trace), scenario)
    return read_jobs(scenario, Mix(scenario.mix))


def generate(number: int, scenario: UnknownScenario) -> list[SequentialSpec]:
    """The jobs of a trace in the order of arrival; raises InputError."""
    if number not in TRACES:
        raise InputError(f"--trace {number}: give 1, 2 or 3, or an SWF file")
    homes, rows = places(number, scenario.seed, scenario.nodes, scenario.mix, scenario.draws)
    times_s = submissions_s(number, scenario.seed, scenario.submissions)
    measured = scenario.fault_weights == "measured"
    return [
        SequentialSpec(
            job,
            round(at_s * NS_PER_S),
            int(home),
            PROGRAMS[row].demand_ns,
            PROGRAMS[row].memory,
            PROGRAMS[row].growth,
            ios=PROGRAMS[row].ios,
            fault_weight=PROGRAMS[row].fault_weight if measured else 1,
        )
        for job, at_s, home, row in zip(count(1), times_s, homes, rows, strict=False)
    ]


def places(
    number: int, seed: int, nodes: int, mix: Sequence[float], draws: Draws = "balanced"
) -> tuple[np.ndarray, np.ndarray]:
    """The homes of a trace's jobs and their rows of table 1, in the order of arrival."""
    jobs, shares = TRACES[number].jobs, Mix(tuple(mix))
    to_homes, to_programs = stream(seed, "homes", number), stream(seed, "programs", number)
    if draws == "balanced":
        return to_homes.permutation(np.arange(jobs) % nodes), shares.shuffled(to_programs, jobs)
    return to_homes.integers(nodes, size=jobs), shares.programs(to_programs, jobs)


def submissions_s(number: int, seed: int, submissions: Submissions = "lognormal") -> np.ndarray:
    """When a trace's jobs arrive, in s, increasing; the last one arrives at the end of the span."""
    trace, random = TRACES[number], stream(seed, "gaps", number)
    if submissions == "lognormal":
        since = np.cumsum(random.lognormal(trace.sigma, trace.sigma, trace.jobs))
    else:
        since = np.sort(random.random(trace.jobs))
    times_s: np.ndarray = since * (trace.span_s / since[-1])
    return times_s
