"""Designs with one mistake each, in a role of the thesis's."""

from dataclasses import replace

from agents.pnr.messages import LoadBroadcast, LoadReport, Request, ServerRequest
from agents.pnr.protocol import (
    Client,
    Manager,
    Send,
    Server,
    SetTimer,
    StartProcess,
    message,
)
from agents.pnr.protocols.lease import Broker, LeasingClient, lease
from agents.pnr.protocols.survivor import LoanRequest, Survivor, survivor
from tests.model.pnr.explore.mistakes import design, mistake
from topologies.managers.bb import bb
from topologies.managers.cen import cen
from topologies.managers.cli import cli
from topologies.managers.man import man


@mistake(man)
class ForgetsToRelease(Client):
    def release(self, process, now_ns):
        super().release(process, now_ns)
        return []


@mistake(cen)
class RepliesForAnotherJob(Server):
    def receive(self, sender, content, now_ns):
        effects = super().receive(sender, content, now_ns)
        if isinstance(content, ServerRequest) and len(self.granted) > 1:
            first = next(iter(self.granted))
            reply = replace(effects[0].content, request=first)
            return [Send(effects[0].target, reply)]
        return effects


@mistake(cli)
class LendsOn(Server):
    """Does not mind that its node is leaving."""

    def lend(self, amount, request):
        granted = max(0, min(amount, self.memory.ram - self.memory.demand - self.threshold))
        self.memory.lend(granted, request)
        return granted


@mistake(survivor)
class AsksTheSame(Survivor):
    """Asks a server that does not answer again and again."""

    def timer(self, name, now_ns):
        for asked_for, search in self.searches.items():
            if name.startswith("no answer"):
                server, request = search.asked
                job, rank, *_ = self.asking[asked_for].process
                again = LoanRequest(job, rank, search.missing, request)
                return [Send(server, again), SetTimer(name, 10**9)]
        return super().timer(name, now_ns)


@mistake(man)
class AsksTheAbsent(Manager):
    """Knows of no node that it is not there yet."""

    def _not_asked(self, allocation):
        return allocation.tried


@mistake(man)
class LosesMerge(Manager):
    def _released(self, notice):
        """Of two clients that give back to one server, only the last is heard."""
        sends = super()._released(notice)
        last = dict(notice.parts and [(part.server, part) for part in notice.parts])
        return [
            Send(send.target, replace(send.content, amount=part.amount, parts=(part[1:],)))
            if (part := last.get(send.target))
            else send
            for send in sends
        ]


@mistake(man)
class LendsAll(Server):
    def __init__(self, site):
        super().__init__(site)
        self.threshold = 0


@mistake(man)
class StartsAtOnce(Client):
    def process_placed(self, process, now_ns):
        start = StartProcess(process.job, process.attempt)
        return [start, *super().process_placed(process, now_ns)]


@mistake(man)
class BorrowsDouble(Client):
    def receive(self, sender, content, now_ns):
        loans = tuple(loan._replace(amount=2 * loan.amount) for loan in content.loans)
        return super().receive(sender, replace(content, loans=loans), now_ns)


@mistake(man)
class GivesUp(Manager):
    def _replied(self, server, reply, now_ns):
        if not reply.granted:
            return []
        return super()._replied(server, reply, now_ns)


@mistake(man)
class KeepsSome(Server):
    def take_back(self, release):
        super().take_back(
            replace(release, parts=tuple((one, part - 1) for one, part in release.parts))
        )


@mistake(man)
class SilentServer(Server):
    def receive(self, sender, content, now_ns):
        effects = super().receive(sender, content, now_ns)
        return effects if isinstance(content, ServerRequest) else []


@mistake(man)
class Raises(Manager):
    def _replied(self, server, reply, now_ns):
        return {True: super()._replied}[bool(reply.granted)](server, reply, now_ns)


@mistake(cen)
class OneAtATime(Manager):
    """Keeps what it has been granted for one job only: wrong if two ask it at once."""

    def __init__(self, site):
        super().__init__(site)
        self.current = None

    def _seek(self, run, allocation, now_ns):
        self.current = run
        return super()._seek(run, allocation, now_ns)

    def _replied(self, server, reply, now_ns):
        if reply.request in self.asked:
            self.asked[reply.request] = self.current
        return super()._replied(server, reply, now_ns)


@mistake(cen)
class Overtaken(Manager):
    """Forgets whom a server lends to when its release overtakes a request of another job.

    Only if the notice of one job is handled between the two answers to another.
    """

    def __init__(self, site):
        super().__init__(site)
        self.halfway = None  # a job of which one server has granted a part

    def _replied(self, server, reply, now_ns):
        allocation = self.allocations.get(self.asked.get(reply.request))
        if allocation is not None and 0 < reply.granted < allocation.missing:
            self.halfway = self.asked[reply.request]
        return super()._replied(server, reply, now_ns)

    def _released(self, notice):
        if self.halfway in self.allocations and self.halfway[0] != notice.job:
            self.allocations[self.halfway].grants.clear()
        return super()._released(notice)


@mistake(cen)
class WaitsForReturns(Manager):
    """Does not count a notice that gives nothing back, and waits for one of each client."""

    def _released(self, notice):
        return super()._released(notice) if notice.returns else []


@mistake(cli)
class ForgetsGrants(Server):
    """Forgets a request when its loan is back, and lends again if it arrives once more."""

    def take_back(self, release):
        super().take_back(release)
        for request, _ in release.parts:
            self.granted.pop(request, None)


@mistake(bb, x=2)
class NeverCloses(Manager):
    """Keeps a search in its books after it has told the clients: it asks nobody for that job."""

    def _searched(self, run, allocation, now_ns):
        return self._grant(run[0], allocation, now_ns)


@mistake(cen)
class EndsAtTheFirst(Manager):
    """Ends a release at its first acknowledgment; the second is about nothing that it knows."""

    def _acknowledged(self, ack, now_ns):
        run = self.releasing.pop(ack.request)
        del self.releases[run]
        return self.tell(run[0], now_ns)


@mistake(bb, x=2)
class TellsTheNearest(Client):
    """Gives notice to the manager nearest to it, though all clients of the job asked one."""

    def release(self, process, now_ns):
        nearest = min(self.node, 1)  # of BB2's among three nodes
        return super().release(process._replace(manager=nearest), now_ns)


@mistake(man)
class Vouches(Manager):
    """Greets all when it joins, with words about nodes of which it has not heard either."""

    def start(self, now_ns):
        if not self.site.incarnation:
            return []
        words = tuple((node, LoadReport(self.memory.ram, now_ns)) for node in range(self.nodes))
        others = [node for node in range(self.nodes) if node != self.node]
        return [Send(node, LoadBroadcast(0, words)) for node in others]


@message("telling", hears="manager", size_bytes=64)
class Hint:
    """Manager -> its neighbour: the load of my node."""

    load: int


@mistake(man)
class Hinting(Manager):
    """Does no harm, but never comes to rest."""

    def start(self, now_ns):
        return [SetTimer("hint", 60 * 10**9)]

    def timer(self, name, now_ns):
        told = Send((self.node + 1) % self.nodes, Hint(self.memory.load))
        return [told, SetTimer("hint", 60 * 10**9)]

    def receive(self, sender, content, now_ns):
        return [] if isinstance(content, Hint) else super().receive(sender, content, now_ns)


class LeavesItToLeases(LeasingClient):
    def release(self, process, now_ns):
        super().release(process, now_ns)
        return self._forget()


class Beating(Broker):
    def start(self, now_ns):
        return [SetTimer("beat", 10**9)]

    def timer(self, name, now_ns):
        return [SetTimer("beat", 10**9)]


def leases_under_a_heartbeat(nodes):
    """Memory comes back by leases alone, some 600 heartbeats later."""
    return design(lease(nodes), client=LeavesItToLeases, manager=Beating)


class Ticking(Manager):
    def start(self, now_ns):
        return [SetTimer("tick", 10**9)]

    def timer(self, name, now_ns):
        return self.start(now_ns)


class TakesBackLater(Server):
    """Has what it lends back after 2.5 s, whoever uses it."""

    def receive(self, sender, content, now_ns):
        effects = super().receive(sender, content, now_ns)
        return [*effects, SetTimer("enough", 25 * 10**8)] if self.memory.lent else effects

    def timer(self, name, now_ns):
        for request, amount in list(self.memory.lent_for.items()):
            self.memory.take_back(amount, request)
        return []


def late_theft_under_a_heartbeat(nodes):
    """Between two ticks nothing changes but the time that is left until the theft."""
    return design(cen(nodes), server=TakesBackLater, manager=Ticking)


@mistake(man)
class SendsToNobody(Manager):
    def start(self, now_ns):
        request = ServerRequest(1, 1, Request(1, "manager", 0, 1))
        return [Send(99, request)] if self.node == 1 else []
