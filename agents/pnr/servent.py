"""A servent: the client, server and manager of one node (thesis, figure 2.2)."""

import mesa

from agents.interfaces import Resident, Surroundings
from agents.messages import Message
from agents.pnr.client import Client
from agents.pnr.manager import Manager
from agents.pnr.messages import Send, StartProcess
from agents.pnr.processing_element import ProcessingElement
from agents.pnr.server import Server


class Servent(mesa.Agent):
    """Hands each message to the role that it is for, and carries out what the role answers."""

    def __init__(self, model: Surroundings, node: ProcessingElement) -> None:
        super().__init__(model)
        self.node = node
        self.design = model.design
        self.client = Client(node.memory, self.design.coordinated)
        self.server = Server(node.memory, model.constants.threshold)
        self.manager: Manager | None = None
        if node.index in self.design.managers:
            self.manager = Manager(
                node.index,
                len(model.nodes),
                node.memory,
                self.design.tells(node.index),
                model.constants.skip_below,
                model.parameters.seed,
            )
        self.roles = {"client": self.client, "server": self.server, "manager": self.manager}
        node.takes.update(dict.fromkeys(self.roles, self.receive))

    def process_placed(self, process: Resident) -> None:
        """Have the client ask for what a process that was placed here lacks."""
        self._do(self.client.process_placed(*self._about(process)))

    def process_ended(self, process: Resident) -> None:
        """Have the client give back what is no longer needed after the end of a process here."""
        self._do(self.client.process_ended(*self._about(process)))

    def receive(self, message: Message) -> None:
        """Let the role that a protocol message is for answer it."""
        role = self.roles[message.content.hears]
        lent = self.node.memory.lent
        effects = role.receive(message.source, message.content, self.model.clock.now_ns)
        if self.node.memory.lent != lent:
            self.node.overallocation_changed()
        self._do(effects)

    def _about(self, process: Resident) -> tuple[int, int, int, int | None, int]:
        """What a client must know about a process: job, rank, processes, manager and time."""
        job = process.job
        manager = self.design.manager_of(job.number, job.nodes, self.node.index)
        return job.number, process.rank, len(job.nodes), manager, self.model.clock.now_ns

    def _do(self, effects: list[Send | StartProcess]) -> None:
        for effect in effects:
            if isinstance(effect, Send):
                self.node.send(effect.target, effect.content)
            else:
                self.node.residents[effect.job].start()
