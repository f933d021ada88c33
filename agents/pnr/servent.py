"""A servent: the client, server and manager of one node (thesis, figure 2.2)."""

from collections.abc import Callable
from typing import Any

import mesa

from agents.interfaces import Resident, Surroundings
from agents.messages import ROLES, Message
from agents.pnr.process import GRANT
from agents.pnr.processing_element import ProcessingElement
from agents.pnr.role import Role, Send, Site, StartProcess
from model.ground.errors import CheckFailed, InputError, shown
from model.ground.units import seconds


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
        node.takes.update(dict.fromkeys(ROLES, self.receive))

    def process_placed(self, process: Resident) -> None:
        """Have the client ask for what a process that was placed here lacks."""
        self._handle(self.client, self.client.process_placed, *self._about(process))

    def process_ended(self, process: Resident) -> None:
        """Have the client give back what is no longer needed after the end of a process here."""
        self._handle(self.client, self.client.process_ended, *self._about(process))

    def receive(self, message: Message) -> None:
        """Let the role that a protocol message is for answer it."""
        role = self.roles[message.content.hears]
        self._handle(role, role.receive, message.source, message.content)

    def _about(self, process: Resident) -> tuple[int, int, int, int | None]:
        """What a client must know about a process: job, rank, clients of its manager, manager."""
        asking = process.job.number, process.job.nodes, self.node.index
        clients, manager = self.design.clients_of(*asking), self.design.manager_of(*asking)
        return process.job.number, process.rank, clients, manager

    def _handle(self, role: Role, handler: Callable[..., Any], *arguments: Any) -> None:
        """Let a role handle something, and carry out its answer; roles are called nowhere else."""
        node = self.node
        lent = node.memory.lent
        effects = handler(*arguments, self.model.clock.now_ns)
        if self.validates:
            self._validate()
        if node.memory.lent != lent:
            node.overallocation_changed()
        if not isinstance(effects, list):
            raise self._mistake(role, f"answers {shown(effects)}; give a list of effects")
        for effect in effects:
            if isinstance(effect, Send):
                self._check(role, effect)
                node.send(effect.target, effect.content)
            elif isinstance(effect, StartProcess):
                self._start(role, effect.job)
            else:
                raise self._mistake(role, f"wants {shown(effect)}, which is no effect")

    def _start(self, role: Role, job: int) -> None:
        """Start a process, unless it is no longer there."""
        process = self.node.residents.get(job)
        if process is not None:
            if process.state != GRANT:
                raise self._mistake(role, f"starts the process of job {job} twice")
            process.start()

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
