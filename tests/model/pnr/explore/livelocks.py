"""Designs that keep themselves busy for ever while somebody waits."""

from agents.messages import Content
from agents.pnr.messages import RamRequest, ServerRequest
from agents.pnr.protocol import Manager, Send, message
from tests.model.pnr.explore.mistakes import mistake
from topologies.managers.cen import cen
from topologies.managers.man import man


class AsksTheSame(Manager):
    """Asks a server that has refused again, at once; it answers a repeated request as before."""

    def _replied(self, server, reply, now_ns):
        if reply.request in self.asked and not reply.granted:
            run = self.asked[reply.request]
            missing = self.allocations[run].missing
            return [Send(server, ServerRequest(run[0], missing, reply.request))]
        return super()._replied(server, reply, now_ns)


@message("telling", hears="manager", size_bytes="protocol")
class Token(Content):
    """Manager -> the next manager: now it is your turn."""


class TakesTurns(Manager):
    """Takes up requests only when the token comes by, which goes round for ever."""

    def __init__(self, site):
        super().__init__(site)
        self.queue = []

    def _pass_on(self):
        return Send((self.node + 1) % self.site.nodes, Token())

    def start(self, now_ns):
        return [self._pass_on()] if self.node == 0 else []

    def receive(self, sender, content, now_ns):
        if isinstance(content, RamRequest):
            self.queue.append((sender, content))
            return []
        if isinstance(content, Token):
            taken, self.queue = self.take_up(self.queue), []
            effects = [it for one in taken for it in super(TakesTurns, self).receive(*one, now_ns)]
            return [*effects, self._pass_on()]
        return super().receive(sender, content, now_ns)

    def take_up(self, queue):
        return queue


class TakesUpOne(TakesTurns):
    """Of several requests that wait for the token it takes up the first, and forgets the others."""

    def take_up(self, queue):
        return queue[:1]


asks_the_same = mistake(cen)(AsksTheSame)
takes_turns = mistake(man)(TakesTurns)
takes_up_one = mistake(man)(TakesUpOne)
