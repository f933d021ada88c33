"""RACKk, hierarchical: racks of k nodes that help themselves first, and a root that knows the sums.

Racks are consecutive nodes, led by the first of them; node 0 is also the root. A job asks the
leader of its rank 0's node:
1. that leader asks the servers of its rack, as any manager asks all servers;
2. if memory is still missing, it asks the root, which has the other leaders ask theirs, one after
   another, the rack believed to have the most RAM first;
3. what is found travels back; the first leader divides it, and takes it back at the job's end.

A leader tells the root how much its rack has, Σ max(0, believed load), when that has changed.
Before, the root believes the rack idle, and its nodes as large as its own, as any manager does of a
node of which it has heard nothing; so idle racks of larger nodes are asked later than they could.

Source: within a rack the thesis, section 2.2.2; the hierarchy above it is ours.
"""

from dataclasses import dataclass, field
from typing import NamedTuple

import networkx as nx

from agents.messages import Carried, Content
from agents.pnr.beliefs import Beliefs, leaving_out
from agents.pnr.manager import Allocation, Run
from agents.pnr.messages import LoadReport, LoanAnswer, MessageSizes, Request
from agents.pnr.protocol import ByLoad, Decided, Effect, Manager, Protocol, Send, Site, message
from model.ground.randomness import TIE, Stream

ROOT = 0


class Lent(NamedTuple):
    """What a server has lent, what is known of it, and for which request it lends."""

    server: int
    amount: int
    word: LoadReport
    request: Request | None


def _with_asking(ask: "AskOthers | AskRack", sizes: MessageSizes) -> int:
    return sizes.protocol + sizes.pair * len(ask.asking)


@message("start", hears="manager", size_bytes=_with_asking, hidden=("attempt", "request"))
class AskOthers(Content):
    """Leader -> root: my rack has not enough for this job; have the others lend `amount` bytes."""

    job: int
    attempt: int
    amount: int
    asking: tuple[int, ...]  # nodes that ask themselves, which nobody asks
    request: Request

    carries = Content.carries_nothing


@message("start", hears="manager", size_bytes=_with_asking, hidden=("attempt", "request"))
class AskRack(Content):
    """Root -> leader: have your rack lend up to `amount` bytes."""

    job: int
    attempt: int
    amount: int
    asking: tuple[int, ...]
    request: Request

    carries = Content.carries_nothing


@message(
    "start",
    hears="manager",
    size_bytes=lambda found, sizes: sizes.protocol + sizes.pair * len(found.lent),
    hidden=("request",),
)
class Found(LoanAnswer):
    """Leader -> root -> the leader that asked: these servers lend, in the order of their grants."""

    job: int
    lent: tuple[Lent, ...]
    request: Request

    @property
    def amount(self) -> int:
        return sum(lent.amount for lent in self.lent)

    def carries(self, sender: int, target: int) -> Carried:
        return tuple((lent.server, lent.amount) for lent in self.lent)


@message("telling", hears="manager", size_bytes=lambda _, sizes: sizes.broadcast + sizes.entry)
class RackSum(Content):
    """Leader -> root: the RAM that I believe my rack to have."""

    word: LoadReport

    @property
    def words(self) -> tuple[tuple[str, LoadReport]]:
        """It is about the rack for which the leader stands."""
        return (("group", self.word),)


@dataclass
class Search:
    """What the root has found in the racks for a leader that asked, and which are left to ask."""

    leader: int
    ask: AskOthers
    untried: list[int]  # leaders
    missing: int
    lent: list[Lent] = field(default_factory=list)


class Leader(Manager):
    """Manages a rack; the one on node 0 is the root as well."""

    def __init__(self, site: Site) -> None:
        super().__init__(site)
        self.leaders = range(0, self.nodes, self.parameters["k"])
        self.lenders = self.rack = self._rack_of(self.node)
        self.stated = len(self.rack) * self.memory.ram  # the last sum told; at first, if idle
        self.for_root: dict[Run, Request] = {}  # searches of this rack that the root has ordered
        # The root's:
        self.sums = Beliefs()  # of other racks, by leader
        self.searches: dict[Request, Search] = {}  # by the request of the leader that asked
        self.ordered: dict[Request, Request] = {}  # open requests to leaders -> the search

    def receive(self, sender: int, content: Content, now_ns: int) -> list[Effect]:
        match content:
            case AskOthers():
                effects = self._asked_for_others(sender, content, now_ns)
            case AskRack():
                effects = self._ordered(content, now_ns)
            case Found():
                effects = self._found(content, now_ns)
            case RackSum(report):
                self.sums.learn(sender, report)
                effects = []
            case _:
                effects = super().receive(sender, content, now_ns)
        total = self.sum_of(self.node)
        if total != self.stated:
            self.stated = total
            effects += [Send(root, RackSum(LoadReport(total, now_ns))) for root in self.tells]
        return effects

    def holds(self) -> Carried | None:
        found = [lent for search in self.searches.values() for lent in search.lent]
        return [*(super().holds() or ()), *((lent.server, lent.amount) for lent in found)]

    def tell(self, job: int, now_ns: int) -> list[Effect]:
        """Tell nobody more than the sum, which the root hears anyway."""
        return []

    def sum_of(self, leader: int) -> int:
        """The bytes that the rack of this leader is believed to have; idle before any report."""
        if leader == self.node:
            return sum(max(0, self.believed(node)) for node in self.rack)
        report = self.sums.get(leader)
        return len(self._rack_of(leader)) * self.memory.ram if report is None else report.load

    def _searched(self, run: Run, allocation: Allocation, now_ns: int) -> list[Effect]:
        """The rack has been asked: answer the root that ordered it, ask the root, or grant."""
        job, attempt = run
        if run in self.for_root:
            del self.allocations[run]
            lent = tuple(
                Lent(server, amount, self._report(server, now_ns), allocation.lent_for[server])
                for server, amount in allocation.grants
            )
            return [Send(ROOT, Found(job, lent, self.for_root.pop(run)))]
        if allocation.missing and len(self.leaders) > 1:
            request = self.new_request()
            self.asked[request] = run
            asking = tuple(node for node, need, _ in allocation.clients.values() if need)
            return [Send(ROOT, AskOthers(job, attempt, allocation.missing, asking, request))]
        return super()._searched(run, allocation, now_ns)

    def _ordered(self, ask: AskRack, now_ns: int) -> list[Effect]:
        run = ask.job, ask.attempt
        if run in self.allocations:
            return self.ignore(ask)
        self.for_root[run] = ask.request
        ties = Stream.of(self.seed, TIE, ask.job, self.node)
        missing = ask.amount
        tried = leaving_out(self.nodes, ask.asking)
        allocation = Allocation(ask.job, ties, 0, ask.request, tried=tried, missing=missing)
        self.allocations[run] = allocation
        return self._seek(run, allocation, now_ns)

    def _found(self, found: Found, now_ns: int) -> list[Effect]:
        """Hear what the racks have lent: as the root, or as the leader that asked it."""
        self.hear(*((lent.server, lent.word) for lent in found.lent))
        if found.request in self.ordered:
            asker = self.ordered.pop(found.request)
            search = self.searches[asker]
            search.lent += found.lent
            search.missing -= found.amount
            return self._order_next(asker, search, now_ns)
        if found.request not in self.asked:
            return self.ignore(found)
        run = self.asked.pop(found.request)
        allocation = self.allocations[run]
        for lent in found.lent:
            allocation.grants.append((lent.server, lent.amount))
            allocation.lent_for[lent.server] = lent.request
        allocation.missing -= found.amount
        return super()._searched(run, allocation, now_ns)

    def _asked_for_others(self, leader: int, ask: AskOthers, now_ns: int) -> list[Effect]:
        if ask.request in self.searches:
            return self.ignore(ask)
        untried = [other for other in self.leaders if other != leader]
        search = self.searches[ask.request] = Search(leader, ask, untried, ask.amount)
        return self._order_next(ask.request, search, now_ns)

    def _order_next(self, asker: Request, search: Search, now_ns: int) -> list[Effect]:
        """Have the next rack asked, or answer if nothing is missing or no rack is left."""
        ask, effects = search.ask, []
        if search.missing:
            believed = {leader: self._report_of(leader, now_ns) for leader in search.untried}
            best = self._best_rack(believed)
            if self.site.explains:
                groups = {leader: self._rack_of(leader) for leader in believed}
                by, missing = tuple(believed.items()), search.missing
                effects = [Decided(asker, missing, best, by, groups, self._best_rack)]
            if best is not None:
                search.untried.remove(best)
                request = self.new_request()
                self.ordered[request] = asker
                order = AskRack(ask.job, ask.attempt, search.missing, ask.asking, request)
                return [*effects, Send(best, order)]
        del self.searches[asker]
        return [*effects, Send(search.leader, Found(ask.job, tuple(search.lent), asker))]

    def _report_of(self, leader: int, now_ns: int) -> LoadReport | None:
        """The newest load report about a rack; the root sums up its own."""
        if leader == self.node:
            return LoadReport(self.sum_of(leader), now_ns)
        return self.sums.get(leader)

    @property
    def _best_rack(self) -> ByLoad:
        """Which rack to ask by what is believed of some; None: none."""
        ram, least = self.memory.ram, -1 if self.skip_below is None else self.skip_below
        return ByLoad(
            lambda leader: len(self._rack_of(leader)) * ram,
            lambda most, tied: min(tied) if most > least else None,
        )

    def _rack_of(self, leader: int) -> range:
        return range(leader, min(leader + self.parameters["k"], self.nodes))


def leader_of_rank_0(
    job: int, job_nodes: list[int], node: int, managers: list[int], draw: float
) -> int:
    """The leader of the node of rank 0: the last one not behind it."""
    return max(leader for leader in managers if leader <= job_nodes[0])


def rack(nodes: int, k: int = 8) -> nx.DiGraph:
    """The first of every `k` servents manages them; node 0 hears the sums of all.

    Raises ValueError if there are more nodes in a rack than in the cluster, or none.
    """
    if not 1 <= k <= nodes:
        raise ValueError(
            f"racks of {k} nodes do not fit a cluster of {nodes} nodes: take RACK1 to RACK{nodes}"
        )
    graph = nx.DiGraph(
        name=f"RACK{k}", asks=leader_of_rank_0, protocol=Protocol(manager=Leader), k=k
    )
    graph.add_nodes_from((node, {"manager": node % k == 0}) for node in range(nodes))
    graph.add_edges_from((leader, ROOT) for leader in range(k, nodes, k))
    return graph
