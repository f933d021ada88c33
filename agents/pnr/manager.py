"""The manager role: finds servers for the clients of a job (thesis, section 2.2.2).

Step by step, at the start of a job:
1. wait for the `RamRequest` of each of the job's clients (an uncoordinated one comes alone);
2. ask servers one after another for what is missing, the one believed to have the most RAM first;
3. divide what was granted evenly, and tell each client its loans;
4. tell the other managers what was learned, if anything was granted.

At its end: wait for the `ReleaseNotice` of each client, tell the servers, wait for their
acknowledgments, then tell the other managers.
"""

from array import array
from collections import Counter, defaultdict
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field
from math import ceil
from typing import Any

from agents.messages import Carried, Content
from agents.pnr.beliefs import FULL, LEFT_OUT, Integers, Shares, leaving_out
from agents.pnr.messages import (
    LoadBroadcast,
    LoadReport,
    Loan,
    RamGrant,
    RamRequest,
    ReleaseAck,
    ReleaseNotice,
    Request,
    Return,
    ServerRelease,
    ServerReply,
    ServerRequest,
)
from agents.pnr.role import ByLoad, Decided, Effect, Role, Send, Site, of_site
from model.ground.randomness import TIE, Stream

#: What is served together: a job and the number of the attempt to run it, or what a design says.
Run = tuple[Any, ...]


@dataclass
class Allocation:
    """A job whose clients are asking: who needs how much, who was asked, and what was granted."""

    job: int
    ties: Stream
    awaits: int  # clients
    search: Request  # one of those that began it, as its id
    #: By rank: node, need, and its request.
    clients: dict[int, tuple[int, int, Request]] = field(default_factory=dict)
    #: By node, who is not to be asked (again): see `leaving_out`.
    tried: "array[int]" = field(default_factory=lambda: array("q"))
    missing: int = 0
    #: (server, amount) in the order of replies.
    grants: list[tuple[int, int]] = field(default_factory=list)
    #: Server -> the request for which it lends.
    lent_for: dict[int, Request | None] = field(default_factory=dict)


@dataclass
class Release:
    """A job whose processes are ending: what is given back, and who has not acknowledged yet."""

    job: int
    awaits: int  # clients
    notices: dict[int, ReleaseNotice] = field(default_factory=dict)  # by rank
    unacknowledged: list[Request] = field(default_factory=list)


class Manager(Role):
    """Coordinates the loans of the jobs whose clients ask it.

    `tells` are the managers it broadcasts to, in order. `skip_below` ends the search at the first
    server believed to have no more than that many bytes; None asks every server. With `shares`,
    servers are compared by the share of their RAM that they are believed to have.
    """

    name = "manager"
    tells: Sequence[int] = of_site()
    skip_below: int | None = of_site()
    shares: Shares | None = of_site()

    def __init__(self, site: Site) -> None:
        super().__init__(site)
        self.lenders = range(site.nodes)  # the nodes whose servers it may ask
        #: What this manager has heard of other nodes.
        self.table = site.beliefs(site.nodes, site.memory.ram)
        self.allocations: dict[Run, Allocation] = {}
        self.asked: dict[Request, Run] = {}  # open requests to servers -> for whom
        self.releases: dict[Run, Release] = {}
        self.releasing: dict[Request, Run] = {}  # what servers are to acknowledge -> for whom
        self.kept: list[Return] = []  # lent beyond the need, for the next request

    def receive(self, sender: int, content: Content, now_ns: int) -> list[Effect]:
        """React to one message from a client, a server or a manager."""
        if isinstance(content, RamRequest | ServerReply | ReleaseNotice | ReleaseAck):
            self.hear((sender, content.word))
        match content:
            case RamRequest():
                return self._requested(sender, content, now_ns)
            case ServerReply():
                return self._replied(sender, content, now_ns)
            case ReleaseNotice():
                return self._released(content)
            case ReleaseAck():
                return self._acknowledged(content, now_ns)
            case LoadBroadcast():
                self.table.merge(content.words, exclude=self.node)
                return []
        return self.ignore(content)

    def holds(self) -> Carried | None:
        """Grants to searches that go on, returned memory that waits for other notices, and kept."""
        held = [grant for search in self.allocations.values() for grant in search.grants]
        gathering = [release for release in self.releases.values() if not release.unacknowledged]
        notices = [notice for release in gathering for notice in release.notices.values()]
        kept = ((part.server, part.amount) for part in self.kept)
        return [*held, *(given for notice in notices for given in notice.returns), *kept]

    def validate(self) -> None:
        """Check that complete allocations ask servers, and that nothing else does."""
        for run, allocation in self.allocations.items():
            job, granted = allocation.job, [amount for _, amount in allocation.grants]
            self.require(allocation.missing >= 0, f"job {job} lacks {allocation.missing} bytes")
            self.require(min(granted, default=1) > 0, f"job {job} was granted {granted}")
            if len(allocation.clients) >= allocation.awaits:
                asks = run in self.asked.values()
                self.require(asks, f"asks nobody for job {job} any more")
        for run in self.asked.values():
            self.require(run in self.allocations, f"asks for {run}, which needs nothing")
        for release in self.releases.values():
            whole, owing = len(release.notices) >= release.awaits, len(release.unacknowledged)
            self.require(
                whole == bool(owing),
                f"{owing} servers are to acknowledge the end of job {release.job}, "
                f"of which it has {len(release.notices)} of {release.awaits} notices",
            )

    def believed(self, node: int) -> int:
        """The load in bytes that this manager believes `node` to have; idle before any report."""
        if node == self.node:
            return self.memory.load
        return self.table.load(node)

    def is_news(self, node: int, report: LoadReport) -> bool:
        """Whether a load report is about another node, and newer than the last one heard."""
        known = self.table.get(node)
        return node != self.node and (known is None or report.stated_ns > known.stated_ns)

    @property
    def takes(self) -> str | float:
        """What it takes for its clients: what they need, that times a factor, all of the servers.

        With "server", each one that is asked gives all that it has, until the need is met; with
        "all", every one is asked.
        """
        takes: str | float = self.parameters.get("takes", "need")
        return takes

    @property
    def surplus(self) -> str:
        """What it does with what is granted beyond the need: "deal", "keep" or give "back".

        It is dealt evenly to clients in need; or kept for the next request, or until a job ends; or
        given back at once.
        """
        surplus: str = self.parameters.get("surplus", "deal")
        return surplus

    def run_of(self, content: RamRequest | ReleaseNotice) -> Run:
        """The key of an allocation: requests, and later notices, of equal key are served together.

        The manager waits for as many as their `clients` says. A design may return any tuple.
        """
        run = content.job, content.attempt
        # on a node of several cores others of the job may come from the same one
        return run if self.site.coordinated else (*run, content.rank)

    def _requested(self, sender: int, request: RamRequest, now_ns: int) -> list[Effect]:
        run = self.run_of(request)
        if run not in self.allocations:
            ties = Stream.of(self.seed, TIE, request.job, self.node)
            self.allocations[run] = Allocation(request.job, ties, request.clients, request.request)
        allocation = self.allocations[run]
        if request.rank in allocation.clients:
            return self.ignore(request)
        allocation.clients[request.rank] = (sender, request.need, request.request)
        if len(allocation.clients) < allocation.awaits:
            return []
        need = sum(need for _, need, _ in allocation.clients.values())
        allocation.missing = need if isinstance(self.takes, str) else ceil(need * self.takes)
        asking = (node for node, need, _ in allocation.clients.values() if need)
        allocation.tried = leaving_out(self.nodes, asking)
        self._use_kept(allocation)
        return self._seek(run, allocation, now_ns)

    def _use_kept(self, allocation: Allocation) -> None:
        """Grant what it has kept before any server is asked; of each server one part."""
        kept, self.kept = self.kept, []
        for part in kept:
            if allocation.missing and not allocation.tried[part.server]:
                self._lent(allocation, part)
                allocation.tried[part.server] = LEFT_OUT
            else:
                self.kept.append(part)

    def _lent(self, allocation: Allocation, part: Return) -> None:
        allocation.grants.append((part.server, part.amount))
        allocation.lent_for[part.server] = part.request
        allocation.missing = max(0, allocation.missing - part.amount)

    def _replied(self, server: int, reply: ServerReply, now_ns: int) -> list[Effect]:
        if reply.request not in self.asked:
            return self.ignore(reply)
        run = self.asked.pop(reply.request)
        allocation = self.allocations[run]
        if reply.granted:
            self._lent(allocation, Return(server, reply.request, reply.granted))
        return self._seek(run, allocation, now_ns)

    def _seek(self, run: Run, allocation: Allocation, now_ns: int) -> list[Effect]:
        """Ask the next server; the search ends if nothing is missing or nobody is left to ask."""
        asks_on = self.takes == "all" and allocation.grants
        if not (allocation.missing or asks_on):
            return self._searched(run, allocation, now_ns)
        own = self.node, self.memory.load
        ties = allocation.ties.state
        best = self.table.best(self.lenders, self._not_asked(allocation), own, self.shares)
        server = self._choose(*best, allocation.ties)
        why = self._why(allocation, server, ties, now_ns)
        if server is None:
            return [*why, *self._searched(run, allocation, now_ns)]
        request = self.new_request()
        self.asked[request] = run
        allocation.tried[server] = LEFT_OUT
        return [*why, Send(server, ServerRequest(allocation.job, allocation.missing, request))]

    def _not_asked(self, allocation: Allocation) -> "array[int]":
        """By node: whether it was asked, is asking, or joins later and was never heard of."""
        if not self.site.absent:
            return allocation.tried
        left_out = allocation.tried[:]
        for node in self.site.absent:
            if node != self.node and self.table.get(node) is None:
                left_out[node] = LEFT_OUT
        return left_out

    def _choose(
        self, most: float | None, tied: Sequence[int] | Integers, ties: Stream
    ) -> int | None:
        """The server to ask, among those believed to have the most memory; or nobody."""
        full = self.skip_below if self.shares is None else FULL
        if most is None or (full is not None and most <= full):
            return None
        return int(tied[int(next(ties) * len(tied)) if len(tied) > 1 else 0])

    def _why(
        self, allocation: Allocation, server: int | None, ties: int, now_ns: int
    ) -> list[Effect]:
        """Why it chooses a server, or none: its beliefs about all that are left.

        `ties` is the state of its draws from before it has chosen.
        """
        if not self.site.explains:
            return []
        left_out = self._not_asked(allocation)
        left = [node for node in self.lenders if not left_out[node]]
        own, table, shares = self.own_report(now_ns), self.table, self.shares
        believed = tuple((node, own if node == self.node else table.get(node)) for node in left)
        rams = None if shares is None else shares.rams
        again = ByLoad(
            lambda node: table.idle if rams is None else rams[node],
            lambda most, tied: self._choose(most, tied, Stream(ties)),
            shares,
        )
        search, missing = allocation.search, allocation.missing
        return [Decided(search, missing, server, believed, again=again, rams=rams)]

    def _searched(self, run: Run, allocation: Allocation, now_ns: int) -> list[Effect]:
        del self.allocations[run]
        return self._grant(allocation.job, allocation, now_ns)

    def _grant(self, job: int, allocation: Allocation, now_ns: int) -> list[Effect]:
        ranks = sorted(allocation.clients)
        needs = [allocation.clients[rank][1] for rank in ranks]
        total, surplus = sum(amount for _, amount in allocation.grants), self.surplus
        more = self.takes == "need" and total > sum(needs)
        self.require(not more, f"job {job} is granted more than it asked for")
        shares = (share_all if surplus == "deal" else share_evenly)(total, needs)
        *portions, left = deal(allocation.grants, [*shares, total - sum(shares)])
        beyond = [Return(server, allocation.lent_for[server], amount) for server, amount in left]
        sends: list[Effect] = []
        for rank, portion in zip(ranks, portions, strict=True):
            loans = tuple(
                Loan(server, amount, self._report(server, now_ns)) for server, amount in portion
            )
            node, need, request = allocation.clients[rank]
            lent_for = tuple(allocation.lent_for[server] for server, _ in portion)
            sends.append(Send(node, RamGrant(job, rank, loans, request, lent_for, need)))
        if surplus == "keep":
            self.kept += beyond
        elif beyond:
            self.releases[allocation.search] = Release(job, awaits=0)
            sends += self._return(allocation.search, beyond)
        return sends + (self.tell(job, now_ns) if allocation.grants else [])

    def _released(self, notice: ReleaseNotice) -> list[Effect]:
        run = self.run_of(notice)
        release = self.releases.setdefault(run, Release(notice.job, notice.clients))
        if notice.rank in release.notices:
            return self.ignore(notice)
        release.notices[notice.rank] = notice
        if len(release.notices) < release.awaits:
            return []
        kept, self.kept = self.kept, []
        given = (part for received in release.notices.values() for part in received.parts)
        return self._return(run, [*given, *kept])

    def _return(self, run: Run, parts: Iterable[Return]) -> list[Effect]:
        """Return these parts of loans to their servers, who are to acknowledge it."""
        release = self.releases[run]
        returned: dict[int, Counter[Request | None]] = defaultdict(Counter)  # bytes, by server
        for part in parts:
            returned[part.server][part.request] += part.amount
        if not returned:
            del self.releases[run]
        sends: list[Effect] = []
        for server in sorted(returned):
            request = self.new_request()
            self.releasing[request] = run
            release.unacknowledged.append(request)
            amount, lent_for = sum(returned[server].values()), tuple(returned[server].items())
            sends.append(Send(server, ServerRelease(release.job, amount, lent_for, request)))
        return sends

    def _acknowledged(self, ack: ReleaseAck, now_ns: int) -> list[Effect]:
        if ack.request not in self.releasing:
            return self.ignore(ack)
        run = self.releasing.pop(ack.request)
        release = self.releases[run]
        release.unacknowledged.remove(ack.request)
        if release.unacknowledged:
            return []
        del self.releases[run]
        return self.tell(release.job, now_ns)

    def tell(self, job: int, now_ns: int) -> list[Effect]:
        """Tell other managers the loads that it has heard, after a grant or a release of `job`."""
        news = LoadBroadcast(job, self.table.with_report(self.node, self.own_report(now_ns)))
        return [Send(manager, news) for manager in self.tells]

    def _report(self, node: int, now_ns: int) -> LoadReport:
        """The newest load report about a node; the manager reads its own node directly."""
        return self.own_report(now_ns) if node == self.node else self.table[node]

    def hear(self, *reports: tuple[int, LoadReport]) -> None:
        """Keep the newest load report about each other node."""
        for node, report in reports:
            if node != self.node:
                self.table.learn(node, report)


def share_evenly(total: int, needs: list[int]) -> list[int]:
    """Max-min fair shares of `total` bytes: nobody gets more than it needs.

    What those with small needs leave over goes to the others; odd bytes go to the first ones.
    """
    shares = [0] * len(needs)
    hungry = [position for position, need in enumerate(needs) if need]
    while hungry:
        level = total // len(hungry)
        content = [position for position in hungry if needs[position] <= level]
        if not content:
            for order, position in enumerate(hungry):
                shares[position] = level + (order < total % len(hungry))
            break
        for position in content:
            shares[position] = needs[position]
            total -= needs[position]
        hungry = [position for position in hungry if needs[position] > level]
    return shares


def share_all(total: int, needs: list[int]) -> list[int]:
    """The same, and what is beyond all needs goes evenly to those that need any."""
    shares = share_evenly(total, needs)
    beyond = total - sum(shares)
    more = share_evenly(beyond, [beyond if need else 0 for need in needs])
    return [share + extra for share, extra in zip(shares, more, strict=True)]


def deal(grants: list[tuple[int, int]], shares: list[int]) -> list[list[tuple[int, int]]]:
    """Fill the shares in order from the grants in order: (server, amount) pairs for each share."""
    portions: list[list[tuple[int, int]]] = []
    remaining = [list(grant) for grant in grants]
    for share in shares:
        portion = []
        while share:
            server, left = remaining[0]
            amount = min(share, left)
            portion.append((server, amount))
            share -= amount
            remaining[0][1] -= amount
            if not remaining[0][1]:
                remaining.pop(0)
        portions.append(portion)
    return portions
