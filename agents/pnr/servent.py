"""A servent: the client, server and manager of one node (thesis, figure 2.2)."""

import typing
from collections.abc import Collection, Container, Iterable, Mapping, Sequence

import mesa

from agents.messages import ROLES, Content, Message, Reaction
from agents.pnr.beliefs import Shares
from agents.pnr.hosting import (
    Crashed,
    Fault,
    Host,
    Input,
    Leaving,
    NodeLost,
    Paused,
    ProcessArrived,
    ProcessEnded,
    ProcessLeft,
    ProcessPlaced,
    ProcessResized,
    Received,
    Restarted,
    Resumed,
    Started,
    TimerFired,
    Turn,
)
from agents.pnr.messages import Placed
from agents.pnr.process import GRANT
from agents.pnr.processing_element import ProcessingElement
from agents.pnr.protocol import Protocol
from agents.pnr.role import (
    CancelTimer,
    Decided,
    Effect,
    Level,
    Metrics,
    Note,
    Role,
    Send,
    SetTimer,
    Site,
    StartProcess,
)
from agents.pnr.surroundings import PlacedProcess, PnrSurroundings
from agents.pnr.timers import Timers
from model.ground.errors import CheckFailed, InputError, ProtocolMistake, failure_in_words, shown
from model.ground.units import seconds

#: So many messages may be handled because one thing happened, and so many more for each node.
MOST_MESSAGES, MOST_MESSAGES_A_NODE = 5_000, 100


class Accounts(typing.Protocol):
    """What hears of all that messages of servents carry, and roles hold, of what is lent."""

    def sent(self, sender: int, target: int, content: Content) -> None:
        """A message is on its way."""

    def heard(self, sender: int, target: int, content: Content) -> None:
        """A message is no longer on its way."""

    def handled(self, node: int, roles: Iterable[Role]) -> None:
        """A role of a node's servent has handled something; raises CheckFailed if that is wrong."""


#: A reaction, and the cause and the job of what is journaled.
Context = tuple[Reaction | None, tuple[int, int | None] | None]


class ServedDesign(typing.Protocol):
    """What a design decides for servents (`model/pnr/design.py`)."""

    name: str
    label: str  # its name, as people read it
    protocol: Protocol
    coordinated: bool

    @property
    def asks(self) -> object:
        """Whom clients ask: "own", if each asks the manager of its node."""

    @property
    def has_users_roles(self) -> bool:
        """Whether a class of its protocol stands in a user's file."""

    @property
    def parameters(self) -> Mapping[str, typing.Any]:
        """The attributes of its graph."""

    @property
    def manages(self) -> Collection[int]:
        """The nodes that have a manager."""

    def tells(self, manager: int) -> Sequence[int]:
        """To whom a manager broadcasts, in order."""

    def clients_of(self, job: int, job_nodes: list[int], node: int) -> int:
        """How many clients of a job ask the manager that this node's client asks."""

    def manager_of(self, job: int, job_nodes: list[int], node: int) -> int | None:
        """Whom the client of a node asks for a job."""


class FaultCounts(typing.Protocol):
    """What is counted of servents that fail (`model/pnr/faults.py`)."""

    restarts: int
    recoveries_ns: list[int]


class Watchdog(typing.Protocol):
    """What sees whether anything goes on (`model/pnr/watchdog.py`)."""

    def made_progress(self) -> None:
        """Something has come closer to its end."""

    def may_be_quiet(self) -> None:
        """A message has been handled."""

    def handled_timer(self) -> None:
        """A timer has been handled."""


class ServentSurroundings(PnrSurroundings, typing.Protocol):
    """The part of the cluster that servents use."""

    nodes: Sequence[ProcessingElement]
    design: ServedDesign
    timers: Timers
    watchdog: Watchdog
    absent: Sequence[int]  # nodes that join later, in order
    shares: Shares | None  # by which managers compare loads; None: by bytes
    faults: FaultCounts | None
    by_number: Container[int]  # the numbers of all jobs
    job_columns: Collection[str]  # of the table of jobs


class Servent(mesa.Agent):
    """Lets the host of a node's roles know what happens, and carries out what they want."""

    model: ServentSurroundings
    accounts: Accounts | None = None

    def __init__(
        self, model: ServentSurroundings, node: ProcessingElement, incarnation: int = 0
    ) -> None:
        """`incarnation`: how often it has started before."""
        super().__init__(model)
        self.node = node
        self.design = design = model.design
        site = Site(
            memory=node.memory,
            node=node.index,
            nodes=len(model.nodes),
            seed=model.parameters.seed,
            threshold=model.constants.threshold,
            skip_below=model.constants.skip_below,
            coordinated=design.coordinated,
            tells=design.tells(node.index),
            grant_timeout_ns=model.constants.grant_timeout_ns,
            absent=model.absent,
            incarnation=incarnation,
            shares=model.shares,
            explains=node.journal is not None,
            page_faults=node.page_faults,
            parameters=design.parameters,
            metrics=Metrics(columns=model.job_columns),
        )
        self.host = Host(design.protocol, site, design.manages)
        self.host.trusts = not design.has_users_roles
        self._reaction = Reaction()  # to what happens now
        self._most_messages = MOST_MESSAGES + MOST_MESSAGES_A_NODE * len(model.nodes)
        self._recovering: dict[object, None] = {}  # what waits because of a crash
        self._crashed_ns: int | None = None
        node.takes.update(dict.fromkeys(ROLES, self.receive))

    @property
    def is_down(self) -> bool:
        return self.host.is_down

    def start(self, _: None = None) -> None:
        self._happens(Started())

    # Its node comes and goes

    def be_absent(self) -> None:
        self._happens(Crashed())

    def join(self) -> None:
        self._happens(Restarted())

    def leaving(self, deadline_ns: int) -> None:
        self.node.memory.withdrawn = True
        self._happens(Leaving(deadline_ns))

    def leave(self) -> None:
        """Be gone for ever, with the node, on which nothing runs."""
        self.model.timers.forget(self.node.index)
        self._recovering = {}
        self._happens(NodeLost(for_ever=True))

    # Faults

    def crash(self, for_ever: bool) -> None:
        """Lose the roles' state and timers; what the node holds, lends and borrows stays.

        If the servent never restarts, processes start without a grant from now on.
        """
        self._crash(Crashed(for_ever), self._without_grant())

    def lose_node(self, jobs: Sequence[object], for_ever: bool) -> None:
        """Crash with the node, which is empty then; these jobs ran there and begin again."""
        self._crash(NodeLost(for_ever), ())
        self._recovering = dict.fromkeys(jobs)
        if self._crashed_ns is None:
            self._crashed_ns = self.model.clock.now_ns

    def _crash(self, fault: Crashed | NodeLost, waiting: Iterable[PlacedProcess]) -> None:
        if not self.is_down:
            self._crashed_ns = self.model.clock.now_ns
            self._failed("crashed")
            self.model.timers.forget(self.node.index)
            self._recovering = dict.fromkeys(waiting)
        self._happens(fault)

    def has_recovered(self, waited: object) -> None:
        self._recovering.pop(waited, None)
        self._note_recovery()

    def restart(self) -> None:
        """Host new roles, which learn of the processes that are here and of those that ended."""
        if self.host.crashes > 1:
            self._happens(Restarted())
            return
        self._failed("restarted")
        assert self.model.faults is not None
        self.model.faults.restarts += 1
        if self.host.pauses:  # they hear of it later
            self._recovering |= dict.fromkeys(self._without_grant())
        self._happens(Restarted())
        self._note_recovery()

    def pause(self) -> None:
        self._happens(Paused())
        if self.host.pauses == 1:
            self._failed("paused")

    def resume(self) -> None:
        """Handle in this nanosecond what has waited, in the order in which it came."""
        if self.host.pauses == 1:
            self._failed("continued")
        self._happens(Resumed())

    def _failed(self, kind: str) -> None:
        if self.model.journal is not None:
            self.model.journal.failed(kind, self.node.index, "servent")

    def _without_grant(self) -> list[PlacedProcess]:
        return [process for process in self.node.residents.values() if process.state == GRANT]

    def _note_recovery(self) -> None:
        """Note how long it took until nothing waited any more that a crash had stopped."""
        if self._crashed_ns is not None and not self._recovering and not self.is_down:
            assert self.model.faults is not None
            self.model.faults.recoveries_ns.append(self.model.clock.now_ns - self._crashed_ns)
            self._crashed_ns = None

    # What happens on the node

    def process_placed(self, process: PlacedProcess) -> None:
        if process.placed is None:
            process.placed = self._about(process)
        self._happens(ProcessPlaced(process.placed))

    def process_ended(self, process: PlacedProcess) -> None:
        assert process.placed is not None
        self._happens(ProcessEnded(process.placed))

    def process_resized(self) -> None:
        self._happens(ProcessResized())

    def process_left(self, process: PlacedProcess) -> None:
        assert process.placed is not None
        self._happens(ProcessLeft(process.placed))

    def process_arrived(self, process: PlacedProcess) -> None:
        """Tell the client that a process has moved here; who asks its own manager does so here."""
        assert process.placed is not None
        if self.design.asks == "own" and process.placed.manager is not None:
            process.placed = process.placed._replace(manager=self.node.index)
        self._happens(ProcessArrived(process.placed))

    def receive(self, message: Message) -> None:
        if self.host.crashes:  # a message to itself: others do not come so far
            return
        reaction = message.reaction or Reaction()
        reaction.messages += 1
        if reaction.messages > self._most_messages:
            raise self._endless(message.content)
        if self.accounts is not None:
            self.accounts.heard(message.source, self.node.index, message.content)
        received = message.source, message.content, message.header
        self._happens(tuple.__new__(Received, received), reaction)  # half of what a call takes

    def _timer_fires(self, role: str, name: str) -> None:
        self._happens(TimerFired(role, name))

    def _about(self, process: PlacedProcess) -> Placed:
        asking = process.job.number, process.job.nodes, self.node.index
        clients, manager = self.design.clients_of(*asking), self.design.manager_of(*asking)
        job = process.job
        return Placed(job.number, process.rank, clients, manager, job.attempt)

    # What the roles want

    def _happens(self, what: Input, reaction: Reaction | None = None) -> None:
        """Let the host know what happens, and carry out turn by turn what its roles want."""
        host, memory, now_ns = self.host, self.node.memory, self.model.clock.now_ns
        metrics = host.metrics
        waits = host.pauses > 0 and not isinstance(what, Fault)
        context = self._context(reaction) if host.pauses else None
        self._reaction = reaction or Reaction()
        handled = what
        lent, borrowed = memory.lent, memory.borrowed
        try:
            for turn in host.happens(what, now_ns, context):
                role, effects, concerns, _ = turn
                if concerns is not handled:
                    self._has_handled(handled)
                    handled = concerns
                    self._goes_on_with(turn, what)
                if memory.lent != lent:
                    self.node.overallocation_changed()
                if memory.lent != lent or memory.borrowed != borrowed:
                    self.model.watchdog.made_progress()
                    lent, borrowed = memory.lent, memory.borrowed
                for effect in effects:
                    if isinstance(effect, Send):
                        target, content, header = effect
                        if not host.trusts:
                            self._check_job(content)
                        if self.accounts is not None:
                            self.accounts.sent(self.node.index, target, content)
                        self.node.send(target, content, header, self._reaction)
                    else:
                        self._carry_out(role, effect)
                if metrics.gauged or metrics.counted:
                    self._read_measures(now_ns)
                if self.accounts is not None:
                    self.accounts.handled(self.node.index, host.roles.values())
        except (InputError, CheckFailed) as error:
            self._blame(error)
            raise
        except Exception as error:
            if not self.design.has_users_roles or isinstance(error, OSError):
                raise
            mistake = ProtocolMistake(f"was given what it cannot take: {failure_in_words(error)}")
            self._blame(mistake)
            raise mistake from error
        if not waits:
            self._has_handled(handled)

    def _context(self, reaction: Reaction | None) -> Context:
        """What has led to what happens now, to be remembered in a pause."""
        journal = self.model.journal
        return reaction, (journal.cause, journal.job) if journal is not None else None

    def _goes_on_with(self, turn: Turn, because: Input) -> None:
        """Something else is handled now, which has waited, or is new to roles that have started."""
        reaction, cause = turn.context or (None, None)
        self._reaction = reaction or Reaction()
        if cause is not None:
            assert self.model.journal is not None
            self.model.journal.because(*cause)
        if isinstance(because, Restarted) and isinstance(turn.what, ProcessPlaced):
            self._recovering[self.node.residents[turn.what.process.key]] = None

    def _has_handled(self, what: Input) -> None:
        if type(what) is Received:
            self.model.watchdog.may_be_quiet()
        elif type(what) is TimerFired:
            self.model.watchdog.handled_timer()

    def _read_measures(self, now_ns: int) -> None:
        """Take in, and journal, what roles have just gauged and counted."""
        metrics = self.host.metrics
        for role, name, value in metrics.gauged:
            metrics.levels.setdefault((role, name), Level()).becomes(value, now_ns)
        if self.node.journal is not None:
            of = metrics.counted.items()
            counts = [(role, f"count of {name}", value) for (role, name), value in of]
            for role, name, value in (*metrics.gauged, *counts):
                self.node.journal.noted(self.node.index, role, name, value)
        metrics.gauged.clear()
        metrics.counted.clear()

    def _check_job(self, content: Content) -> None:
        """Whoever looks at a run job by job relies on this."""
        if (job := content.job) is not None and job not in self.model.by_number:
            about = f"sends {type(content).__name__} about job {shown(job)}"
            raise ProtocolMistake(f"{about}, which there is not; give a job's number, or None")

    def _carry_out(self, role: Role | None, effect: Effect) -> None:
        node = self.node
        if isinstance(effect, StartProcess):
            placed = self.host.meant(effect)
            assert placed is not None
            process = node.residents[placed.key]
            self.model.watchdog.made_progress()
            process.start()
            if self._recovering:
                self.has_recovered(process)
        elif role is None:
            pass  # the host wants nothing else
        elif isinstance(effect, SetTimer):
            name, after_ns = effect
            self.model.timers.set(node.index, role.name, name, after_ns, self._timer_fires)
        elif isinstance(effect, CancelTimer):
            self.model.timers.cancel(node.index, role.name, effect.name)
        elif node.journal is not None:
            if isinstance(effect, Note):
                node.journal.noted(node.index, role.name, effect.name, effect.value)
            elif isinstance(effect, Decided):
                true = effect.true(lambda place: self.model.nodes[place].load)
                node.journal.decided(node.index, role.name, effect, true)

    # What went wrong

    def _blame(self, error: InputError | CheckFailed) -> None:
        """Have an error say in which run it was, when, whose it is, and on what occasion."""
        text = str(error).removeprefix(f"{self.design.name}: ")  # as the checker begins
        where, is_mistake = f"{self._now()}: ", isinstance(error, ProtocolMistake)
        if isinstance(error, ProtocolMistake) and (place := self.host.place_of(error)):
            text += f" ({place})"
        if self.host.asked is not None:
            role, what = self.host.asked
            whose = f"the {role.name} of node {self.node.index}"
            text = text.removeprefix(f"{whose}: ")  # as a role's own rules begin
            where += f"{whose} " if is_mistake else f"{whose}, {what.occasion}: "
        error.args = (where + text,)

    def _endless(self, content: Content) -> ProtocolMistake:
        most = f"{self._most_messages:,} messages were sent because of one thing that happened"
        whose = f"the {content.hears} of node {self.node.index}"
        name = type(content).__name__
        return ProtocolMistake(f"{self._now()}: {whose} hears {name} without end: {most}")

    def unanswered(self, process: PlacedProcess) -> ProtocolMistake:
        """What keeps a process from starting when nothing goes on any more."""
        assert process.placed is not None
        job, rank, _, manager, _ = process.placed
        client = self.host.roles["client"]
        asking = getattr(client, "asking", {}).values()
        since_ns = next((need.since_ns for need in asking if need.process == process.placed), None)
        mine = f"the client of node {self.node.index}"
        if since_ns is None:
            return ProtocolMistake(f"{self._now()}: {mine} never starts rank {rank} of job {job}")
        return ProtocolMistake(
            f"{self._now()}: the manager of node {manager} has not answered what {mine} asked for "
            f"rank {rank} of job {job} at {seconds(since_ns):.6f} s"
        )

    def _now(self) -> str:
        return f"{self.design.label}, {seconds(self.model.clock.now_ns):.6f} s"
