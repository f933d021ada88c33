"""How full are 50 machines with 250 containers, without and with memory lent in slabs?

`python -m model.papers.lenders.sealed.cluster`. The roles are those of INFINISWAP, on a bench.
"""

from collections.abc import Sequence
from random import Random
from statistics import fmean, median, quantiles

from agents.pnr.hosting import ProcessPlaced
from agents.pnr.messages import Placed
from agents.pnr.testing import Bench
from model.ground.units import BYTES_PER_MB
from model.pnr.design import load_design
from model.pnr.scenario import make_scenario

GB = 1024 * BYTES_PER_MB
MACHINES, RAM_GB, HEADROOM = 50, 64, 1 / 8
CONTAINERS, WORKING_SET_GB = 250, (9.0, 14.5)
#: Which part of its working set a container may have in RAM, of how many of ten containers.
PARTS = {1.0: 5, 0.75: 3, 0.5: 2}
LOOKS, LAST_LOOKS = 5, 30  # of a client a second: after each container, and at the end
SEEDS = range(1, 9)


def cluster(seed: int) -> tuple[Sequence[float], Sequence[float], float]:
    """The used share of each machine without and with lending, and the GB that nobody has lent.

    Containers come one after another, each to a machine drawn among those with room.
    """
    random = Random(seed)
    declared = f"INFINISWAP(slab_mb=1024, headroom={HEADROOM})"
    graph = load_design(declared, make_scenario(nodes=MACHINES)).graph
    bench = Bench(graph, RAM_GB * GB, seed=seed)
    parts = [part for part, of_ten in PARTS.items() for _ in range(of_ten * CONTAINERS // 10)]
    random.shuffle(parts)
    own = [0] * MACHINES
    for job, part in enumerate(parts):
        size = round(random.uniform(*WORKING_SET_GB) * GB)
        limit = round(part * size)
        room = [node for node in range(MACHINES) if own[node] + limit <= RAM_GB * GB]
        node = random.choice(room or [own.index(min(own))])
        own[node] += limit
        bench.memory(node).allocate(job, size, limit)
        bench.happens(node, ProcessPlaced(Placed(job, 0, 1, None)))
        look(bench, LOOKS)
    look(bench, LAST_LOOKS)
    memories = [bench.memory(node) for node in range(MACHINES)]
    return (
        [min(1.0, amount / (RAM_GB * GB)) for amount in own],
        [memory.allocated / memory.ram for memory in memories],
        sum(memory.unmet for memory in memories) / GB,
    )


def look(bench: Bench, times: int) -> None:
    """Let timers fire, each of which is due after a second, and all messages arrive."""
    for _ in range(times):
        bench.settle()
        for node, _, name in sorted(bench.timers):
            bench.fire(node, name)
            bench.settle()


def shown(values: Sequence[float]) -> str:
    """The median over seeds, the least and the most."""
    parts = quantiles(values, n=20, method="inclusive")
    return f"{median(values):.2f} ({parts[0]:.2f} to {parts[-1]:.2f})"


def main() -> None:
    without, lending, unlent_gb = zip(*(cluster(seed) for seed in SEEDS), strict=True)
    for what, of in (("without", without), ("with", lending)):
        print(what, "used, %", shown([100 * fmean(one) for one in of]))
        print(what, "largest / median", shown([max(one) / median(one) for one in of]))
        print(what, "median, %", shown([100 * median(one) for one in of]))
    print("on disk, GB", shown(unlent_gb))


if __name__ == "__main__":
    main()
