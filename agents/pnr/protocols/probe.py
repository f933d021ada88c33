"""PROBEd, the power of d choices: clients probe d servents drawn at random; nobody manages.

Sources: Mitzenmacher, The Power of Two Choices in Randomized Load Balancing (IEEE TPDS 12, 2001):
the better of two drawn servers is nearly as good as the best of all; Gu et al., Efficient Memory
Disaggregation with Infiniswap (NSDI 2017), which finds remote memory so. Rounds are ours.
"""

from dataclasses import dataclass, field

import networkx as nx

from agents.messages import Content
from agents.pnr.messages import (
    LoadReport,
    LoadStated,
    LoanAnswer,
    Placed,
    Request,
    ServerRelease,
    ServerRequest,
)
from agents.pnr.parameters import Count
from agents.pnr.protocol import (
    ByLoad,
    Client,
    Decided,
    Effect,
    Protocol,
    Send,
    Server,
    Site,
    StartProcess,
    message,
)
from model.ground.randomness import PROBE, Stream


@message("start", hears="server", size_bytes="protocol", hidden=("request",))
class LoadQuery(Content):
    """Client -> server: how much memory do you have?"""

    job: int
    rank: int
    request: Request  # the same for all that are asked in one round


@message("start", hears="client", size_bytes="protocol", hidden=("request",))
class LoadReply(LoadStated):
    """Server -> client: this is my load."""

    job: int
    rank: int
    word: LoadReport
    request: Request


@message("start", hears="client", size_bytes="protocol", hidden=("request",))
class LoanReply(LoanAnswer):
    """Server -> client: `amount` bytes are lent to you, from now on."""

    job: int
    amount: int
    word: LoadReport
    request: Request


@dataclass
class Probe:
    """How far the search for what the process of a request lacks has come."""

    draws: Stream
    missing: int
    rounds: int = 0  # begun so far
    undrawn: list[int] = field(default_factory=list)
    awaited: list[int] = field(default_factory=list)  # who has not said its load in this round
    #: By who has said its load in this round, and was not asked to lend.
    stated: dict[int, LoadReport] = field(default_factory=dict)


class Prober(Client):
    """Asks the best of the servents that it draws for memory, then the next best, in rounds."""

    def __init__(self, site: Site) -> None:
        super().__init__(site)
        self.probes: dict[Request, Probe] = {}  # by the open request of a process
        self.serves: dict[Request, Request] = {}  # what servers are asked -> for which of these

    def process_placed(self, process: Placed, now_ns: int) -> list[Effect]:
        need = self.memory.missing
        if not need:
            return [StartProcess.of(process)]
        request, timer = self.await_answer(process, need, now_ns)
        draws = Stream.of(self.seed, PROBE, request.count, self.node)
        self.probes[request] = Probe(draws, need)
        return self._go_on(request, now_ns) + timer

    def receive(self, sender: int, content: Content, now_ns: int) -> list[Effect]:
        served: Request | None = getattr(content, "request", None)
        request = None if served is None else self.serves.get(served)
        match content:
            case LoadReply() if request and sender in self.probes[request].awaited:
                probe = self.probes[request]
                probe.awaited.remove(sender)
                probe.stated[sender] = content.word
            case LoanReply() if request and not self.probes[request].awaited:
                probe = self.probes[request]
                if content.amount:
                    self.memory.borrow(sender, content.amount, content.request)
                probe.missing -= content.amount
                self.memory.ask(request, probe.missing)
            case _:
                return self.ignore(content)
        self.hear(sender, content.word)
        if probe.awaited:
            return []
        del self.serves[content.request]
        return self._go_on(request, now_ns)

    def release(self, process: Placed, now_ns: int) -> list[Effect]:
        """Tell each server what it gets back; nobody waits for it, so nobody acknowledges it."""
        return self.release_to_servers(process.job)

    def validate(self) -> None:
        super().validate()
        waiting = list(self.serves.values())
        self.require(sorted(waiting) == sorted(self.probes), f"waits for {waiting}")

    def _go_on(self, request: Request, now_ns: int) -> list[Effect]:
        """Ask the best that is left of this round; or begin another; or let the process start."""
        probe, asking = self.probes[request], self.asking[request]
        job, rank, *_ = asking.process
        server = self._best(probe.stated) if probe.missing else None
        again = probe.rounds < self.parameters["rounds"]
        if not probe.missing or (server is None and not again):
            del self.probes[request]
            nobody = self._decided(request, probe, None) if probe.missing else []
            return nobody + self.answered(request, asking.need - probe.missing, now_ns)
        asked = self.new_request()
        self.serves[asked] = request
        if server is not None:
            why = self._decided(request, probe, server)
            amount = min(probe.missing, probe.stated.pop(server).load - self.site.threshold)
            return [*why, Send(server, ServerRequest(job, amount, asked))]
        nobody = self._decided(request, probe, None)
        probe.rounds += 1
        probe.awaited, probe.stated = self._draw(probe), {}
        return [*nobody, *(Send(server, LoadQuery(job, rank, asked)) for server in probe.awaited)]

    @property
    def _best(self) -> ByLoad:
        """Who can lend the most of those that have stated this; None: nobody can."""
        ram, threshold = self.memory.ram, self.site.threshold
        return ByLoad(lambda _: ram, lambda most, tied: min(tied) if most > threshold else None)

    def _decided(self, request: Request, probe: Probe, server: int | None) -> list[Effect]:
        """Why it turns to a server of this round, or to none; nothing before there was a round."""
        if not (self.site.explains and probe.stated):
            return []
        believed = tuple(sorted(probe.stated.items()))
        return [Decided(request, probe.missing, server, believed, again=self._best)]

    def _draw(self, probe: Probe) -> list[int]:
        """The servents of one round, each another; of the request, none twice until all were."""
        drawn: list[int] = []
        while len(drawn) < self.parameters["d"]:
            if not probe.undrawn:
                probe.undrawn = [n for n in range(self.nodes) if n not in (self.node, *drawn)]
            drawn.append(probe.undrawn.pop(int(next(probe.draws) * len(probe.undrawn))))
        return drawn


class Lender(Server):
    """Says how much memory it has, and lends it, without a manager between."""

    def receive(self, sender: int, content: Content, now_ns: int) -> list[Effect]:
        match content:
            case LoadQuery(job, rank, request):
                report = self.own_report(now_ns)
                return [Send(sender, LoadReply(job, rank, report, request))]
            case ServerRequest(job, amount, request):
                granted = self.lend(amount, request)
                report = self.own_report(now_ns)
                return [Send(sender, LoanReply(job, granted, report, request))]
            case ServerRelease():
                self.take_back(content)
                return []
        return self.ignore(content)


def probe(nodes: int, d: int = 2, *, rounds: Count = 8) -> nx.DiGraph:
    """Nobody manages; a client probes `d` servents in each of at most `rounds` rounds.

    Raises ValueError if there are not so many other servents, or none is to be probed.
    """
    if not 1 <= d < nodes:
        take = f"PROBE1 to PROBE{nodes - 1}" if nodes > 1 else "more nodes"
        raise ValueError(f"{d} choices do not fit a cluster of {nodes} nodes: take {take}")
    graph = nx.DiGraph(name=f"PROBE{d}", asks="own", d=d, rounds=rounds)
    graph.graph["protocol"] = Protocol(client=Prober, server=Lender)
    graph.add_nodes_from(range(nodes), manager=False)
    return graph
