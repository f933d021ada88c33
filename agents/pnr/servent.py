"""A servent: the client, server and manager of one node (thesis, figure 2.2)."""

import typing
from collections.abc import Callable, Iterable
from typing import Any

import mesa

from agents.interfaces import Resident, Surroundings
from agents.messages import ROLES, Message, Reaction, Untold
from agents.pnr.messages import Placed
from agents.pnr.process import GRANT
from agents.pnr.processing_element import ProcessingElement
from agents.pnr.role import (
    CancelTimer,
    Decided,
    Note,
    Role,
    Send,
    SetTimer,
    Site,
    StartProcess,
    mistake_in,
)
from model.ground.errors import CheckFailed, InputError, ProtocolMistake, shown
from model.ground.units import seconds

#: So many messages may be handled because one thing happened, and so many more for each node.
MOST_MESSAGES, MOST_MESSAGES_A_NODE = 5_000, 100


class Accounts(typing.Protocol):
    """What hears of all that messages of servents carry, and roles hold, of what is lent."""

    def sent(self, sender: int, target: int, content: Any) -> None:
        """A message is on its way."""

    def heard(self, sender: int, target: int, content: Any) -> None:
        """A message is no longer on its way."""

    def handled(self, node: int, roles: Iterable[Role]) -> None:
        """A role of a node's servent has handled something; raises CheckFailed if that is wrong."""


class Servent(mesa.Agent):
    """Hosts the roles that the design names: hands them messages, and carries out their effects."""

    validates = False  # whether every role is validated after each thing that one has handled
    accounts: Accounts | None = None

    def __init__(self, model: Surroundings, node: ProcessingElement) -> None:
        super().__init__(model)
        self.node = node
        self.design = model.design
        self.incarnation = 0
        self._reaction = Reaction()  # to what happens now
        self._most_messages = MOST_MESSAGES + MOST_MESSAGES_A_NODE * len(model.nodes)
        self.former: list[Role] = []  # those that were lost in crashes
        self.is_down = False  # after a crash: nobody hears messages
        self._crashes = 0  # of which it has not recovered
        self._for_ever = False  # whether it stays down
        self._pauses = 0
        #: What is to be handled after a pause: how, what, and what has caused it.
        self._waiting: list[tuple[Callable[[Any], None], Any, Any]] = []
        self._due: dict[tuple[str, str], None] = {}  # timers that have fired during a pause
        self._missed: list[Resident] = []  # processes that ended while it was down
        self._recovering: dict[Any, None] = {}  # processes and jobs that wait because of a crash
        self._crashed_ns: int | None = None
        self._make_roles()
        self.starts = any(type(r).start is not Role.start for r in self.roles.values())
        changes = [type(role).memory_changed for role in (self.server, self.client)]
        self.hears_of_memory = any(change is not Role.memory_changed for change in changes)
        node.takes.update(dict.fromkeys(ROLES, self.receive))

    def _make_roles(self) -> None:
        """Host new roles, as at the beginning and after a crash."""
        node, model, design = self.node, self.model, self.design
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
            incarnation=self.incarnation,
            explains=node.journal is not None,
            parameters=design.parameters,
        )
        self.client = design.protocol.client(site)
        self.server = design.protocol.server(site)
        self.manager = design.protocol.manager(site) if node.index in design.manages else None
        roles = (self.client, self.server, self.manager)
        self.roles: dict[str, Role] = {role.name: role for role in roles if role is not None}

    def answers(self) -> list[Any]:
        """How its client's requests were answered, those before crashes included."""
        clients = [role for role in self.former if role.name == "client"]
        if not self.is_down:
            clients.append(self.client)
        return [answer for client in clients for answer in client.answers]

    def start(self, _: None = None) -> None:
        """The servent starts, before anything else happens: so do its roles."""
        self._reaction = Reaction()
        for role in self.roles.values():
            self._handle(role, role.start)

    # Faults

    def crash(self, for_ever: bool) -> None:
        """Lose the roles' state and timers; what the node holds, lends and borrows stays.

        If the servent never restarts, processes start without a grant from now on.
        """
        self._crashes += 1
        self._for_ever |= for_ever
        if not self.is_down:
            self.is_down = True
            self._crashed_ns = self.model.clock.now_ns
            self._failed("crashed")
            self.former += self.roles.values()
            self.model.timers.forget(self.node.index)
            self.node.memory.asked.clear()
            self._missed += [
                what for handle, what, _ in self._waiting if handle == self.process_ended
            ]
            self._waiting.clear()
            self._due.clear()
            waiting = [one for one in self.node.residents.values() if one.state == GRANT]
            self._recovering = dict.fromkeys(waiting)
        if self._for_ever:
            for process in list(self.node.residents.values()):
                if process.state == GRANT:
                    self._start_alone(process)

    def lose_node(self, jobs: list[Any], for_ever: bool) -> None:
        """Crash with the node, which is empty then; these jobs ran there and begin again."""
        self.crash(for_ever)
        self._missed.clear()
        self._recovering = dict.fromkeys(jobs)
        if self._crashed_ns is None:
            self._crashed_ns = self.model.clock.now_ns

    def has_recovered(self, waited: Any) -> None:
        """Something that a crash had stopped goes on."""
        self._recovering.pop(waited, None)
        self._note_recovery()

    def restart(self) -> None:
        """Host new roles, which learn of the processes that are here and of those that ended."""
        self._crashes -= 1
        if self._crashes:
            return
        self.is_down = False
        self.incarnation += 1
        self._make_roles()
        self._failed("restarted")
        self.model.faults.restarts += 1
        self.start()
        ended, self._missed = self._missed, []
        for process in list(self.node.residents.values()):
            if process.state == GRANT:
                self._recovering[process] = None
                self.process_placed(process)
        for process in ended:
            self.process_ended(process)
        self._note_recovery()

    def pause(self) -> None:
        """Handle nothing from now on; the node goes on."""
        self._pauses += 1
        if self._pauses == 1:
            self._failed("paused")

    def resume(self) -> None:
        """Handle in this nanosecond what has waited, in the order in which it came."""
        self._pauses -= 1
        if self._pauses:
            return
        self._failed("continued")
        waiting, self._waiting = self._waiting, []
        journal = self.model.journal
        for handle, what, cause in waiting:
            if journal is not None:
                journal.because(*cause)
            handle(what)

    def _failed(self, kind: str) -> None:
        if self.model.journal is not None:
            self.model.journal.failed(kind, self.node.index, "servent")

    def _start_alone(self, process: Resident) -> None:
        """Start a process for which no client can ask."""
        self.model.watchdog.made_progress()
        process.start()
        self.has_recovered(process)

    def _note_recovery(self) -> None:
        """Note how long it took until nothing waited any more that a crash had stopped."""
        if self._crashed_ns is not None and not self._recovering and not self._crashes:
            self.model.faults.recoveries_ns.append(self.model.clock.now_ns - self._crashed_ns)
            self._crashed_ns = None

    # What happens on the node

    def process_placed(self, process: Resident) -> None:
        """Have the client ask for what a process that was placed here lacks."""
        if process.placed is None:
            process.placed = self._about(process)
        if self.is_down:
            if self._for_ever:
                self._start_alone(process)
            return
        if self._pauses:
            self._wait(self.process_placed, process)
            return
        self._reaction = Reaction()
        self._memory_changed(self.server)
        self._handle(self.client, self.client.process_placed, process.placed)
        self._memory_changed(self.client)

    def process_ended(self, process: Resident) -> None:
        """Have the client give back what is no longer needed after the end of a process here."""
        if self.is_down:
            self._missed.append(process)
            return
        if self._pauses:
            self._wait(self.process_ended, process)
            return
        self._reaction = Reaction()
        self._memory_changed(self.server)
        self._handle(self.client, self.client.process_ended, process.placed)
        self._memory_changed(self.client)

    def process_resized(self, process: Resident) -> None:
        """Tell roles that a process here holds more or less than before, if they want to know."""
        if self.is_down:
            return
        if self._pauses:
            self._wait(self.process_resized, process)
            return
        self._reaction = Reaction()
        self._memory_changed(self.server)
        self._memory_changed(self.client)

    def process_left(self, process: Resident) -> None:
        """Have the client give back what is no longer needed: a process has moved away."""
        self._reaction = Reaction()
        self._memory_changed(self.server)
        self._handle(self.client, self.client.process_left, process.placed)
        self._memory_changed(self.client)

    def process_arrived(self, process: Resident) -> None:
        """Tell the client that a process has moved here; who asks its own manager does so here."""
        if self.design.asks == "own" and process.placed.manager is not None:
            process.placed = process.placed._replace(manager=self.node.index)
        self._reaction = Reaction()
        self._handle(self.client, self.client.process_arrived, process.placed)

    def receive(self, message: Message) -> None:
        """Let the role that a protocol message is for answer it."""
        if self.is_down:  # a message to itself: others do not come so far
            self.model.faults.unheard()
            return
        if self._pauses:
            self._wait(self.receive, message)
            return
        content = message.content
        role = self.roles[content.hears]
        self._reaction = reaction = message.reaction or Reaction()
        reaction.messages += 1
        if reaction.messages > self._most_messages:
            raise self._endless(role, content)
        if self.accounts is not None:
            self.accounts.heard(message.source, self.node.index, content)
        if message.header is None:
            self._happens(role, role.receive, message.source, content)
        else:
            self._happens(role, role.receive_with_header, message.source, content, message.header)
        self.model.watchdog.handled_message()

    def _wait(self, handle: Callable[[Any], None], argument: Any) -> None:
        """Handle something when the pause ends, as caused by what causes it now."""
        journal = self.model.journal
        cause = (journal.cause, journal.job) if journal is not None else None
        self._waiting.append((handle, argument, cause))

    def _timer_fires(self, role: str, name: str) -> None:
        if self._pauses:
            self._due[role, name] = None
            self._wait(self._timer_was_due, (role, name))
            return
        self._reaction = Reaction()
        self._happens(self.roles[role], self.roles[role].timer, name)
        self.model.watchdog.handled_timer()

    def _timer_was_due(self, timer: tuple[str, str]) -> None:
        """Let a role handle a timer after a pause, unless it was set or cancelled meanwhile."""
        if timer in self._due:
            del self._due[timer]
            self._timer_fires(*timer)

    def _happens(self, role: Role, handler: Callable[..., Any], *arguments: Any) -> None:
        """Let a role handle something that may change the node's demand, of which others hear."""
        demand = self.node.memory.demand
        self._handle(role, handler, *arguments)
        if self.node.memory.demand != demand:
            self._memory_changed(self.server)
            self._memory_changed(self.client)

    def _memory_changed(self, role: Role) -> None:
        """The node's demand is another than before: tell a role, if it wants to know."""
        if self.hears_of_memory:
            self._handle(role, role.memory_changed)

    def _about(self, process: Resident) -> Placed:
        """What a client must know about a process."""
        asking = process.job.number, process.job.nodes, self.node.index
        clients, manager = self.design.clients_of(*asking), self.design.manager_of(*asking)
        job = process.job
        return Placed(job.number, process.rank, clients, manager, job.attempt)

    def _handle(self, role: Role, handler: Callable[..., Any], *arguments: Any) -> None:
        """Let a role handle something, and carry out its answer; roles are called nowhere else."""
        node = self.node
        memory = node.memory
        lent, borrowed = memory.lent, memory.borrowed
        try:
            effects = handler(*arguments, self.model.clock.now_ns)
        except InputError as error:  # of a user's code
            error.args = (f"{self._where(role)}, {_what(handler, arguments)}: {error}",)
            raise
        except CheckFailed as failed:
            told = f"{self._now()}, {_what(handler, arguments)}: {failed}"
            raise CheckFailed(told) from None
        if self.validates:
            self._validate()
        if memory.lent != lent:
            node.overallocation_changed()
        if (memory.lent, memory.borrowed) != (lent, borrowed):
            self.model.watchdog.made_progress()
        if not isinstance(effects, list):
            raise self._mistake(role, f"answers {shown(effects)}; give a list of effects")
        for effect in effects:
            told = mistake_in(effect, len(self.model.nodes), self.design.manages)
            if told is not None:
                raise self._mistake(role, told)
            if isinstance(effect, Send):
                try:
                    if self.accounts is not None:
                        self.accounts.sent(node.index, effect.target, effect.content)
                    node.send(*effect, self._reaction)
                except Untold as error:
                    raise self._mistake(role, str(error)) from None
            elif isinstance(effect, StartProcess):
                self._start(role, effect)
            elif isinstance(effect, SetTimer):
                self._set_timer(role, effect)
            elif isinstance(effect, CancelTimer):
                self._due.pop((role.name, effect.name), None)
                self.model.timers.cancel(node.index, role.name, effect.name)
            elif isinstance(effect, Note):
                if node.journal is not None:
                    node.journal.noted(node.index, role.name, effect.name, effect.value)
            elif isinstance(effect, Decided) and node.journal is not None:
                true = effect.true(lambda place: self.model.nodes[place].memory)
                node.journal.decided(node.index, role.name, effect, true)
        if self.accounts is not None:
            try:
                self.accounts.handled(node.index, self.roles.values())
            except CheckFailed as failed:
                told = f"{self._where(role)}, {_what(handler, arguments)}: {failed}"
                raise CheckFailed(told) from None

    def _start(self, role: Role, start: StartProcess) -> None:
        """Start a process, unless it is no longer there."""
        process = self.node.residents.get(start.job)
        if process is not None and process.placed.attempt == start.attempt:
            if process.state != GRANT:
                raise self._mistake(role, f"starts the process of job {start.job} twice")
            self.model.watchdog.made_progress()
            process.start()
            if self._recovering:
                self.has_recovered(process)

    def _set_timer(self, role: Role, timer: SetTimer) -> None:
        name, after_ns = timer
        self._due.pop((role.name, name), None)
        fire = self._timer_fires
        self.model.timers.set(self.node.index, role.name, name, after_ns, fire)

    def _validate(self) -> None:
        for role in self.roles.values():
            try:
                role.validate()
            except CheckFailed as failed:
                raise CheckFailed(f"{self._now()}: {failed}") from None

    def _mistake(self, role: Role, told: str) -> ProtocolMistake:
        return ProtocolMistake(f"{self._where(role)} {told}")

    def _endless(self, role: Role, content: Any) -> ProtocolMistake:
        told = f"hears {type(content).__name__} without end: {self._most_messages:,} messages were"
        return self._mistake(role, f"{told} sent because of one thing that happened")

    def unanswered(self, process: Resident) -> ProtocolMistake:
        """What keeps a process from starting when nothing goes on any more."""
        job, rank, _, manager, _ = process.placed
        asking = getattr(self.client, "asking", {}).values()
        since_ns = next((one.since_ns for one in asking if one.process == process.placed), None)
        if since_ns is None:
            return self._mistake(self.client, f"never starts rank {rank} of job {job}")
        return ProtocolMistake(
            f"{self._now()}: the manager of node {manager} has not answered what the client of "
            f"node {self.node.index} asked for rank {rank} of job {job} at "
            f"{seconds(since_ns):.6f} s"
        )

    def _where(self, role: Role) -> str:
        return f"{self._now()}: the {role.name} of node {self.node.index}"

    def _now(self) -> str:
        return f"{self.design.told}, {seconds(self.model.clock.now_ns):.6f} s"


def _what(handler: Callable[..., Any], arguments: tuple[Any, ...]) -> str:
    """What a role was to handle: a message by its kind, a timer by its name."""
    for argument in arguments:
        if hasattr(argument, "hears"):
            return f"on {type(argument).__name__}"
        if isinstance(argument, str):
            return f"on its timer {argument}"
        if isinstance(argument, Placed):
            return f"about rank {argument.rank} of job {argument.job}"
    return "at its start" if handler.__name__ == "start" else "when its node's memory changed"
