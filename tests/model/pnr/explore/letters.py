"""Designs of which it is known by combinatorics how many states they have, whatever else happens.

The clients of two nodes send each other three letters at the beginning. No job asks for anything.
"""

from agents.pnr.protocol import Client, Protocol, Send, message
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


def design(nodes, name, client):
    made = dp(nodes)
    made.graph |= {"name": name, "protocol": Protocol(client=client)}
    return made


def counts(nodes):
    return design(nodes, "COUNTS", Counts)


def collects(nodes):
    return design(nodes, "COLLECTS", Collects)
