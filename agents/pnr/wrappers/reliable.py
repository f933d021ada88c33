"""RELIABLE(…): every message of a design arrives at least once and is handed over only once.

Each role that sends numbers its messages to other nodes; the receiver acknowledges each, and drops
those that it has seen. What is not acknowledged is sent again after 1 s, then after twice as long
each time, eight times in all, and then given up. This is the end-to-end argument (Saltzer, Reed and
Clark, 1984) with the at-most-once filter of remote procedure calls (Birrell and Nelson, 1984). What
a role knows about its messages dies with its servent: numbers carry its incarnation, and messages
of an older incarnation than the newest heard of are dropped.
"""

from dataclasses import dataclass, field
from typing import NamedTuple

import networkx as nx

from agents.messages import Carried, Content, message
from agents.pnr.messages import Placed
from agents.pnr.parameters import Count, Seconds
from agents.pnr.protocol import Client, Protocol
from agents.pnr.role import CancelTimer, Effect, Note, Role, Send, SetTimer, Site

_LONGEST_S = 10**9  # for which a timer is set


def reliable(
    design: nx.DiGraph, *, repeat_after_s: Seconds = 1, backoff: Count = 2, sends: Count = 8
) -> nx.DiGraph:
    """The design with numbered, acknowledged and repeated messages.

    The time until a message is repeated grows by the factor `backoff`. Raises ValueError for a
    design whose messages have headers already, and if that time grows beyond all.
    """
    if backoff > 1 and (sends > 100 or backoff ** (sends - 1) > _LONGEST_S / repeat_after_s):
        raise ValueError(
            f"{sends} sends with a backoff of {backoff} wait for more than {_LONGEST_S:.0e} s; "
            "take fewer or less"
        )
    inner = design.graph.get("protocol", Protocol())
    if inner.has_headers:
        raise ValueError(f"{design.name} numbers its messages already")
    graph = design.copy()
    graph.graph |= {
        "name": f"RELIABLE({design.name})",
        "protocol": inner.wrapped(NumberingClient, Numbering, Numbering),
        "repeat_after_s": repeat_after_s,
        "backoff": backoff,
        "sends": sends,
    }
    return graph


class Header(NamedTuple):
    """What distinguishes one message of a role from another."""

    role: str
    incarnation: int
    count: int  # type: ignore[assignment]  # it hides the method of tuples


@message("reliability", hears="client", size_bytes=64)
class ClientAck(Content):
    """Receiver -> client: your message with this header has arrived."""

    header: Header


@message("reliability", hears="server", size_bytes=64)
class ServerAck(Content):
    """Receiver -> server: your message with this header has arrived."""

    header: Header


@message("reliability", hears="manager", size_bytes=64)
class ManagerAck(Content):
    """Receiver -> manager: your message with this header has arrived."""

    header: Header


ACKS: dict[str, type[ClientAck | ServerAck | ManagerAck]] = {
    "client": ClientAck,
    "server": ServerAck,
    "manager": ManagerAck,
}


class Unacknowledged(NamedTuple):
    """A message that may have to be sent again, and how often it was sent."""

    target: int
    content: Content
    sends: int


@dataclass
class Heard:
    """What has come from one role of another servent: all up to `up_to`, and some beyond."""

    incarnation: int
    up_to: int = 0
    beyond: dict[int, None] = field(default_factory=dict)

    def is_new(self, header: Header) -> bool:
        """Whether a message was never heard before; from now on it was."""
        if header.incarnation > self.incarnation:
            self.incarnation, self.up_to, self.beyond = header.incarnation, 0, {}
        elif header.incarnation < self.incarnation:
            return False
        if header.count <= self.up_to or header.count in self.beyond:
            return False
        self.beyond[header.count] = None
        while self.up_to + 1 in self.beyond:
            self.up_to += 1
            del self.beyond[self.up_to]
        return True


class Numbering(Role):
    """Numbers messages to other nodes, repeats them until acknowledged, and delivers each once.

    It stands before the role itself.
    """

    def __init__(self, site: Site) -> None:
        super().__init__(site)
        self.repeat_after_ns = self.parameter_ns("repeat_after_s")
        self.sends = self.parameters["sends"]
        self.sent = 0  # messages numbered so far
        self.unacknowledged: dict[int, Unacknowledged] = {}  # by count
        self.heard_of: dict[tuple[int, str], Heard] = {}  # sender and its role

    def start(self, now_ns: int) -> list[Effect]:
        return self._number(super().start(now_ns))

    def leaving(self, deadline_ns: int) -> list[Effect]:
        return self._number(super().leaving(deadline_ns))

    def memory_changed(self, now_ns: int) -> list[Effect]:
        return self._number(super().memory_changed(now_ns))

    def receive(self, sender: int, content: Content, now_ns: int) -> list[Effect]:
        """Take an acknowledgment; anything else without a header comes from this node itself."""
        if isinstance(content, ACKS[self.name]):
            header = content.header
            current = header.incarnation == self.site.incarnation
            if not current or self.unacknowledged.pop(header.count, None) is None:
                return self.ignore(content)
            return [CancelTimer(_again(header.count))]
        return self._number(super().receive(sender, content, now_ns))

    def receive_with_header(
        self, sender: int, content: Content, header: Header, now_ns: int
    ) -> list[Effect]:
        """Acknowledge a message, and hand it over if it is new."""
        whose = sender, header.role
        heard = self.heard_of.setdefault(whose, Heard(header.incarnation))
        acknowledge: list[Effect] = [Send(sender, ACKS[header.role](header))]
        if not heard.is_new(header):
            self.metrics.ignored += 1
            return acknowledge
        return acknowledge + self._number(super().receive(sender, content, now_ns))

    def holds(self) -> Carried | None:
        """It may not say: a message that is repeated is on its way twice."""
        return None

    def timer(self, name: str, now_ns: int) -> list[Effect]:
        """Send again what was not acknowledged, or give it up; other timers are the role's own."""
        for count, (target, content, sends) in self.unacknowledged.items():
            if _again(count) != name:
                continue
            if sends == self.sends:
                del self.unacknowledged[count]
                self.metrics.given_up += 1
                return [Note("gives up", {"to": target, "what": type(content).__name__})]
            self.unacknowledged[count] = Unacknowledged(target, content, sends + 1)
            return self._send(target, content, count, sends)
        return self._number(super().timer(name, now_ns))

    def _number(self, effects: list[Effect]) -> list[Effect]:
        numbered: list[Effect] = []
        for effect in effects:
            if not isinstance(effect, Send) or effect.target == self.node:
                numbered.append(effect)
                continue
            self.sent += 1
            self.unacknowledged[self.sent] = Unacknowledged(effect.target, effect.content, 1)
            numbered += self._send(effect.target, effect.content, self.sent, 0)
        return numbered

    def _send(self, target: int, content: Content, count: int, repeated: int) -> list[Effect]:
        header = Header(self.name, self.site.incarnation, count)
        after_ns = self.repeat_after_ns * self.parameters["backoff"] ** repeated
        wait = SetTimer(_again(count), after_ns)
        return [Send(target, content, header), wait]


class NumberingClient(Numbering, Client):
    """Numbers also what a client sends about processes."""

    def process_placed(self, process: Placed, now_ns: int) -> list[Effect]:
        return self._number(super().process_placed(process, now_ns))

    def process_ended(self, process: Placed, now_ns: int) -> list[Effect]:
        return self._number(super().process_ended(process, now_ns))

    def process_left(self, process: Placed, now_ns: int) -> list[Effect]:
        return self._number(super().process_left(process, now_ns))

    def process_arrived(self, process: Placed, now_ns: int) -> list[Effect]:
        return self._number(super().process_arrived(process, now_ns))


def _again(count: int) -> str:
    return f"send {count} again"
