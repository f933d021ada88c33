"""SURVIVOR: nobody waits for ever, and nothing is lent for ever, whatever fails.

It promises that at any number of losses, duplicates, crashes and restarts, and partitions that
heal, while never is more borrowed than lent. It needs no memory but the ledger of each node, which
outlives a crash of its servent:

- Nobody manages. A client asks one server after another, drawn at random; who does not answer in
  time is asked no more. Each question has an id of its own, its epoch, with the node that asks and
  the incarnation of its servent. So a server reads in its ledger who borrows, and a client knows
  whether it awaits an answer, borrows for it, or is done with it for ever, as after a crash.
- A server repeats what it lends every `check_s`, and a client answers with what it still borrows
  of it. That only ever becomes less, so it does no harm if it comes twice or late. What a client
  gives back it reports in the same way, and if that is lost, the next check finds out.
- Loans are leases. A check renews one for `lease_s`, if the client has answered the check before.
  A client that hears of none drops the loan, and what it needs still is on its disk. A server that
  has heard nothing for `lost_s` presumes that the client's node is lost, and takes its memory back.

Nobody can tell a node that is lost for ever from one whose servent is down. So never is more
borrowed than lent as long as no servent is down or paused, and no message under way, for about as
long as `lost_s` is longer than `lease_s`; with `lost_s = none` however long that is, but then what
a node has borrowed that never comes back stays lent. A server whose servent crashes counts from
then on.

Sources: leases are of Gray and Cheriton (SOSP 1989), incarnations and requests that may be repeated
of Birrell and Nelson (1984); their combination is ours.
"""

from dataclasses import dataclass

import networkx as nx

from agents.messages import Carried, Content
from agents.pnr.messages import LoanAnswer, Placed, Request
from agents.pnr.parameters import Count, Seconds
from agents.pnr.protocol import (
    CancelTimer,
    Client,
    Effect,
    Protocol,
    Send,
    Server,
    SetTimer,
    Site,
    StartProcess,
    message,
)
from model.ground.randomness import PROBE, Stream

CHECK = "check"


@message("start", hears="server", size_bytes="protocol", hidden=("request",))
class LoanRequest(Content):
    """Client -> server: lend me up to `amount` bytes."""

    job: int
    rank: int
    amount: int
    request: Request

    carries = Content.carries_nothing


@message("leasing", hears="client", size_bytes="protocol", hidden=("request",))
class Lending(LoanAnswer):
    """Server -> client: I lend you `amount` bytes for this request; perhaps on a new lease."""

    amount: int
    renews: bool
    request: Request
    job: int | None = None  # in the answer to its request; a check is about no job

    carries = Content.carries  # it may be the second one about the same loan


@message("leasing", hears="server", size_bytes="protocol", hidden=("request",))
class Borrowing(Content):
    """Client -> server: I borrow `amount` bytes of you for this request, and never will more."""

    amount: int
    request: Request


@dataclass
class Search:
    """How far the search for what the process of a request lacks has come."""

    missing: int
    draws: Stream
    left: list[int]  # servers that may still be asked
    asked: tuple[int, Request] | None = None  # the server that is to answer, and to what


class Survivor(Client):
    """Asks servers in turn, and answers for all that it borrows."""

    def __init__(self, site: Site) -> None:
        super().__init__(site)
        self.lease_ns = self.parameter_ns("lease_s")
        self.searches: dict[Request, Search] = {}  # by the open request of a process

    def start(self, now_ns: int) -> list[Effect]:
        """Begin; after a crash report what the ledger still has, whose leases are not known."""
        effects: list[Effect] = []
        for server, request in self.borrowed_for:
            effects += [self._borrows(server, request), self._lease(request)]
        return effects

    def process_placed(self, process: Placed, now_ns: int) -> list[Effect]:
        need = self.memory.missing
        if not need:
            return [StartProcess.of(process)]
        request, timer = self.await_answer(process, need, now_ns)
        draws = Stream.of(self.seed, PROBE, request.count, self.node)
        others = [node for node in range(self.nodes) if node != self.node]
        self.searches[request] = Search(need, draws, others)
        return self._go_on(request, now_ns) + timer

    def receive(self, sender: int, content: Content, now_ns: int) -> list[Effect]:
        """Take the loan that it waits for; of any other, report what it borrows."""
        if not isinstance(content, Lending):
            return self.ignore(content)
        amount, renews, lent_for = content.amount, content.renews, content.request
        for request, search in self.searches.items():
            if search.asked == (sender, lent_for):
                search.missing -= amount
                self.memory.ask(request, search.missing)
                if not amount:
                    return self._go_on(request, now_ns)
                self.memory.borrow(sender, amount, lent_for)
                return [self._lease(lent_for), *self._go_on(request, now_ns)]
        effects = self._drop(sender, lent_for) if self._borrowed(sender, lent_for) > amount else []
        if renews and self._borrowed(sender, lent_for):
            effects.append(self._lease(lent_for))
        return [*effects, self._borrows(sender, lent_for)] if amount else effects

    def timer(self, name: str, now_ns: int) -> list[Effect]:
        for request, search in self.searches.items():
            if _answer_timer(request) == name and search.asked is not None:
                server, asked = search.asked
                search.asked = None
                return [self._borrows(server, asked), *self._go_on(request, now_ns)]
        for server, request in self.borrowed_for:
            if _lease(request) == name:
                return [*self._drop(server, request), self._borrows(server, request)]
        return super().timer(name, now_ns)

    def release(self, process: Placed, now_ns: int) -> list[Effect]:
        effects: list[Effect] = []
        for server, request, _ in self._give_back():
            assert request is not None
            if not self._borrowed(server, request):
                effects.append(CancelTimer(_lease(request)))
            effects.append(self._borrows(server, request))
        return effects

    def holds(self) -> Carried | None:
        """It may not say: what is lent to it may be repeated, and need not have come."""
        return None

    def validate(self) -> None:
        asks = {request for request, search in self.searches.items() if search.asked is not None}
        self.require(asks == self.asking.keys(), f"searches for {[*asks]}")

    def _go_on(self, request: Request, now_ns: int) -> list[Effect]:
        """Ask another server; or let the process start, if that is of no use any more."""
        search, asking = self.searches[request], self.asking[request]
        asked = self.nodes - 1 - len(search.left)
        over = not search.missing or asking.ended
        if over or not search.left or asked == self.parameters["servers"]:
            del self.searches[request]
            answered = self.answered(request, asking.need - search.missing, now_ns)
            return [CancelTimer(_answer_timer(request)), *answered]
        server = search.left.pop(int(next(search.draws) * len(search.left)))
        job, rank, *_ = asking.process
        search.asked = server, self.new_request()
        return [
            Send(server, LoanRequest(job, rank, search.missing, search.asked[1])),
            SetTimer(_answer_timer(request), self.parameter_ns("answer_s")),
        ]

    def _borrowed(self, server: int, request: Request) -> int:
        return self.memory.loans_for.get(server, {}).get(request, 0)

    def _borrows(self, server: int, request: Request) -> Send:
        return Send(server, Borrowing(self._borrowed(server, request), request))

    def _drop(self, server: int, request: Request) -> list[Effect]:
        self.memory.drop(server, request)
        return [CancelTimer(_lease(request))]

    def _lease(self, request: Request) -> SetTimer:
        return SetTimer(_lease(request), self.lease_ns)


class Witness(Server):
    """Lends, and asks again and again whether that is still borrowed."""

    def __init__(self, site: Site) -> None:
        super().__init__(site)
        #: Loans whose last check has not been answered; after a crash that is not known.
        self.silent: dict[Request | None, None] = dict.fromkeys(self.memory.lent_for)

    def start(self, now_ns: int) -> list[Effect]:
        """Begin; after a crash go on to check all that is lent."""
        loans = [request for request in self.memory.lent_for if request is not None]
        watches = [effect for request in loans for effect in self._watch(request)]
        return [*watches, self._check_later()] if loans else []

    def receive(self, sender: int, content: Content, now_ns: int) -> list[Effect]:
        match content:
            case LoanRequest(job, _, amount, request):
                return [*self._lend(amount, request), self._lends(request, job)]
            case Borrowing(amount, request):
                lent = self.memory.lent_for.get(request, 0)
                if amount > lent:  # of a loan that is over, as after a crash of this node
                    return [self._lends(request)]
                self.silent.pop(request, None)
                return self._take_back(lent - amount, request) if lent else []
        return self.ignore(content)

    def timer(self, name: str, now_ns: int) -> list[Effect]:
        if name == CHECK:
            checks = [self._lends(request) for request in self.memory.lent_for if request]
            self.silent = dict.fromkeys(self.memory.lent_for)
            return [*checks, self._check_later()]
        for request, amount in self.memory.lent_for.items():
            if request is not None and _lost(request) == name:
                self.silent.pop(request, None)
                return self._take_back(amount, request)
        return super().timer(name, now_ns)

    def holds(self) -> Carried | None:
        """It may not say: what a client has dropped is lent until that is known."""
        return None

    def _lend(self, amount: int, request: Request) -> list[Effect]:
        granted = max(0, min(amount, self.memory.load - self.threshold))
        if request in self.memory.lent_for or not granted:
            return []
        begins = [] if self.memory.lent else [self._check_later()]
        self.memory.lend(granted, request)
        return [*begins, *self._watch(request)]

    def _take_back(self, amount: int, request: Request) -> list[Effect]:
        """Take back so much of a loan, which is renewed or over."""
        self.memory.take_back(amount, request)
        if request in self.memory.lent_for:
            return self._watch(request)
        ends: list[Effect] = [] if self.memory.lent else [CancelTimer(CHECK)]
        return [*ends, *self._watch(request)]

    def _lends(self, request: Request, job: int | None = None) -> Send:
        amount = self.memory.lent_for.get(request, 0)
        return Send(request.node, Lending(amount, request not in self.silent, request, job))

    def _check_later(self) -> SetTimer:
        return SetTimer(CHECK, self.parameter_ns("check_s"))

    def _watch(self, request: Request) -> list[Effect]:
        """Count anew how long nothing was heard of a loan, or no longer if it is over."""
        if self.parameters["lost_s"] is None:
            return []
        if request not in self.memory.lent_for:
            return [CancelTimer(_lost(request))]
        return [SetTimer(_lost(request), self.parameter_ns("lost_s"))]


def _answer_timer(request: Request) -> str:
    return f"no answer for request {request.count}"


def _lease(request: Request) -> str:
    return f"lease for request {request.incarnation}.{request.count}"


def _lost(request: Request) -> str:
    return f"node {request.node} for request {request.incarnation}.{request.count}"


def survivor(
    nodes: int,
    *,
    servers: Count = 16,
    answer_s: Seconds = 1,
    check_s: Seconds = 120,
    lease_s: Seconds = 900,
    lost_s: Seconds | None = 1800,
) -> nx.DiGraph:
    """Nobody manages; a client asks at most so many `servers`, and waits `answer_s` for each.

    Raises ValueError if a server would take back what is on lease still.
    """
    if lost_s is not None and check_s + lease_s >= lost_s:
        raise ValueError(f"lost_s is {lost_s:g}; take more than {check_s + lease_s:g}")
    protocol = Protocol(client=Survivor, server=Witness)
    graph = nx.DiGraph(name="SURVIVOR", asks="own", protocol=protocol)
    graph.graph |= {"servers": servers, "answer_s": answer_s, "check_s": check_s}
    graph.graph |= {"lease_s": lease_s, "lost_s": lost_s}
    graph.add_nodes_from(range(nodes), manager=False)
    return graph
