"""Designs whose roles count for ever."""

from agents.messages import Content
from agents.pnr.messages import ServerRequest
from agents.pnr.protocol import CancelTimer, Manager, Send, Server, SetTimer, message
from model.ground.units import NS_PER_S
from tests.model.pnr.explore.mistakes import mistake
from topologies.managers.cen import cen
from topologies.managers.dp import dp


class AsksAgain(Manager):
    """Asks a server that has refused again, at once, with a new id."""

    def _replied(self, server, reply, now_ns):
        if reply.request in self.asked and not reply.granted:
            run, request = self.asked.pop(reply.request), self.new_request()
            self.asked[request] = run
            missing = self.allocations[run].missing
            return [Send(server, ServerRequest(run[0], missing, request))]
        return super()._replied(server, reply, now_ns)


@message("telling", hears="server", size_bytes=64)
class Beat(Content):
    """Server -> the next server: it is there."""

    number: int


class Beats(Server):
    """Sends numbered heartbeats, and keeps the last number that it has heard."""

    def __init__(self, site):
        super().__init__(site)
        self.beats = 0
        self.heard = {}

    def start(self, now_ns):
        return [SetTimer("beat", NS_PER_S)]

    def timer(self, name, now_ns):
        self.beats += 1
        return [SetTimer("beat", NS_PER_S), Send((self.node + 1) % self.nodes, Beat(self.beats))]

    def receive(self, sender, content, now_ns):
        if not isinstance(content, Beat):
            return super().receive(sender, content, now_ns)
        if content.number > self.heard.get(sender, 0):
            self.heard[sender] = content.number
        return []


class SaysTwice(Server):
    """Repeats its message once, while another timer is set."""

    def start(self, now_ns):
        timers = [SetTimer("again", NS_PER_S), SetTimer("other", 2 * NS_PER_S)]
        return [*timers, *self.timer("again", now_ns)]

    def timer(self, name, now_ns):
        return [Send((self.node + 1) % self.nodes, Beat(0))] if name == "again" else []

    def receive(self, sender, content, now_ns):
        return [] if isinstance(content, Beat) else super().receive(sender, content, now_ns)


class Remainders(Beats):
    """Does something else at every third heartbeat."""

    def timer(self, name, now_ns):
        effects = super().timer(name, now_ns)
        return effects if self.beats % 3 else effects[:1]


class LooksBack(Beats):
    """Does something else once there were three heartbeats."""

    def timer(self, name, now_ns):
        effects = super().timer(name, now_ns)
        return effects[:1] if self.beats - 3 == 0 else effects


class Reads(Beats):
    """Has the number of its next heartbeat in the name of its timer, and reads it there."""

    def start(self, now_ns):
        return [SetTimer("beat 1", NS_PER_S)]

    def timer(self, name, now_ns):
        self.beats = int(name.split()[1])
        return [SetTimer(f"beat {self.beats + 1}", NS_PER_S)]


class StopsAndWaits(Server):
    """Node 0 sends node 1 a numbered message once the one before is acknowledged."""

    def __init__(self, site):
        super().__init__(site)
        self.next = self.expected = 1

    def start(self, now_ns):
        return self._send() if self.node == 0 else []

    def _send(self):
        return [Send(1, Beat(self.next)), SetTimer(f"repeat {self.next}", 2 * NS_PER_S)]

    def timer(self, name, now_ns):
        return self._send()

    def receive(self, sender, content, now_ns):
        if not isinstance(content, Beat):
            return super().receive(sender, content, now_ns)
        if self.node == 1:
            self.expected += content.number == self.expected
            return [Send(sender, Beat(content.number))]
        if content.number != self.next:
            return []
        self.next += 1
        return [CancelTimer(f"repeat {content.number}"), SetTimer("pause", NS_PER_S)]


class SkipsOne(StopsAndWaits):
    """Expects the next but one."""

    def receive(self, sender, content, now_ns):
        effects = super().receive(sender, content, now_ns)
        self.require(content.number < self.expected, "a number is missing")
        self.expected += 1
        return effects


asks_again = mistake(cen)(AsksAgain)
beats = mistake(dp)(Beats)
stops_and_waits = mistake(dp)(StopsAndWaits)
skips_one = mistake(dp)(SkipsOne)
remainders = mistake(dp)(Remainders)
looks_back = mistake(dp)(LooksBack)
reads = mistake(dp)(Reads)
says_twice = mistake(dp)(SaysTwice)
