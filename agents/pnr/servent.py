"""A servent: the client, server and manager of one node (thesis, figure 2.2)."""

from collections.abc import Callable
from typing import Any

import mesa

from agents.interfaces import Resident, Surroundings
from agents.messages import ROLES, Message
from agents.pnr.messages import Placed
from agents.pnr.process import GRANT
from agents.pnr.processing_element import ProcessingElement
from agents.pnr.role import CancelTimer, Note, Role, Send, SetTimer, Site, StartProcess
from model.ground.errors import CheckFailed, InputError, shown
from model.ground.units import seconds

LATEST_NS = 10**18  # a timer fires after at most so long, which keeps time within 64 bits


class Servent(mesa.Agent):
    """Hosts the roles that the design names: hands them messages, and carries out their effects."""

    validates = False  # whether every role is validated after each thing that one has handled

    def __init__(self, model: Surroundings, node: ProcessingElement) -> None:
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
            parameters=design.parameters,
        )
        self.client = design.protocol.client(site)
        self.server = design.protocol.server(site)
        self.manager = design.protocol.manager(site) if node.index in design.managers else None
        roles = (self.client, self.server, self.manager)
        self.roles: dict[str, Role] = {role.name: role for role in roles if role is not None}
        self.starts = any(type(r).start is not Role.start for r in self.roles.values())
        changes = [type(role).memory_changed for role in (self.server, self.client)]
        self.hears_of_memory = any(change is not Role.memory_changed for change in changes)
        node.takes.update(dict.fromkeys(ROLES, self.receive))

    def start(self, _: None = None) -> None:
        """The servent starts, before anything else happens: so do its roles."""
        for role in self.roles.values():
            self._handle(role, role.start)

    def process_placed(self, process: Resident) -> None:
        """Have the client ask for what a process that was placed here lacks."""
        self._memory_changed(self.server)
        self._handle(self.client, self.client.process_placed, self._about(process))
        self._memory_changed(self.client)

    def process_ended(self, process: Resident) -> None:
        """Have the client give back what is no longer needed after the end of a process here."""
        self._memory_changed(self.server)
        self._handle(self.client, self.client.process_ended, self._about(process))
        self._memory_changed(self.client)

    def receive(self, message: Message) -> None:
        """Let the role that a protocol message is for answer it."""
        role = self.roles[message.content.hears]
        demand = self.node.memory.demand
        self._handle(role, role.receive, message.source, message.content)
        if self.node.memory.demand != demand:
            self._memory_changed(self.server)
            self._memory_changed(self.client)
        self.model.watchdog.handled_message()

    def _timer_fires(self, role: str, name: str) -> None:
        self._handle(self.roles[role], self.roles[role].timer, name)
        self.model.watchdog.handled_timer()

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
        effects = handler(*arguments, self.model.clock.now_ns)
        if self.validates:
            self._validate()
        if memory.lent != lent:
            node.overallocation_changed()
        if (memory.lent, memory.borrowed) != (lent, borrowed):
            self.model.watchdog.made_progress()
        if not isinstance(effects, list):
            raise self._mistake(role, f"answers {shown(effects)}; give a list of effects")
        for effect in effects:
            if isinstance(effect, Send):
                self._check(role, effect)
                node.send(effect.target, effect.content)
            elif isinstance(effect, StartProcess):
                self._start(role, effect)
            elif isinstance(effect, SetTimer):
                self._set_timer(role, effect)
            elif isinstance(effect, CancelTimer):
                self.model.timers.cancel(node.index, role.name, effect.name)
            elif isinstance(effect, Note):
                if node.journal is not None:
                    node.journal.noted(node.index, role.name, effect.name, effect.value)
            else:
                raise self._mistake(role, f"wants {shown(effect)}, which is no effect")

    def _start(self, role: Role, start: StartProcess) -> None:
        """Start a process, unless it is no longer there."""
        process = self.node.residents.get(start.job)
        if process is not None and process.job.attempt == start.attempt:
            if process.state != GRANT:
                raise self._mistake(role, f"starts the process of job {start.job} twice")
            self.model.watchdog.made_progress()
            process.start()

    def _set_timer(self, role: Role, timer: SetTimer) -> None:
        name, after_ns = timer
        if not (isinstance(name, str) and isinstance(after_ns, int) and 1 <= after_ns <= LATEST_NS):
            raise self._mistake(
                role,
                f"sets {shown(timer)}; give a name and a whole number of ns from 1 to {LATEST_NS}",
            )
        fire = self._timer_fires
        self.model.timers.set(self.node.index, role.name, name, after_ns, fire)

    def _check(self, role: Role, send: Send) -> None:
        """Raise InputError unless the message can reach a role."""
        target, content = send
        kind, nodes = type(content).__name__, len(self.model.nodes)
        hears = getattr(content, "hears", None)
        if hears not in ROLES:
            told = f"sends a {kind}, which no role hears; make it with @message"
        elif not (isinstance(target, int) and 0 <= target < nodes):
            told = f"sends {kind} to node {shown(target)}; nodes are 0 to {nodes - 1}"
        elif hears == "manager" and target not in self.design.managers:
            told = f"sends {kind} to node {target}, which has no manager to hear it"
        else:
            return
        raise self._mistake(role, told)

    def _validate(self) -> None:
        for role in self.roles.values():
            try:
                role.validate()
            except CheckFailed as failed:
                raise CheckFailed(f"{self._now()}: {failed}") from None

    def _mistake(self, role: Role, told: str) -> InputError:
        return InputError(f"{self._now()}: the {role.name} of node {self.node.index} {told}")

    def _now(self) -> str:
        return f"{self.design.name}, {seconds(self.model.clock.now_ns):.6f} s"
