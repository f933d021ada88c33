"""What the benchmarks run. Nothing here needs more of the model than that it makes scenarios."""

from typing import Any

from model.pnr.scenario import Scenario, make_scenario

JOBS = 16
SHORT_S = 1  # how long a job of `growing` computes
WINDOW = {"first": 4621, "jobs": 19, "ram": 65}  # of the bundled trace


def pages(demand_s: int, nodes: int = 64) -> Scenario:
    """Half of the nodes run a process of 48 MB in 32 MB; no barriers within the demand."""
    job = {"processes": nodes // 2, "memory_mb": 48, "demand_s": demand_s}
    return make_scenario(job=[job], nodes=nodes, barrier_s=demand_s)


def growing(nodes: int, demand_s: int) -> Scenario:
    """Jobs that start every half second; of 48 MB a process on nodes of 32 MB, or of 8 MB.

    Each has an eighth of the nodes, so the messages and pages of a node are as many on any cluster.
    """
    processes = max(1, nodes // 8)
    jobs: list[dict[str, Any]] = [
        {
            "processes": processes,
            "memory_mb": processes * (48 if number % 2 else 8),
            "demand_s": demand_s,
            "submit_s": number / 2,
        }
        for number in range(JOBS)
    ]
    return make_scenario(nodes=nodes, job=jobs)


def window(**changed: object) -> Scenario:
    """19 jobs of the bundled trace, while memory is scarce."""
    return make_scenario(**WINDOW, **changed)
