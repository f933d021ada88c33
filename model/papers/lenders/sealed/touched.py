"""A process touches all of 12 GB all the time: what a smaller part of it in RAM costs.

`python -m model.papers.lenders.sealed.touched`. The rest is lent by six others; nodes, pages and
network are the preset rdma-2020's.
"""

from statistics import median

from model.pnr.scenario import make_scenario
from model.systems import measure, run

SIZE_MB, DEMAND_S = 12_288, 120
IN_RAM = (0.9, 0.75, 0.5, 0.25)
SEEDS = range(1, 6)


def extra_s(in_ram: float, seed: int) -> float:
    """By how much longer it takes than it computes."""
    lenders = {"count": 6, "ram_mb": 65_536, "seats": False}
    job = {"processes": 1, "memory_mb": SIZE_MB, "demand_s": DEMAND_S}
    scenario = make_scenario(
        preset="rdma-2020",
        locality="drifting",
        node=[{"count": 1, "ram_mb": 65_536}, lenders],
        job=[{**job, "limit_mb": SIZE_MB * in_ram}],
        seed=seed,
    )
    response_s: float = measure(run(scenario, "CLI")).summary["mean_response_s"]
    return response_s - DEMAND_S


def main() -> None:
    half = [extra_s(0.5, seed) for seed in SEEDS]
    for in_ram in IN_RAM:
        times = [extra_s(in_ram, seed) / of for seed, of in zip(SEEDS, half, strict=True)]
        print(f"{in_ram}: {median(times):.3f} ({min(times):.3f} to {max(times):.3f})")


if __name__ == "__main__":
    main()
