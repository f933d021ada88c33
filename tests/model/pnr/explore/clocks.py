"""Designs whose clients calculate with times."""

from agents.pnr.protocol import Client, Protocol, SetTimer
from topologies.managers.dp import dp

SECOND = 10**9


def design(nodes, name, client):
    made = dp(nodes)
    made.graph |= {"name": name, "protocol": Protocol(client=client)}
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
