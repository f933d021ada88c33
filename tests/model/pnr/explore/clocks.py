"""Designs whose clients calculate with times."""

from agents.pnr.protocol import Client, Manager, Send, SetTimer, message
from tests.model.pnr.explore.mistakes import design, mistake
from topologies.managers.dp import dp
from topologies.managers.man import man

SECOND = 10**9


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


class FailsLater(Client):
    """Wakes up every 10 s, and fails after a minute."""

    def start(self, now_ns):
        return [SetTimer("wake", 10 * SECOND)]

    def timer(self, name, now_ns):
        if now_ns >= 60 * SECOND:
            raise ValueError("too late")
        return [SetTimer("wake", 10 * SECOND)]


@message("telling", hears="manager", size_bytes=64)
class Letter:
    """Client -> a manager: one letter, and when it was written."""

    letter: str
    written_ns: int


class Writes(Client):
    """Sends four letters when a process starts on node 1; on node 0 a timer looks at the time."""

    def start(self, now_ns):
        return [SetTimer("look", SECOND)] if self.node == 0 else []

    def timer(self, name, now_ns):
        assert now_ns % 7 < 7
        return []

    def process_placed(self, process, now_ns):
        return [Send(0, Letter(letter, now_ns)) for letter in "abcd" if self.node == 1]


class Reads(Manager):
    """Fails with what four letters spell in the order in which they arrive."""

    read = ""

    def receive(self, sender, content, now_ns):
        self.read += content.letter
        if len(self.read) == 4:
            raise ValueError(f"it reads {self.read}")
        return []


def spells(nodes):
    return design(man(nodes), client=Writes, manager=Reads)


stops_in_time = mistake(dp)(StopsInTime)
fails_later = mistake(dp)(FailsLater)
