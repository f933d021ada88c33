"""A protocol: three roles, which a servent hosts on each node; and all that is needed to write one.

A design's graph names its protocol, `graph.graph["protocol"] = Protocol(manager=Mine)`; roles that
are not named are the thesis's. See README.md.
"""

from dataclasses import dataclass
from typing import TypeVar

from agents.messages import Content, message
from agents.pnr.client import Client
from agents.pnr.manager import Manager
from agents.pnr.role import (
    ByLoad,
    CancelTimer,
    Decided,
    Effect,
    Note,
    Role,
    Send,
    SetTimer,
    Site,
    StartProcess,
)
from agents.pnr.server import Server

__all__ = [
    "ByLoad",
    "CancelTimer",
    "Client",
    "Content",
    "Decided",
    "Effect",
    "Manager",
    "Note",
    "Protocol",
    "Role",
    "Send",
    "Server",
    "SetTimer",
    "Site",
    "StartProcess",
    "message",
]


R = TypeVar("R", bound=Role)


@dataclass(frozen=True)
class Protocol:
    """The classes of a design's roles, each derived from the thesis's role, its default."""

    client: type[Client] = Client
    server: type[Server] = Server
    manager: type[Manager] = Manager

    @property
    def has_headers(self) -> bool:
        """Whether its roles add headers to their messages."""
        return self.client.receive_with_header is not Role.receive_with_header

    def wrapped(self, client: type[Role], server: type[Role], manager: type[Role]) -> "Protocol":
        """This protocol, its roles wrapped in these classes, which call them by `super`."""
        return Protocol(
            _around(self.client, client),
            _around(self.server, server),
            _around(self.manager, manager),
        )


def _around(role: type[R], outer: type[Role]) -> type[R]:
    return type(role.__name__, (outer, role), {"__module__": outer.__module__})
