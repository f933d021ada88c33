"""How evenly memory is lent, from a run's journal: shares used, newcomers, messages, refusals.

A node's *used share* is what its processes have in its RAM and what it lends, over its RAM. It is
looked at every `LOOK_S` between `WARM_S` and the time at which the last job is placed, of the nodes
that are there.
"""

import json
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from statistics import fmean, median, pstdev

from agents.messages import DATA_PHASES
from model.core.journal.kinds import (
    MEMORY,
    OUTAGES,
    Lent,
    Placed,
    Record,
    Sent,
    kinds_that_change,
)
from model.core.journal.past import Past
from model.ground.units import NS_PER_S
from model.pnr.constants import Constants
from model.pnr.node_groups import for_each_node
from model.pnr.scenario import Scenario

WARM_S, LOOK_S = 300, 5
#: A storm is looked at for so long after a node has joined, s; and its share at these times.
FIRST_S = (60, 300)
LATER_S = (0, 30, 60, 90, 120, 180, 240, 300, 450, 600, 900)
WITHIN = 0.05  # of the others' mean share a newcomer's has converged


class Balance:
    """Reads a run's journal; nodes that join are *newcomers*."""

    def __init__(self, scenario: Scenario) -> None:
        groups = scenario.groups
        self._rams = Constants.of(scenario).rams
        joins_s = for_each_node(groups, [group.joins_s for group in groups])
        self._new = [node for node, joined_s in enumerate(joins_s) if joined_s > 0]
        self._joined_s = max(joins_s)
        self._past = Past(scenario.nodes)
        self._changes = {*kinds_that_change(MEMORY, OUTAGES)}
        self._next_s = 0
        self._looks: list[tuple[int, tuple[float | None, ...]]] = []
        self._lent: list[tuple[float, int, int]] = []  # when, s; by whom; bytes
        self._last_placed_s = 0.0
        self._counts: Counter[str] = Counter()

    def read(self, record: Record) -> None:
        """Take in the next record."""
        while self._next_s * NS_PER_S < record.time_ns:
            self._looks.append((self._next_s, tuple(self._shares())))
            self._next_s += LOOK_S
        if record.kind in self._changes:
            self._past.read(record)
        now_s = record.time_ns / NS_PER_S
        if record.kind == Lent.name and record.amount_bytes:
            assert record.node is not None
            self._lent.append((now_s, record.node, record.amount_bytes))
        elif record.kind == Placed.name:
            self._last_placed_s = now_s
        elif record.phase not in DATA_PHASES:
            self._counts["messages"] += record.kind == Sent.name
            self._counts["refusals"] += record.kind == Sent.name and _refuses(record.payload)

    def measures(self, end_ns: int) -> Mapping[str, object]:
        """What the study is about, for the summary."""
        steady = [
            [share for share in shares if share is not None]
            for time_s, shares in self._looks
            if WARM_S <= time_s <= self._last_placed_s
        ]
        spread = [_spread(shares) for shares in steady]
        lent = len(self._lent)
        return {
            "lenders": {
                "used_mean": _mean([one[0] for one in spread]),
                "used_sd": _mean([one[1] for one in spread]),
                "most_over_median": _middle([one[2] for one in spread]),
                "most_over_least": _middle([one[3] for one in spread]),
                "loans": lent,
                "messages_a_loan": self._counts["messages"] / lent if lent else None,
                "refusals_a_loan": self._counts["refusals"] / lent if lent else None,
                **(self._newcomers() if self._new else {}),
            }
        }

    def _shares(self) -> Iterator[float | None]:
        """The used share of each node now; None of one that is not there."""
        for node, ram in zip(self._past.nodes, self._rams, strict=True):
            yield None if node.is_down else min(1.0, (node.own - node.beyond + node.lent) / ram)

    def _newcomers(self) -> dict[str, object]:
        """Which part of all loans they get at first, and how their share becomes the others'."""
        found: dict[str, object] = {}
        for first_s in FIRST_S:
            ends_s = self._joined_s + first_s
            now = [it for it in self._lent if self._joined_s <= it[0] < ends_s]
            theirs = [it for it in now if it[1] in self._new]
            found[f"storm_{first_s}"] = len(theirs) / len(now) if now else None
            found[f"storm_{first_s}_of_bytes"] = _sum(theirs) / _sum(now) if now else None
        after = {
            time_s - self._joined_s: self._both(shares)
            for time_s, shares in self._looks
            if self._joined_s <= time_s <= self._last_placed_s
        }
        close = [since_s for since_s, (new, old) in after.items() if abs(new - old) <= WITHIN]
        found["converged"] = float(bool(close))
        found["converges_s"] = min(close, default=self._last_placed_s - self._joined_s)
        known = [since_s for since_s in LATER_S if since_s in after]
        for part, name in enumerate(("newcomer", "others")):
            found[name] = {f"{since_s}": after[since_s][part] for since_s in known}
        return found

    def _both(self, shares: Sequence[float | None]) -> tuple[float, float]:
        """The mean used shares of newcomers and of the others."""
        new = [share for node, share in enumerate(shares) if node in self._new]
        old = [share for node, share in enumerate(shares) if node not in self._new]
        return fmean(share or 0.0 for share in new), fmean(share or 0.0 for share in old)


def _refuses(payload: str | None) -> bool:
    """Whether a message answers a need with nothing."""
    return payload is not None and '"refused"' in payload and bool(json.loads(payload)["refused"])


def _spread(shares: Sequence[float]) -> tuple[float, float, float | None, float | None]:
    """Mean and deviation, and the largest over the median and the smallest (None: these are 0)."""
    most, middle, least = max(shares), median(shares), min(shares)
    return (
        fmean(shares),
        pstdev(shares),
        most / middle if middle else None,
        most / least if least else None,
    )


def _sum(loans: Sequence[tuple[float, int, int]]) -> int:
    return sum(amount for _, _, amount in loans)


def _mean(values: Sequence[float]) -> float | None:
    return fmean(values) if values else None


def _middle(values: Sequence[float | None]) -> float | None:
    """The median over time; None if there is no ratio most of the time."""
    known = [value for value in values if value is not None]
    return median(known) if 2 * len(known) > len(values) else None
