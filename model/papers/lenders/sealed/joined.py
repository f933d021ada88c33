"""Ten segments of a store are half full, and an empty one joins: how soon is it as full?

`python -m model.papers.lenders.sealed.joined`. The roles are those of MASTER, on a bench without
time. Segments are of 512 GiB, objects of 1 GiB; nothing is ever given back.
"""

from statistics import median, quantiles

from agents.pnr.testing import Bench
from model.pnr.design import load_design
from model.pnr.scenario import make_scenario

SEGMENTS, SIZE, LEVEL = 10, 512, 0.5
STRATEGIES = ("random", "p2c", "free-ratio-first")
SEEDS = range(1, 9)


def joined(strategy: str, seed: int) -> tuple[float, float | None]:
    """The newcomer's part of the next 100 objects, and after how many percent of all memory it is
    within 5 points of the others' mean; None: not before all is 90 % full."""
    client = SEGMENTS + 1
    design = load_design(f"MASTER(strategy={strategy})", make_scenario(nodes=client + 1)).graph
    bench = Bench(design, [SIZE] * client + [1], seed=seed)
    bench.settle()
    others = range(SEGMENTS)
    for node in others:
        bench.place(10**6 + node, {node: round(LEVEL * SIZE)})  # what it holds already
        bench.settle()
    bench.place(0, {client: 1})
    whole, used, job = client * SIZE, round(SEGMENTS * LEVEL * SIZE), 0
    first, begun = 0.0, used
    while used < 0.9 * whole:
        job += 1
        bench.place(job, {client: 1})
        bench.settle()
        used += 1
        newcomer = bench.memory(SEGMENTS).allocated
        if job == 100:
            first = newcomer
        mean = sum(bench.memory(node).allocated for node in others) / SEGMENTS
        if job >= 100 and mean - newcomer <= 0.05 * SIZE:
            return first, 100 * (used - begun) / whole
    return first, None


def main() -> None:
    for strategy in STRATEGIES:
        found = [joined(strategy, seed) for seed in SEEDS]
        for values in ([one for one, _ in found], [late for _, late in found if late is not None]):
            if len(values) > 1:
                parts = quantiles(values, n=20, method="inclusive")
                shown = f"{median(values):.1f} ({parts[0]:.1f} to {parts[-1]:.1f})"
            else:
                shown = str(values)
            print(strategy, shown, f"of {len(values)}", flush=True)


if __name__ == "__main__":
    main()
