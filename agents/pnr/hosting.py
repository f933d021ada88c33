"""The host of a node's roles: who is asked about what happens, and in which order.

Pure, as roles are. Something happens (an input), and the host asks the roles that hear of it, one
after another. Each answers with effects, which whoever runs the host carries out before the next
one is asked: `servent.py` in an emulation, `model/pnr/explore` in a search, a test, or a process
that talks over sockets. Timers are theirs, too: the host hears when one fires.
"""

import inspect
from collections.abc import Callable, Collection, Iterable, Iterator, Mapping
from contextlib import suppress
from copy import deepcopy
from dataclasses import dataclass, replace
from itertools import chain
from pathlib import Path
from typing import Any, ClassVar, NamedTuple, cast, get_args

from agents.messages import Content
from agents.pnr.messages import Placed, Request
from agents.pnr.protocol import Protocol
from agents.pnr.role import (
    CancelTimer,
    Effect,
    Metrics,
    Note,
    Role,
    Send,
    SetTimer,
    Site,
    StartProcess,
    check_effects,
    readable,
)
from model.ground.errors import ProtocolMistake, cut, place_in
from model.ground.memory import Memory

_OURS = Path(__file__).parents[1]  # roles that users have not written are below it

# What happens. Each knows how a role is asked about it, and its occasion in words, for messages
# about errors.


class Started(NamedTuple):
    """The servent starts, for the first time or again."""

    @property
    def occasion(self) -> str:
        return "at its start"

    def ask(self, role: Role, now_ns: int) -> list[Effect]:
        return role.start(now_ns)


class Received(NamedTuple):
    """A message from the servent of node `sender` arrives."""

    sender: int
    content: Content
    header: object = None

    @property
    def role(self) -> str:
        return self.content.hears

    @property
    def occasion(self) -> str:
        return f"on {type(self.content).__name__}"

    def ask(self, role: Role, now_ns: int) -> list[Effect]:
        sender, content, header = self
        if header is None:
            return role.receive(sender, content, now_ns)
        return role.receive_with_header(sender, content, header, now_ns)


class TimerFired(NamedTuple):
    """A timer that a role has set fires."""

    role: str
    name: str

    @property
    def occasion(self) -> str:
        return f"on its timer {cut(self.name)}"

    def ask(self, role: Role, now_ns: int) -> list[Effect]:
        return role.timer(self.name, now_ns)


class Leaving(NamedTuple):
    """The node is leaving: it lends nothing new, and is gone at the deadline or later."""

    deadline_ns: int

    @property
    def occasion(self) -> str:
        return "when its node is leaving"

    def ask(self, role: Role, now_ns: int) -> list[Effect]:
        return role.leaving(self.deadline_ns)


class MemoryChanged(NamedTuple):
    """The demand of the node is another than before, because of something else."""

    @property
    def occasion(self) -> str:
        return "when its node's memory changed"

    def ask(self, role: Role, now_ns: int) -> list[Effect]:
        return role.memory_changed(now_ns)


CHANGED = MemoryChanged()
#: By which handler roles are asked.
_HANDLERS: Mapping[type, str] = {
    Started: "start",
    Received: "receive",
    TimerFired: "timer",
    Leaving: "leaving",
    MemoryChanged: "memory_changed",
}


@dataclass(frozen=True, slots=True)
class OfProcess:
    """Something becomes of a process of the node; the client is asked about it."""

    process: Placed

    handler: ClassVar[str]

    @property
    def occasion(self) -> str:
        return f"about rank {self.process.rank} of job {self.process.job}"

    def ask(self, role: Role, now_ns: int) -> list[Effect]:
        wanted: list[Effect] = getattr(role, self.handler)(self.process, now_ns)
        return wanted


class ProcessPlaced(OfProcess):
    """A process is on the node from now on, which has given it memory; it has not started."""

    handler = "process_placed"


class ProcessEnded(OfProcess):
    """A process of the node has ended, and its memory is free."""

    handler = "process_ended"


class ProcessLeft(OfProcess):
    """A process has moved to another node, and the memory that it had here is free."""

    handler = "process_left"


class ProcessArrived(OfProcess):
    """A process has come from another node; its memory was here before."""

    handler = "process_arrived"


class ProcessResized(NamedTuple):
    """A process of the node, or one that is on its way to it, holds another amount of memory."""


class Crashed(NamedTuple):
    """The servent loses its roles' state and timers; what the node holds, lends, borrows stays.

    If it is down `for_ever`, processes start without a grant from now on.
    """

    for_ever: bool = False


class NodeLost(NamedTuple):
    """The servent crashes with its node, which has lost its processes and its memory."""

    for_ever: bool = False


class Restarted(NamedTuple):
    """A crash is over; when no other lasts, new roles start, and learn of what is on the node."""


class Paused(NamedTuple):
    """The servent handles nothing from now on: all that happens waits."""


class Resumed(NamedTuple):
    """A pause is over; when no other lasts, all that has waited is handled, in its order."""


Heard = Started | Received | TimerFired | Leaving | OfProcess | ProcessResized
#: What roles are asked about.
Asked = Started | Received | TimerFired | Leaving | MemoryChanged | OfProcess
Fault = Crashed | NodeLost | Restarted | Paused | Resumed
Input = Heard | Fault
_FAULTS = get_args(Fault)


class Turn(NamedTuple):
    """What a role wants on an input, to be carried out before the next turn is taken.

    Turns of the host itself have no role: with what is to start, in a servent that stays down; and
    without effects but with its context, before those of an input that has waited.
    """

    role: Role | None
    effects: list[Effect]
    what: Input
    context: Any = None


def _place_of_users(found: type | Callable[..., object]) -> str:
    """Where a function or class of a user's stands; "" if it is ours, or nobody knows."""
    with suppress(Exception):  # there is no file, or no name
        file, (_, line) = inspect.getsourcefile(found), inspect.getsourcelines(found)
        if file is not None and not Path(file).is_relative_to(_OURS):
            return place_in(file, line, found.__name__)
    return ""


class Roles(dict[str, Role]):
    """The roles of a host, by name; a servent that is down has none."""

    def __missing__(self, name: str) -> Role:
        raise KeyError(f"no {name} here: the node has none, or its servent is down (see is_down)")


class Host:
    """The roles of one node, and what a servent must know besides.

    `memory` is the ledger of the node, which is whoever runs the host to keep as far as processes
    go. With `validates`, all roles keep their own rules whenever one has been asked; with `trusts`,
    as none is a user's, what they want is not checked.
    """

    validates = False
    trusts = False

    def __init__(
        self,
        protocol: Protocol,
        site: Site,
        manages: Collection[int],
        state: tuple[Any, ...] | None = None,
    ) -> None:
        """Roles of this protocol at this site; `manages` are the nodes that have a manager.

        With the `state` of another host, it goes on as that one does.
        """
        self.protocol = protocol
        self.site = site
        self.manages = manages
        self.memory = site.memory
        self.memory.nodes = site.nodes
        self.metrics = site.metrics  # counted of its roles, those before crashes included
        self.begins: Callable[[Role], None] = lambda role: None  # whoever is told of new roles
        self.crashes = 0  # of which it has not recovered
        self.for_ever = False  # whether it stays down
        self.missed: list[Placed] = []  # processes that ended while it was down
        self.pauses = 0
        self.leaving: Leaving | None = None  # once the node is
        self.waiting: list[tuple[Heard, Any]] = []  # what happens in a pause, with its context
        #: Processes on the node, by job and rank: what a client must know, and whether they have
        #: started.
        self.residents: dict[tuple[int, int], tuple[Placed, bool]] = {}
        self.asked: tuple[Role, Asked] | None = None  # who was asked last, and about what
        changes = [role.memory_changed for role in (protocol.server, protocol.client)]
        self._hear_of_memory = any(change is not Role.memory_changed for change in changes)
        if state is None:
            self.roles = self._new_roles()
        else:
            self._restore(state)

    def _new_roles(self) -> Roles:
        roles = Roles((name, kind(self.site)) for name, kind in self.role_types().items())
        for role in roles.values():
            self.begins(role)
        return roles

    def role_types(self) -> dict[str, type[Role]]:
        types: dict[str, type[Role]] = {"client": self.protocol.client}
        types["server"] = self.protocol.server
        if self.site.node in self.manages:
            types["manager"] = self.protocol.manager
        return types

    @property
    def node(self) -> int:
        return self.site.node

    def place_of(self, mistake: ProtocolMistake) -> str:
        """Where in a user's code it was made, or else where the handler or role that did it stands.

        Of roles that are no user's, there is no place: "".
        """
        if mistake.place or self.asked is None:
            return mistake.place
        role, what = self.asked
        name = what.handler if isinstance(what, OfProcess) else _HANDLERS[type(what)]
        handler = inspect.unwrap(getattr(type(role), name))
        return _place_of_users(handler) or _place_of_users(type(role))

    @property
    def is_down(self) -> bool:
        """Whether it has crashed, and nobody hears anything."""
        return self.crashes > 0

    @property
    def waits_for_start(self) -> bool:
        return any(type(role).start is not Role.start for role in self.roles.values())

    # What happens

    def happens(self, what: Input, now_ns: int, context: object = None) -> Iterable[Turn]:
        """Let something happen; gives the turns of the roles that hear of it, which must be taken.

        What comes in a pause gives none, and waits with its `context`, which comes back in its
        turns. Raises ProtocolMistake if a role wants what cannot be, and what roles raise; `asked`
        says which role it was, and about what.
        """
        if type(what) is Received and not (self.crashes or self.pauses):
            return self._turns(what, now_ns)  # as most often
        kind = type(what)
        if kind in _FAULTS:
            return self._fails(cast(Fault, what), now_ns, context)
        if type(what) is ProcessPlaced or type(what) is ProcessArrived:
            self.residents[what.process.key] = what.process, kind is ProcessArrived
        elif type(what) is ProcessEnded or type(what) is ProcessLeft:
            self.residents.pop(what.process.key, None)
        elif type(what) is Leaving:
            self.leaving = what
        heard = cast(Heard, what)
        if self.crashes:
            return self._unheard(heard)
        return self._turns_unless_paused(heard, now_ns, context)

    def _unheard(self, what: Heard) -> Iterable[Turn]:
        """Remember what happens while it is down, as far as new roles must hear of it."""
        if isinstance(what, ProcessEnded):
            self.missed.append(what.process)
        return self._start_alone(what)

    def _turns_unless_paused(self, what: Heard, now_ns: int, context: object) -> Iterable[Turn]:
        if self.pauses:
            self.waiting.append((what, context))
            return ()
        return self._turns(what, now_ns)

    def _turns(self, what: Heard, now_ns: int) -> Iterable[Turn]:
        """Ask those who hear of what happens, in order: here it stands, and nowhere else."""
        roles, kind = self.roles, type(what)
        if type(what) is Received or type(what) is TimerFired:
            demand = self.memory.demand
            turn = self._turn(roles[what.role], what, now_ns, what)
            if not self._hear_of_memory or self.memory.demand == demand:
                return (turn,)  # as most often: one role hears of it
            others = roles["server"], roles["client"]
            return chain((turn,), (self._turn(role, CHANGED, now_ns, what) for role in others))
        if isinstance(what, OfProcess) and not self._hear_of_memory:
            return (self._turn(roles["client"], what, now_ns, what),)
        order: list[tuple[Role, Any]] = [] if kind is ProcessResized else [(roles["client"], what)]
        if kind is Started or kind is Leaving:
            order = [(role, what) for role in roles.values()]
        elif self._hear_of_memory and kind is not ProcessArrived:
            order = [(roles["server"], CHANGED), *order, (roles["client"], CHANGED)]
        return (self._turn(role, asked, now_ns, what) for role, asked in order)

    def _turn(self, role: Role, asked: Asked, now_ns: int, what: Heard) -> Turn:
        """Ask a role because of `what`, and look at its answer; roles are called nowhere else."""
        self.asked = role, asked
        before = role.showing() if role.shows and type(asked) is not Started else {}
        effects = asked.ask(role, now_ns)
        if self.validates:
            self._validate(asked)
            self.asked = role, asked
        if self.validates or not self.trusts:
            check_effects(effects, self.site.nodes, self.manages)
        if role.shows:
            after = role.showing()
            changed = [name for name in after if after[name] != before.get(name)]
            notes = [Note(name, readable(getattr(role, name, None))) for name in changed]
            effects = [*effects, *notes]
        effects = [one for one in effects if type(one) is Send or self._takes(role, one)]
        return tuple.__new__(Turn, (role, effects, what, None))  # half of what a call takes

    def _validate(self, what: Asked) -> None:
        for role in self.roles.values():
            self.asked = role, what
            role.validate()

    def _takes(self, role: Role, effect: Effect) -> bool:
        """Note what a role wants besides messages; returns whether it is still to be done."""
        if isinstance(effect, StartProcess):
            return self._starts(effect)
        if self.waiting and isinstance(effect, SetTimer | CancelTimer):
            due = TimerFired(role.name, effect.name)
            self.waiting = [waits for waits in self.waiting if waits[0] != due]
        return True

    def _starts(self, start: StartProcess) -> bool:
        """Note that a process starts; returns False if it is no longer there."""
        process = self.meant(start)
        if process is None or process.attempt != start.attempt:
            return False
        if self.residents[process.key][1]:
            raise ProtocolMistake(f"starts the process of job {start.job} twice")
        self.residents[process.key] = process, True
        return True

    def meant(self, start: StartProcess) -> Placed | None:
        """The process that is to start: that of the rank, or else the first of the job here."""
        process, _ = self.residents.get((start.job, start.rank), (None, False))
        if process is not None:
            return process
        here = (process for process, _ in self.residents.values() if process.job == start.job)
        return next(here, None)

    # Crashes and pauses

    def _fails(self, what: Fault, now_ns: int, context: object) -> Iterable[Turn]:
        """Crash, pause, or go on after the last crash or pause is over."""
        match what:
            case Crashed() | NodeLost():
                return self._crash(what)
            case Restarted():
                self.crashes -= 1
                return () if self.crashes else self._restart(now_ns, context)
            case Paused():
                self.pauses += 1
                return ()
            case Resumed():
                self.pauses -= 1
                return () if self.pauses else self._resume(now_ns)

    def _crash(self, what: Crashed | NodeLost) -> Iterable[Turn]:
        self.crashes += 1
        self.for_ever |= what.for_ever
        if isinstance(what, NodeLost):
            self.residents.clear()
        if self.crashes == 1:
            self.roles = Roles()
            self.memory.asked.clear()
            waiting = [what for what, _ in self.waiting]
            self.missed = [one.process for one in waiting if isinstance(one, ProcessEnded)]
            self.waiting.clear()
        if isinstance(what, NodeLost):
            self.missed.clear()
        return self._start_alone(what)

    def _start_alone(self, what: Input) -> Iterable[Turn]:
        """If it stays down, have the processes start for which no client can ask."""
        if not self.for_ever:
            return ()
        waiting = [process for process, has_started in self.residents.values() if not has_started]
        starts: list[Effect] = [StartProcess.of(one) for one in waiting]
        self.residents |= {one.key: (one, True) for one in waiting}
        return (Turn(None, starts, what),) if starts else ()

    def _restart(self, now_ns: int, context: object) -> Iterator[Turn]:
        """Ask new roles about what is on the node, and what has ended there meanwhile."""
        self.site = replace(self.site, incarnation=self.site.incarnation + 1)
        self.asked = None
        self.roles = self._new_roles()
        yield from self._turns(Started(), now_ns)
        if self.leaving is not None:
            yield from self._turns_unless_paused(self.leaving, now_ns, context)
        missed, self.missed = self.missed, []
        for key in list(self.residents):
            process, has_started = self.residents[key]
            if not has_started:
                yield from self._turns_unless_paused(ProcessPlaced(process), now_ns, context)
        for process in missed:
            yield from self._turns_unless_paused(ProcessEnded(process), now_ns, context)

    def _resume(self, now_ns: int) -> Iterator[Turn]:
        while self.waiting:
            what, context = self.waiting.pop(0)
            yield Turn(None, [], what, context)
            yield from self._turns(what, now_ns)

    # Its state

    def state(self) -> tuple[object, ...]:
        """All that decides what it will want, as contents that can be compared and copied.

        Of its site it is the incarnation and what roles have stored, but not what was counted.
        """
        roles = {name: role.state() for name, role in self.roles.items()}
        crashed = self.site.incarnation, self.crashes, self.for_ever, self.missed
        paused = self.pauses, self.waiting, self.leaving
        return crashed, paused, self.residents, self.memory.state(), self.site.stored, roles

    def copy(self) -> "Host":
        """A host in the same state, with a ledger of its own; it goes on by itself."""
        memory: Memory[Request] = Memory(self.memory.ram)
        metrics = Metrics()
        site = replace(self.site, memory=memory, metrics=metrics, stored={})
        shared = self.site.parameters, self.site.tells
        memo: dict[int, Any] = {id(thing): thing for thing in shared}
        memo |= {id(self.site): site, id(self.memory): memory, id(self.metrics): metrics}
        return Host(self.protocol, site, self.manages, deepcopy(self.state(), memo))

    def _restore(self, state: tuple[Any, ...]) -> None:
        crashed, paused, self.residents, memory, stored, roles = state
        incarnation, self.crashes, self.for_ever, self.missed = crashed
        self.pauses, self.waiting, self.leaving = paused
        self.memory.restore(memory)
        self.site.stored.update(stored)
        if incarnation != self.site.incarnation:
            self.site = replace(self.site, incarnation=incarnation)
        types = self.role_types()
        self.roles = Roles((name, types[name].of(self.site, own)) for name, own in roles.items())
