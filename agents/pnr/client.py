"""The client role: borrows for the processes of its node (thesis, section 2.2.1).

A client asks when a process starts, and gives back what it no longer needs when one ends.
"""

from dataclasses import dataclass
from itertools import zip_longest

from agents.messages import Carried, Content
from agents.pnr.beliefs import Beliefs
from agents.pnr.messages import (
    LoadReport,
    Placed,
    RamGrant,
    RamRequest,
    ReleaseNotice,
    Request,
    Return,
    ServerRelease,
)
from agents.pnr.role import (
    Answer,
    CancelTimer,
    Effect,
    Role,
    Send,
    SetTimer,
    Site,
    StartProcess,
    of_site,
)


@dataclass
class Asking:
    """A request without an answer so far, and what has become of its process meanwhile."""

    process: Placed
    need: int
    since_ns: int
    started: bool = False  # without waiting for the grant any longer
    ended: bool = False
    counts: bool = True  # among the answers to processes


class Client(Role):
    """Asks for the memory that its node lacks, and borrows what is granted.

    If `coordinated`, managers wait for all clients of a job, so a client asks even for 0 bytes.
    With a `grant_timeout_ns`, a process does not wait longer than that for its grant.
    """

    name = "client"
    coordinated: bool = of_site()
    grant_timeout_ns: int | None = of_site()

    def __init__(self, site: Site) -> None:
        super().__init__(site)
        self.heard = Beliefs(idle=self.memory.ram)  # of servers
        self.asking: dict[Request, Asking] = {}  # open requests
        self.alone = 0  # times that it has turned to a manager for its node, not for a process
        self.releases = 0  # made to servers; protocols may draw by the count of `requests`

    def process_placed(self, process: Placed, now_ns: int) -> list[Effect]:
        """Ask for the memory that a process, placed and allocated here, still lacks.

        Without a manager (disk paging), or if an uncoordinated client lacks nothing, the process
        starts at once.
        """
        need = self.memory.missing
        if process.manager is None or (need == 0 and not self.coordinated):
            return [StartProcess.of(process)]
        request, timer = self.await_answer(process, need, now_ns)
        return [*self._ask_for(request, now_ns), *timer]

    def receive(self, sender: int, content: Content, now_ns: int) -> list[Effect]:
        """Take the manager's answer: count the loans and start the process."""
        if not isinstance(content, RamGrant) or content.request not in self.asking:
            return self.ignore(content)
        for (server, amount, report), request in zip_longest(content.loans, content.lent_for):
            self.memory.borrow(server, amount, request)
            self.hear(server, report)
        return self.answered(content.request, content.amount, now_ns)

    def await_answer(self, process: Placed, need: int, now_ns: int) -> tuple[Request, list[Effect]]:
        """Open a request for a process; returns its id, and a timer if the wait is limited."""
        request = self.new_request()
        self.memory.ask(request, need)
        self.asking[request] = Asking(process, need, now_ns)
        if self.grant_timeout_ns is None:
            return request, []
        return request, [SetTimer(_answer_timer(request), self.grant_timeout_ns)]

    def answered(self, request: Request, granted: int, now_ns: int) -> list[Effect]:
        """Close a request whose loans are borrowed: start its process, or give back if it ended."""
        self.memory.answered(request)
        asking = self.asking.pop(request)
        if asking.counts:
            self.metrics.answers.append(Answer(asking.need, granted, now_ns - asking.since_ns))
        if asking.ended:
            return self.process_ended(asking.process, now_ns)
        if asking.started:
            return []
        start = StartProcess.of(asking.process)
        if self.grant_timeout_ns is None:
            return [start]
        return [CancelTimer(_answer_timer(request)), start]

    def hear(self, server: int, report: LoadReport) -> None:
        """Keep the newest load report about a server."""
        self.heard.learn(server, report)

    def timer(self, name: str, now_ns: int) -> list[Effect]:
        """Start a process whose grant takes too long; a late grant is borrowed all the same."""
        for request, asking in self.asking.items():
            if _answer_timer(request) == name:
                asking.started = True
                return [StartProcess.of(asking.process)]
        return []

    def process_ended(self, process: Placed, now_ns: int) -> list[Effect]:
        """Give back memory that is no longer needed, after a process has ended.

        The servers believed to be the most loaded come first. With nothing to give back, an
        uncoordinated client stays silent; a coordinated one does not, since its manager waits. If
        the process ended before its request was answered, all this waits for the grant.
        """
        for asking in self.asking.values():
            if asking.process == process:
                asking.ended = True
                return []
        return self.release(process, now_ns)

    def release(self, process: Placed, now_ns: int) -> list[Effect]:
        """Give back memory that is no longer needed, through the manager."""
        if process.manager is None:
            return []
        parts = self._give_back()
        if not parts and not self.coordinated:
            return []
        returns: dict[int, int] = {}
        for server, _, amount in parts:
            returns[server] = returns.get(server, 0) + amount
        job, rank, clients, manager, attempt = process
        given = tuple(returns.items())
        assert manager is not None
        notice = ReleaseNotice(job, rank, clients, given, self.own_report(now_ns), parts, attempt)
        return [Send(manager, notice)]

    def release_to_servers(self, job: int) -> list[Effect]:
        """Give back memory that is no longer needed, to each server directly.

        Servers acknowledge to this node's manager, which ignores that; so the node needs one.
        """
        returned: dict[int, list[tuple[Request | None, int]]] = {}
        for server, request, amount in self._give_back():
            returned.setdefault(server, []).append((request, amount))
        sends: list[Effect] = []
        for server, parts in returned.items():
            self.releases += 1
            release = Request(self.node, self.name, self.site.incarnation, self.releases)
            amount = sum(amount for _, amount in parts)
            sends.append(Send(server, ServerRelease(job, amount, tuple(parts), release)))
        return sends

    def process_left(self, process: Placed, now_ns: int) -> list[Effect]:
        """Give back memory that is no longer needed, after a process has moved away."""
        return self.release(self.by_itself(process), now_ns)

    def process_arrived(self, process: Placed, now_ns: int) -> list[Effect]:
        """React to a process that has moved here; it needs no loan, and continues in any case."""
        return []

    def by_itself(self, process: Placed) -> Placed:
        """The process as if it were alone in its job, so that a manager waits for no other.

        Its attempt is a number that no job and no other node uses.
        """
        self.alone += 1
        count = (self.site.incarnation << 32) + self.alone
        return process._replace(clients=1, attempt=-(count * self.nodes + self.node))

    def holds(self) -> Carried | None:
        """Nothing: granted memory is borrowed at once."""
        return ()

    def validate(self) -> None:
        """Check that each open request has a process, and that each lender has been heard of."""
        memory = self.memory
        for request, need in memory.asked.items():
            self.require(need >= 0, f"has asked for {need} bytes")
            self.require(request in self.asking, f"keeps {request}, but not for which process")
        for server, amount in memory.loans.items():
            known = server in self.heard or self.site.incarnation > 0
            self.require(amount > 0, f"borrows {amount} bytes of node {server}")
            self.require(known, f"knows nothing of node {server}, which lends to it")

    @property
    def borrowed_for(self) -> list[tuple[int, Request]]:
        """Its loans, as pairs of a server and the request for which that server lends."""
        loans = self.memory.loans_for.items()
        return [(server, request) for server, of in loans for request in of if request is not None]

    def believed(self, server: int) -> int:
        """The load in bytes that this client believes a server to have; idle before any report."""
        return self.heard.load(server)

    def _ask_for(self, request: Request, now_ns: int) -> list[Effect]:
        """Ask whoever is to answer an open request."""
        job, rank, clients, manager, attempt = self.asking[request].process
        need, report = self.asking[request].need, self.own_report(now_ns)
        assert manager is not None
        return [Send(manager, RamRequest(job, rank, clients, need, report, request, attempt))]

    def _give_back(self) -> tuple[Return, ...]:
        surplus = self.memory.surplus
        parts = []
        for server in sorted(self.memory.loans, key=lambda s: (self.believed(s), s)):
            amount = min(surplus, self.memory.loans[server])
            if amount == 0:
                break
            given = self.memory.give_back(server, amount)
            parts += [Return(server, request, part) for request, part in given]
            surplus -= amount
        return tuple(parts)


def _answer_timer(request: Request) -> str:
    return f"no grant for request {request.count}"
