"""States as scenes: what each node holds, what is under way, what may happen next.

A scene is a row of numbers that refer to tables, in which whatever many scenes share stands once.
`source.js` reads them. A scene depends on nothing but what decides what happens from now on, so all
ways to a state show the same.
"""

from collections.abc import Callable, Iterable, Sequence
from functools import partial
from typing import Any

from agents.pnr.hosting import Host
from model.core.journal import words
from model.core.journal.past import parts
from model.ground.text import in_a_row
from model.ground.units import NS_PER_S
from model.pnr.explore.numbers import plain
from model.pnr.explore.parts import Message, Node, parted
from model.pnr.explore.setting import Setting
from model.pnr.explore.steps import (
    CRASH,
    DELIVER,
    DUPLICATE,
    END,
    FIRE,
    GO,
    JOIN,
    LEAVE,
    LOSE,
    PLACE,
    RESTART,
    Step,
)
from model.pnr.explore.world import State, World
from model.views.explored.plain import message, rows_of, text
from model.views.style import forms_of

#: By the kind of a step: its letter in an address, and the name by which the page knows it.
_LETTERS = {
    PLACE: ("p", "place"),
    END: ("e", "end"),
    DELIVER: ("d", "deliver"),
    FIRE: ("f", "fire"),
    LOSE: ("x", "lose"),
    DUPLICATE: ("u", "duplicate"),
    CRASH: ("c", "crash"),
    RESTART: ("r", "restart"),
    JOIN: ("j", "join"),
    LEAVE: ("l", "leave"),
    GO: ("g", "go"),
}
_KINDS = {letter: kind for kind, (letter, _) in _LETTERS.items()}
_OF_NODES = {
    CRASH: "the servent of node {} crashes",
    RESTART: "the servent of node {} restarts",
    JOIN: "node {} joins",
    LEAVE: "node {} is told to leave",
    GO: "node {} has left",
}
_TABLES = ("messages", "timers", "roles", "nodes", "rests", "steps")


def token(step: Step) -> str:
    """A step as it stands in an address: a letter and up to three numbers."""
    numbers = [step.a, step.b, step.c]
    while numbers and not numbers[-1]:
        numbers.pop()
    return _LETTERS[step.kind][0] + ".".join(map(str, numbers))


def step_of(written: str) -> Step | None:
    """The step that stands in an address; None if it is none."""
    kind, numbers = _KINDS.get(written[:1]), written[1:].split(".")
    if kind is None or len(numbers) > 3:
        return None
    if any(number and not (number.isascii() and number.isdigit()) for number in numbers):
        return None
    return Step(kind, *(int(number[:9] or 0) for number in numbers))


class Scenes:
    """Makes scenes of the states of a world, and keeps the tables that they refer to."""

    def __init__(self, world: World) -> None:
        self.world = world
        self.setting = world.setting
        self.tables: dict[str, list[Any]] = {name: [] for name in _TABLES}
        self.kinds: dict[str, dict[str, object]] = {}  # of messages: phase and colors
        self._numbers: dict[object, int] = {}

    def row(
        self,
        state: State,
        steps: Iterable[tuple[Step, int]],
        outlook: int,
        broken: str | None = None,
    ) -> list[object]:
        """A scene, whose steps lead to these scenes."""
        edges = []
        for step, target in steps:
            edges += [self._step(state, step), target]
        nodes = [self._node(state, node) for node in state.nodes]
        messages = [message for channel in state.channels for message in channel.messages]
        under_way = [self._message(state, message) for message in messages]
        row = [nodes, under_way, self._timers(state), self._rest(state), outlook, edges]
        return row if broken is None else [*row, broken]

    def _entry(self, table: str, key: object, entry: Callable[[], object]) -> int:
        """The number of an entry that is known by this key, made if it is new."""
        number = self._numbers.get((table, key))
        if number is None:
            number = self._numbers[table, key] = len(self.tables[table])
            self.tables[table].append(entry())
        return number

    def _message(self, state: State, sent: Message) -> int:
        def entry() -> list[object]:
            content, header = self.world.content(state, sent)
            kind = type(content).__name__
            if kind not in self.kinds:
                light, dark, *_ = forms_of(kind)
                self.kinds[kind] = {"phase": content.phase, "light": light, "dark": dark}
            return [sent.source, sent.target, kind, message(content, header)]

        _, codes = parted(sent.numbers)
        return self._entry("messages", (sent.source, sent.target, sent.shape, codes), entry)

    def _timers(self, state: State) -> list[int]:
        found = []
        for node in state.nodes:
            for role, name, left_ns in node.timers:
                entry = [node.number, role, plain(name), words.span(left_ns), left_ns / NS_PER_S]
                found.append(self._entry("timers", tuple(entry), partial(list, entry)))
        return found

    def _node(self, state: State, node: Node) -> int:
        is_absent = node.number in state.stage.absent

        def entry() -> dict[str, object]:
            host = self.world.host(state, node.number)
            roles = [
                self._entry("roles", (name, rows), partial(list, (name, rows)))
                for name, rows in (
                    (name, tuple(rows_of(role.state()))) for name, role in host.roles.items()
                )
            ]
            return {
                "is": _condition(host, is_absent),
                "waits": ", ".join(node.summary.waiting),
                **_memory(host, is_absent),
                "processes": [
                    [*key, has_started, host.memory.processes.get(key, 0)]
                    for key, (_, has_started) in sorted(host.residents.items())
                ],
                "roles": roles,
            }

        _, codes = parted(node.numbers)
        return self._entry("nodes", (node.number, node.shape, codes, is_absent), entry)

    def _rest(self, state: State) -> int:
        """Where each job stands, and what has gone wrong so far."""
        stage = state.stage

        def entry() -> dict[str, object]:
            held = {job: nodes for slot in stage.slots for job, nodes in slot}
            jobs = []
            for place, job in enumerate(self.setting.workload):
                where = held.get(job.number)
                done = "is done" if place < stage.placed else "waits to be placed"
                jobs.append([job.number, done if where is None else f"is on {_nodes(where)}"])
            its = self.setting
            most = its.losses, its.duplicates, its.crashes, its.early
            names = "messages lost", "messages repeated", "crashes", "timers that fired early"
            so_far = stage.losses, stage.duplicates, stage.crashes, stage.early
            faults = [list(it) for it in zip(names, so_far, most, strict=True) if it[2]]
            return {"jobs": jobs, "faults": faults}

        return self._entry("rests", stage, entry)

    def _step(self, state: State, step: Step) -> int:
        kind, a, b, c = step
        about: Any = None
        if kind in (DELIVER, LOSE, DUPLICATE):
            about = self._message(state, state.messages(a, b)[c])
        elif kind == FIRE:
            about = state.nodes[a].timers[b][:2]
        elif kind == PLACE:
            _, about = self.world.fits(state)[a]
            about = state.stage.placed, tuple(about)
        return self._entry("steps", (step, about), lambda: self._step_entry(step, about))

    def _step_entry(self, step: Step, about: Any) -> list[object]:
        """A step: how it stands in an address, its name, its node, its message, and a sentence."""
        kind, node, job, place = step
        name = _LETTERS[kind][1]
        if kind in (DELIVER, LOSE, DUPLICATE):
            source, target, what, _ = self.tables["messages"][about]
            verb = {DELIVER: "arrives", LOSE: "is lost", DUPLICATE: "is repeated"}[kind]
            whence = f"from node {source} to node {target}" if source != target else "to itself"
            where = f"node {target}: " if source == target else ""
            sentence = f"{where}{what} {whence} {verb}"
            return [token(step), name, target, about, sentence, place]
        if kind == FIRE:
            role, timer = about
            sentence = f"node {node}: the {role}’s timer “{plain(timer)}” fires"
            return [token(step), name, node, None, sentence]
        if kind == PLACE:
            number, nodes = self.setting.workload[about[0]].number, about[1]
            return [token(step), name, nodes[0], None, f"job {number} is placed on {_nodes(nodes)}"]
        if kind == END:
            return [token(step), name, node, None, f"node {node}: the process of job {job} ends"]
        return [token(step), name, node, None, _OF_NODES[kind].format(node)]


def about(setting: Setting) -> dict[str, object]:
    """What the scenes are about, for the head of the page."""
    jobs = [
        f"job {job.number}: {_processes(job.processes)} of {words.amount(job.memory)}"
        for job in setting.workload[:8]
    ]
    counts = {"loss": setting.losses, "duplicate": setting.duplicates, "crash": setting.crashes}
    counts |= {"join": len(setting.absent), "leave": setting.most_leaves}
    allowed = [f"{name} up to {count}" for name, count in counts.items() if count]
    return {
        "design": setting.design.name,
        "managers": list(setting.design.managers),
        "rams": list(setting.constants.rams),
        "setting": [
            f"{setting.scenario.nodes} nodes of {_rams(setting.constants.rams)}",
            *jobs,
            f"may go wrong: {', '.join(allowed)}" if allowed else "nothing goes wrong",
            *(["timers fire only when no message is under way"] if setting.late_timers else []),
            *(["messages may overtake each other"] if setting.order == "any" else []),
        ],
    }


def _processes(number: int) -> str:
    return "a process" if number == 1 else f"{number} processes"


def _rams(rams: Sequence[int]) -> str:
    return " or ".join(words.amount(ram) for ram in sorted(set(rams)))


def _nodes(nodes: Sequence[int]) -> str:
    if len(nodes) == 1:
        return f"node {nodes[0]}"
    return f"nodes {in_a_row([*map(str, nodes)])}"


def _condition(host: Host, is_absent: bool) -> str:
    if is_absent:
        return "absent"
    if host.for_ever:
        return "gone"
    if host.is_down:
        return "down"
    return "leaving" if host.leaving is not None else "up"


def _memory(host: Host, is_absent: bool) -> dict[str, object]:
    """Where the node's memory is, as the journal's page has it, and with whom it has loans."""
    memory = host.memory
    own = sum(memory.processes.values())
    waiting = [key for key, (_, has_started) in host.residents.items() if not has_started]
    unstarted = sum(memory.processes.get(key, 0) for key in waiting)
    asked = unstarted if host.is_down else sum(memory.asked.values())
    is_away = is_absent or host.for_ever  # if only the servent is down, the memory is in use
    of_loans = memory.lent, memory.borrowed, asked
    split = parts(memory.ram, own, *of_loans, unstarted, is_away, memory.beyond_limits)
    names = ("own", "lent", "idle", "crashed", "borrowed", "asked", "on_disk")
    return {
        "memory": dict(zip(names, map(int, split), strict=True)),
        "borrows": [[server, size] for server, size in sorted(memory.loans.items()) if size],
        "lends": [[text(request), size] for request, size in memory.lent_for.items()],
    }
