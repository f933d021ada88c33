"""Monitors in a search: what each step lets them see, and their states as parts of states.

What a node tells as it reacts is kept with its reaction, and what a monitor makes of that with the
monitor's state; so both are worked out once. States that differ in times and ids are one state, so
records of a search have neither.
"""

from collections.abc import Iterable, Mapping, Sequence, Set
from dataclasses import dataclass, field
from types import SimpleNamespace
from typing import Any, NoReturn

from agents.messages import Content
from agents.pnr.hosting import Host, Input, ProcessPlaced, Received
from agents.pnr.messages import Placed
from agents.pnr.role import Send
from model.core.journal.kinds import Delivered, Lost, Record, Sent
from model.core.journal.monitors import Rule
from model.core.journal.writer import Journal, as_json, shown_fields
from model.ground.clock import Clock
from model.pnr.explore.freezing import Freezer, Frozen
from model.pnr.explore.instants import Duration, Instant, Watch
from model.pnr.explore.setting import Setting, Slots
from model.pnr.explore.steps import DUPLICATE, END, FAILURES, FIRE, LOSE, OF_MESSAGES, PLACE, Step

#: Of what a search has seen, that the first rule applies; lower bits are of requests.
FIRST_BIT = 4


def _refused(record: Record) -> NoReturn:
    raise AttributeError(
        "a search has no times and ids of records (time_ns, id, cause); leave this rule out of it "
        "(--except)"
    )


class Timeless(Record):
    """A record of a search."""

    __slots__ = ()
    time_ns = id = cause = property(_refused)


@dataclass(eq=False)
class Told:
    """Records that are told together; equal ones of one cause are the same object."""

    records: tuple[Record, ...]


@dataclass
class _Process:
    """A process, as a journal wants it."""

    job: Any
    rank: int
    node: Any
    cause: int = 0
    steps: int = 0


class Teller:
    """Tells what happens on nodes and what the scheduler does, in the records of an emulation."""

    def __init__(self, setting: Setting, read: Any) -> None:
        self.setting = setting
        self.clock = Clock()
        self.journal = Journal(self.clock, (read,))
        self.node = 0  # where something happens now
        self.processes: dict[tuple[int, int], _Process] = {}  # by job and rank
        self.submitted: dict[int, int] = {}  # job -> the record
        first = 0
        self.jobs = {}
        for job in setting.workload:
            self.jobs[job.number] = SimpleNamespace(number=job.number, first_process=first)
            first += job.processes
            self.journal.because(0, job.number)
            self.journal.scheduled("submitted", job.number)
            self.submitted[job.number] = self.journal.cause
        self.journal.because(0, None)

    # Of a host

    def watch(self, host: Host) -> None:
        self.node = host.node
        host.memory.on_loan = lambda kind, amount, server: self.journal.loan(
            host.node, kind, amount, server
        )

    def sets(self, role: str, name: str) -> None:
        """A role sets a timer."""

    def started(self, placed: Placed) -> None:
        process = self._process(placed)
        before = self.journal.cause, self.journal.job
        self.journal.process("started", process)
        process.cause = self.journal.cause
        self.journal.because(*before)

    def ends(self, placed: Placed) -> None:
        self.journal.process("finished", self._process(placed))

    def _process(self, placed: Placed) -> Any:
        job, rank = placed.key
        here = SimpleNamespace(index=self.node)
        return self.processes.setdefault((job, rank), _Process(self.jobs[job], rank, here))

    def noted(self, role: str, name: str, value: object) -> None:
        self.journal.noted(self.node, role, name, value)

    # Of a world

    def begins(self, absent: Sequence[int]) -> None:
        for node in absent:
            self.journal.failed("absent", node, "node")

    def failed(self, kind: str, node: int) -> None:
        """A servent has crashed or restarted, or a node comes or goes."""
        of_servents = kind in ("crashed", "restarted")
        self.journal.failed(kind, node, "servent" if of_servents else "node")

    def placed(self, job: Any, nodes: tuple[int, ...], slots: Slots) -> None:
        slot, seats = next(
            (slot, seats)
            for slot, held in enumerate(slots)
            for number, seats in held
            if number == job.number
        )
        known = {"limit": job.limit}
        if self.setting.constants.most_cores > 1:
            known["cores"] = [seat // self.setting.scenario.nodes for seat in seats]
        self.journal.because(self.submitted[job.number], job.number)
        self.journal.scheduled("placed", job.number, slot, list(nodes), job.memory, **known)
        self.journal.scheduled("resumed", job.number, slot)

    def job_ended(self, job: int) -> None:
        self.journal.scheduled("ended", job)


class OfReactions(Teller):
    """Tells what one node does, or one step, without times."""

    def __init__(self, setting: Setting) -> None:
        self._records: list[Record] = []
        super().__init__(setting, self._keep)

    def _keep(self, record: Record) -> None:
        self._records.append(Timeless(*record)._replace(time_ns=0, id=0, cause=0))

    def told(self) -> Told:
        """What was told since this was asked last."""
        told = Told(tuple(self._records))
        self._records.clear()
        return told

    def hears(self, what: Input | None) -> None:
        """What the node gets: what it then does is about that job."""
        if isinstance(what, Received):
            self.journal.because(0, what.content.job)
        elif isinstance(what, ProcessPlaced):
            self.journal.because(0, what.process.job)

    def watch(self, host: Host) -> None:
        super().watch(host)
        self.journal.because(0, None)

    def sends(self, send: Send) -> None:
        self.of_message(Sent.name, self.node, send.target, send.content)

    def noted(self, role: str, name: str, value: object) -> None:
        super().noted(role, name, _timeless(value))

    def of_message(
        self, kind: str, node: int, peer: int, content: Content, why: str | None = None
    ) -> None:
        """A message is sent, arrives with what it says, or is lost for a reason."""
        amount, fields = content.amount, shown_fields(content)
        if why is not None:
            amount, fields = None, {"by": why}
        self._keep(
            Record(
                0,
                kind,
                type(content).__name__,
                content.phase,
                content.hears,
                job=content.job,
                rank=content.rank,
                node=node,
                peer=peer,
                size_bytes=content.size_of(self.setting.constants.sizes),
                amount_bytes=amount,
                payload=as_json(_timeless(fields)) if fields else None,
            )
        )


def _timeless(value: object) -> object:
    if isinstance(value, Instant | Duration):
        return None
    if isinstance(value, Content):
        value = shown_fields(value)
    if isinstance(value, Mapping):
        return {key: _timeless(of) for key, of in value.items()}
    if isinstance(value, Sequence | Set) and not isinstance(value, str):
        return [*map(_timeless, value)]
    return value


class _Ruled:
    """One rule, the states that its monitor can have, by number, and where records lead from each.

    `open` is by state what should have happened, if that is the end.
    """

    def __init__(self, rule: Rule, bit: int) -> None:
        self.rule = rule
        self.bit = bit
        self.open: list[tuple[str, ...]] = []
        self._freezer = Freezer(Watch())
        self._frozen: list[Frozen] = []
        self._numbers: dict[Frozen, int] = {}
        self._after: dict[tuple[int, Told], tuple[int, str | None]] = {}
        self._number(rule.monitor)

    def after(self, number: int, told: Told) -> tuple[int, str | None]:
        """The state after these records, and the first thing that is wrong with one."""
        found = self._after.get((number, told))
        if found is None:
            monitor = self.rule.having(self._freezer.thaw(self._frozen[number]))
            said = [self.rule.sees(monitor, record) for record in told.records]
            complaint = next((f"{self.rule.name}: {text}" for text in said if text), None)
            found = self._after[number, told] = self._number(monitor), complaint
        return found

    def _number(self, monitor: Any) -> int:
        frozen = self._freezer.freeze(self.rule.state_of(monitor))
        number = self._numbers.setdefault(frozen, len(self._frozen))
        if number == len(self._frozen):
            self._frozen.append(frozen)
            texts = self.rule.open_in(monitor)
            self.open.append(tuple(f"{self.rule.name}: {text}" for text in texts))
        return number


@dataclass
class Monitoring:
    """All monitors of a search; the stage of a state has the numbers of their states.

    `heard` is what the nodes have told in the step that is being taken.
    """

    setting: Setting
    heard: list[Told] = field(default_factory=list)

    def __post_init__(self) -> None:
        self.teller = OfReactions(self.setting)
        rules = enumerate(self.setting.rules)
        self._ruled = [_Ruled(rule, FIRST_BIT << place) for place, rule in rules]
        self._steps: dict[object, Told] = {}

    def open(self, numbers: Iterable[int]) -> tuple[str, ...]:
        """What should have happened, if this is the end."""
        its = zip(self._ruled, numbers, strict=True)
        return tuple([text for ruled, number in its for text in ruled.open[number]])

    def begun(self) -> tuple[tuple[int, ...], str | None, int]:
        """The states after all servents have started; what is wrong; and the rules that apply."""
        self.teller.begins(self.setting.absent)
        return self._after((0,) * len(self._ruled), [self.teller.told(), *self.heard])

    def taken(
        self, world: Any, state: Any, step: Step, has_ended: bool
    ) -> tuple[tuple[int, ...], str | None, int]:
        """The same after a step, with which a job `has_ended` or not."""
        tolds = [self._of_step(world, state, step), *self.heard]
        if has_ended:
            tolds.append(self._told(("ended", step.b), lambda: self.teller.job_ended(step.b)))
        return self._after(state.stage.watched, tolds)

    def _after(
        self, numbers: tuple[int, ...], tolds: Iterable[Told]
    ) -> tuple[tuple[int, ...], str | None, int]:
        after, complaint, seen = [*numbers], None, 0
        for told in tolds:
            for place, ruled in enumerate(self._ruled if told.records else ()):
                before = after[place]
                after[place], wrong = ruled.after(before, told)
                complaint = complaint or wrong
                if wrong or after[place] != before:
                    seen |= ruled.bit
        self.heard.clear()
        return tuple(after), complaint, seen

    def _of_step(self, world: Any, state: Any, step: Step) -> Told:
        """What the world tells of a step, before nodes hear of it."""
        (kind, a, b, c), teller = step, self.teller
        if kind == END:
            return _NOTHING
        if kind in OF_MESSAGES:
            message = state.messages(a, b)[c]
            why = "loss" if kind == LOSE else world.why_unheard(state, b)
            ends = (a, b) if kind == DUPLICATE else (b, a)
            what = Sent if kind == DUPLICATE else Lost if why else Delivered
            why = why if what is Lost else None

            def tell() -> None:
                content, _ = world.content(state, message)
                teller.of_message(what.name, *ends, content, why)

            return self._told((what, ends, message.shape, why), tell)
        if kind == FIRE:
            timer = state.nodes[a].timers[b]
            about = a, timer.role, timer.name
            return self._told(about, lambda: teller.journal.timer(*about, 0, 0))
        if kind == PLACE:
            slots, nodes = world.fits(state)[a]
            job = self.setting.workload[state.stage.placed]
            return self._told((job.number, slots), lambda: teller.placed(job, nodes, slots))
        return self._told((kind, a), lambda: teller.failed(FAILURES[kind], a))

    def _told(self, key: object, tell: Any) -> Told:
        if key not in self._steps:
            tell()
            self._steps[key] = self.teller.told()
        return self._steps[key]


_NOTHING = Told(())
