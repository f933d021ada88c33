"""How evenly memory is lent, from a run's journal: shares used, newcomers, messages, refusals.

A node's *used share* is what its processes have in its RAM and what it lends, over its RAM. It is
looked at every `LOOK_S` between `WARM_S` and the time at which the last job is placed, of the nodes
that are there.
"""

import json
from collections import Counter, defaultdict
from collections.abc import Iterator, Mapping, Sequence
from statistics import fmean, median, pstdev
from typing import NamedTuple

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
#: A storm is looked at for so long after a node has joined, s; in each of so many minutes; and how
#: full lenders are at these times.
FIRST_S = (60, 300)
MINUTES = 10
LATER_S = (0, 15, 30, 45, 60, 90, *range(120, 601, 60), 750, 900)
#: Whose used shares: the means of newcomers and of the others, and the extremes of the latter.
FILLING = ("newcomer", "others", "fullest", "emptiest")
WITHIN = 0.05  # of the others' mean share a newcomer's has converged


class Loan(NamedTuple):
    """Memory that a node has lent."""

    time_s: float
    node: int
    amount_bytes: int


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
        self._lent: list[Loan] = []
        self._to_emptiest: list[bool] = []  # of loans while newcomers were the emptiest: theirs?
        self._last_placed_s = 0.0
        self._counts: Counter[str] = Counter()

    def read(self, record: Record) -> None:
        """Take in the next record."""
        while self._next_s * NS_PER_S < record.time_ns:
            self._looks.append((self._next_s, tuple(self._shares())))
            self._next_s += LOOK_S
        now_s = record.time_ns / NS_PER_S
        lends = record.kind == Lent.name and record.amount_bytes
        if lends and self._new and self._joined_s <= now_s and self._newcomers_are_emptiest():
            self._to_emptiest.append(record.node in self._new)
        if record.kind in self._changes:
            self._past.read(record)
        if lends:
            assert record.node is not None
            assert record.amount_bytes is not None
            self._lent.append(Loan(now_s, record.node, record.amount_bytes))
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

    def _newcomers_are_emptiest(self) -> bool:
        """Whether each has a smaller used share than any other: what closed forms are about."""
        new, old = self._apart([*self._shares()])
        return max(new) < min(old)

    def _newcomers(self) -> dict[str, object]:
        """Which part of all loans they get at first, and how their share becomes the others'."""
        found: dict[str, object] = {}
        for first_s in FIRST_S:
            found[f"storm_{first_s}"], found[f"storm_{first_s}_of_bytes"] = self._storm(0, first_s)
        found["storm_by_minute"] = {
            f"{minute}": self._storm(60 * (minute - 1), 60 * minute)[0]
            for minute in range(1, MINUTES + 1)
        }
        found["storm_while_emptiest"] = _mean(self._to_emptiest)
        found["loans_while_emptiest"] = len(self._to_emptiest)
        return {**found, **self._filling()}

    def _storm(self, from_s: float, until_s: float) -> tuple[float | None, float | None]:
        """Newcomers' part of the loans between two times after they have joined; of their bytes."""
        now = [one for one in self._lent if from_s <= one.time_s - self._joined_s < until_s]
        theirs = [one for one in now if one.node in self._new]
        return (len(theirs) / len(now), _sum(theirs) / _sum(now)) if now else (None, None)

    def _filling(self) -> dict[str, object]:
        """When the mean used share of newcomers is that of the others, and shares over time."""
        after = {
            time_s - self._joined_s: self._apart(shares)
            for time_s, shares in self._looks
            if self._joined_s <= time_s <= self._last_placed_s
        }
        close = [s for s, (new, old) in after.items() if abs(fmean(new) - fmean(old)) <= WITHIN]
        found: dict[str, dict[str, float]] = defaultdict(dict)
        for since_s in LATER_S:
            if since_s in after:
                new, old = after[since_s]
                for of, share in zip(
                    FILLING, (fmean(new), fmean(old), max(old), min(old)), strict=True
                ):
                    found[of][f"{since_s}"] = share
        return {
            "converged": float(bool(close)),
            "converges_s": min(close, default=self._last_placed_s - self._joined_s),
            **found,
        }

    def _apart(self, shares: Sequence[float | None]) -> tuple[list[float], list[float]]:
        """The used shares of newcomers, and those of the others; 0 of one that is not there."""
        known = [(node in self._new, share or 0.0) for node, share in enumerate(shares)]
        return [it for new, it in known if new], [it for new, it in known if not new]


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


def _sum(loans: Sequence[Loan]) -> int:
    return sum(one.amount_bytes for one in loans)


def _mean(values: Sequence[float]) -> float | None:
    return fmean(values) if values else None


def _middle(values: Sequence[float | None]) -> float | None:
    """The median over time; None if there is no ratio most of the time."""
    known = [value for value in values if value is not None]
    return median(known) if 2 * len(known) > len(values) else None
