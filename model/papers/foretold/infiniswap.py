"""Infiniswap's setups: its cluster, what is evicted in a batch, and a lender that fails.

The first two need no times, so the roles of INFINISWAP are on a bench, whose messages arrive at
once. There no page faults are counted, so each slab that a client lacks is busy, and bound.
"""

from collections.abc import Sequence
from math import comb
from random import Random
from statistics import median
from typing import Any, NamedTuple

import networkx as nx

from agents.pnr.hosting import ProcessPlaced
from agents.pnr.messages import Placed
from agents.pnr.protocols.infiniswap import ActivityQuery, ActivityReply, Evict
from agents.pnr.testing import Bench, InFlight
from model.ground.units import BYTES_PER_MB
from model.pnr.design import load_design
from model.pnr.scenario import make_scenario
from model.systems import comparison_of

GB = 1024 * BYTES_PER_MB
MACHINES, RAM_GB, HEADROOM = 32, 64, 1 / 8
CONTAINERS, WORKING_SET_GB = 90, (9.0, 14.5)
#: Which part of its working set a container may have in RAM, of how many of ten containers.
PARTS = {1.0: 5, 0.75: 3, 0.5: 2}
_SETTLES_S, _AT_LAST_S = 20, 60

LENT, BUSY_PCT, EVICTED = 40, 30, 10  # slabs of a server
FAILING, AT_S, DEMAND_S = 3, 60, 120
DISKS: dict[str, dict[str, Any]] = {
    "turning disk, 13 ms a page": {"seek_ms": 9, "rotation": True, "rpm": 7200},
    "flash disk, 0.1 ms a page": {},
}


class Cluster(NamedTuple):
    """How full the machines are, each as a share of its RAM."""

    without: Sequence[float]  # what their own containers have in RAM
    with_it: Sequence[float]  # and the slabs that they lend
    on_disk_gb: float  # what of working sets is neither in RAM nor in slabs

    @staticmethod
    def uneven(shares: Sequence[float]) -> tuple[float, float | None]:
        """The largest over the median and over the smallest (None: that machine is empty)."""
        most, least = max(shares), min(shares)
        return most / median(shares), most / least if least else None


def cluster(seed: int) -> Cluster:
    """The containers come one after another, each to a machine drawn among those with room."""
    random = Random(seed)
    declared = f"INFINISWAP(slab_mb=1024, headroom={HEADROOM})"
    bench = Bench(graph_of(declared, MACHINES), RAM_GB * GB, seed=seed)
    tens = CONTAINERS // 10
    parts = [part for part, of_ten in PARTS.items() for _ in range(of_ten * tens)]
    random.shuffle(parts)
    own = [0] * MACHINES
    for job, part in enumerate(parts):
        size = round(random.uniform(*WORKING_SET_GB) * GB)
        limit = round(part * size)
        node = random.choice([n for n in range(MACHINES) if own[n] + limit <= RAM_GB * GB])
        own[node] += limit
        bench.memory(node).allocate(job, size, limit)
        bench.happens(node, ProcessPlaced(Placed(job, 0, 1, None)))
        _pass(bench, _SETTLES_S)
    _pass(bench, _AT_LAST_S)
    memories = [bench.memory(node) for node in range(MACHINES)]
    return Cluster(
        [amount / (RAM_GB * GB) for amount in own],
        [memory.allocated / memory.ram for memory in memories],
        sum(memory.unmet for memory in memories) / GB,
    )


def graph_of(declared: str, nodes: int) -> nx.DiGraph:
    """The graph of a design with its parameters, for a bench."""
    return load_design(declared, make_scenario(nodes=nodes)).graph


def _pass(bench: Bench, seconds: int) -> None:
    """Let timers fire, each of which is due after a second, and all messages arrive."""
    for _ in range(seconds):
        bench.settle()
        for node, _, name in sorted(bench.timers):
            bench.fire(node, name)
            bench.settle()


def evicted_busy(extra: int, seed: int) -> int:
    """How many of the slabs that a server evicts in a batch are busy."""
    nodes = LENT + 1
    ram = 64
    declared = f"INFINISWAP(slab_mb={1 / BYTES_PER_MB}, headroom={HEADROOM}, extra={extra})"
    bench = Bench(graph_of(declared, nodes), ram, seed=seed)
    server = bench.memory(0)
    random = Random(seed)
    busy = {*random.sample(range(1, nodes), LENT * BUSY_PCT // 100)}
    for borrower in range(1, nodes):
        server.lend(1, bench.role(borrower, "client").new_request())
    server.allocate(0, EVICTED + round((1 - HEADROOM) * ram) - LENT)
    bench.crash(0)  # so that it begins to average with what it uses now
    bench.restart(0)
    evicted: list[int] = []
    while bench.messages:
        _, borrower, content, _ = bench.take()
        if isinstance(content, ActivityQuery):
            rate = random.random() + 100 * (borrower in busy)
            reply = ActivityReply((rate,), content.slabs)
            bench.arrive(InFlight(borrower, 0, reply))
        elif isinstance(content, Evict):
            evicted.append(borrower)
    assert len(evicted) == EVICTED
    return len(busy.intersection(evicted))


def expected_busy(extra: int) -> float:
    """The same in closed form: of E + E' slabs drawn, the busy ones beyond E' are evicted."""
    busy, drawn = LENT * BUSY_PCT // 100, EVICTED + extra
    ways = comb(LENT, drawn)
    return sum(
        max(0, found - extra) * comb(busy, found) * comb(LENT - busy, drawn - found) / ways
        for found in range(min(busy, drawn) + 1)
    )


class Failure(NamedTuple):
    """What it costs an application if one of its six lenders fails."""

    longer_pct: float
    pages_from_disk: int  # more of them
    back_s: float | None  # until what was lost is lent by others; None: it never is


def failure(disk: str, seed: int) -> Failure:
    """A process has half of 12 GB in RAM and half in six slabs, each at another lender."""
    sound, broken = (_run(disk, seed, fails) for fails in (False, True))
    longer = broken[0] / sound[0] - 1
    back_s = broken[2] - AT_S if broken[2] > AT_S else None
    return Failure(100 * longer, broken[1] - sound[1], back_s)


def _run(disk: str, seed: int, fails: bool) -> tuple[float, int, float]:
    """Its response time, s, its pages from the disk, and when it borrowed last, s."""
    lenders = {"count": 6, "ram_mb": RAM_GB * 1024, "seats": False}
    scenario = make_scenario(
        preset="rdma-2020",
        node=[{"count": 1, "ram_mb": RAM_GB * 1024}, lenders],
        job=[{"processes": 1, "memory_mb": 12_288, "limit_mb": 6144, "demand_s": DEMAND_S}],
        designs=("INFINISWAP(slab_mb=1024, hot_slab=1)",),
        seed=seed,
        fault=[{"kind": "node", "nodes": [FAILING], "from_s": AT_S}] if fails else [],
        **DISKS[disk],
    )
    comparison = comparison_of(scenario)
    (name,) = comparison.contestants
    borrowed_ns = [0]
    run = comparison.run(
        name,
        readers=[lambda it: borrowed_ns.append(it.time_ns) if it.kind == "borrowed" else None],
        journal_level="protocol",
    )
    summary = comparison.measure(run).summary
    return summary["mean_response_s"], summary["faults_disk"], borrowed_ns[-1] / 1e9
