"""Designs with one mistake each, in a role of the thesis's."""

from dataclasses import replace

from agents.pnr.messages import ReleaseNotice, Request, ServerRequest
from agents.pnr.protocol import (
    Client,
    Manager,
    Protocol,
    Send,
    Server,
    SetTimer,
    StartProcess,
    message,
)
from agents.pnr.protocols.lease import Broker, LeasingClient, LeasingServer, lease
from agents.pnr.protocols.survivor import LoanRequest, Survivor, Witness, survivor
from topologies.managers.cen import cen
from topologies.managers.cli import cli
from topologies.managers.man import man


def design(nodes, name, graph=man, **roles):
    made = graph(nodes)
    made.graph |= {"name": name, "protocol": Protocol(**roles)}
    return made


class ForgetsToRelease(Client):
    def release(self, process, now_ns):
        super().release(process, now_ns)
        return []


def forgotten_release(nodes):
    return design(nodes, "FORGOTTEN-RELEASE", client=ForgetsToRelease)


class LendsAgain(Server):
    def lend(self, amount, request):
        self.granted.pop(request, None)
        return super().lend(amount, request)


def grant_twice(nodes):
    return design(nodes, "GRANT-TWICE", cli, server=LendsAgain)


class AnswersAnother(Manager):
    def _grant(self, job, allocation, now_ns):
        """The loans of rank 0 go to the request of the last rank, and so on."""
        ranks = sorted(allocation.clients)
        turned = [allocation.clients[rank] for rank in reversed(ranks)]
        allocation.clients = {
            rank: (client[0], client[1], other[2])
            for rank, client, other in zip(
                ranks, [allocation.clients[r] for r in ranks], turned, strict=True
            )
        }
        return super()._grant(job, allocation, now_ns)


def reply_to_the_wrong_client(nodes):
    return design(nodes, "WRONG-CLIENT", manager=AnswersAnother)


class RepliesForAnotherJob(Server):
    def receive(self, sender, content, now_ns):
        effects = super().receive(sender, content, now_ns)
        if isinstance(content, ServerRequest) and len(self.granted) > 1:
            first = next(iter(self.granted))
            reply = replace(effects[0].content, request=first)
            return [Send(effects[0].target, reply)]
        return effects


def reply_to_the_wrong_job(nodes):
    return design(nodes, "WRONG-JOB", cen, server=RepliesForAnotherJob)


class LendsOn(Server):
    """Does not mind that its node is leaving."""

    def lend(self, amount, request):
        granted = max(0, min(amount, self.memory.ram - self.memory.demand - self.threshold))
        self.memory.lend(granted, request)
        return granted


def lends_while_leaving(nodes):
    return design(nodes, "LENDS-ON", cli, server=LendsOn)


class AsksTheSame(Survivor):
    """Asks a server that does not answer again and again."""

    def timer(self, name, now_ns):
        for search in self.searches.values():
            if name.startswith("no answer"):
                server, request = search.asked
                job, rank, *_ = search.process
                again = LoanRequest(job, rank, search.missing, request)
                return [Send(server, again), SetTimer(name, 10**9)]
        return super().timer(name, now_ns)


def asks_who_is_gone(nodes):
    return design(nodes, "ASKS-THE-SAME", survivor, client=AsksTheSame, server=Witness)


class AsksTheAbsent(Manager):
    """Knows of no node that it is not there yet."""

    def _not_asked(self, allocation):
        return allocation.tried


def asks_who_has_not_joined(nodes):
    return design(nodes, "ASKS-THE-ABSENT", manager=AsksTheAbsent)


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


def lost_merge(nodes):
    return design(nodes, "LOST-MERGE", manager=LosesMerge)


class LendsAll(Server):
    def __init__(self, site):
        super().__init__(site)
        self.threshold = 0


def no_threshold(nodes):
    return design(nodes, "NO-THRESHOLD", server=LendsAll)


class StartsAtOnce(Client):
    def process_placed(self, process, now_ns):
        start = StartProcess(process.job, process.attempt)
        return [start, *super().process_placed(process, now_ns)]


def starts_twice(nodes):
    return design(nodes, "STARTS-TWICE", client=StartsAtOnce)


class BorrowsDouble(Client):
    def receive(self, sender, content, now_ns):
        loans = tuple(loan._replace(amount=2 * loan.amount) for loan in content.loans)
        return super().receive(sender, replace(content, loans=loans), now_ns)


def counts_double(nodes):
    return design(nodes, "COUNTS-DOUBLE", client=BorrowsDouble)


class GivesUp(Manager):
    def _replied(self, server, reply, now_ns):
        if not reply.granted:
            return []
        return super()._replied(server, reply, now_ns)


def gives_up_when_refused(nodes):
    return design(nodes, "GIVES-UP", manager=GivesUp)


class KeepsSome(Server):
    def take_back(self, release):
        super().take_back(
            replace(release, parts=tuple((one, part - 1) for one, part in release.parts))
        )


def returns_too_little(nodes):
    return design(nodes, "RETURNS-LITTLE", server=KeepsSome)


class TakesAll(Server):
    def take_back(self, release):
        for request in list(self.memory.lent_for):
            self.memory.take_back(self.memory.lent, request)


def takes_back_from_all(nodes):
    return design(nodes, "TAKES-ALL", server=TakesAll)


class WaitsForOneMore(Manager):
    def receive(self, sender, content, now_ns):
        if isinstance(content, ReleaseNotice):
            content = replace(content, clients=content.clients + 1)
        return super().receive(sender, content, now_ns)


def waits_for_one_more(nodes):
    return design(nodes, "ONE-MORE", manager=WaitsForOneMore)


class SilentServer(Server):
    def receive(self, sender, content, now_ns):
        effects = super().receive(sender, content, now_ns)
        return effects if isinstance(content, ServerRequest) else []


def no_acknowledgment(nodes):
    return design(nodes, "NO-ACK", server=SilentServer)


class Raises(Manager):
    def _replied(self, server, reply, now_ns):
        return {True: super()._replied}[bool(reply.granted)](server, reply, now_ns)


def raises_when_refused(nodes):
    return design(nodes, "RAISES", manager=Raises)


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


def one_job_at_a_time(nodes):
    return design(nodes, "ONE-AT-A-TIME", cen, manager=OneAtATime)


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


def planted_race(nodes):
    return design(nodes, "PLANTED-RACE", cen, manager=Overtaken)


@message("telling", hears="manager", size_bytes=64)
class Hint:
    """Manager -> its neighbour: the load of my node."""

    load: int


class Hinting(Manager):
    """Does no harm, but never comes to rest."""

    def start(self, now_ns):
        return [SetTimer("hint", 60 * 10**9)]

    def timer(self, name, now_ns):
        told = Send((self.node + 1) % self.nodes, Hint(self.memory.load))
        return [told, SetTimer("hint", 60 * 10**9)]

    def receive(self, sender, content, now_ns):
        return [] if isinstance(content, Hint) else super().receive(sender, content, now_ns)


def hinting(nodes):
    return design(nodes, "HINTING", manager=Hinting)


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
    roles = {"client": LeavesItToLeases, "server": LeasingServer, "manager": Beating}
    return design(nodes, "BEATING", lease, **roles)


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
    return design(nodes, "THEFT", cen, server=TakesBackLater, manager=Ticking)


class SendsToNobody(Manager):
    def start(self, now_ns):
        request = ServerRequest(1, 1, Request(1, "manager", 0, 1))
        return [Send(99, request)] if self.node == 1 else []


def sends_to_nobody(nodes):
    return design(nodes, "SENDS-TO-NOBODY", manager=SendsToNobody)
