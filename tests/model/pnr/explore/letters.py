"""Designs of which it is known by combinatorics how many states they have, whatever else happens.

The clients of two nodes send each other three letters at the beginning. No job asks for anything.
"""

from agents.pnr.protocol import Client, Send, message
from tests.model.pnr.explore.mistakes import mistake
from topologies.managers.dp import dp


@message("telling", hears="client", size_bytes=64)
class Letter:
    """Client -> the other client: a letter."""

    letter: str


class Counts(Client):
    """Counts the letters that it gets."""

    got = 0

    def start(self, now_ns):
        return [Send(1 - self.node, Letter(letter)) for letter in "abc"]

    def receive(self, sender, content, now_ns):
        self.got += 1
        return []


class Collects(Counts):
    """Keeps the letters that it gets, in whatever order."""

    got = frozenset()

    def receive(self, sender, content, now_ns):
        self.got |= {content.letter}
        return []


counts = mistake(dp)(Counts)
collects = mistake(dp)(Collects)
