"""A bench for protocols: a few servents without network, whose messages go by hand.

bench = Bench(man(3), ram=10)
bench.place(1, {0: 14})     # job 1 has 14 bytes on node 0, of 10 that are there
bench.deliver("RamRequest")
bench.settle()              # all other messages, in the order in which they were sent
assert bench.started == [(0, 1)]
assert bench.memory(0).borrowed == 4
"""

from collections.abc import Mapping, Sequence
from typing import NamedTuple

import networkx as nx

from agents.messages import Content
from agents.pnr.beliefs import Shares
from agents.pnr.hosting import (
    Crashed,
    Host,
    Input,
    ProcessEnded,
    ProcessPlaced,
    Received,
    Restarted,
    Started,
    TimerFired,
)
from agents.pnr.messages import Placed, Request
from agents.pnr.protocol import Protocol
from agents.pnr.role import CancelTimer, Note, Role, Send, SetTimer, Site, StartProcess
from model.ground.memory import Memory


class InFlight(NamedTuple):
    """A message that was sent and has not arrived."""

    sender: int
    target: int
    content: Content
    header: object = None


class Bench:
    """The servents of a design, one a node, each with `ram` bytes, of which it lends `ram` less
    `threshold`; nodes that differ have each its own. They have started. Roles validate themselves
    after everything that happens.
    """

    def __init__(
        self, design: nx.DiGraph, ram: int | Sequence[int] = 10, threshold: int = 0, seed: int = 1
    ) -> None:
        protocol = design.graph.get("protocol", Protocol())
        self.managers = [node for node, has in design.nodes(data="manager", default=False) if has]
        self.messages: list[InFlight] = []  # in the order in which they were sent
        self.timers: dict[tuple[int, str, str], int] = {}  # node, role, name -> when it fires, ns
        self.started: list[tuple[int, int]] = []  # node and job of processes, in order
        self.notes: list[tuple[int, str, object]] = []  # node, name, value
        self.now_ns = 0
        self._placed: dict[int, dict[int, tuple[Placed, int]]] = {}  # job -> node
        self.hosts = []
        rams = [ram] * len(design) if isinstance(ram, int) else ram
        shares = Shares(rams) if design.graph.get("load") == "share" else None
        for node in range(len(design)):
            told = [one for one in self.managers if one != node]
            if design.graph.get("tells") != "all":
                told = sorted(design.successors(node))
            memory: Memory[Request] = Memory(rams[node])
            coordinated = design.graph.get("asks", "any") != "own"
            site = Site(
                memory,
                node,
                len(design),
                seed,
                threshold,
                coordinated=coordinated,
                tells=tuple(told),
                shares=shares,
                parameters=design.graph,
            )
            host = Host(protocol, site, self.managers)
            host.validates = True
            self.hosts.append(host)
        for node in range(len(design)):
            self.happens(node, Started())

    def role(self, node: int, name: str) -> Role:
        """The "client", "server" or "manager" of a node."""
        return self.hosts[node].roles[name]

    def memory(self, node: int) -> Memory[Request]:
        """The ledger of a node."""
        return self.hosts[node].memory

    def happens(self, node: int, what: Input) -> None:
        """Let something happen at a node, 1 ns after what was before; its messages wait."""
        self.now_ns += 1
        for turn in self.hosts[node].happens(what, self.now_ns):
            for effect in turn.effects:
                role = "" if turn.role is None else turn.role.name
                match effect:
                    case Send(target, content, header):
                        self.messages.append(InFlight(node, target, content, header))
                    case StartProcess(job):
                        self.started.append((node, job))
                    case SetTimer(name, after_ns):
                        self.timers[node, role, name] = self.now_ns + after_ns
                    case CancelTimer(name):
                        self.timers.pop((node, role, name), None)
                    case Note(name, value):
                        self.notes.append((node, name, value))

    def place(self, job: int, sizes: Mapping[int, int], manager: int | None = None) -> None:
        """Place a job with processes of these sizes, by node; their clients ask this manager.

        Without one they ask the first that there is, or each its own if the design is not
        coordinated.
        """
        own = not self.hosts[0].site.coordinated
        self._placed[job] = {}
        for rank, (node, size) in enumerate(sizes.items()):
            first = node if own else self.managers[0] if self.managers else None
            asked = first if manager is None and self.managers else manager
            process = Placed(job, rank, 1 if own else len(sizes), asked)
            self._placed[job][node] = process, size
            self.memory(node).allocate(job, size)
            self.happens(node, ProcessPlaced(process))

    def end(self, job: int) -> None:
        """End all processes of a job."""
        for node, (process, _) in self._placed.pop(job).items():
            self.memory(node).free(job)
            self.happens(node, ProcessEnded(process))

    def take(self, kind: str | None = None, sender: int | None = None) -> InFlight:
        """Take the first message, of this kind and from this node if they are given, off its way.

        It is lost, unless it is given to `arrive`, once or several times.
        """
        for place, (source, _, content, _) in enumerate(self.messages):
            if kind in (None, type(content).__name__) and sender in (None, source):
                return self.messages.pop(place)
        kinds = ", ".join(type(message.content).__name__ for message in self.messages)
        raise AssertionError(f"no {kind or 'message'} is on its way; there are: {kinds or 'none'}")

    def arrive(self, message: InFlight) -> None:
        """Let a message arrive; a servent that is down does not hear it."""
        sender, target, content, header = message
        if not self.hosts[target].is_down:
            self.happens(target, Received(sender, content, header))

    def deliver(self, kind: str | None = None, sender: int | None = None) -> Content:
        """Let the first message arrive, as `take` takes it."""
        message = self.take(kind, sender)
        self.arrive(message)
        return message.content

    def settle(self, most: int = 1000) -> None:
        """Let all messages arrive, and those sent in answer; AssertionError if that has no end."""
        for _ in range(most):
            if not self.messages:
                return
            self.deliver()
        raise AssertionError(f"after {most} messages there is still one on its way")

    def fire(self, node: int, name: str | None = None) -> None:
        """Let the first timer of a node fire, or that of this name, when it is due."""
        due = [(due, key) for key, due in self.timers.items() if key[0] == node]
        own = [(due, key) for due, key in sorted(due) if name in (None, key[2])]
        if not own:
            raise AssertionError(f"node {node} has set no timer{f' {name!r}' if name else ''}")
        due_ns, (_, role, called) = own[0]
        del self.timers[node, role, called]
        self.now_ns = max(self.now_ns, due_ns - 1)
        self.happens(node, TimerFired(role, called))

    def crash(self, node: int) -> None:
        """Let the servent of a node crash: roles and timers are gone, what it lends stays."""
        self.timers = {key: due for key, due in self.timers.items() if key[0] != node}
        self.happens(node, Crashed())

    def restart(self, node: int) -> None:
        """Let it start again."""
        self.happens(node, Restarted())
