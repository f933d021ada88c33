"""A path as a journal: taken again step by step, and narrated in the records of an emulation.

Step number n happens at n seconds, so times in stories and pictures are the numbers of steps.
"""

from collections.abc import Callable, Sequence

from agents.messages import Content, Message
from agents.pnr.role import Send
from model.core.journal.kinds import MESSAGE, Record, identity
from model.ground.errors import InputError
from model.ground.units import NS_PER_S
from model.pnr.explore.alike import MOST_ALIKE, Alike, as_alike_as_possible
from model.pnr.explore.monitors import Teller
from model.pnr.explore.numbers import plain
from model.pnr.explore.properties import Look, Properties
from model.pnr.explore.search import Finding, waits_in_circle
from model.pnr.explore.setting import Setting
from model.pnr.explore.steps import Step
from model.pnr.explore.world import World

FOUND = "found"  # the name of the note of what is wrong
DOOMED = "doomed"  # and of the one about the step from which on the path is


def retrace(
    setting: Setting,
    path: Sequence[Step],
    read: Callable[[Record], None] | None = None,
    repeat: int = 0,
    doomed: int | None = None,
    alike: Alike = MOST_ALIKE,
) -> Finding | None:
    """Take the steps of a path again, and give `read` the record of all that happens;
    returns what breaks first.

    If the last steps are to `repeat`, they must lead back to where they began, and somebody must
    wait all the while. The `doomed` step is noted as such. What makes states `alike` is as when the
    path was found. Raises InputError if a step is not possible, as after a change of the design.
    """

    def run(alike: Alike) -> tuple[Finding | None, list[Record]]:
        records: list[Record] = []
        narrator = Narrator(setting, records.append)
        return _retrace(World(setting, alike, narrator), narrator, path, repeat, doomed), records

    finding, records = as_alike_as_possible(run, alike)
    if read is not None:
        for record in records:
            read(record)
    return finding


def _retrace(
    world: World, narrator: "Narrator", path: Sequence[Step], repeat: int, doomed: int | None
) -> Finding | None:
    properties = Properties(world.setting)
    state, broken, _ = world.beginning()
    if broken is not None:
        narrator.found(broken)
        return Finding(broken, (), alike=world.alike)
    states = [state]
    for number, step in enumerate(path, start=1):
        if step not in world.steps(state):
            raise InputError(
                f"step {number} of the path is not possible any more: the design, the code or the "
                "scenario has changed; explore again"
            )
        narrator.clock.now_ns = number * NS_PER_S
        before = Look(world, state)
        state, broken, _ = world.take(state, step)
        states.append(state)
        if number == doomed:
            narrator.is_doomed()
        if broken is None:
            world.follow(None)  # what would follow is no part of the path
            broken = properties.complaint(before, step, Look(world, state, is_after=True))
            world.follow(narrator)
        if broken is not None:
            narrator.found(broken)
            return Finding(broken, tuple(path[:number]), alike=world.alike)
    broken = waits_in_circle(world, states, repeat) if repeat else None
    if broken is None:
        return None
    narrator.found(broken)
    return Finding(broken, tuple(path), repeat, alike=world.alike)


def _plain(record: Record) -> Record:
    """The record with plain numbers in its texts."""
    return Record._make(plain(it) if isinstance(it, str) else it for it in record)


class Narrator(Teller):
    """Follows what happens in a world, and writes the journal of it."""

    def __init__(self, setting: Setting, read: Callable[[Record], None]) -> None:
        super().__init__(setting, lambda record: read(_plain(record)))
        self.messages: dict[tuple[int, int], list[Message]] = {}  # as they stand in channels
        self.entering: list[Message] = []  # sent by the node that acts now
        self.sent = dict.fromkeys(range(setting.scenario.nodes), 0)  # messages, by node
        self.set_by: dict[tuple[int, str, str], int] = {}  # a timer -> the record that set it
        self.fired_so_far = 0

    # Of a host

    def sends(self, send: Send) -> None:
        self.entering.append(self._message(self.node, send.target, send.content, send.header))

    def sets(self, role: str, name: str) -> None:
        self.set_by[self.node, role, name] = self.journal.cause

    # Of a world

    def enters(self, source: int, target: int, place: int) -> None:
        """The next of the messages sent is on its way, at this place in its channel."""
        self.messages.setdefault((source, target), []).insert(place, self.entering.pop(0))

    def delivered(self, step: Step, unheard: str | None) -> None:
        """A message arrives, or nobody hears it, for this reason."""
        arrived = self._take_out(step)
        if unheard is None:
            self.journal.delivered(arrived)
        else:
            self.journal.lost(arrived, unheard)

    def lost(self, step: Step) -> None:
        """A message is lost at the receiver's door."""
        self.journal.lost(self._take_out(step), "loss")

    def duplicated(self, step: Step) -> None:
        """A message has been sent a second time, behind the first."""
        held = self.messages[step.a, step.b]
        first = held[step.c]
        self.journal.because(identity(MESSAGE, first.source, first.number), first.content.job)
        again = self._message(first.source, first.target, first.content, first.header)
        held.insert(step.c + 1, again)

    def fired(self, node: int, role: str, name: str) -> None:
        self.fired_so_far += 1
        cause = self.set_by.pop((node, role, name), 0)
        self.journal.timer(node, role, name, self.fired_so_far, cause)

    def is_doomed(self) -> None:
        self.journal.noted(self.node, "explore", DOOMED, "it is doomed from here on")

    def found(self, complaint: str) -> None:
        self.journal.noted(self.node, "explore", FOUND, complaint)

    def _message(self, source: int, target: int, content: Content, header: object) -> Message:
        self.sent[source] += 1
        size = content.size_of(self.setting.constants.sizes)
        number, now_ns = self.sent[source], self.clock.now_ns
        message = Message(source, target, number, content, size, now_ns)
        message.header = header
        self.journal.sent(message)
        return message

    def _take_out(self, step: Step) -> Message:
        return self.messages[step.a, step.b].pop(step.c)
