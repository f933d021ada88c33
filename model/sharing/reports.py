"""How nodes learn each other's load: by messages, or as if by messages.

Every `report_period` each node sends its load to all others. Between 32 nodes that makes 10^7
messages in a long run. If nothing else is on the network, each round takes the same course: then
only the first round is sent, and in later rounds each report arrives after the delay that it had in
the first. Both ways give the same tables at every instant, the same counts of messages and the same
use of the links (`tests/model/sharing/test_reports.py`).
"""

from collections.abc import Iterator, Sequence
from typing import Protocol

from agents.sharing.job import SequentialJob
from agents.sharing.messages import JobSent, LoadReport
from agents.sharing.node_memory import Load
from agents.sharing.surroundings import SharingSurroundings
from agents.sharing.workstation import Workstation
from agents.station import Station
from model.core.network import Network, NetworkSurroundings, Tally
from model.ground.clock import QUANTUM
from model.sharing.constants import SharingConstants
from model.sharing.scenario import SharingScenario

Table = dict[int, Load]  # what nodes stated, by node


class Cluster(SharingSurroundings, NetworkSurroundings, Protocol):
    """The part of the cluster that reports are about."""

    constants: SharingConstants
    parameters: SharingScenario
    network: Network
    nodes: Sequence[Workstation]
    unfinished: int  # jobs


class LoadTables:
    """The nodes' load tables; a job sent to a node counts there until that node reports again."""

    def __init__(self, model: Cluster) -> None:
        self.model = model
        self.nodes = model.nodes
        self.clock = model.clock
        self.count_sent = model.parameters.count_sent
        everyone = range(len(self.nodes))
        self._tables: list[Table] = [
            {other: self.nodes[other].states() for other in everyone if other != index}
            for index in everyone
        ]

    def table(self, node: int) -> Table:
        return self._tables[node]

    def sent(self, source: int, target: int, job: SequentialJob) -> None:
        if self.count_sent:
            self.expect(source, target, job)

    def expect(self, node: int, target: int, job: SequentialJob) -> None:
        """Count a job that, as a node knows, is on its way to the target."""
        load = self._tables[node][target]
        self._tables[node][target] = self.model.policy.expecting(load, job)

    def arrived(self, node: int, source: int, load: Load) -> None:
        self._tables[node][source] = load

    def announced(self, node: int, news: JobSent) -> None:
        """Let a node count a job that it hears is on its way; only reports on change say so."""

    def changed(self, node: int) -> None:
        """React to a node's load that may have changed; here nothing is done."""

    def stations(self) -> Sequence[Station]:
        """The links and switches of the reports' own network, if they have one."""
        return []


class MessageReports(LoadTables):
    """Reports are messages, sent periodically over the jobs' network."""

    def __init__(self, model: Cluster) -> None:
        super().__init__(model)
        self.period_ns = model.constants.report_ns
        self.rounds = 0
        self._idle = 0  # rounds in a row without any other event to come, or a job let go
        self._held = 0  # jobs that were held back in the last round
        self._schedule()

    def _schedule(self) -> None:
        time_ns = self.clock.now_ns + self.period_ns
        self.clock.schedule((time_ns, QUANTUM, 0, 0, self.rounds, self._boundary, None))

    def _boundary(self, _: None) -> None:
        held = sum(len(node.held) for node in self.nodes)
        goes_on = self.clock.pending_work() or held < self._held
        self._idle, self._held = 0 if goes_on else self._idle + 1, held
        if not self.model.unfinished or self._idle > (2 if held else 0):
            return  # all is done, or nothing more can happen
        self.rounds += 1
        for node in self.nodes:
            node.reports()
        self._report()
        self._schedule()

    def _report(self) -> None:
        for node in self.nodes:
            report = LoadReport(node.states())
            for other in range(len(self.nodes)):
                if other != node.index:
                    node.send(other, report)


class SteadyReports(MessageReports):
    """Only the first round consists of messages; for a network that carries nothing else."""

    def __init__(self, model: Cluster) -> None:
        super().__init__(model)
        everyone = range(len(self.nodes))
        self._delays_ns: list[dict[int, int]] = [{} for _ in everyone]  # [receiver][sender]
        self._steady = False
        self._order: list[list[tuple[int, int]]] = []  # [receiver]: (delay, sender), longest first
        self._stated: Table = {}  # the loads stated in the newest round
        self._stated_ns = 0
        self._due: list[list[tuple[int, int]]] = [[] for _ in everyone]  # not yet arrived
        self._use: list[tuple[Tally | Station, str, int]] = []  # what a round adds to each count

    def table(self, node: int) -> Table:
        due, since_ns = self._due[node], self.clock.now_ns - self._stated_ns
        table = self._tables[node]
        if len(due) == len(table) and due and due[0][0] <= since_ns:  # all at once
            due.clear()
            table.update(self._stated)
            del table[node]
        while due and due[-1][0] <= since_ns:
            sender = due.pop()[1]
            table[sender] = self._stated[sender]
        return table

    def sent(self, source: int, target: int, job: SequentialJob) -> None:
        self.table(source)
        super().sent(source, target, job)

    def arrived(self, node: int, source: int, load: Load) -> None:
        """Store a report that arrives as a message, and note its delay."""
        super().arrived(node, source, load)
        self._delays_ns[node][source] = self.clock.now_ns - self.period_ns * self.rounds

    def _report(self) -> None:
        others = len(self.nodes) - 1
        if self.rounds == 2 and all(len(delays) == others for delays in self._delays_ns):
            self._steady = True  # else rounds take longer than a period, and overlap
            self._use = list(self._first_round())
            self._order = [
                sorted(((delay, sender) for sender, delay in delays.items()), reverse=True)
                for delays in self._delays_ns
            ]
        if not self._steady:
            super()._report()
            return
        for node in range(len(self.nodes)):
            self.table(node)
        self._stated = {node.index: node.states() for node in self.nodes}
        self._stated_ns = self.clock.now_ns
        self._due = [list(order) for order in self._order]
        for counter, name, amount in self._use:
            setattr(counter, name, getattr(counter, name) + amount)

    def _first_round(self) -> Iterator[tuple[Tally | Station, str, int]]:
        network = self.model.network
        for name in ("sent", "sent_bytes", "delivered", "delivered_bytes"):
            tally = network.tallies[LoadReport]
            yield tally, name, getattr(tally, name)
        for station in network.stations():
            for name in ("served", "bytes", "busy_ns", "wait_ns"):
                yield station, name, getattr(station, name)
