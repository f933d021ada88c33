"""MASTER(strategy): a master knows all segments, and clients ask it for each allocation.

- A node's idle memory is its segment. Servers tell the master about theirs, when they start and
  whenever the load has moved by more than a share of RAM since the master last heard of it.
- The master draws some of the segments that have room, and asks the server of the one that its
  strategy prefers; what is missing still, it seeks in others. "random" draws one. "p2c", the power
  of two choices, draws two, and takes the one with the larger share free, or of two whose shares
  are as good as the same, the one with more bytes. "free-ratio-first" draws six, and takes the one
  with the largest share free.
- What a server was asked for counts as gone until it answers. So of requests that come at once, as
  those of a job's processes do, not all go to one segment that has room for the first of them only.
- Loans are on leases, which clients renew (see `lease.py`), and released to the servers directly.
- Nodes 0 and 1 take turns at being the master: the leader of a term is node term mod 2. It sends
  heartbeats to the other one, the standby, which begins the next term when it has heard none for a
  while, and asks all servers for their segments. A client repeats what is not answered, from then
  on to both. A server that does not answer has no segment until it states it again.
- Terms settle who leads, not who owns memory: two leaders at once can do no harm, since a server
  lends what it has and no more, and a client returns a grant that it has not waited for. So a term
  need not survive a crash: servers name the newest to a leader that has forgotten it.

Sources: the strategies and the master are Mooncake's (Qin et al., Mooncake: Trading More Storage
for Less Computation, FAST 2025, and the allocation strategies of its store); it draws twice as many
candidates as it allocates replicas, at least six, and here there is one. Its preference for the
segment of the asker has no meaning here, where nodes ask that have nothing left; with `local_first`
servers of the asker's group come first instead. Terms in turn: Liskov and Cowling, Viewstamped
Replication Revisited (2012).
"""

from collections.abc import Callable, Mapping, Sequence
from functools import partial
from typing import Annotated, Literal, NamedTuple

import networkx as nx
from pydantic import Field

from agents.messages import Content
from agents.pnr.beliefs import LEFT_OUT
from agents.pnr.manager import Allocation, Run
from agents.pnr.messages import (
    LoadReport,
    LoadStated,
    Placed,
    RamGrant,
    RamRequest,
    ReleaseNotice,
    Request,
    ServerRelease,
    ServerReply,
    ServerRequest,
)
from agents.pnr.parameters import Count, Seconds, Several, Share, Times
from agents.pnr.protocol import (
    CancelTimer,
    Decided,
    Effect,
    Manager,
    Protocol,
    Send,
    SetTimer,
    Site,
    StartProcess,
    message,
)
from agents.pnr.protocols.lease import LeasingClient, LeasingServer, Renewal
from model.ground.randomness import Stream

MASTERS = (0, 1)
BEAT, SILENCE, COLLECTED = "heartbeat", "the master is silent", "segments are collected"


@message("telling", hears="manager", size_bytes=lambda _, sizes: sizes.broadcast + sizes.entry)
class Segment(LoadStated):
    """Server -> master: my node has so much RAM, and this load; the newest term that I know."""

    ram: int
    word: LoadReport
    term: int


@message("leading", hears="server", size_bytes="protocol")
class SegmentQuery(Content):
    """Master -> server: this is the newest term that I know; tell its leader your segment."""

    term: int


@message("leading", hears="manager", size_bytes="protocol")
class Heartbeat(Content):
    """Master -> standby: I lead in this term."""

    term: int


class Ordered(NamedTuple):
    """What a server was asked for and has not answered."""

    server: int
    amount: int


class Candidate(NamedTuple):
    """A segment that has been drawn."""

    node: int
    load: int
    share: float  # of its RAM that is free


def _random(drawn: Sequence[Candidate], _: float) -> Candidate:
    return drawn[0]


def _freest(drawn: Sequence[Candidate], _: float) -> Candidate:
    return max(drawn, key=lambda one: (one.share, -one.node))


def _freer_of_two(drawn: Sequence[Candidate], alike: float) -> Candidate:
    shares = [one.share for one in drawn]
    if max(shares) - min(shares) > alike:
        return _freest(drawn, alike)
    return max(drawn, key=lambda one: (one.load, -one.node))


#: How many segments are drawn (None: as the design's parameter says), and which of them is taken.
STRATEGIES: dict[str, tuple[int | None, Callable[[Sequence[Candidate], float], Candidate]]] = {
    "random": (1, _random),
    "p2c": (2, _freer_of_two),
    "free-ratio-first": (None, _freest),
}


class Master(Manager):
    """Allocates while it leads; as the standby, it waits for the leader to fall silent."""

    def __init__(self, site: Site) -> None:
        super().__init__(site)
        # After a crash it leads in no term that it knows of.
        self.term = 0 if site.incarnation == 0 else -1 - site.node
        self.segments: dict[int, int] = {}  # server -> the RAM of its node
        self.ready = False  # whether it knows all segments, or has waited for them
        self.early: dict[Request, tuple[int, RamRequest]] = {}  # what has come before that
        self.awaited: dict[Request, Ordered] = {}  # what servers have not answered

    @property
    def leads(self) -> bool:
        return _leader(self.term) == self.node

    def start(self, now_ns: int) -> list[Effect]:
        """Lead or stand by; after a crash it asks the servers in which term."""
        queries = self._query(range(self.nodes)) if self.site.incarnation else []
        return [*super().start(now_ns), *queries, *self._begin()]

    def receive(self, sender: int, content: Content, now_ns: int) -> list[Effect]:
        match content:
            case Segment(ram, report, term):
                self.segments[sender] = ram
                self.hear((sender, report))
                late = self._query([sender]) if term < self.term else []
                whole = len(self.segments) == self.nodes
                return [*self._learn(term), *late, *(self._open(now_ns) if whole else [])]
            case Heartbeat(term):
                if term == self.term and not self.leads:
                    return self._begin()
                return self._learn(term)
            case RamRequest(request=request) if not self.leads:
                return []  # the leader is asked, too
            case RamRequest(request=request) if not self.ready:
                self.early[request] = sender, content
                return []
            case ServerReply(request=request) if request in self.awaited:
                del self.awaited[request]
                answered = CancelTimer(_name(request))
                return [answered, *super().receive(sender, content, now_ns)]
        return super().receive(sender, content, now_ns)

    def timer(self, name: str, now_ns: int) -> list[Effect]:
        if name == BEAT:
            unknown = [node for node in range(self.nodes) if node not in self.segments]
            again = SetTimer(BEAT, self.parameter_ns("heartbeat_s"))
            return [self._heartbeat(), *self._query(unknown), again]
        if name == SILENCE:
            self.term += 1
            self.segments.clear()
            return [self._heartbeat(), *self._query(range(self.nodes)), *self._begin()]
        if name == COLLECTED:
            return self._open(now_ns)
        for request, (server, _) in self.awaited.items():
            if _name(request) == name:
                del self.awaited[request]
                self.segments.pop(server, None)
                run = self.asked.pop(request)
                return self._seek(run, self.allocations[run], now_ns)
        return super().timer(name, now_ns)

    def run_of(self, content: RamRequest | ReleaseNotice) -> Run:
        return content.job, content.attempt, content.rank

    def tell(self, job: int, now_ns: int) -> list[Effect]:
        return []

    def validate(self) -> None:
        super().validate()
        self.require(self.asked.keys() == self.awaited.keys(), f"awaits {[*self.awaited]}")

    def _begin(self) -> list[Effect]:
        if not self.leads:
            patience_ns = self.parameters["patience"] * self.parameter_ns("heartbeat_s")
            return [CancelTimer(BEAT), CancelTimer(COLLECTED), SetTimer(SILENCE, patience_ns)]
        beat = SetTimer(BEAT, self.parameter_ns("heartbeat_s"))
        return [CancelTimer(SILENCE), beat, SetTimer(COLLECTED, self.parameter_ns("reply_s"))]

    def _learn(self, term: int) -> list[Effect]:
        """Lead or stand by in a term that is newer."""
        if term <= self.term:
            return []
        self.term = term
        if not self.leads:
            self.segments.clear()
            self.early.clear()
            self.ready = False
        return self._begin()

    def _open(self, now_ns: int) -> list[Effect]:
        if self.ready or not self.leads:
            return []
        self.ready, early = True, self.early
        self.early = {}
        effects: list[Effect] = [CancelTimer(COLLECTED)]
        for sender, request in early.values():
            effects += self.receive(sender, request, now_ns)
        return effects

    def _heartbeat(self) -> Send:
        return Send(_leader(self.term + 1), Heartbeat(self.term))

    def _query(self, servers: Sequence[int]) -> list[Effect]:
        return [Send(server, SegmentQuery(self.term)) for server in servers]

    def _seek(self, run: Run, allocation: Allocation, now_ns: int) -> list[Effect]:
        """Ask the server of the segment that the strategy prefers, if one has room."""
        if not allocation.missing:
            return self._searched(run, allocation, now_ns)
        left = [node for node in sorted(self.segments) if not allocation.tried[node]]
        believed = {node: self._report(node, now_ns) for node in left}
        [(asker, *_)] = allocation.clients.values()
        # Processes of a job ask at once; with the same draws all would draw the same segments.
        draws = self.stream("segments", *run, allocation.tried.count(LEFT_OUT)).state
        prefer = partial(self._prefer, asker, dict(self.segments), self._ordered(), draws)
        server = prefer(believed)
        why: list[Effect] = []
        if self.site.explains:
            search, missing, beliefs = allocation.search, allocation.missing, believed.items()
            why = [Decided(search, missing, server, tuple(beliefs), again=prefer)]
        if server is None:
            return [*why, *self._searched(run, allocation, now_ns)]
        request = self.new_request()
        self.asked[request] = run
        self.awaited[request] = Ordered(server, allocation.missing)
        allocation.tried[server] = LEFT_OUT
        ask = Send(server, ServerRequest(allocation.job, allocation.missing, request))
        return [*why, ask, SetTimer(_name(request), self.parameter_ns("reply_s"))]

    def _ordered(self) -> dict[int, int]:
        """By server, the bytes that it was asked for and has not answered."""
        ordered: dict[int, int] = {}
        for server, amount in self.awaited.values():
            ordered[server] = ordered.get(server, 0) + amount
        return ordered

    def _prefer(
        self,
        asker: int,
        segments: Mapping[int, int],
        ordered: Mapping[int, int],
        draws: int,
        believed: Mapping[int, LoadReport | None],
    ) -> int | None:
        """Of segments with these loads, less what is ordered, the one to allocate in.

        None: none has room.
        """
        count, prefer = STRATEGIES[self.parameters["strategy"]]
        group = self.parameters["local_first"]
        loads = {
            node: report.load - ordered.get(node, 0)
            for node, report in believed.items()
            if report is not None
        }
        room = [node for node, load in loads.items() if load > self.site.threshold]
        near = [node for node in room if group and node // group == asker // group]
        pool, stream = sorted(near or room), Stream(draws)
        if not pool:
            return None
        drawn: list[Candidate] = []
        while pool and len(drawn) < (count or self.parameters["drawn"]):
            node = pool.pop(int(next(stream) * len(pool)))
            drawn.append(Candidate(node, loads[node], loads[node] / segments[node]))
        return prefer(drawn, self.parameters["alike"]).node


class SegmentServer(LeasingServer):
    """Lends on leases, and tells the leader of the newest term about its segment."""

    def __init__(self, site: Site) -> None:
        super().__init__(site)
        self.term = 0

    def start(self, now_ns: int) -> list[Effect]:
        """State the segment; who comes late or again does not know who leads, and tells both."""
        effects = super().start(now_ns)
        both = now_ns > 0 or self.site.incarnation > 0
        return effects + [self._state(node, now_ns) for node in (MASTERS if both else MASTERS[:1])]

    def receive(self, sender: int, content: Content, now_ns: int) -> list[Effect]:
        match content:
            case SegmentQuery(term):
                self.term = max(self.term, term)
                leads = _leader(term) if term == self.term else sender
                return [self._state(leads, now_ns)]
            case ServerRelease():
                self.take_back(content)
                return self._keep(now_ns)
            case ServerRequest():
                effects = super().receive(sender, content, now_ns)
                self.pushed = self.memory.load  # as the reply states
                return effects
        return super().receive(sender, content, now_ns)

    def push(self, now_ns: int) -> Send:
        return self._state(_leader(self.term), now_ns)

    def _state(self, master: int, now_ns: int) -> Send:
        self.pushed = self.memory.load
        return Send(master, Segment(self.memory.ram, self.own_report(now_ns), self.term))


class Borrower(LeasingClient):
    """Asks the master that has answered last; if there is no answer, it asks both, again."""

    def __init__(self, site: Site) -> None:
        super().__init__(site)
        self.master = MASTERS[0]

    def process_placed(self, process: Placed, now_ns: int) -> list[Effect]:
        """Ask for what the process lacks, if it lacks anything."""
        if not self.memory.missing:
            return [StartProcess.of(process)]
        return super().process_placed(process, now_ns)

    def receive(self, sender: int, content: Content, now_ns: int) -> list[Effect]:
        """Take what is granted; what was granted for nothing goes back at once."""
        if not isinstance(content, RamGrant):
            return super().receive(sender, content, now_ns)
        if content.request not in self.asking:
            return self._return(content)
        self.master = sender
        answered = CancelTimer(_name(content.request))
        return [answered, *super().receive(sender, content, now_ns)]

    def timer(self, name: str, now_ns: int) -> list[Effect]:
        for request in self.asking:
            if _name(request) == name:
                return self._ask_masters(request, MASTERS, now_ns)
        return super().timer(name, now_ns)

    def release(self, process: Placed, now_ns: int) -> list[Effect]:
        return self.release_to_servers(process.job) + self._forget()

    def _ask_for(self, request: Request, now_ns: int) -> list[Effect]:
        """Ask the master, and both if it does not answer."""
        return self._ask_masters(request, [self.master], now_ns)

    def _ask_masters(self, request: Request, masters: Sequence[int], now_ns: int) -> list[Effect]:
        (job, rank, _, _, attempt), need = self.asking[request].process, self.asking[request].need
        ask = RamRequest(job, rank, 1, need, self.own_report(now_ns), request, attempt)
        again = SetTimer(_name(request), self.parameter_ns("again_s"))
        return [*(Send(master, ask) for master in masters), again]

    def _return(self, grant: RamGrant) -> list[Effect]:
        """Give back what was granted a second time, unless this is only the first grant, again."""
        loans = zip(grant.loans, grant.lent_for, strict=True)
        return [
            Send(server, ServerRelease(grant.job, amount, ((request, amount),)))
            for (server, amount, _), request in loans
            if request not in self.memory.loans_for.get(server, {})
        ]


def _leader(term: int) -> int:
    return MASTERS[term % 2]


def _name(request: Request) -> str:
    return f"no answer to request {request.count}"


def _first(job: int, job_nodes: list[int], node: int, managers: list[int], draw: float) -> int:
    """Who is the master at first; later, each client knows by itself."""
    return MASTERS[0]


def master(
    nodes: int,
    *,
    strategy: Literal["random", "p2c", "free-ratio-first"] = "p2c",
    drawn: Count = 6,
    alike: Share = 0.01,
    local_first: Several = 0,
    heartbeat_s: Annotated[float, Field(ge=1e-9, le=10**6)] = 5,
    patience: Annotated[int, Field(ge=1, le=1000)] = 3,  # so many heartbeats are at most 10^9 s
    reply_s: Seconds = 1,
    again_s: Seconds = 1,
    lease_s: Seconds = 600,
    renew_at: Renewal = 0.5,
    push_share: Times = 0.01,
) -> nx.DiGraph:
    """Node 0 is the master and node 1 its standby, which takes over after `patience` heartbeats.

    "free-ratio-first" draws so many; shares free that differ by up to `alike` are the same to
    "p2c"; servers of the asker's group of `local_first` nodes, by number, come first (0: none do).
    A server is given up `reply_s` after it was asked, and a request repeated after `again_s`.
    Leases are LEASE's, and a load is told when it has moved by more than `push_share` of RAM.
    Raises ValueError if there is no node for a standby.
    """
    if nodes < 2:
        raise ValueError("a master and its standby take two nodes: take more nodes")
    protocol = Protocol(Borrower, SegmentServer, Master)
    graph = nx.DiGraph(name="MASTER", asks=_first, protocol=protocol)
    graph.add_nodes_from((node, {"manager": node in MASTERS}) for node in range(nodes))
    return graph
