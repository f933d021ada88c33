"""What a role has heard of other nodes' loads, and how it merges what others have heard.

`Beliefs` is a dict. `BeliefArrays` holds the same as arrays, so that a broadcast of thousands of
load reports is merged at once, and only when it is asked for: most managers that hear a broadcast
never ask. A test holds the two to each other. Exploring takes the first, since it must know of
each time whose it was.
"""

from array import array
from collections.abc import Iterable, Iterator, MutableMapping, Sequence
from typing import Any

import numpy as np
from numpy.typing import NDArray

from agents.pnr.messages import LoadReport

LEFT_OUT = -(2**62)  # added to any load or share, it is less than any other
_UNHEARD = -1  # the time of the load report about a node that nobody has mentioned
_NOBODY = -1  # no node
_MOST_NEWS = 64  # broadcasts that are kept until somebody wants to know

#: A share of RAM less than any, and more than that of what is left out.
FULL = -(2.0**60)

Integers = NDArray[np.int64]


def leaving_out(nodes: int, those: Iterable[int]) -> "array[int]":
    """By node of so many, LEFT_OUT for those and 0 for all others."""
    by_node = array("q", [0]) * nodes
    for node in those:
        by_node[node] = LEFT_OUT
    return by_node


class Shares:
    """Compares what nodes have left as shares of their RAM instead of bytes.

    How much RAM a node has is known to all, as is that there is such a node. Who has no more than
    `full` bytes left is never the best, whatever share that is; None: that does not count.
    """

    def __init__(self, rams: Sequence[int], full: int | None = None) -> None:
        self.rams = rams  # by node
        self.full = full
        self.numbers: Integers = np.array(rams, np.int64)  # the same

    def of(self, node: int, load: float) -> float:
        """The share of its RAM that a node with this load has left; FULL if that is too little."""
        is_full = self.full is not None and load <= self.full
        return FULL if is_full else load / self.rams[node]

    def of_all(self, loads: Integers) -> NDArray[np.float64]:
        shares: NDArray[np.float64] = loads / self.numbers
        if self.full is not None:
            shares[loads <= self.full] = FULL
        return shares


class Beliefs(dict[int, LoadReport]):
    """The newest load report about each node, by node."""

    def __init__(self, nodes: int = 0, idle: int = 0) -> None:
        """Of so many nodes, each believed to have `idle` bytes before any load report."""
        super().__init__()
        self.idle = idle

    def learn(self, node: int, report: LoadReport) -> None:
        """Keep a load report, unless a newer one about that node is known."""
        known = self.get(node)
        if known is None or report.stated_ns >= known.stated_ns:
            self[node] = report

    def merge(self, reports: Sequence[tuple[int, LoadReport]], exclude: int = _NOBODY) -> None:
        for node, report in reports:
            if node != exclude:
                self.learn(node, report)

    def load(self, node: int) -> int:
        report = self.get(node)
        return self.idle if report is None else report.load

    def best(
        self,
        lenders: Iterable[int],
        exclude: "array[int]",
        own: tuple[int, int],
        shares: Shares | None = None,
    ) -> tuple[float | None, Sequence[int]]:
        """The most that any of the lenders is believed to have, and who has it.

        `exclude` has by node which are left out (see `leaving_out`). `own` is the node on which the
        role is, and what it has. That is compared in bytes, or as `shares`.
        """
        report_of, unknown = self.get, LoadReport(self.idle, 0)
        loads: dict[int, float]
        loads = {node: report_of(node, unknown).load for node in lenders if not exclude[node]}
        loads |= {own[0]: own[1]} if own[0] in loads else {}
        if shares is not None:
            heard = {own[0]: own[1]} | {node: self[node].load for node in self if node != own[0]}
            loads = {node: shares.of(node, heard.get(node, shares.rams[node])) for node in loads}
        most = max(loads.values(), default=None)
        return most, [node for node, load in loads.items() if load == most]

    def newest_first(self, nodes: Iterable[int]) -> list[int]:
        """These nodes, of each of which there is a load report: the newest first, else in order."""
        return sorted(nodes, key=lambda node: (-self[node].stated_ns, node))

    def with_report(self, node: int, report: LoadReport) -> Sequence[tuple[int, LoadReport]]:
        """All load reports in the order of nodes, with this one about `node`."""
        return tuple(sorted({**self, node: report}.items()))


class LoadReports(Sequence[tuple[int, LoadReport]]):
    """Pairs of a node and the load report about it, in the order of nodes; they never change."""

    __slots__ = ("_pairs", "loads", "nodes", "stated_ns")

    def __init__(self, nodes: Integers, loads: Integers, stated_ns: Integers) -> None:
        self.nodes = nodes
        self.loads = loads
        self.stated_ns = stated_ns
        self._pairs: tuple[tuple[int, LoadReport], ...] | None = None  # once they were wanted

    def __len__(self) -> int:
        return len(self.nodes)

    def __getitem__(self, place: Any) -> Any:
        return tuple(self)[place]

    def __iter__(self) -> Iterator[tuple[int, LoadReport]]:
        if self._pairs is None:
            reports = map(LoadReport, self.loads.tolist(), self.stated_ns.tolist())
            self._pairs = tuple(zip(self.nodes.tolist(), reports, strict=True))
        return iter(self._pairs)

    def __eq__(self, other: object) -> bool:
        return isinstance(other, Sequence) and tuple(self) == tuple(other)

    def __hash__(self) -> int:
        return hash(tuple(self))

    def __repr__(self) -> str:
        return repr(tuple(self))


class BeliefArrays(MutableMapping[int, LoadReport]):
    """The newest load report about each node, in arrays with a place for each.

    Python reads and writes single numbers of `array` several times as fast as NumPy's, which
    shares their memory for whatever is about all nodes.
    """

    def __init__(self, nodes: int, idle: int) -> None:
        self.idle = idle
        self._nodes = nodes
        self._arrays: tuple[array[int], array[int]] | None = None  # once somebody wants to know
        self._news: list[tuple[LoadReports, int]] = []  # not in the arrays yet, and about whom not

    def _settled(self) -> "tuple[array[int], array[int]]":
        """By node, loads and when they were stated, after all news were merged."""
        if self._arrays is None:
            unheard = array("q", [self.idle]), array("q", [_UNHEARD])
            self._arrays = unheard[0] * self._nodes, unheard[1] * self._nodes
        if self._news:
            loads, stated_ns = map(_numbers, self._arrays)
            for reports, exclude in self._news:
                is_news = (reports.stated_ns >= stated_ns[reports.nodes]) & (
                    reports.nodes != exclude
                )
                nodes = reports.nodes[is_news]
                loads[nodes] = reports.loads[is_news]
                stated_ns[nodes] = reports.stated_ns[is_news]
            self._news.clear()
        return self._arrays

    def __getitem__(self, node: int) -> LoadReport:
        if (report := self.get(node)) is None:
            raise KeyError(node)
        found: LoadReport = report
        return found

    def get(self, node: int, default: Any = None) -> Any:
        """The load report about a node, or the default; without an exception it is found faster."""
        loads, stated_ns = self._settled()
        heard_ns = stated_ns[node]
        return default if heard_ns == _UNHEARD else LoadReport(loads[node], heard_ns)

    def __setitem__(self, node: int, report: LoadReport) -> None:
        loads, stated_ns = self._settled()
        loads[node], stated_ns[node] = report

    def __delitem__(self, node: int) -> None:
        if node not in self:
            raise KeyError(node)
        self[node] = LoadReport(self.idle, _UNHEARD)

    def __contains__(self, node: object) -> bool:
        return bool(self._settled()[1][node] != _UNHEARD)  # type: ignore[call-overload]  # a number

    def __iter__(self) -> Iterator[int]:
        return iter(np.flatnonzero(_numbers(self._settled()[1]) != _UNHEARD).tolist())

    def __len__(self) -> int:
        return self._nodes - self._settled()[1].count(_UNHEARD)

    def __repr__(self) -> str:
        return repr(dict(self))

    def learn(self, node: int, report: LoadReport) -> None:
        loads, stated_ns = self._settled()
        load, heard_ns = report
        if heard_ns >= stated_ns[node]:
            loads[node], stated_ns[node] = load, heard_ns

    def merge(self, reports: Sequence[tuple[int, LoadReport]], exclude: int = _NOBODY) -> None:
        if isinstance(reports, LoadReports):
            if len(self._news) == _MOST_NEWS:
                self._settled()
            self._news.append((reports, exclude))
            return
        for node, report in reports:
            if node != exclude:
                self.learn(node, report)

    def load(self, node: int) -> int:
        return self._settled()[0][node]

    def best(
        self,
        lenders: range,
        exclude: "array[int]",
        own: tuple[int, int],
        shares: Shares | None = None,
    ) -> tuple[float | None, Sequence[int] | Integers]:
        known, stated_ns = map(_numbers, self._settled())
        loads: Integers | NDArray[np.float64]
        if shares is None:
            loads = known + _numbers(exclude)  # sooner made than a copy, and much set in it
            loads[own[0]] = own[1] + exclude[own[0]]
        else:
            known = np.where(stated_ns == _UNHEARD, shares.numbers, known)
            known[own[0]] = own[1]
            loads = shares.of_all(known) + _numbers(exclude)
        are_all = len(lenders) == self._nodes
        if not are_all:
            loads = loads[lenders.start : lenders.stop : lenders.step]
        most = loads[loads.argmax()].item() if len(loads) else LEFT_OUT
        if most < LEFT_OUT / 2:
            return None, []
        places = (loads == most).nonzero()[0]
        return most, places if are_all else lenders.start + lenders.step * places

    def newest_first(self, nodes: Iterable[int]) -> list[int]:
        asked = np.fromiter(nodes, np.int64)
        in_order: list[int] = asked[
            np.lexsort((asked, -_numbers(self._settled()[1])[asked]))
        ].tolist()
        return in_order

    def with_report(self, node: int, report: LoadReport) -> Sequence[tuple[int, LoadReport]]:
        loads, stated_ns = (_numbers(known[:]) for known in self._settled())
        loads[node], stated_ns[node] = report
        nodes = (stated_ns != _UNHEARD).nonzero()[0]
        return LoadReports(nodes, loads[nodes], stated_ns[nodes])


def _numbers(of: "array[int]") -> Integers:
    """The same numbers as NumPy sees them, in the same memory."""
    return np.frombuffer(of, np.int64)
