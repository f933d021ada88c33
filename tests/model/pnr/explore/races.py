"""Designs with one mistake each that shows in few orders only: for random walks."""

from dataclasses import replace
from pathlib import Path

import numpy as np

from agents.pnr.messages import LoadBroadcast, ReleaseAck
from agents.pnr.protocol import Manager
from agents.pnr.protocols.probe import Lender, probe
from agents.pnr.protocols.survivor import Survivor, survivor
from agents.pnr.wrappers.reliable import ACKS, Numbering, reliable
from model.pnr.explore.setting import Setting
from tests.model.pnr.explore.mistakes import mistake
from topologies.managers.cen import cen
from topologies.managers.man import man


@mistake(survivor, lost_s=None)
class TakesAnyAnswer(Survivor):
    """Takes an answer of the server that it asks, be it to another question."""

    def receive(self, sender, content, now_ns):
        for search in self.searches.values():
            if search.asked is not None and search.asked[0] == sender:
                search.asked = sender, content.request
        return super().receive(sender, content, now_ns)


@mistake(cen)
class EndsInTurn(Manager):
    """Takes an acknowledgment for one of the release that has begun last."""

    def receive(self, sender, content, now_ns):
        if isinstance(content, ReleaseAck) and self.releasing:
            run = list(self.releasing.values())[-1]
            self.releasing[content.request] = run
        return super().receive(sender, content, now_ns)


@mistake(cen)
class OneReleasePerServer(Manager):
    """Expects the acknowledgment of the last release of a server only."""

    def __init__(self, site):
        super().__init__(site)
        self.last = {}

    def _released(self, notice):
        sends = super()._released(notice)
        self.last |= {send.target: send.content.request for send in sends}
        return sends

    def receive(self, sender, content, now_ns):
        if isinstance(content, ReleaseAck) and content.request != self.last[sender]:
            return []
        return super().receive(sender, content, now_ns)


@mistake(man)
class BelievesOthers(Manager):
    """Awaits no answer from a server any more when another manager says that it is full."""

    def receive(self, sender, content, now_ns):
        if isinstance(content, LoadBroadcast):
            full = {node for node, word in content.words if word.load <= 0}
            self.asked = {
                request: run
                for request, run in self.asked.items()
                if not full.intersection(np.flatnonzero(self.allocations[run].tried)[-1:])
            }
        return super().receive(sender, content, now_ns)


@mistake(probe, d=1)
class SettlesFirst(Lender):
    """Takes back what it lends to a client that asks again: wrong if that uses both loans."""

    def lend(self, amount, request):
        for older in list(self.memory.lent_for):
            if older.node == request.node and older != request:
                self.memory.take_back(self.memory.lent, older)
        return super().lend(amount, request)


@mistake(cen, around=reliable)
class TakesAcksInTurn(Numbering):
    """Takes any acknowledgment for that of the message that it has sent last."""

    def receive(self, sender, content, now_ns):
        if isinstance(content, ACKS[self.name]) and self.unacknowledged:
            header = content.header._replace(count=max(self.unacknowledged))
            content = replace(content, header=header)
        return super().receive(sender, content, now_ns)


@mistake(cen, around=reliable)
class HearsTheNewest(Numbering):
    """Takes a message for a repetition if it has heard a later one of the same role."""

    def receive_with_header(self, sender, content, header, now_ns):
        heard = self.heard_of.get((sender, header.role))
        if heard is not None:
            heard.up_to = max(heard.up_to, *heard.beyond, 0) if heard.beyond else heard.up_to
        return super().receive_with_header(sender, content, header, now_ns)


_HERE = Path(__file__)
_THESIS, _PROTOCOLS = map(_HERE.with_name, ("mutants.py", "mutants_of_protocols.py"))
#: In what setting each is rare, so that walks whose steps are all equally likely take hundreds or
#: thousands until then; and the design without the mistake.
RACES = [
    (Setting(f"{_THESIS}:Overtaken", 3, 2), "CEN"),
    (Setting(f"{_PROTOCOLS}:ForgetsWhatIsFound", 3, 2), "RACK1"),
    (Setting(f"{_HERE}:BelievesOthers", 3, 2), "MAN"),
    (Setting(f"{_HERE}:OneReleasePerServer", 3, 3), "CEN"),
    (Setting(f"{_HERE}:EndsInTurn", 3, 2), "CEN"),
    (Setting(f"{_THESIS}:ForgetsGrants", 2, 2, "any", duplicates=1), "CLI"),
    (Setting(f"{_HERE}:SettlesFirst", 3, 2), "PROBE1"),
    (Setting(f"{_HERE}:TakesAnyAnswer", 3, 2), "SURVIVOR(lost_s=none)"),
    (Setting(f"{_HERE}:TakesAcksInTurn", 3, 2, losses=1, late_timers=True), "RELIABLE(CEN)"),
    (Setting(f"{_HERE}:HearsTheNewest", 2, 2, "any", late_timers=True), "RELIABLE(CEN)"),
]
