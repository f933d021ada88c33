"""The paper's experiment: policy, platform and load at two levels each, 20 replications.

A replication is a seed: other arrivals, CPU times and memory requests, the same for both policies
and both platforms.
"""

from collections.abc import Callable, Sequence
from concurrent.futures import ProcessPoolExecutor
from dataclasses import dataclass
from itertools import product
from typing import Any

from model.sharing.cmgs.factorial import Analysis, Cell, analyse
from model.sharing.cmgs.scenario import CmgsScenario

REPLICATIONS = 20
JOBS = 2000  # the first of a trace: 160 runs in some minutes
FACTORS = ("policy", "platform", "load")
#: Each factor's low and high level.
LEVELS = {
    "policy": ("CPU_MEM", "CMGS"),
    "platform": ("I", "II"),
    "load": ("mixed", "memory"),
}
#: What is measured of a run, and what the paper calls it.
RESPONSES = {
    "slowdown_of_sums": "performance loss",
    "faults": "page faults",
    "remote_submissions": "remote executions",
}

Levels = tuple[str, str, str]  # policy, platform, load


@dataclass(frozen=True)
class Measured:
    """What the runs of the design gave: values by response, levels and replication."""

    scenario: dict[str, Any]  # parameters of all runs
    values: dict[str, dict[Levels, list[float]]]

    def analysis(self, response: str) -> Analysis:
        """Effects and shares of variation of one response."""
        return analyse(
            FACTORS, {cell_of(levels): values for levels, values in self.values[response].items()}
        )


def cell_of(levels: Levels) -> Cell:
    """The signs of a cell."""
    return tuple(
        2 * LEVELS[factor].index(level) - 1 for factor, level in zip(FACTORS, levels, strict=True)
    )


def experiment(
    seeds: Sequence[int] = range(1, REPLICATIONS + 1),
    workers: int = 1,
    done: Callable[[int], None] = lambda runs: None,
    jobs: int | None = JOBS,
    **parameters: Any,
) -> Measured:
    """Run the design with these seeds in so many processes; `done` hears how many runs have ended.

    Further parameters are those of the scenario. Raises InputError.
    """
    parameters["jobs"] = jobs
    cells: list[Levels] = list(product(*LEVELS.values()))
    runs = [(levels, seed, parameters) for levels in cells for seed in seeds]
    values: dict[str, dict[Levels, list[float]]] = {
        response: {levels: [] for levels in cells} for response in RESPONSES
    }
    with ProcessPoolExecutor(workers) as pool:
        for count, ((levels, _, _), result) in enumerate(
            zip(runs, pool.map(_run, runs), strict=True), start=1
        ):
            for response in RESPONSES:
                values[response][levels].append(result[response])
            done(count)
    return Measured(parameters, values)


def _run(what: tuple[Levels, int, dict[str, Any]]) -> dict[str, Any]:
    from model.sharing.comparison import run  # each process for itself
    from model.sharing.metrics import measure

    (policy, platform, load), seed, parameters = what
    scenario = CmgsScenario(platform=platform, load=load, seed=seed, **parameters)
    return measure(run(scenario, policy)).summary
