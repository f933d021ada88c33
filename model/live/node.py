"""A node of a live run, in a process of its own.

It has the node, the servent and the processes of the emulation, which live by the wall's clock;
messages to other nodes go over TCP. The head tells it what its scheduler does.
"""

import ast
from collections import defaultdict
from collections.abc import Callable, Sequence
from typing import Any, cast

import mesa
import msgspec

from agents.messages import Content, Message
from agents.pnr.messages import PageReply, PageRequest
from agents.pnr.process import Process
from agents.pnr.processing_element import ProcessingElement
from agents.pnr.servent import Servent, ServentSurroundings
from agents.pnr.timers import Timers
from model.core.journal.kinds import Record
from model.core.network import Tally
from model.ground.errors import ProtocolMistake, cut
from model.live import wire
from model.live.clock import WallClock
from model.live.journal import COUNTED_BY_ONE_PROCESS, NodeJournal
from model.live.pages import LentPages, Owner
from model.live.process import Home, LiveProcess, LocalJob
from model.live.scaling import scaled_constants
from model.pnr.cluster import Cluster
from model.pnr.constants import Constants
from model.pnr.design import Design, load_design
from model.pnr.scenario import Scenario


class Elsewhere:
    """Another node, of which nothing can be seen from here."""

    is_down = False
    load = 0

    def __init__(self, index: int) -> None:
        self.index = index
        self.residents: dict[tuple[int, int], Process] = {}


class LiveNode(mesa.Model, ServentSurroundings, Home):
    """What surrounds the node, the servent and the processes here: the emulation's cluster to them.

    `tell` takes what is for the head, `out` what is for another node; that returns whether there is
    a way to it. `wake` is called when something is due (`WallClock`).
    """

    clock: WallClock
    constants: Constants
    design: Design
    network: Any
    watchdog: Any
    nodes: Sequence[Any]
    servents: Sequence[Any]
    journal: Any
    faults: Any = None
    absent: Sequence[int] = ()

    def __init__(
        self,
        setup: wire.Setup,
        tell: Callable[[wire.Packet], None],
        out: Callable[[int, wire.Packet], bool],
        wake: Callable[[], None],
    ) -> None:
        self.page_costs = None
        self.parameters = scenario = Scenario.model_validate_json(setup.scenario)
        super().__init__(rng=scenario.seed)
        index, self.tell, self._out = setup.node, tell, out
        first = setup.incarnation * COUNTED_BY_ONE_PROCESS
        self.clock = WallClock()
        self.clock.wake = wake
        self.constants = scaled_constants(scenario, setup.time_scale)
        self.design = design = load_design(setup.design, scenario)
        self.job_columns = Cluster.job_columns
        self.lent_pages = LentPages(self.constants.page)
        self.records: list[Record] = []
        level = setup.journal_level
        self.journal = NodeJournal(self.clock, self.records, level, first) if level else None
        self.progress = 0
        self.jobs: dict[int, LocalJob] = {}  # that have a process here
        self.by_number = dict.fromkeys(setup.jobs)
        self.tallies: defaultdict[type[Content], Tally] = defaultdict(Tally)
        self.sent_to: defaultdict[int, tuple[int, int]] = defaultdict(lambda: (0, 0))
        self.lost = 0  # messages to nodes that are not there
        self.checked = self.from_copy = 0  # pages of processes that are no more
        self.codec = wire.MessageCodec(wire.kinds_of(design), design.protocol)
        self.shares = design.shares(self.constants)
        self.network = self.watchdog = self
        self.timers = Timers(self, first)
        nodes: list[Any] = [Elsewhere(node) for node in range(scenario.nodes)]
        self.nodes = nodes
        self.node = nodes[index] = ProcessingElement(self, index)
        self.node.messages = first
        servents: list[Any] = [*nodes]
        self.servents = servents
        self.servent = servents[index] = Servent(self, self.node, setup.incarnation)
        self.servent.host.validates = setup.checks
        self._stored = self.servent.host.metrics.stored
        if setup.stored:
            self.servent.host.site.stored.update(ast.literal_eval(setup.stored))
        self._early: list[tuple[wire.MessagePacket, int]] = []  # messages that come before `Begin`
        self._given: dict[tuple[int, int], bytes] = {}  # pages for replies, by node and job

    def go_on(self) -> None:
        """Do what is due, and tell the head what has been stored and journaled."""
        self.clock.go_on()
        self._report()

    def stop(self) -> None:
        self.clock.stop()
        self._report()

    def _report(self) -> None:
        stored = self._newly_stored()
        if self.records or stored is not None:
            self.tell(wire.Report(self.records, stored))
            self.records.clear()

    def _newly_stored(self) -> str | None:
        count = self.servent.host.metrics.stored
        if count == self._stored:
            return None
        self._stored = count
        values = repr(self.servent.host.site.stored)
        try:
            ast.literal_eval(values)
        except (ValueError, SyntaxError):
            raise ProtocolMistake(
                f"stores {cut(values, 80)}; for real, store numbers, texts and tuples, lists or "
                "dicts of them"
            ) from None
        return values

    # What the watchdog does in an emulation is the head's matter

    def made_progress(self) -> None:
        """Loans may have ended: keep no more pages of others than are lent."""
        self.lent_pages.keep_within(self.node.memory.lent)

    def may_be_quiet(self) -> None:
        pass

    def handled_timer(self) -> None:
        pass

    # What the head tells

    def hear(self, packet: wire.Packet) -> None:
        self.clock.look()
        if self.journal is not None:
            self.journal.because(0, None)
        match packet:
            case wire.Begin(epoch_ns):
                self.clock.begin(epoch_ns)
                if self.servent.host.waits_for_start:
                    self.servent.start()
                for early in self._early:
                    self.arrives(*early)
            case wire.Place():
                self._place(packet)
            case wire.Switch(job, runs) if job in self.jobs:
                self.jobs[job].resume() if runs else self.jobs[job].suspend()
            case wire.Kill(job) if job in self.jobs:
                process = self.jobs.pop(job).here
                if process.key in self.node.residents:  # else it has finished
                    self._kill(process)
            case wire.NodeGone(node):
                self._lose(node)

    def _place(self, place: wire.Place) -> None:
        self.jobs[place.spec.number] = job = LocalJob(place, self)
        if self.journal is not None:
            self.journal.because(place.cause, job.number)
        self.servent.process_placed(job.begin(place, self.node))

    def _kill(self, process: LiveProcess) -> None:
        number = process.job.number
        for key, what in list(self.clock.pending_events()):
            is_about = isinstance(what, Message) and what.content.job == number
            if what is process or is_about:
                self.clock.cancel(*key)
        process.end_stretch()
        del self.node.residents[process.key]
        self.ends(process)
        self.node.free(process.key)
        self.servent.process_ended(process)

    def ends(self, process: LiveProcess) -> None:
        """Count what became of the pages of a process that is here no longer."""
        self.checked += process.pages.checked
        self.from_copy += process.pages.from_copy
        process.pages.free()

    def _lose(self, gone: int) -> None:
        """Another node is gone: nothing is borrowed from it, and none of its pages are here."""
        memory = self.node.memory
        if gone in memory.loans:
            memory.give_back(gone, memory.loans[gone])
            self.node.overallocation_changed()
        self.lender_gone(gone)
        self.lent_pages.forget_node(gone)

    def lender_gone(self, gone: int) -> None:
        """The pages at a lender are not to be had: whoever waits for one reads it from the disk."""
        for process in [*self._residents()]:
            process.lender_gone(gone)

    def _residents(self) -> list[LiveProcess]:
        return [cast(LiveProcess, process) for process in self.node.residents.values()]

    # The network, to what is on this node

    def send(self, message: Message) -> None:
        """Put a message on its way to another node, with the page that goes along."""
        content, target = message.content, message.target
        tally = self.tallies[type(content)]
        tally.sent += 1
        tally.sent_bytes += message.size_bytes
        if self.journal is None:
            message.cause = 0
        if self.servent.host.metrics.stored != self._stored:
            self._report()  # it is safe before anybody hears of it
        packet = self.codec.encode(message)
        process = self.jobs[content.job].here if content.job in self.jobs else None
        if type(content) is PageRequest and process is not None:
            process.asks(message)
            exchange = process.pages.exchange(content.page, target)
            if exchange is not None:
                packet = msgspec.structs.replace(packet, **exchange._asdict())
        elif type(content) is PageReply:
            page = self._given.pop((target, content.job), b"")
            packet = msgspec.structs.replace(packet, page=page)
        messages, size_bytes = self.sent_to[target]
        self.sent_to[target] = messages + 1, size_bytes + message.size_bytes
        if self._out(target, packet):
            return
        self.lost += 1
        tally.lost += 1
        tally.lost_bytes += message.size_bytes
        if self.journal is not None:
            self.journal.lost(message, "crash")
        if type(content) is PageRequest and process is not None:
            process.lender_gone(target)

    def arrives(self, packet: wire.MessagePacket, source: int) -> None:
        """Take a message from another node, and the page that has come with it."""
        if not self.clock.has_begun:
            self._early.append((packet, source))
            return
        self.clock.look()
        message = self.codec.decode(packet, source, self.node.index)
        content = message.content
        tally = self.tallies[type(content)]
        tally.delivered += 1
        tally.delivered_bytes += message.size_bytes
        if type(content) is PageRequest:
            self._page_comes(source, content, packet)
        elif type(content) is PageReply and content.job in self.jobs:
            self.jobs[content.job].here.came = packet.page
        self.node.receive(message)

    def _page_comes(self, source: int, request: PageRequest, packet: wire.MessagePacket) -> None:
        """Keep the page in a request, as far as so much is lent, and look for the wanted one."""
        owner: Owner = source, request.job, request.rank
        self._given[source, request.job] = self.lent_pages.give(owner, packet.wanted)
        if packet.evicted >= 0:
            self.lent_pages.keep(owner, packet.evicted, packet.page)
        self.lent_pages.keep_within(self.node.memory.lent)

    # What is told at the end, and on the way

    def state(self) -> wire.NodeState:
        memory = self.node.memory
        self.clock.look()
        return wire.NodeState(
            [getattr(memory, name) for name in wire.OF_MEMORY],
            len(memory.asked),
            memory.loans,
            [process.state_now() for process in self._residents()],
            self.progress,
            self.clock.now_ns,
        )

    def totals(self) -> wire.Totals:
        node, disk = self.node, self.node.disk
        return wire.Totals(
            tallies={
                kind.__name__: [getattr(tally, name) for name in Tally.__slots__]
                for kind, tally in self.tallies.items()
            },
            to=self.sent_to,
            page_faults=(node.faults_disk, node.faults_network),
            disk=(disk.served, disk.bytes, disk.busy_ns, disk.wait_ns, disk.max_wait_ns),
            metrics=self.servent.host.metrics,
            lost=self.lost,
            pages_checked=self.checked,
            pages_from_copy=self.from_copy,
            events=self.clock.executed,
        )
