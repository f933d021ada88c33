"""The fault rates at which a generated trace gives NO_LS the paper's slowdown of 20.

The paper scaled each trace's rate like this (section 5.1). Here each seed, mean, exponent and cap
of memory, and kind of draws, gives a different trace, so each has its own rate, which `calibrate`
finds on the paper's cluster. That takes seconds, so `calibrated.csv` keeps some rates for the other
defaults, printed by `uv run python -m model.sharing.memory.calibration 1 2 4 5 6` and so on. They
are those that would be found again (`tests/model/sharing/memory/test_calibration.py`).
"""

import csv
import sys
from collections.abc import Callable
from functools import cache, partial
from pathlib import Path
from typing import NamedTuple

from model.sharing.cluster import SharingCluster
from model.sharing.comparison import PolicyComparison
from model.sharing.memory.scenario import MemoryScenario
from model.sharing.metrics import measure

TARGET, NEAR = 20, 2  # the slowdown, and how close is close enough
MOST = 40.0  # faults per million instructions
FIRST = {"job": 2.5, "node": 0.05}  # the first that is tried, by whose instructions they are
HALVINGS = 6
KEPT = Path(__file__).with_name("calibrated.csv")


class Workload(NamedTuple):
    """Everything that decides the jobs of a generated trace, and so its rate."""

    trace: str
    mean_mb: float
    seed: int
    memory_exponent: float = MemoryScenario.model_fields["memory_exponent"].default
    memory_cap_mb: float = MemoryScenario.model_fields["memory_cap_mb"].default
    draws: str = MemoryScenario.model_fields["draws"].default
    fault_rate_of: str = MemoryScenario.model_fields["fault_rate_of"].default


def calibrated_rate(scenario: MemoryScenario) -> float:
    """The fault rate of the scenario's generated trace; 1 for other jobs."""
    if scenario.job is not None or not scenario.trace.isdecimal():
        return 1.0
    return _rate(Workload(*(getattr(scenario, name) for name in Workload._fields)))


def calibrate(slowdown: Callable[[float], float], first: float = FIRST["job"]) -> float:
    """The tried rate whose slowdown is closest to `TARGET`.

    From `first` on the rate is doubled until the slowdown exceeds the target, then bisected until
    that is within `NEAR`. Where a node can no longer keep up with its arrivals the slowdown may
    jump, so more than `HALVINGS` bisections would help little.
    """
    tried: dict[float, float] = {}

    def enough(rate: float) -> bool:
        tried[rate] = slowdown(rate)
        return tried[rate] >= TARGET

    low, high = 0.0, first
    while not enough(high) and high < MOST:
        low, high = high, 2 * high

    def nearest() -> float:
        return min(tried, key=lambda rate: abs(tried[rate] - TARGET))

    for _ in range(HALVINGS):
        if tried[high] < TARGET or abs(tried[nearest()] - TARGET) <= NEAR:
            break
        rate = (low + high) / 2
        low, high = (low, rate) if enough(rate) else (rate, high)
    return nearest()


@cache
def kept() -> dict[Workload, float]:
    """The rates that are known already."""
    with KEPT.open(newline="") as file:
        return {
            Workload(row["trace"], float(row["mean_mb"]), int(row["seed"])): float(row["rate"])
            for row in csv.DictReader(file)
        }


@cache
def _rate(workload: Workload) -> float:
    first = FIRST[workload.fault_rate_of]
    return kept().get(workload) or calibrate(partial(_slowdown, workload), first)


def _slowdown(workload: Workload, rate: float) -> float:
    """The slowdown of NO_LS, as a ratio of sums."""
    scenario = MemoryScenario(fault_rate=rate, **workload._asdict())
    cluster = PolicyComparison(scenario.comparing("NO_LS")).run("NO_LS")
    assert isinstance(cluster, SharingCluster)
    slowdown: float = measure(cluster).summary["slowdown_of_sums"]
    return slowdown


if __name__ == "__main__":
    for seed in map(int, sys.argv[1:]):
        cases = [(str(trace), mean_mb) for mean_mb in (1, 4) for trace in range(8)]
        for trace, mean_mb in [("0", 2), ("0", 3), *cases]:
            found = calibrate(partial(_slowdown, Workload(trace, mean_mb, seed)))
            print(trace, mean_mb, seed, f"{found:g}", sep=",", flush=True)
