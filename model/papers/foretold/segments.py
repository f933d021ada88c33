"""Segments of a store, filled object by object by a master: how full is each when so much is used?

The roles are those of MASTER, on a bench without time. Node 10 asks for all objects; its RAM is one
GiB and full, so that it has no segment of its own. Nothing is ever given back.
"""

from collections.abc import Sequence

from agents.pnr.protocols.master import STRATEGIES
from agents.pnr.testing import Bench
from model.papers.foretold.infiniswap import graph_of

STRATEGY_NAMES = tuple(STRATEGIES)
OBJECT_GIB = 8
#: Ten segments each, GiB.
UNEQUAL = (*[400] * 8, *[1000] * 2)
ALTERNATE = (780, 260) * 5  # 1.5 and 0.5 of 520, in turn
LEVELS_PCT = (25, 50, 75, 90)


def filled(strategy: str, segments: Sequence[int], seed: int) -> dict[int, list[float]]:
    """The used share of each segment when so many percent of all are used."""
    client = len(segments)
    design = graph_of(f"MASTER(strategy={strategy})", client + 1)
    bench = Bench(design, [*segments, 1], seed=seed)
    bench.settle()
    bench.place(0, {client: 1})
    bench.settle()
    found: dict[int, list[float]] = {}
    whole, used, job = sum(segments), 0, 0
    for level in LEVELS_PCT:
        while used < whole * level / 100:
            job += 1
            bench.place(job, {client: OBJECT_GIB})
            bench.settle()
            used += OBJECT_GIB
        lent = [bench.memory(node).lent for node in range(client)]
        assert sum(lent) == used
        found[level] = [of / ram for of, ram in zip(lent, segments, strict=True)]
    return found


def uniform_share(segment: int, segments: Sequence[int], level_pct: int) -> float:
    """The expected share of a segment if each that has room is as likely as any other.

    All get as many bytes until the smallest are full, then the others share what comes.
    """
    left = sum(segments) * level_pct / 100
    each = 0.0
    for size in sorted({*segments}):
        open_ones = sum(1 for one in segments if one >= size)
        step = min(size - each, left / open_ones)
        each, left = each + step, left - step * open_ones
    return min(each, segment) / segment
