"""Designs whose clients calculate with times."""

from agents.pnr.protocol import Client, Manager, Protocol, Send, SetTimer, message
from topologies.managers.dp import dp
from topologies.managers.man import man

SECOND = 10**9


def design(nodes, name, client, graph=dp, **roles):
    made = graph(nodes)
    made.graph |= {"name": name, "protocol": Protocol(client=client, **roles)}
    return made


class StopsInTime(Client):
    """Wakes up every 10 s, and for the last time at 25 s."""

    def start(self, now_ns):
        self.until = now_ns + 25 * SECOND
        return [SetTimer("wake", 10 * SECOND)]

    def timer(self, name, now_ns):
        left = int(self.until - now_ns)
        if left < 0:
            raise ValueError("too late")
        return [SetTimer("wake", min(left, 10 * SECOND))] if left else []


def stops_in_time(nodes):
    return design(nodes, "STOPS-IN-TIME", StopsInTime)


class FailsLater(Client):
    """Wakes up every 10 s, and fails after a minute."""

    def start(self, now_ns):
        return [SetTimer("wake", 10 * SECOND)]

    def timer(self, name, now_ns):
        if now_ns >= 60 * SECOND:
            raise ValueError("too late")
        return [SetTimer("wake", 10 * SECOND)]


def fails_later(nodes):
    return design(nodes, "FAILS-LATER", FailsLater)


@message("telling", hears="manager", size_bytes=64)
class Letter:
    """Client -> a manager: one letter, and when it was written."""

    letter: str
    written_ns: int


class Writes(Client):
    """On node 1 it sends six letters when a process starts; on node 0 a timer looks at the time."""

    def start(self, now_ns):
        return [SetTimer("look", SECOND)] if self.node == 0 else []

    def timer(self, name, now_ns):
        assert now_ns % 7 < 7
        return []

    def process_placed(self, process, now_ns):
        return [Send(0, Letter(letter, now_ns)) for letter in "abcdef" if self.node == 1]


class Reads(Manager):
    """Fails with what six letters spell in the order in which they arrive."""

    read = ""

    def receive(self, sender, content, now_ns):
        self.read += content.letter
        if len(self.read) == 6:
            raise ValueError(f"it reads {self.read}")
        return []


def spells(nodes):
    return design(nodes, "SPELLS", Writes, man, manager=Reads)
