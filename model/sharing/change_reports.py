"""Load reports on change of state, over a network of their own.

A node whose load changes tells all others at once, and one that sends a job away tells them where
it goes: until the job is there it counts with its target, which counts it too. A report of the
target that crosses that message on the way leaves the job out until the next one.
"""

from typing import Any

from agents.messages import Message
from agents.sharing.job import MOVING, SequentialJob
from agents.sharing.messages import JobSent, LoadReport
from agents.station import Forwarder
from model.core.emulation import Emulation
from model.core.network import Network, load_network
from model.sharing.reports import LoadTables


class ReportNetwork(Network):
    """A second network beside that of the jobs, of the same kind; both count messages together."""

    def __init__(self, model: Emulation) -> None:
        graph = load_network(model.parameters, model.constants)
        super().__init__(model, graph, model.parameters.duplex)
        self.tallies = model.network.tallies
        for station in self.stations():
            station.name = f"reports {station.name}"
        self._routes: dict[tuple[int, int], tuple[Any, ...]] = {}

    def carry(self, message: Message) -> None:
        """Hand a message to the first station of its route here; a node knows those of the jobs."""
        ends = message.source, message.target
        if ends not in self._routes:
            stations = (station.accept for station in self.stations_between(*ends))
            self._routes[ends] = (*stations, self.deliver)
        message.route = self._routes[ends]
        message.route[0](message)


class ChangeReports(LoadTables):
    """Reports are messages, sent whenever the load of a node is another than it has stated."""

    def __init__(self, model: Emulation) -> None:
        super().__init__(model)
        self._network = ReportNetwork(model)
        self._stated = [node.states() for node in self.nodes]
        self._under_way: dict[int, int] = {}  # where it was last sent, by number of job

    def changed(self, node: int) -> None:
        """A node's load may have changed: if so it reports."""
        states = self.nodes[node].states()
        if states != self._stated[node]:
            self._stated[node] = states
            self._tell_others(node, LoadReport(states))

    def sent(self, source: int, target: int, job: SequentialJob) -> None:
        """A node sends a job to another, and lets all know."""
        super().sent(source, target, job)
        if self.count_sent:
            self._under_way[job.number] = target
            self._tell_others(source, JobSent(job.number, target))

    def told(self, node: int, news: JobSent) -> None:
        """A node hears of a job under way, to itself or another; it may be there already."""
        job = self.model.job(news.job)
        if job.state != MOVING or self._under_way[news.job] != news.target:
            return
        if news.target != node:
            self.expect(node, news.target, job)
            return
        self.nodes[node].expected[news.job] = job
        self._stated[node] = self.nodes[node].states()

    def stations(self) -> list[Forwarder]:
        """The links and switches of the reports' network."""
        return self._network.stations()

    def _tell_others(self, source: int, content: LoadReport | JobSent) -> None:
        node = self.nodes[source]
        for other in range(len(self.nodes)):
            if other != source:
                message = Message(
                    source,
                    other,
                    node.next_number(),
                    content,
                    content.size_of(node.sizes),
                    self.clock.now_ns,
                )
                if node.journal is not None:
                    node.journal.sent(message)
                self._network.send(message)
