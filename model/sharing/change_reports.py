"""Load reports on change of state, over a network of their own.

A node whose load changes tells all others at once, and a node that sends a job away tells them
where it goes: until the job arrives, all count it at its target, and so does the target. If a
report of the target crosses that message on its way, the job is left out until the next report.
"""

from agents.messages import Message
from agents.sharing.job import MOVING, SequentialJob
from agents.sharing.messages import JobSent, LoadReport
from agents.station import Forwarder
from model.core.network import Network, load_network
from model.sharing.reports import Cluster, LoadTables


class ReportNetwork(Network):
    """A second network like that of the jobs; the messages of both are counted together."""

    def __init__(self, model: Cluster) -> None:
        graph = load_network(model.parameters, model.constants)
        super().__init__(model, graph)
        self.tallies = model.network.tallies
        for station in self.stations():
            station.name = f"reports {station.name}"


class ChangeReports(LoadTables):
    """Reports are messages, sent whenever a node's load differs from what it has stated."""

    def __init__(self, model: Cluster) -> None:
        super().__init__(model)
        self._network = ReportNetwork(model)
        self._stated = [node.states() for node in self.nodes]
        self._under_way: dict[int, int] = {}  # job number -> its last target

    def changed(self, node: int) -> None:
        """Report a node's load if it has changed."""
        states = self.nodes[node].states()
        if states != self._stated[node]:
            self._stated[node] = states
            self._tell_others(node, LoadReport(states))

    def sent(self, source: int, target: int, job: SequentialJob) -> None:
        """Tell all nodes about a job that one sends to another."""
        super().sent(source, target, job)
        if self.count_sent:
            self._under_way[job.number] = target
            self._tell_others(source, JobSent(job.number, target))

    def announced(self, node: int, news: JobSent) -> None:
        """Let a node count a job that it hears is on its way, unless that has arrived already."""
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
