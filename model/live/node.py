"""A node of a live run: one process of the operating system.

It has the node, the servent and the processes of the emulation, which live by the wall's clock;
messages to other nodes go over TCP. The head tells it what its scheduler does.
"""

import ast
import tempfile
from collections import defaultdict
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Any, cast

import mesa
import msgspec

from agents.messages import DATA_PHASES, Content, Message
from agents.pnr.hosting import Crashed, Restarted
from agents.pnr.messages import PageReply, PageRequest
from agents.pnr.moving import ProcessTransfer
from agents.pnr.process import Process
from agents.pnr.processing_element import ProcessingElement
from agents.pnr.servent import Servent, ServentSurroundings
from agents.pnr.timers import Timers
from model.core.journal.kinds import Record
from model.core.network import Tally
from model.ground.errors import ProtocolMistake, cut
from model.live import telling
from model.live.clock import WallClock
from model.live.journal import COUNTED_BY_ONE_PROCESS, NodeJournal
from model.live.pages import LentPages, Owner, PageFile
from model.live.process import LiveProcess, LiveSurroundings, LocalJob
from model.live.scaling import scaled_constants
from model.pnr.cluster import Cluster
from model.pnr.constants import Constants
from model.pnr.design import Design, load_design
from model.pnr.faults import Faults, load_rule
from model.pnr.scenario import Scenario

Out = Callable[[int, telling.Told], bool]


class Elsewhere:
    """Another node, of which nothing can be seen from here."""

    is_down = False

    def __init__(self, index: int) -> None:
        self.index = index
        self.residents: dict[int, Process] = {}
        self.memory = self

    load = 0


class LiveNode(mesa.Model, ServentSurroundings, LiveSurroundings):
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
    absent: Sequence[int]
    checks_carried = True  # orders differ from those that tests have seen

    def __init__(
        self,
        index: int,
        setup: telling.Setup,
        tell: Callable[[telling.Told], None],
        out: Out,
        wake: Callable[[], None],
    ) -> None:
        self.parameters = scenario = Scenario.model_validate_json(setup.scenario)
        super().__init__(rng=scenario.seed)
        self.index, self._tell, self._out = index, tell, out
        first = setup.incarnation * COUNTED_BY_ONE_PROCESS
        self.clock = WallClock()
        self.clock.wake = wake
        self.constants = scaled_constants(scenario, setup.time_scale)
        self.design = design = load_design(setup.design, scenario)
        self.job_columns = Cluster.job_columns
        self.page_file = PageFile(Path(tempfile.gettempdir()), self.constants.page)
        self.lent_pages = LentPages(self.constants.page)
        self.records: list[Record] = []
        level = setup.journal_level
        self.journal = NodeJournal(self.clock, self.records, level, first) if level else None
        self.progress = 0
        self.jobs: dict[int, LocalJob] = {}
        self.by_number = frozenset(setup.jobs)
        self.tallies: defaultdict[type[Content], Tally] = defaultdict(Tally)
        self.sent_to: defaultdict[int, list[int]] = defaultdict(lambda: [0, 0])
        self.checked = self.from_copy = 0  # pages of processes that are no more
        self.contents = telling.Contents(telling.kinds_of(design), design.protocol)
        self.absent = [node for node, when in enumerate(self.constants.joins_ns) if when]
        self.shares = design.shares(self.constants)
        self.network = self.watchdog = self
        self.timers = Timers(self, first)
        elsewhere: list[Any] = [Elsewhere(node) for node in range(scenario.nodes)]
        self.nodes = elsewhere
        self.node = elsewhere[index] = ProcessingElement(self, index)
        self.node.messages = first
        servents = [*elsewhere]
        self.servents = servents
        self.servent = servents[index] = Servent(self, self.node, setup.incarnation)
        self.servent.host.validates = setup.checks
        self._stored = self.servent.host.metrics.stored
        if setup.stored:
            self.servent.host.site.stored.update(ast.literal_eval(setup.stored))
        rule = load_rule(scenario.fault_file)
        self.faults = Faults(cast(Any, self), scenario.fault or (), rule)
        self.spins = setup.spins
        self._given: dict[tuple[int, int], bytes] = {}  # pages for replies, by node and job
        #: Of processes that move here, by job: what has come of their pages.
        self._moving: defaultdict[int, list[telling.PagesMoved]] = defaultdict(list)
        self._luggage: dict[int, telling.Luggage] = {}

    def begin(self, told: telling.Begin) -> None:
        """The run begins, or this node comes back to it."""
        self.clock.begin(told.epoch_ns)
        for _ in range(told.crashes):
            self.servent._happens(Crashed(told.for_ever))
        if self.servent.host.waits_for_start:
            self.servent.start()

    def job(self, number: int) -> LocalJob:
        """The job with this number, which has processes here; its faults ask for it."""
        return self.jobs[number]

    # What the watchdog does in an emulation is the head's matter

    def made_progress(self) -> None:
        """Loans may have ended: keep no more pages of others than are lent."""
        self.lent_pages.keep_within(self.node.memory.lent)

    def may_be_quiet(self) -> None:
        """Nothing ends here."""

    def handled_timer(self) -> None:
        """Nothing ends here."""

    def tell(self, what: telling.Told) -> None:
        """Tell the head something."""
        self._tell(what)

    # What the head tells

    def hear(self, what: telling.Told) -> None:
        """Do what the head tells."""
        if self.journal is not None:
            self.journal.because(0, None)
        match what:
            case telling.Place():
                self._place(what)
            case telling.Switch(job, runs):
                if job in self.jobs:
                    self.jobs[job].resume() if runs else self.jobs[job].suspend()
            case telling.Kill(job):
                self._kill(job)
            case telling.Depart(job, target):
                if job in self.jobs:
                    self.jobs[job].here.departs_to = target
                    self.jobs[job].here.depart_if_ready()
            case telling.Moved(job, rank, node):
                if job in self.jobs:
                    self.jobs[job].nodes[rank] = node
            case telling.Expect(place, source):
                self._expect(place, source)
            case telling.Left(job):
                self._has_left(job)
            case telling.NodeGone(node):
                self._lose(node)
            case telling.CrashServent(for_ever):
                self.timers.forget(self.index)
                self.servent._happens(Crashed(for_ever))
            case telling.RestartServent():
                self.servent._happens(Restarted())
            case telling.LoseMemory():
                self.node.lose_memory()
            case telling.ComeBack():
                self.node.come_back()
            case telling.Leave(deadline_ns):
                self.servent.leaving(deadline_ns)

    def _place(self, place: telling.Place) -> None:
        self.jobs[place.spec.number] = job = LocalJob(place, self)
        if self.journal is not None:
            self.journal.because(place.cause, job.number)
        self.servent.process_placed(job.begin(place, self.node))

    def _kill(self, number: int) -> None:
        job = self.jobs.pop(number, None)
        if job is None or number not in self.node.residents:
            return  # it has finished
        process = job.here
        for key, what in list(self.clock.pending_events()):
            is_about = isinstance(what, Message) and what.content.job == number
            if what is process or is_about:
                self.clock.cancel(*key)
        process.end_stretch()
        del self.node.residents[number]
        self.ends(process)
        self.node.free(number)
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
        for process in [*map(_live, self.node.residents.values())]:
            process.lender_gone(gone)

    # The network, to what is on this node

    def send(self, message: Message, spared: bool = False) -> None:
        """Put a message on its way to another node, unless a fault keeps it here."""
        tally = self.tallies[type(message.content)]
        tally.sent += 1
        tally.sent_bytes += message.size_bytes
        if self.journal is None:
            message.cause = 0
        if not spared:
            self.faults.sent(message)
            if not self.faults.lets_in(message):
                return
        self.hand_over(message)

    def lose(self, message: Message) -> None:
        """Count a message that does not arrive."""
        tally = self.tallies[type(message.content)]
        tally.lost += 1
        tally.lost_bytes += message.size_bytes

    def hand_over(self, message: Message) -> None:
        """Give a message to the network, with the page that goes along."""
        content = message.content
        self.tell_stored()
        carried = self.contents.carried(message)
        process = self.jobs[content.job].here if content.job in self.jobs else None
        if type(content) is PageRequest and process is not None:
            process.asks(message)
            exchange = process.pages.exchange(content.page, message.target)
            if exchange is not None:
                carried = msgspec.structs.replace(carried, **exchange._asdict())
        elif type(content) is PageReply:
            page = self._given.pop((message.target, content.job), b"")
            carried = msgspec.structs.replace(carried, page=page)
        elif type(content) is ProcessTransfer and process is not None:
            self._sends_process(process, message.target)
        count = self.sent_to[message.target]
        count[0] += 1
        count[1] += message.size_bytes
        if self._out(message.target, carried):
            return
        self.faults.count_lost(message, "crash")
        if type(content) is PageRequest and process is not None:
            process.lender_gone(message.target)

    def tell_stored(self) -> None:
        """Have what roles have just stored in safety before anybody hears of it."""
        stored = self.servent.host.metrics.stored
        if stored == self._stored:
            return
        self._stored = stored
        values = repr(self.servent.host.site.stored)
        try:
            ast.literal_eval(values)
        except (ValueError, SyntaxError, MemoryError, RecursionError):
            raise ProtocolMistake(
                f"stores {cut(values, 80)}; for real, store numbers, texts and tuples, lists or "
                "dicts of them"
            ) from None
        self.tell(telling.Stored(values))

    def arrives(self, message: Message, carried: telling.Carried) -> None:
        """Take a message from another node, and the page that has come with it."""
        content, source = message.content, message.source
        tally = self.tallies[type(content)]
        is_data = content.phase in DATA_PHASES
        if not is_data and self.servent.is_down:
            self.faults.count_lost(message, "crash")
            return
        tally.delivered += 1
        tally.delivered_bytes += message.size_bytes
        if type(content) is PageRequest:
            self._page_comes(source, content, carried)
        elif type(content) is PageReply and content.job in self.jobs:
            self.jobs[content.job].here.came = carried.page
        self.node.receive(message)

    def _page_comes(self, source: int, request: PageRequest, carried: telling.Carried) -> None:
        """Keep the page in a request, as far as so much is lent, and look for the wanted one."""
        owner: Owner = source, request.job, request.rank
        self.lent_pages.forget(owner, carried.forget)
        self._given[source, request.job] = self.lent_pages.give(owner, carried.wanted)
        if carried.evicted >= 0:
            self.lent_pages.keep(owner, carried.evicted, carried.page)
        self.lent_pages.keep_within(self.node.memory.lent)

    # Processes that move

    def _sends_process(self, process: LiveProcess, target: int) -> None:
        """Send the pages of a process that departs, and what else it takes along, ahead of it."""
        number = process.job.number
        for moved in process.pages.packed():
            self._out(target, telling.PagesMoved(number, *moved))
        self._out(target, process.luggage())
        del self.node.residents[number]

    def _has_left(self, number: int) -> None:
        job = self.jobs.pop(number, None)
        if job is not None:
            self.ends(job.here)
            self.node.free(number)
            self.servent.process_left(job.here)

    def _expect(self, place: telling.Place, source: int) -> None:
        self.jobs[place.spec.number] = job = LocalJob(place, self)
        process = job.begin(place, self.node)
        process.comes_from = source
        self._unpack_if_all_is_here(process)

    def process_comes(self, what: telling.PagesMoved | telling.Luggage) -> None:
        """Take something of a process that moves here."""
        if isinstance(what, telling.PagesMoved):
            self._moving[what.job].append(what)
            return
        self._luggage[what.job] = what
        if what.job in self.jobs:
            self._unpack_if_all_is_here(self.jobs[what.job].here)

    def _unpack_if_all_is_here(self, process: LiveProcess) -> None:
        number = process.job.number
        if number not in self._luggage or process.comes_from is None:
            return
        for moved in self._moving.pop(number, ()):
            process.pages.unpack(moved.first, moved.versions, moved.contents)
        process.arrive(self._luggage.pop(number))
        self.servent.process_arrived(process)
        self.tell(telling.Arrived(number, process.rank))

    # What is told at the end, and on the way

    def ledger(self) -> telling.Ledger:
        """The node's ledger, and where its processes stand."""
        memory = self.node.memory
        return telling.Ledger(
            memory.demand,
            memory.lent,
            memory.borrowed,
            memory.over,
            memory.beyond_ram,
            len(memory.asked),
            memory.loans,
            [process.standing() for process in map(_live, self.node.residents.values())],
            self.progress,
        )

    def totals(self) -> telling.Totals:
        """All that was counted here."""
        node, metrics, faults = self.node, self.servent.host.metrics, self.faults
        disk = node.disk
        return telling.Totals(
            kinds={
                kind.__name__: telling.Counted(
                    *(getattr(tally, name) for name in telling.Counted.__struct_fields__)
                )
                for kind, tally in self.tallies.items()
            },
            to={target: (messages, size) for target, (messages, size) in self.sent_to.items()},
            faults_disk=node.faults_disk,
            faults_network=node.faults_network,
            disk=(disk.served, disk.bytes, disk.busy_ns, disk.wait_ns, disk.max_wait_ns),
            answers=metrics.answers,
            counts=metrics.counts,
            job_counts=[(*which, count) for which, count in metrics.job_counts.items()],
            levels=[(*which, level) for which, level in metrics.levels.items()],
            ignored=metrics.ignored,
            stored=metrics.stored,
            lost=faults.lost,
            duplicated=faults.duplicated,
            delayed=faults.delayed,
            pages_checked=self.checked,
            pages_from_copy=self.from_copy,
            events=self.clock.executed,
        )


def _live(resident: object) -> LiveProcess:
    assert isinstance(resident, LiveProcess)
    return resident
