"""Designs with one mistake each, in what is put around another design."""

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
from tests.model.pnr.explore.mistakes import mistake
from topologies.managers.cen import cen
from topologies.managers.man import man

# RELIABLE


@mistake(cen, around=reliable)
class HandsOverTwice(Numbering):
    """Forgets what it has heard: of a notice that comes twice, the second begins a release."""

    def receive_with_header(self, sender, content, header, now_ns):
        self.heard_of.clear()
        return super().receive_with_header(sender, content, header, now_ns)


@mistake(cen, around=reliable)
class RepeatsOnce(Numbering):
    """Sends again what is not acknowledged, and does not set the timer again after that."""

    def timer(self, name, now_ns):
        effects = super().timer(name, now_ns)
        return [effect for effect in effects if not isinstance(effect, SetTimer)]


@mistake(cen, around=reliable, only="client")
class SparesNotices(Numbering):
    """Does not number notices, since no process waits for them; but a manager does."""

    def _number(self, effects):
        sent = [effect for effect in effects if isinstance(effect, Send)]
        notices = [effect for effect in sent if isinstance(effect.content, ReleaseNotice)]
        return [*notices, *super()._number([one for one in effects if one not in notices])]


@mistake(man, around=reliable)
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


@mistake(cen, around=reliable)
class CountsNodes(Numbering):
    """Drops a message of whose count it has heard from that node, where each role counts from 1."""

    def receive_with_header(self, sender, content, header, now_ns):
        heard = self.heard_of.setdefault((sender, "any"), Heard(header.incarnation))
        if heard.is_new(header):
            self.heard_of.pop((sender, header.role), None)
            return super().receive_with_header(sender, content, header, now_ns)
        return [Send(sender, ACKS[header.role](header))]


@mistake(cen, around=reliable)
class LeavesTimersSet(Numbering):
    """Does not cancel the timer of a message that is acknowledged: it fires about nothing."""

    def receive(self, sender, content, now_ns):
        effects = super().receive(sender, content, now_ns)
        return [effect for effect in effects if not isinstance(effect, CancelTimer)]


@mistake(cen, around=reliable)
class NumbersAnew(Numbering):
    """Sends a message again with another number: if only its acknowledgment was lost, it is new."""

    def timer(self, name, now_ns):
        for count, (target, content, _) in self.unacknowledged.items():
            if name == f"send {count} again":
                del self.unacknowledged[count]
                return self._number([Send(target, content)])
        return super().timer(name, now_ns)


@mistake(cen, around=reliable)
class AcknowledgesToManagers(Numbering):
    """Acknowledges to the manager of a node, whichever role has sent the message and waits."""

    def receive_with_header(self, sender, content, header, now_ns):
        effects = super().receive_with_header(sender, content, header, now_ns)
        return [Send(sender, ACKS["manager"](header)), *effects[1:]]


@mistake(lease, around=reliable)
class ForgetsLeases(LeasingServer):
    """Begins after a crash as at first, without leases for what its ledger says is lent."""

    def start(self, now_ns):
        self.until.clear()
        return []


# RECLAIM


@mistake(cen, around=reclaim)
class RecallsAtOnce(ReclaimingServer):
    """Counts memory as its own when it recalls it, and not when it is given back."""

    def _recall(self):
        recalls = super()._recall()
        for _, content, _ in recalls:
            left = content.amount
            for request in list(self.memory.lent_for):
                left -= self.memory.take_back(left, request)
        return recalls


@mistake(cen, around=reclaim)
class AsksForItsJob(ReclaimingClient):
    """Asks again for its job, not for its node: a manager waits for the job's other clients."""

    def by_itself(self, process):
        return process


@mistake(cen, around=reclaim)
class TakesBackTwice(ReclaimingServer):
    """Takes back what an answer says, also if it is the same answer again."""

    def _recalled(self, sender, content, now_ns):
        if content.request not in self.recalls:
            for request, amount in content.parts:
                self.memory.take_back(amount, request)
        return super()._recalled(sender, content, now_ns)


@mistake(cen, around=reclaim)
class AcknowledgesRecalls(ReclaimingServer):
    """Acknowledges what is given back to whoever gives it back, where there is no manager."""

    def _recalled(self, sender, content, now_ns):
        effects = super()._recalled(sender, content, now_ns)
        return [Send(sender, ReleaseAck(None, LoadReport(self.memory.load, now_ns))), *effects]


@mistake(cen, around=reclaim)
class HearsNamesOnly(ReclaimingServer):
    """Corrects its balances by the names in a release, and does not take back or acknowledge."""

    def receive(self, sender, content, now_ns):
        effects = super().receive(sender, content, now_ns)
        return [] if isinstance(content, NamedRelease) else effects


@mistake(cen, around=reclaim)
class GivesBackInSilence(ReclaimingClient):
    """Gives back what is recalled, and reports nothing, as if the server could know."""

    def receive(self, sender, content, now_ns):
        effects = super().receive(sender, content, now_ns)
        return effects[1:] if isinstance(content, Recall) else effects
