"""Designs with one mistake each that shows in few orders only: for random walks."""

from dataclasses import replace
from pathlib import Path

import numpy as np

from agents.pnr.messages import LoadBroadcast, ReleaseAck
from agents.pnr.protocol import Manager, Protocol, Server
from agents.pnr.protocols.probe import Lender, Prober, probe
from agents.pnr.protocols.survivor import Survivor, Witness, survivor
from agents.pnr.wrappers.reliable import ACKS, Numbering, NumberingClient, reliable
from model.pnr.explore.setting import Setting
from topologies.managers.cen import cen
from topologies.managers.cli import cli
from topologies.managers.man import man


def design(graph, name, **roles):
    graph.graph |= {"name": name, "protocol": Protocol(**roles)}
    return graph


class ForgetsAnswers(Server):
    """Forgets its answer to a request once the memory is back: a late repetition lends again."""

    def take_back(self, release):
        super().take_back(release)
        for request, _ in release.parts:
            self.granted.pop(request, None)


def late_repetition(nodes):
    return design(cli(nodes), "LATE-REPETITION", server=ForgetsAnswers)


class TakesAnyAnswer(Survivor):
    """Takes an answer of the server that it asks, be it to another question."""

    def receive(self, sender, content, now_ns):
        for search in self.searches.values():
            if search.asked is not None and search.asked[0] == sender:
                search.asked = sender, content.request
        return super().receive(sender, content, now_ns)


def answer_to_another(nodes):
    roles = {"client": TakesAnyAnswer, "server": Witness}
    return design(survivor(nodes, lost_s=None), "ANSWER-TO-ANOTHER", **roles)


class EndsInTurn(Manager):
    """Takes an acknowledgment for one of the release that has begun last."""

    def receive(self, sender, content, now_ns):
        if isinstance(content, ReleaseAck) and self.releasing:
            run = list(self.releasing.values())[-1]
            self.releasing[content.request] = run
        return super().receive(sender, content, now_ns)


def acks_in_turn(nodes):
    return design(cen(nodes), "ACKS-IN-TURN", manager=EndsInTurn)


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


def two_releases_at_once(nodes):
    return design(cen(nodes), "TWO-RELEASES", manager=OneReleasePerServer)


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


def told_while_asking(nodes):
    return design(man(nodes), "TOLD-WHILE-ASKING", manager=BelievesOthers)


class SettlesFirst(Lender):
    """Takes back what it lends to a client that asks again: wrong if that uses both loans."""

    def lend(self, amount, request):
        for older in list(self.memory.lent_for):
            if older.node == request.node and older != request:
                self.memory.take_back(self.memory.lent, older)
        return super().lend(amount, request)


def asked_again_too_soon(nodes):
    return design(probe(nodes, 1), "ASKED-AGAIN", client=Prober, server=SettlesFirst)


class UnawareOfLoans(Witness):
    """Checks nothing after a crash that it lent before."""

    def start(self, now_ns):
        return []


def returned_while_down(nodes):
    roles = {"client": Survivor, "server": UnawareOfLoans}
    return design(survivor(nodes, lost_s=None), "RETURNED-WHILE-DOWN", **roles)


class TakesAcksInTurn(Numbering):
    """Takes any acknowledgment for that of the message that it has sent last."""

    def receive(self, sender, content, now_ns):
        if isinstance(content, ACKS[self.name]) and self.unacknowledged:
            header = content.header._replace(count=max(self.unacknowledged))
            content = replace(content, header=header)
        return super().receive(sender, content, now_ns)


class AckedClient(TakesAcksInTurn, NumberingClient):
    pass


class AckedServer(TakesAcksInTurn, Server):
    pass


class AckedManager(TakesAcksInTurn, Manager):
    pass


def ack_of_another(nodes):
    roles = {"client": AckedClient, "server": AckedServer, "manager": AckedManager}
    return design(reliable(cen(nodes)), "ACK-OF-ANOTHER", **roles)


class HearsTheNewest(Numbering):
    """Takes a message for a repetition if it has heard a later one of the same role."""

    def receive_with_header(self, sender, content, header, now_ns):
        heard = self.heard_of.get((sender, header.role))
        if heard is not None:
            heard.up_to = max(heard.up_to, *heard.beyond, 0) if heard.beyond else heard.up_to
        return super().receive_with_header(sender, content, header, now_ns)


class NewestClient(HearsTheNewest, NumberingClient):
    pass


class NewestServer(HearsTheNewest, Server):
    pass


class NewestManager(HearsTheNewest, Manager):
    pass


def overtaken_and_dropped(nodes):
    roles = {"client": NewestClient, "server": NewestServer, "manager": NewestManager}
    return design(reliable(cen(nodes)), "OVERTAKEN", **roles)


_HERE = Path(__file__)
_PROTOCOLS = _HERE.with_name("mutants_of_protocols.py")
#: Each is rare: walks whose steps are all equally likely take hundreds or thousands until then.
RACES = {
    setting.declared.split(":")[1]: setting
    for setting in (
        Setting(f"{_HERE.with_name('mutants.py')}:planted_race", 3, 2),
        Setting(
            f"{_HERE.with_name('mutants_of_protocols.py')}:forgets_what_a_rack_has_found", 3, 2
        ),
        Setting(f"{_HERE}:told_while_asking", 3, 2),
        Setting(f"{_HERE}:two_releases_at_once", 3, 3),
        Setting(f"{_HERE}:acks_in_turn", 3, 2),
        Setting(f"{_HERE}:late_repetition", 2, 2, "any", duplicates=1),
        Setting(f"{_HERE}:asked_again_too_soon", 3, 2),
        Setting(f"{_HERE}:returned_while_down", 3, 1, crashes=1, late_timers=True),
        Setting(f"{_HERE}:answer_to_another", 3, 2),
        Setting(f"{_HERE}:ack_of_another", 3, 2, losses=1, late_timers=True),
        Setting(f"{_HERE}:overtaken_and_dropped", 2, 2, "any", late_timers=True),
    )
}
