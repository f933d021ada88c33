"""What has to hold in every step, and what must be seen for a search to prove anything.

A property is a function of (before, step, after) that returns a complaint, or None. `before` and
`after` are a `Look` at a state. Rules that a servent breaks while it handles something (it lends
what is not free, starts a process twice, raises an error, breaks its own rules) end the step there:
`host.py`.
"""

import re
from collections.abc import Callable
from functools import cached_property
from inspect import isfunction, signature
from typing import Any

from agents.messages import astray_in_words
from agents.pnr.hosting import Host
from agents.pnr.messages import Placed
from model.core.names import file_of, is_file_name
from model.core.users_code import guarded, module_of
from model.ground.errors import InputError
from model.ground.units import memory_in_words
from model.pnr.explore.host import amounts_of
from model.pnr.explore.monitors import FIRST_BIT
from model.pnr.explore.numbers import plain
from model.pnr.explore.parts import Channel, Node
from model.pnr.explore.reactions import DENIED, PARTIAL
from model.pnr.explore.setting import Setting
from model.pnr.explore.steps import DELIVER, FIRE, Step
from model.pnr.explore.world import State, Taken, World

_MOST_FIRINGS = 64  # of timers, until all that they do has come round
_LONGEST = 10_000  # deliveries that may follow a timer


class Look:
    """A state to look at: nodes, messages on their way, timers."""

    def __init__(self, world: World, state: State, is_after: bool = False) -> None:
        self.world = world
        self.state = state
        self.is_after = is_after

    @cached_property
    def nodes(self) -> list[Host]:
        """Each node with its `memory`, `roles`, `residents` by job and rank, and `is_down`."""
        host, is_after = self.world.host, self.is_after
        return [host(self.state, node.number, is_after) for node in self.state.nodes]

    @cached_property
    def messages(self) -> list[tuple[int, int, object]]:
        """Those on their way: sender, receiver, content."""
        return [
            (it.source, it.target, self.world.content(self.state, it, self.is_after)[0])
            for channel in self.state.channels
            for it in channel.messages
        ]

    @property
    def timers(self) -> list[tuple[int, str, str]]:
        """Those that are set: node, role, name."""
        return [
            (node.number, timer.role, timer.name)
            for node in self.state.nodes
            for timer in node.timers
        ]

    def process(self, node: int, job: int) -> Placed | None:
        """A process that has not ended, on a node: the first of the job there."""
        return next((it for it, _ in self.nodes[node].residents.values() if it.job == job), None)


Property = Callable[[Look, Step, Look], str | None]


def lent_covers_borrowed(before: Look, step: Step, after: Look) -> str | None:
    """Nobody borrows from a server more than it lends; what a node has lent that is gone is on the
    disks of its borrowers, also of those that have not yet heard that they borrow it."""
    for one, other in zip(before.state.nodes, after.state.nodes, strict=True):
        if one is not other and one.summary[:2] != other.summary[:2]:
            break
    else:
        return None  # nobody lends or borrows other amounts than before
    borrowed: dict[int, int] = {}
    summaries = [node.summary for node in after.state.nodes]
    for summary in summaries:
        for server, amount in summary.loans:
            borrowed[server] = borrowed.get(server, 0) + amount
    for server, amount in borrowed.items():
        if amount > summaries[server].lent and not summaries[server].is_gone:
            more, lent = memory_in_words(amount), memory_in_words(summaries[server].lent)
            return f"{more} of node {server} are borrowed, but it lends {lent}"
    return None


def none_lent_is_lost(before: Look, step: Step, after: Look) -> str | None:
    """As long as nothing was lost or repeated and nobody has crashed or is gone, what is lent is
    somewhere.

    Nothing is known of that where a message does not say what it carries, or a role what it holds.
    """
    state, stage = after.state, after.state.stage
    if stage.losses or stage.duplicates or stage.crashes:
        return None
    astray = 0
    parts: tuple[Node | Channel, ...] = (*state.nodes, *state.channels)
    for part in parts:
        if part.balance is None:
            return None
        astray += part.balance
    if not astray or any(node.summary.is_gone for node in state.nodes):
        return None
    complaints = [astray_in_words(*amount) for amount in amounts_of(astray).items()]
    return complaints[0] if complaints else None


def quiet_means_done(before: Look, step: Step, after: Look) -> str | None:
    """Where nothing goes on but timers that lead nowhere, nobody waits, and nothing is lent."""
    state, world = after.state, after.world
    if state.channels or world.goes_on(state):
        return None
    if not any(waiting or lent for waiting, lent in world.owed(state)):
        return None
    with world.unmonitored():
        rest = _come_to_rest(world, state)
    if rest is None:
        return None
    owed = world.owed(rest)
    waits = [
        f"node {node} ({', '.join(waiting)})" for node, (waiting, _) in enumerate(owed) if waiting
    ]
    if waits:
        return f"somebody waits for ever: {'; '.join(waits)}"
    lent = [f"node {node} {memory_in_words(lent)}" for node, (_, lent) in enumerate(owed) if lent]
    return f"memory stays lent for ever: {', '.join(lent)}" if lent else None


def _come_to_rest(world: World, state: State) -> State | None:
    """The state to which timers lead, as they fire in turn, when none is left or all comes round.

    None if that does not happen, or if a process can run before.
    """
    seen: dict[object, tuple[State, int]] = {}
    passed_ns = 0
    for _ in range(_MOST_FIRINGS):
        due = world.due(state)
        if not due:
            return state
        rhythm = world.rhythm(state)
        if rhythm in seen:
            before, then_ns = seen[rhythm]
            due = _due_later(before, state, passed_ns - then_ns)
            if not due:
                return state
            seen.clear()
        seen[rhythm] = state, passed_ns
        passed_ns += state.nodes[due[0].a].timers[due[0].b].left_ns
        state = _settled(world, world.take(state, due[0]).state)
        if world.goes_on(state):
            return None
    return None


def _due_later(before: State, after: State, passed_ns: int) -> list[Step]:
    """The first of the timers that have waited while others, fired in turn, have come round.

    Those lead nowhere, however often they fire, as heartbeats do, until this one is due.
    """
    waiting = [
        (timer.left_ns, node.number, place)
        for earlier, node in zip(before.nodes, after.nodes, strict=True)
        for place, timer in enumerate(node.timers)
        if timer._replace(left_ns=timer.left_ns + passed_ns) in earlier.timers
    ]
    return [Step(FIRE, node, place) for _, node, place in sorted(waiting)[:1]]


def _settled(world: World, state: State) -> State:
    """The state after all messages have been delivered, in order."""
    for _ in range(_LONGEST):
        if not state.channels:
            break
        first = state.channels[0]
        state = world.take(state, Step(DELIVER, first.source, first.target)).state
    return state


#: What a servent must keep while it handles something.
OF_SERVENTS = (
    "a server lends only what is free",
    "a process starts once",
    "roles keep their own rules, and raise nothing",
)
#: The rule that is looked for in circles, when all states are known.
CIRCLE = "whoever waits is served some day"
#: What `World.take` sees of requests, by its bit.
OF_REQUESTS = {"a request is denied": DENIED, "a grant is partial": PARTIAL}


def without_numbers(complaint: str) -> str:
    """A complaint without its numbers, so that it does not matter which node and how much it is."""
    return re.sub(r"\d[\d.,]*", "#", complaint)


class Properties:
    """What has to hold in every step, and what is to be seen in some: the shipped, and a user's.

    A user's are the functions of his design's file with the parameters (before, step, after); if
    the name of such a function begins with `sometimes`, it returns whether something is seen; with
    `prune`, whether the search is not to go on after the step.
    """

    def __init__(self, setting: Setting) -> None:
        design = setting.design  # loads the file
        functions, known = _own(setting.declared)
        #: What is known to go wrong, with reasons: by the beginning of a complaint, and by cause.
        self.known = {what: why for what, why in known.items() if not what.startswith(_CAUSE)}
        self.known_causes = {
            what.removeprefix(_CAUSE): why for what, why in known.items() if what.startswith(_CAUSE)
        }
        shipped = (lent_covers_borrowed, none_lent_is_lost, quiet_means_done)
        always: dict[str, Property] = {_in_words(rule.__name__): rule for rule in shipped}
        sometimes = {name for name in functions if name.startswith((_SOMETIMES, _PRUNES))}
        own = {_in_words(n): f for n, f in functions.items() if n not in sometimes}
        self.sometimes = {_in_words(n): f for n, f in functions.items() if n in sometimes}
        #: What has to hold and can be left out, in words.
        self.optional = [*always, CIRCLE, *own, *(rule.name for rule in setting.monitors)]
        self._shipped, self._own = (
            {name: rule for name, rule in rules.items() if name not in setting.left_out}
            for rules in (always, own)
        )
        self.of_circles = CIRCLE not in setting.left_out
        #: Whether each step is to be looked at, and not only states that are new.
        self.each_step = bool(functions)
        #: In words: what has to hold, and what is to be seen, by its bit.
        self.rules = [*OF_SERVENTS, *self._shipped, *self._own, *[CIRCLE] * self.of_circles]
        self.rules += [rule.name for rule in setting.rules]
        #: What is to be seen, else a rule is vacuous: a record that changes its monitor.
        self.of_rules = [f"what rule {rule.name} is about" for rule in setting.rules]
        self.bits = dict(OF_REQUESTS) if design.managers else {}
        wishes = enumerate([*self.of_rules, *self.sometimes])
        self.bits |= {name: FIRST_BIT << place for place, name in wishes}
        #: The bits of states that a search is not to go on from.
        self.pruned = sum(self.bits[_in_words(n)] for n in sometimes if n.startswith(_PRUNES))

    def taken(self, world: World, state: State, step: Step) -> Taken:
        """Where a step leads, what is wrong with it by any rule, and what is seen in it."""
        before = Look(world, state)
        state, broken, seen = world.take(state, step)
        after = Look(world, state, is_after=True)
        broken = broken or self.complaint(before, step, after)
        return Taken(state, broken, seen | self.seen(before, step, after))

    def complaint(self, before: Look, step: Step, after: Look) -> str | None:
        """What is wrong with a step, or None."""
        complaint = self.own_complaint(before, step, after)
        return complaint or self.shipped_complaint(before, step, after)

    def own_complaint(self, before: Look, step: Step, after: Look) -> str | None:
        """What is wrong by a user's rules, which may look at both states of each step."""
        with after.world.watched():
            for holds in self._own.values():
                complaint = holds(before, step, after)
                if complaint is not None:
                    return plain(str(complaint))
        return None

    def shipped_complaint(self, before: Look, step: Step, after: Look) -> str | None:
        """What is wrong by the rules that ask for no more than the state after a step."""
        for holds in self._shipped.values():
            complaint = holds(before, step, after)
            if complaint is not None:
                return complaint
        return None

    def reason(self, complaint: str) -> str | None:
        """Why a complaint is known, if the design's file says so: a beginning of it and a reason
        stand in its dict `known`. Numbers do not matter: see `without_numbers`."""
        for begins, reason in self.known.items():
            if without_numbers(complaint).startswith(without_numbers(begins)):
                return reason
        return None

    def seen(self, before: Look, step: Step, after: Look) -> int:
        """The bits of what a user wants to see and sees in a step."""
        bits = 0
        with after.world.watched():
            for name, sees in self.sometimes.items():
                if sees(before, step, after):
                    bits |= self.bits[name]
        return bits


_SOMETIMES = "sometimes"
_PRUNES = "prune"
_CAUSE = "cause: "


def _in_words(name: str) -> str:
    return name.replace("_", " ").removeprefix(_SOMETIMES).strip()


def _own(declared: str) -> tuple[dict[str, Callable[..., Any]], dict[str, str]]:
    """The properties in the file of a design that is loaded, by their names, and what is known to
    go wrong there, with the reasons."""
    if not is_file_name(declared):
        return {}, {}
    file = file_of(declared)
    module = module_of(file)
    if module is None:  # a graph in a file that has no code
        return {}, {}
    known = getattr(module, "known", {})
    if not isinstance(known, dict) or not all(
        isinstance(it, str) for kv in known.items() for it in kv
    ):
        raise InputError(f"{file}: known: give a dict of complaints' beginnings and reasons")
    functions = {
        name: guarded(function, file)
        for name, function in vars(module).items()
        if isfunction(function) and [*signature(function).parameters] == _PARAMETERS
    }
    return functions, known


_PARAMETERS = ["before", "step", "after"]
