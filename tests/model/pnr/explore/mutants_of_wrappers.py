"""Designs with one mistake each, in what is put around another design."""

from dataclasses import replace

from agents.pnr.messages import LoadReport, ReleaseAck, ReleaseNotice
from agents.pnr.protocol import CancelTimer, Send, SetTimer
from agents.pnr.protocols.lease import LeasingServer, lease
from agents.pnr.wrappers.reclaim import (
    NamedRelease,
    Recall,
    ReclaimingClient,
    ReclaimingServer,
    reclaim,
)
from agents.pnr.wrappers.reliable import ACKS, Heard, Numbering, reliable
from topologies.managers.cen import cen
from topologies.managers.man import man


def reliable_with(graph, name, mistake, *roles):
    """RELIABLE around a design, with a mistake in these roles, or in all."""
    return _with(reliable(graph), name, dict.fromkeys(roles or _ROLES, mistake))


def reclaim_with(graph, name, **mistakes):
    """RECLAIM around a design, with mistakes by role."""
    return _with(reclaim(graph), name, mistakes)


_ROLES = "client", "server", "manager"


def _with(graph, name, mistakes):
    inner = graph.graph["protocol"]
    roles = {role: type(name, (one, getattr(inner, role)), {}) for role, one in mistakes.items()}
    graph.graph |= {"name": name, "protocol": replace(inner, **roles)}
    return graph


# RELIABLE


class HandsOverTwice(Numbering):
    """Forgets what it has heard: of a notice that comes twice, the second begins a release."""

    def receive_with_header(self, sender, content, header, now_ns):
        self.heard_of.clear()
        return super().receive_with_header(sender, content, header, now_ns)


def hands_over_twice(nodes):
    return reliable_with(cen(nodes), "HANDS-OVER-TWICE", HandsOverTwice)


class RepeatsOnce(Numbering):
    """Sends again what is not acknowledged, and does not set the timer again after that."""

    def timer(self, name, now_ns):
        effects = super().timer(name, now_ns)
        return [effect for effect in effects if not isinstance(effect, SetTimer)]


def repeats_once(nodes):
    return reliable_with(cen(nodes), "REPEATS-ONCE", RepeatsOnce)


class SparesNotices(Numbering):
    """Does not number notices, since no process waits for them; but a manager does."""

    def _number(self, effects):
        sent = [effect for effect in effects if isinstance(effect, Send)]
        notices = [effect for effect in sent if isinstance(effect.content, ReleaseNotice)]
        return [*notices, *super()._number([one for one in effects if one not in notices])]


def spares_notices(nodes):
    return reliable_with(cen(nodes), "SPARES-NOTICES", SparesNotices, "client")


class AcknowledgesAllBefore(Numbering):
    """Takes an acknowledgment to be of all messages before, too, which went to other nodes."""

    def receive(self, sender, content, now_ns):
        if isinstance(content, ACKS[self.name]):
            earlier = [count for count in self.unacknowledged if count < content.header.count]
            for count in earlier:
                del self.unacknowledged[count]
            cancelled = [CancelTimer(f"send {count} again") for count in earlier]
            return [*cancelled, *super().receive(sender, content, now_ns)]
        return super().receive(sender, content, now_ns)


def acknowledges_all_before(nodes):
    return reliable_with(man(nodes), "ALL-BEFORE", AcknowledgesAllBefore)


class CountsNodes(Numbering):
    """Drops a message of whose count it has heard from that node, where each role counts from 1."""

    def receive_with_header(self, sender, content, header, now_ns):
        heard = self.heard_of.setdefault((sender, "any"), Heard(header.incarnation))
        if heard.is_new(header):
            self.heard_of.pop((sender, header.role), None)
            return super().receive_with_header(sender, content, header, now_ns)
        return [Send(sender, ACKS[header.role](header))]


def counts_nodes_and_not_roles(nodes):
    return reliable_with(cen(nodes), "COUNTS-NODES", CountsNodes)


class LeavesTimersSet(Numbering):
    """Does not cancel the timer of a message that is acknowledged: it fires about nothing."""

    def receive(self, sender, content, now_ns):
        effects = super().receive(sender, content, now_ns)
        return [effect for effect in effects if not isinstance(effect, CancelTimer)]


def leaves_timers_set(nodes):
    return reliable_with(cen(nodes), "TIMERS-SET", LeavesTimersSet)


class NumbersAnew(Numbering):
    """Sends a message again with another number: if only its acknowledgment was lost, it is new."""

    def timer(self, name, now_ns):
        for count, (target, content, _) in self.unacknowledged.items():
            if name == f"send {count} again":
                del self.unacknowledged[count]
                return self._number([Send(target, content)])
        return super().timer(name, now_ns)


def numbers_repeats_anew(nodes):
    return reliable_with(cen(nodes), "NUMBERS-ANEW", NumbersAnew)


class AcknowledgesToManagers(Numbering):
    """Acknowledges to the manager of a node, whichever role has sent the message and waits."""

    def receive_with_header(self, sender, content, header, now_ns):
        effects = super().receive_with_header(sender, content, header, now_ns)
        return [Send(sender, ACKS["manager"](header)), *effects[1:]]


def acknowledges_to_managers(nodes):
    return reliable_with(cen(nodes), "TO-MANAGERS", AcknowledgesToManagers)


class ForgetsLeases(LeasingServer):
    """Begins after a crash as at first, without leases for what its ledger says is lent."""

    def start(self, now_ns):
        self.until.clear()
        return []


def forgets_leases_in_a_crash(nodes):
    graph = lease(nodes)
    graph.graph["protocol"] = replace(graph.graph["protocol"], server=ForgetsLeases)
    graph.graph["name"] = "FORGETS-LEASES"
    return reliable(graph)


# RECLAIM


class RecallsAtOnce(ReclaimingServer):
    """Counts memory as its own when it recalls it, and not when it is given back."""

    def _recall(self):
        recalls = super()._recall()
        for _, content, _ in recalls:
            left = content.amount
            for request in list(self.memory.lent_for):
                left -= self.memory.take_back(left, request)
        return recalls


def recalls_at_once(nodes):
    return reclaim_with(cen(nodes), "RECALLS-AT-ONCE", server=RecallsAtOnce)


class AsksForItsJob(ReclaimingClient):
    """Asks again for its job, not for its node: a manager waits for the job's other clients."""

    def by_itself(self, process):
        return process


def asks_again_for_its_job(nodes):
    return reclaim_with(cen(nodes), "FOR-ITS-JOB", client=AsksForItsJob)


class TakesBackTwice(ReclaimingServer):
    """Takes back what an answer says, also if it is the same answer again."""

    def _recalled(self, sender, content, now_ns):
        if content.request not in self.recalls:
            for request, amount in content.parts:
                self.memory.take_back(amount, request)
        return super()._recalled(sender, content, now_ns)


def takes_back_twice(nodes):
    return reclaim_with(cen(nodes), "TAKES-BACK-TWICE", server=TakesBackTwice)


class AcknowledgesRecalls(ReclaimingServer):
    """Acknowledges what is given back to whoever gives it back, where there is no manager."""

    def _recalled(self, sender, content, now_ns):
        effects = super()._recalled(sender, content, now_ns)
        return [Send(sender, ReleaseAck(None, LoadReport(self.memory.load, now_ns))), *effects]


def acknowledges_recalls(nodes):
    return reclaim_with(cen(nodes), "ACKS-RECALLS", server=AcknowledgesRecalls)


class HearsNamesOnly(ReclaimingServer):
    """Corrects its balances by the names in a release, and does not take back or acknowledge."""

    def receive(self, sender, content, now_ns):
        effects = super().receive(sender, content, now_ns)
        return [] if isinstance(content, NamedRelease) else effects


def hears_names_only(nodes):
    return reclaim_with(cen(nodes), "NAMES-ONLY", server=HearsNamesOnly)


class GivesBackInSilence(ReclaimingClient):
    """Gives back what is recalled, and reports nothing, as if the server could know."""

    def receive(self, sender, content, now_ns):
        effects = super().receive(sender, content, now_ns)
        return effects[1:] if isinstance(content, Recall) else effects


def gives_back_in_silence(nodes):
    return reclaim_with(cen(nodes), "IN-SILENCE", client=GivesBackInSilence)
