"""The fault rates at which a generated trace gives NO_LS the paper's slowdown of 20.

The paper scaled each trace's rate so (section 5.1); for other traces the rates are others. This
finds them anew: `uv run python -m model.sharing.memory.calibration 1 4` for means of 1 and 4 MB.
What it found is `CALIBRATED` in `workload.py`.
"""

import sys
from collections.abc import Sequence
from math import sqrt
from statistics import fmean

from model.sharing.comparison import run
from model.sharing.memory.scenario import MemoryScenario
from model.sharing.memory.workload import TRACES
from model.sharing.metrics import measure

TARGET = 20
SEEDS = (1, 2)
LEAST, MOST, HALVINGS = 0.3, 20.0, 5  # of the range of rates, by their logarithm


def slowdown(scenario: MemoryScenario) -> float:
    """Of NO_LS, ratio of sums."""
    return measure(run(scenario, "NO_LS")).summary["slowdown_of_sums"]


def calibrate(trace: int, mean_mb: float, seeds: Sequence[int] = SEEDS) -> float:
    """The rate of faults per million instructions with a mean slowdown near `TARGET`.

    The nearest of `LEAST` to `MOST`, if it is outside; bisection, so up to some 7 %.
    """
    low, high = LEAST, MOST
    for _ in range(HALVINGS):
        rate = sqrt(low * high)
        found = fmean(
            slowdown(MemoryScenario(trace=str(trace), mean_mb=mean_mb, fault_rate=rate, seed=seed))
            for seed in seeds
        )
        low, high = (rate, high) if found < TARGET else (low, rate)
    return sqrt(low * high)


if __name__ == "__main__":
    for mean_mb in map(float, sys.argv[1:]):
        for trace in range(len(TRACES)):
            print(mean_mb, trace, f"{calibrate(trace, mean_mb):.2g}", flush=True)
