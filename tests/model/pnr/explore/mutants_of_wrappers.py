"""Designs with one mistake each, in what is put around another design."""

from agents.pnr.messages import ReleaseNotice
from agents.pnr.protocol import CancelTimer, Send, SetTimer
from agents.pnr.wrappers.reclaim import (
    Recall,
    ReclaimingClient,
    ReclaimingServer,
    reclaim,
)
from agents.pnr.wrappers.reliable import ACKS, Numbering, reliable
from tests.model.pnr.explore.mistakes import mistake
from topologies.managers.cen import cen

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


@mistake(cen, around=reliable)
class LeavesTimersSet(Numbering):
    """Does not cancel the timer of a message that is acknowledged: it fires about nothing."""

    def receive(self, sender, content, now_ns):
        effects = super().receive(sender, content, now_ns)
        return [effect for effect in effects if not isinstance(effect, CancelTimer)]


@mistake(cen, around=reliable)
class AcknowledgesToManagers(Numbering):
    """Acknowledges to the manager of a node, whichever role has sent the message and waits."""

    def receive_with_header(self, sender, content, header, now_ns):
        effects = super().receive_with_header(sender, content, header, now_ns)
        return [Send(sender, ACKS["manager"](header)), *effects[1:]]


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
class GivesBackInSilence(ReclaimingClient):
    """Gives back what is recalled, and reports nothing, as if the server could know."""

    def receive(self, sender, content, now_ns):
        effects = super().receive(sender, content, now_ns)
        return effects[1:] if isinstance(content, Recall) else effects
