"""LEASE: a broker that hears of free memory before anybody asks, and loans that end by themselves.

- Node 0 is the broker, which coordinates loans as CEN's manager does. A server tells it its load
  whenever that has moved by more than a share of RAM since it was last told.
- Servers lend for a time (a lease) and take their memory back when it is over, so none is lost to
  a borrower or a message that is gone. A client renews its leases at half of their time.
- A client counts the time from when it asked, a server from when it lent, and a renewal counts for
  the client only when the server has confirmed it. So the client stops using memory first, and
  never is more borrowed than lent, whatever is lost, as long as a client's servent is not down or
  paused at the end of its lease. What the client needs still is then on its disk.

Source: Maruf et al., Memtrade: Marketplace for Disaggregated Memory Clouds, Proceedings of the ACM
on Measurement and Analysis of Computing Systems, 2023: a broker brings together who has memory and
who wants it, for a limited time. Its prices and predictions are left out: the newest load report
counts.
"""

from dataclasses import replace
from typing import Annotated

import networkx as nx
from pydantic import Field

from agents.messages import Carried, Content
from agents.pnr.messages import LoadReport, LoadStated, Placed, RamGrant, Request
from agents.pnr.parameters import Seconds, Times
from agents.pnr.protocol import (
    CancelTimer,
    Client,
    Effect,
    Manager,
    Protocol,
    Send,
    Server,
    SetTimer,
    Site,
    message,
)

BROKER = 0
#: At which part of its time a lease is renewed: so no more than a hundred times in that.
Renewal = Annotated[float, Field(ge=0.01, lt=1)]


@message("telling", hears="manager", size_bytes=lambda _, sizes: sizes.broadcast + sizes.entry)
class LoadPush(LoadStated):
    """Server -> broker: the load of my node, which has moved."""

    word: LoadReport


@message("leasing", hears="server", size_bytes="protocol", hidden=("request",))
class Renew(Content):
    """Client -> server: extend what you lend for this request."""

    request: Request


@message("leasing", hears="client", size_bytes="protocol", hidden=("request",))
class RenewAck(Content):
    """Server -> client: it is lent until then."""

    request: Request
    until_ns: int


class Broker(Manager):
    """Hears of loads from servers, too."""

    def receive(self, sender: int, content: Content, now_ns: int) -> list[Effect]:
        if isinstance(content, LoadPush):
            self.hear((sender, content.word))
            return []
        return super().receive(sender, content, now_ns)


class LeasingServer(Server):
    """Lends for a time, from the request or its last renewal on, and tells the broker its load."""

    def __init__(self, site: Site) -> None:
        super().__init__(site)
        self.lease_ns = max(2, self.parameter_ns("lease_s"))
        #: The last instant of each lease; after a crash not known before `start`.
        self.until = {request: 0 for request in self.memory.lent_for if request is not None}
        self.pushed = self.memory.ram  # the load that the broker was told

    def start(self, now_ns: int) -> list[Effect]:
        """Begin; after a crash all that is lent is on a new lease."""
        self.until.clear()
        return super().start(now_ns) + self._keep(now_ns)

    def receive(self, sender: int, content: Content, now_ns: int) -> list[Effect]:
        if not isinstance(content, Renew):
            return super().receive(sender, content, now_ns) + self._keep(now_ns)
        if content.request not in self.until:
            return self.ignore(content)
        del self.until[content.request]
        timers = self._keep(now_ns)
        return [Send(sender, RenewAck(content.request, now_ns + self.lease_ns)), *timers]

    def timer(self, name: str, now_ns: int) -> list[Effect]:
        for request in self.until:
            if _name(request) == name:
                self.memory.take_back(self.memory.lent_for[request], request)
                return self._keep(now_ns)
        return super().timer(name, now_ns)

    def memory_changed(self, now_ns: int) -> list[Effect]:
        effects = super().memory_changed(now_ns)
        load = self.memory.load
        if abs(load - self.pushed) <= self.parameters["push_share"] * self.memory.ram:
            return effects
        self.pushed = load
        return [*effects, self.push(now_ns)]

    def push(self, now_ns: int) -> Send:
        return Send(BROKER, LoadPush(self.own_report(now_ns)))

    def holds(self) -> Carried | None:
        """It may not say: a lease that is over for its client is lent for a while still."""
        return None

    def validate(self) -> None:
        super().validate()
        leases, loans = self.until.keys(), self.memory.lent_for.keys()
        self.require(leases == loans, f"has leases {[*leases]}, but lends for {[*loans]}")

    def _keep(self, now_ns: int) -> list[Effect]:
        """Begin a lease for each loan that has none, and forget those whose loan is over."""
        over = [request for request in self.until if request not in self.memory.lent_for]
        for request in over:
            del self.until[request]
        lent_for = (request for request in self.memory.lent_for if request is not None)
        new = [request for request in lent_for if request not in self.until]
        self.until |= dict.fromkeys(new, now_ns + self.lease_ns)
        return [
            *(CancelTimer(_name(request)) for request in over),
            *(SetTimer(_name(request), self.lease_ns + 1) for request in new),
        ]


class LeasingClient(Client):
    """Renews what it borrows in time, and stops using what is not renewed."""

    def __init__(self, site: Site) -> None:
        super().__init__(site)
        self.lease_ns = max(2, self.parameter_ns("lease_s"))
        self.until: dict[tuple[int, Request], int] = {}  # server, request -> the lease's end

    def start(self, now_ns: int) -> list[Effect]:
        """Begin; after a crash nobody knows for how long memory is lent, so none is used."""
        for server, amount in list(self.memory.loans.items()):
            self.memory.give_back(server, amount)
        return super().start(now_ns)

    def receive(self, sender: int, content: Content, now_ns: int) -> list[Effect]:
        if isinstance(content, RenewAck):
            lease = sender, content.request
            if content.until_ns <= self.until.get(lease, content.until_ns):
                return self.ignore(content)
            self.until[lease] = content.until_ns
            return [self._renews(lease, now_ns)]
        if not isinstance(content, RamGrant) or content.request not in self.asking:
            return super().receive(sender, content, now_ns)
        until_ns = self.asking[content.request].since_ns + self.lease_ns
        if until_ns <= now_ns:  # the leases are over before they begin
            content = replace(content, loans=(), lent_for=())
        effects = super().receive(sender, content, now_ns)
        new = [lease for lease in self.borrowed_for if lease not in self.until]
        self.until |= dict.fromkeys(new, until_ns)
        return effects + [self._renews(lease, now_ns) for lease in new]

    def timer(self, name: str, now_ns: int) -> list[Effect]:
        for (server, request), until_ns in self.until.items():
            if _name(request, server) == name:
                held = request in self.memory.loans_for.get(server, {})
                if held and now_ns < until_ns:
                    return [Send(server, Renew(request)), SetTimer(name, until_ns - now_ns)]
                self.memory.drop(server, request)
                return self._forget()
        return super().timer(name, now_ns)

    def release(self, process: Placed, now_ns: int) -> list[Effect]:
        return super().release(process, now_ns) + self._forget()

    def _renews(self, lease: tuple[int, Request], now_ns: int) -> SetTimer:
        server, request = lease
        renewal_ns = self.until[lease] - round(self.lease_ns * (1 - self.parameters["renew_at"]))
        return SetTimer(_name(request, server), max(1, renewal_ns - now_ns))

    def _forget(self) -> list[Effect]:
        loans = self.memory.loans_for
        over = [lease for lease in self.until if lease[1] not in loans.get(lease[0], {})]
        for lease in over:
            del self.until[lease]
        return [CancelTimer(_name(request, server)) for server, request in over]


def _name(request: Request, server: int | None = None) -> str:
    asker = f"{request.role} {request.node}.{request.incarnation}, request {request.count}"
    return f"lease for {asker}" if server is None else f"lease of server {server} for {asker}"


def lease(
    nodes: int, *, lease_s: Seconds = 600, renew_at: Renewal = 0.5, push_share: Times = 0.05
) -> nx.DiGraph:
    """Node 0 is the broker; leases last `lease_s`, and are renewed at this share of that time.

    A load that has moved by more than `push_share` of RAM is told.
    """
    protocol = Protocol(LeasingClient, LeasingServer, Broker)
    graph = nx.DiGraph(name="LEASE", asks="any", protocol=protocol)
    graph.graph |= {"lease_s": lease_s, "renew_at": renew_at, "push_share": push_share}
    graph.add_nodes_from((node, {"manager": node == BROKER}) for node in range(nodes))
    return graph
