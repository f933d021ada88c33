"""A rule of a user's own for messages that go wrong."""

from model.pnr.faults import Deliver, Drop, Pass


def rule(message, now_ns):
    if message.number % 7 == 3:
        return Drop()
    return Deliver(500_000) if message.source < message.target else Pass()
