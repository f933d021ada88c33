"""The arrays of one cluster, and calls of the compiled functions on them."""

from collections.abc import Set
from typing import Any, cast

import numpy as np

from agents.link import Link
from agents.messages import Content, Message
from agents.pnr.messages import BarrierArrive, BarrierRelease, PageReply, PageRequest, Request
from agents.pnr.page_costs import PageCosts
from agents.pnr.process import MOVING
from agents.pnr.synchronization import Exchange, beside
from agents.station import Forwarder
from agents.switch import Switch
from model.core.jit import entry_of
from model.core.journal.kinds import Record
from model.core.journal.queues import CLASSES, DISK, Queues, most_windows
from model.ground.memory import Memory
from model.pnr.cluster import Cluster
from model.pnr.compiled import disk, plane
from model.pnr.compiled.held import description
from model.pnr.compiled.records import (
    ARRIVE,
    CARRY,
    CELL,
    DATA_MESSAGES,
    DOWN,
    FOLD,
    HOP,
    KEY,
    LETTER,
    LOAN,
    LOG,
    LOGGED,
    MEETING,
    NEVER,
    NOBODY,
    NODE,
    OF_MEETING,
    OF_NODE,
    OF_SEAT,
    PART,
    QUEUE,
    RUN,
    SEAT,
    SEATED,
    SPARE_WINDOWS,
    STATION,
    UP,
    World,
)

#: The kinds of messages of the data plane, in the order of records.REQUEST, …
_DATA_TRAFFIC = (PageRequest, PageReply, BarrierArrive, BarrierRelease, Exchange)
_LOG_LINES = 1 << 14
_FOLDS, _PARTS = 32, 1024  # jobs whose rounds may be skipped, and stations that these may use


class Arrays:
    """The state of `records.py` for one cluster, and calls of the compiled functions on it."""

    def __init__(self, model: Cluster) -> None:
        self.model = model
        self.journal = model.journal
        constants = model.constants
        nodes = len(model.nodes)
        self.stepwise = model.journal is not None and model.journal.everything

        self.runs = np.zeros(1, RUN)
        self.run = self.runs[0]
        names = (
            "page",
            "relocates_above",
            "relocality_unit",
            "drifts",
            "page_walk_ns",
            "barrier_ns",
            "reference_speed",
        )
        for name in names:
            self.run[name] = getattr(constants, name)
        self.run["seed"] = model.parameters.seed
        self.run["stepwise"] = self.stepwise
        self.synchronization = constants.synchronization
        self.run["meets"] = self.synchronization.meets
        self.run["in_ring"] = self.synchronization.in_ring
        self.run["exchanges"] = exchanges = constants.sizes.exchange > 0
        self.posts = exchanges or self.synchronization.in_ring
        cores = np.array(constants.cores)
        seats_of_nodes = cores * constants.slots
        self.seats = np.zeros(seats_of_nodes.sum() + _FOLDS, SEAT)
        self.seats["time"] = NEVER
        self.saved = np.zeros((len(self.seats), OF_SEAT), np.int64)
        self.meetings = np.zeros(len(self.seats), MEETING)
        #: By seat, a `CompiledProcess` or None.
        self.processes: list[Any] = [None] * len(self.seats)
        self.nodes = np.zeros(nodes, NODE)
        self.nodes["ram"] = constants.rams
        self.nodes["disk_ns"] = constants.disks_ns
        self.nodes["speed"] = constants.speeds
        self.nodes["running"] = NOBODY
        self.nodes["cores"] = cores
        self.nodes["seats"] = seats_of_nodes
        self.nodes["first_seat"] = np.cumsum(seats_of_nodes) - seats_of_nodes
        self.folds = np.zeros(_FOLDS, FOLD)
        self.folds["owner"] = NOBODY
        self.parts = np.zeros((_FOLDS, _PARTS), PART)
        records = self.seats, self.meetings, self.nodes
        self.seat_numbers, self.meeting_numbers, self.node_numbers = map(_numbers, records)
        self.before = np.zeros((len(self.seats), OF_SEAT + OF_MEETING + OF_NODE), np.int64)
        self.change = np.zeros_like(self.before)
        self.loans = np.zeros((nodes, 4), LOAN)
        self.queue = np.zeros(2 * len(self.seats), QUEUE)
        self.queue["time"] = NEVER
        self.queue["winner"][len(self.seats) :] = np.arange(len(self.seats))
        self.letters = np.zeros(64, LETTER)
        self.heap = np.zeros(64, np.int64)
        self.spare = np.zeros(64, np.int64)  # filled when letters run out
        self.free_letters = list(range(64))
        self.posted: dict[int, Message] = {}  # by index among the letters
        costs = model.page_costs or PageCosts(0, 0, None, 0)
        self.run["watches_pages"] = model.page_costs is not None
        self.run["costs_by"] = costs.by
        self.page_counts, self.page_total_ns = costs.counts, costs.total_ns
        self.page_costs = costs.table
        self._make_log()
        self.next_of_python = np.zeros(1, KEY)
        self._told: tuple[int, ...] = ()  # the same
        self._lay_network()
        self._make_windows()
        self._assemble()

        # What is called for every message, process or turn, without looking at types.
        def entry(function: Any) -> Any:
            return entry_of(function, self.held)

        self._next_number = entry(plane.next_number)
        self._advance = entry(plane.advance)
        self._leave_group = entry(plane.leave_group)
        self._post, self._memory_changed = entry(plane.post), entry(plane.memory_changed)
        self._start, self._finish = entry(plane.start), entry(plane.finish)
        self._resume, self._suspend = entry(plane.resume), entry(plane.suspend)
        self._sit, self._join = entry(plane.sit), entry(plane.join)
        self._leave = entry(plane.leave)

    def _make_log(self) -> None:
        lines = _LOG_LINES + 8 * len(self.nodes) if self.stepwise else 1
        self.log = np.zeros(lines, LOG)

    def _make_windows(self) -> None:
        """Count where messages wait, by window, if there is a journal."""
        self.disks = np.zeros((len(self.nodes), 3), np.int64)  # as counted at the last window's end
        self.disk_peaks_ns = np.zeros(len(self.nodes), np.int64)
        stations = len(self.forwarders) + len(self.nodes)
        self.most_windows = most_windows(stations)
        shape = 1, 1, 1
        self._end_window_at(NEVER)
        if self.journal is not None:
            shape = self.most_windows + SPARE_WINDOWS, stations, len(CLASSES)
            self.run["window_ns"] = window_ns = self.journal.queues.window_ns
            self._end_window_at(window_ns)
        self.windows = np.zeros(shape, CELL)
        self.part_cells = np.zeros((_FOLDS, _PARTS, shape[2]), CELL)

    # The network

    def _lay_network(self) -> None:
        network = self.model.network
        self.forwarders = network.stations()
        number = {station: place for place, station in enumerate(self.forwarders)}
        self.stations = np.zeros(len(self.forwarders), STATION)
        self.rates: list[Forwarder] = []  # one station of each rate
        rates: dict[Any, int] = {}
        for place, station in enumerate(self.forwarders):
            if isinstance(station, Link):
                rate = "Mbps", station.bandwidth_mbps
            else:
                rate = "ns", cast(Switch, station).switch_ns
            if rate not in rates:
                rates[rate] = len(self.rates)
                self.rates.append(station)
            self.stations[place]["rate"] = rates[rate]
            self.stations[place]["latency_ns"] = station.latency_ns
        self._number = number
        self._find_only_links()
        self._find_private_links()
        self.run["looks_ahead"] = (
            not self.stepwise
            and not self.run["watches_pages"]
            and self._messages_take_time()
            and (self.nodes["cores"] == 1).all()
        )
        self.run["hears_ahead"] = self.run["looks_ahead"] and not self.model.nodes_crash
        self.run["repeats"] = self.run["looks_ahead"] and not self.posts
        self.stations_before = np.zeros_like(self.stations)
        self._routes: dict[tuple[Any, Any], int] = {}  # see Routing.between -> its first hop
        self._count_of_hops = 0
        self.hops = np.zeros(64, np.int64)
        self.size_rows: dict[int, int] = {}  # a protocol message's size -> its row of services
        self.services = np.zeros((0, 1 + len(self.rates)), np.int64)
        for kind in _DATA_TRAFFIC:
            self._add_size(kind(job=0, rank=0).size_of(self.model.constants.sizes))

    def _find_only_links(self) -> None:
        """Find the links between a node and its switch, if it is wired to nothing else."""
        network = self.model.network
        for node, record in enumerate(self.nodes):
            gate = network.routing.gate(node)
            if gate != node:
                record["uplink"] = self._number[network.between[node, gate]]
                record["downlink"] = self._number[network.between[gate, node]]

    def _find_private_links(self) -> None:
        """Find links that only a switch feeds, and nodes whose links nobody else enters unseen."""
        network = self.model.network
        feeders: dict[Link, dict[Any, None]] = {}  # link -> the vertices from which it is entered
        for (source, _), link in network.between.items():
            feeders.setdefault(link, {})[source] = None
        self.nodes["private"] = True
        for link, sources in feeders.items():
            if len(sources) > 1:
                shared = [vertex for vertex in sources if vertex not in network.switches]
                self.nodes["private"][shared] = False
                continue
            [source] = sources
            if source in network.switches:
                self.stations[self._number[link]]["fed"] = network.switches[source].switch_ns >= 1
        for node, record in enumerate(self.nodes):
            gate = network.routing.gate(node)
            if gate in network.switches:
                links = network.between[node, gate], network.between[gate, node]
                if all(source in (node, gate) for link in links for source in feeders[link]):
                    record["gate_ns"] = network.switches[gate].switch_ns
                    record["private"] |= record["gate_ns"] >= 1
        self.nodes["port"] = self.nodes["private"]

    def _messages_take_time(self) -> bool:
        """Whether every message arrives later than in the nanosecond in which it is sent.

        Only then do keys tell what has happened before the present event (`processes.settle`).
        """
        network, smallest = self.model.network, 1
        return all(
            link.latency_ns + link.service_ns(smallest) > 0
            for (source, _), link in network.between.items()
            if source not in network.switches
        )

    def _add_size(self, size: int) -> int:
        row = np.array([[size, *(station.service_ns(size) for station in self.rates)]])
        self.services = np.concatenate([self.services, row])
        return len(self.services) - 1

    def route(self, source: int, target: int) -> int:
        """The index among the hops at which the stations from one node to another begin.

        There are none to itself: NOBODY. Nodes at the same switches share a route: it has UP and
        DOWN for links of their own.
        """
        if source == target:
            return NOBODY
        routing = self.model.network.routing
        ends = routing.between(source, target)
        route = self._routes.get(ends)
        if route is None:
            stations = self.model.network.stations_between(source, target)
            hops = [*(self._number[station] for station in stations), NOBODY]
            if routing.gate(source) != source:
                hops[0] = UP
            if routing.gate(target) != target:
                hops[-2] = DOWN
            route = self._routes[ends] = self._count_of_hops
            self._count_of_hops += len(hops)
            if self._count_of_hops > len(self.hops):
                more = np.zeros(len(self.hops) + len(hops), np.int64)
                self.hops = np.concatenate([self.hops, more])
                self._assemble()
            self.hops[route : self._count_of_hops] = hops
        return route

    # Calls of compiled functions

    def log_every_hop(self) -> None:
        """Log whatever happens from now on; messages on their way may lack what has come before."""
        self.stepwise = True
        self._make_log()
        self._assemble()
        self._call(plane.log_every_hop)

    def advance(self, budget: int, key: tuple[int, ...]) -> tuple[int, int, int, int]:
        """Execute up to `budget` events that precede Python's next event, which has this key."""
        if key != self._told:  # which is found sooner than a row is written
            self.next_of_python[0] = self._told = key
        result = self._advance(budget, self.world)
        if self.stepwise:
            self._drain()
        return result

    def next_window(self) -> None:
        """Begin the next window. All that was done ahead of time has happened by now."""
        run = self.run
        self.seats["ahead"] = self.seats["booked"] = 0
        self._count_disks()
        run["window"] += 1
        if run["window"] == self.most_windows:
            self._double_windows()
        self._end_window_at(int((run["window"] + 1) * run["window_ns"]))

    def _end_window_at(self, border_ns: int) -> None:
        self.run["border_ns"] = border_ns
        self.border = border_ns, -1, 0, 0, 0  # the key of its end, before all events at that time

    def _count_disks(self) -> None:
        """Count what disks have served in the present window."""
        table = disk.counted(self.seats, self.nodes)
        cells = self.windows[self.run["window"], len(self.forwarders) :, 0]
        cells["services"] = table[:, 0] - self.disks[:, 0]
        cells["delay_ns"] = table[:, 1] - self.disks[:, 1]
        cells["peak_ns"] = table[:, 2]
        self.disks = table
        self.disk_peaks_ns = np.maximum(self.disk_peaks_ns, table[:, 2])

    def _double_windows(self) -> None:
        """Let each window be two."""
        pairs = self.windows[0::2], self.windows[1::2]
        half = len(pairs[0])
        for name, merge in (("services", np.add), ("delay_ns", np.add), ("peak_ns", np.maximum)):
            self.windows[name][:half] = merge(pairs[0][name], pairs[1][name])
        self.windows[half:] = 0
        self.run["window"] //= 2
        self.run["window_ns"] *= 2

    def queues(self) -> Queues:
        """Where messages have waited, now that the run is over."""
        self._count_disks()
        queues = Queues()
        queues.most, queues.window_ns = self.most_windows, int(self.run["window_ns"])
        names = [station.name for station in [*self.forwarders, *self.model.disks]]
        for window, station, what in np.argwhere(self.windows["services"]).tolist():
            of_disk = station >= len(self.forwarders)
            counted = self.windows[window, station, what].tolist()
            queues.add(names[station], DISK if of_disk else CLASSES[what], window, *counted)
        return queues

    def seat(self, process: Any) -> int:
        """Give a process that was placed a seat on its node."""
        node, job, rank = process.node.index, process.job, process.rank
        awaited = len(self.synchronization.awaited(rank, job.size))
        who = job.number, job.first_process, rank, awaited
        limit = NEVER if job.limit is None else job.limit
        memory = job.held, limit, job.next_mark_ns
        seat: int = self._sit(node, *who, *memory, job.demand_ns, self.world)
        self.processes[seat] = process
        self._join_others(process, seat)
        return seat

    def _join_others(self, process: Any, seat: int) -> None:
        """Join a seat to those of the rank before, of its parent, and beside it in a ring."""
        rank, job, synchronization = process.rank, process.job, self.synchronization
        if rank:
            before, here = job.processes[rank - 1], process.node.index
            parent, first, ways = NOBODY, 0, (0, 0)
            above = synchronization.parent(rank, job.size)
            if above is not None:
                there = job.processes[above].node.index
                parent = job.processes[above].seat
                first = int(rank == synchronization.awaited(above, job.size)[0])
                ways = self.route(here, there), self.route(there, here)
            self._join(seat, before.seat, parent, *ways, first, self.world)
        if self.posts:
            self._join_ring(process, seat)

    def _join_ring(self, process: Any, seat: int) -> None:
        """Join a seat to those beside it that are there already, and these to it."""
        rank, job = process.rank, process.job
        around = beside(rank, job.size)
        self.seats[seat]["ring"] = len(around)
        for side, other in enumerate(around):
            if other >= len(job.processes) or other == rank:
                continue
            near = job.processes[other]
            for one, its_side, two in (
                (process, side, near),
                (near, beside(other, job.size).index(rank), process),
            ):
                record = self.meetings[seat if one is process else one.seat]
                record["beside"][its_side] = seat if two is process else two.seat
                record["to_beside"][its_side] = self.route(one.node.index, two.node.index)

    def move(self, process: Any) -> int:
        """Give a process for which nothing is pending a seat on its new node; returns the seat.

        Rank 0 moves only if it is its job's only one, so no other seat names its own.
        """
        old = process.seat
        first = int(self.nodes[process.node.index]["first_seat"])
        seat = first + int(self.seats["occupied"][first:].argmin())
        self.seat_numbers[seat] = self.seat_numbers[old]
        self.seats[old]["occupied"] = 0
        self.meetings[seat] = self.meetings[old]
        self.processes[seat], self.processes[old] = process, None
        record = self.seats[seat]
        record["node"] = process.node.index
        record["state"] = MOVING
        record["loaded"] = record["warm"] = 0
        self._join_others(process, seat)
        return seat

    def start(self, seat: int) -> None:
        """Start the process in this seat, as its client allows."""
        self._because()
        self._start(seat, self.world)

    def resume(self, first: int) -> None:
        """Let the processes of a job compute; `first` is the seat of its rank 0."""
        self._because()
        self._resume(first, self.world)

    def suspend(self, first: int) -> None:
        """Stop the processes of a job from computing; `first` is the seat of its rank 0."""
        self._suspend(first, self.world)

    def pass_barrier(self, seat: int) -> None:
        """Let all processes of a job go on from a barrier, after its memory may have changed.

        The seat is that of any of them.
        """
        job, run = self.processes[seat].job, self.run
        first = job.processes[0]
        record = self.seats[first.seat]
        if self.journal is not None:
            self.journal.because(int(run["cause"]), job.number)
        job.all_at_barrier(int(record["pause_ns"]))
        record["mark_ns"] = job.next_mark_ns
        self._because()
        self._call(plane.pass_on, first.seat)
        self._drain()

    def give_up_page(self, seat: int, when_ns: int) -> None:
        """Let the process in this seat read the page that it waits for from its disk at a time."""
        self._call(plane.give_up_page, seat, when_ns)

    def finish(self, seat: int) -> None:
        """End the process in this seat, which has computed its demand."""
        self._finish(seat, self.world)

    def leave(self, seat: int) -> np.void:
        """Free a seat at the end of its job; returns a copy of what its process has done."""
        if self.processes[seat].rank == 0 and self.run["repeats"]:
            self._leave_group(seat, self.world)
        self._leave(seat, self.world)
        self.processes[seat] = None
        return np.frombuffer(self.seats[seat].tobytes(), SEAT)[0]  # .copy() goes field by field

    def memory_changed(self, node: int, memory: Memory[Request]) -> None:
        """Mirror the ledger of a node, whose O has changed."""
        self._because()
        lends = memory.lent > 0
        held = memory.over, memory.beyond_ram, memory.borrowed, memory.together
        self._memory_changed(node, *held, lends, self.world)

    def loans_changed(self, node: int, memory: Memory[Request]) -> None:
        """Mirror the ledger of a node, whose loans have changed."""
        self.memory_changed(node, memory)  # until now the old loans held
        loans = memory.loans
        if len(loans) > self.loans.shape[1]:
            wider = np.zeros((len(self.nodes), 2 * len(loans)), LOAN)
            wider[:, : self.loans.shape[1]] = self.loans
            self.loans = wider
            self._assemble()
        for place, server in enumerate(sorted(loans)):
            ways = self.route(node, server), self.route(server, node)
            self.loans[node, place] = server, loans[server], *ways

    def page_faults(self, node: int) -> int:
        """How many pages the processes of this node have asked for so far."""
        return self._call(plane.page_faults, node)

    def next_number(self, node: int) -> int:
        """Count a message that a servent sends from this node now; returns its number."""
        return self._next_number(node, self.world)

    def message_of(self, seat: int) -> Message:
        """The message of the process in this seat that is on its way or has just arrived."""
        record = self.seats[seat]
        return self._message(record, int(record["asked_ns"]))

    def _message(self, record: np.void, sent_ns: int) -> Message:
        """The message of the data plane of which this is the record."""
        sender, receiver, number, kind, job, rank = (
            int(record[name]) for name in ("sender", "receiver", "number", "kind", "job", "rank")
        )
        content, size = _DATA_TRAFFIC[kind](job, rank), int(self.services[kind, 0])
        message = Message(sender, receiver, number, content, size, sent_ns)
        message.cause = int(record["message_cause"])
        return message

    def vanish(self, seat: int) -> Message | None:
        """Take a killed process's message, if any, out of its seat: from now on it is a letter."""
        record = self.seats[seat]
        if record["what"] not in (HOP, ARRIVE):
            return None
        message = self.message_of(seat)
        place = self._pigeonhole(message)
        letter = self.letters[place]
        for name in LETTER.names or ():
            letter[name] = record[name]
        letter["letter"], letter["events"] = place, 0
        self._call(plane.push, place)
        return message

    def vanish_posted(self, jobs: Set[int]) -> list[Message]:
        """Take the letters that processes of these killed jobs have posted; Python keeps them."""
        messages = []
        for place in self.heap[: int(self.run["letters"])].tolist():
            letter = self.letters[place]
            if letter["letter"] == NOBODY and int(letter["job"]) in jobs:
                letter["letter"] = place
                self.posted[place] = self._message(letter, int(self.run["time"]))
                messages.append(self.posted[place])
        return messages

    def _more_letters(self) -> range:
        """Have twice as many letters; returns the places of the new ones."""
        count = len(self.letters)
        for name in ("letters", "heap", "spare"):
            array = getattr(self, name)
            setattr(self, name, np.concatenate([array, np.zeros_like(array)]))
        self._assemble()
        return range(count, 2 * count)

    def add_spare_letters(self) -> None:
        """Give processes more letters, which they have run out of."""
        places, spare = self._more_letters(), int(self.run["spare"])
        self.spare[spare : spare + len(places)] = places
        self.run["spare"] += len(places)

    def _pigeonhole(self, message: Message) -> int:
        """A free place among the letters, where the message is now."""
        if not self.free_letters:
            self.free_letters = list(self._more_letters())
        place = self.free_letters.pop()
        self.posted[place] = message
        return place

    def post(self, message: Message) -> None:
        """Put a protocol message on its way."""
        place = self._pigeonhole(message)
        size = message.size_bytes
        if size not in self.size_rows:
            self.size_rows[size] = self._add_size(size)
            self._assemble()
        source, target = message.source, message.target
        route, kind = self.route(source, target), self.size_rows[size]
        self._post(place, source, target, message.number, route, kind, self.world)
        if self.stepwise:
            self._drain()

    def take(self, place: int) -> Message:
        """Take the message at this place, which has arrived: one of the protocol, or a lost one."""
        self.free_letters.append(place)
        message = self.posted.pop(place, None)
        return message or self._message(self.letters[place], int(self.run["time"]))

    def pending(self) -> bool:
        """Whether any event is left here."""
        return bool(self.run["letters"]) or self.processes_pending()

    def next_ns(self) -> int | None:
        """When the next event is here; None if there is none.

        That a worker arrives at its master is one, though it is known ahead of time.
        """
        run, arrivals = self.run, self.meetings["time"]
        times = [int(self.queue[1]["time"]), *arrivals[arrivals > run["time"]].tolist()]
        if run["letters"]:
            times.append(int(self.letters[self.heap[0]]["time"]))
        earliest = min(times)
        return None if earliest == NEVER else earliest

    def processes_pending(self) -> bool:
        """Whether anything is scheduled for a process, its messages included."""
        if self.queue[1]["time"] != NEVER:
            return True
        on_their_way = self.letters[self.heap[: int(self.run["letters"])]]
        return bool((on_their_way["kind"] < DATA_MESSAGES).any())

    def executed(self) -> int:
        """The number of events that the actors plane would have executed."""
        return int(self.run["events"] + self.seats["events"][self.seats["occupied"] == 1].sum())

    def write_back(self) -> None:
        """Copy what was counted here to the links, switches, disks, nodes and tallies."""
        for station, record in zip(self.forwarders, self.stations, strict=True):
            for name in ("served", "bytes", "busy_ns", "wait_ns", "max_wait_ns", "free_ns"):
                setattr(station, name, int(record[name]))
            station.wait_ns += CARRY * int(record["waits"])
        for node, record in zip(self.model.nodes, self.nodes, strict=True):
            disk.write_back(node.disk, record)
            peak_ns = int(self.disk_peaks_ns[node.index])
            node.disk.max_wait_ns = max(node.disk.max_wait_ns, peak_ns)
            node.faults_disk = node.disk.served
            node.faults_network = int(record["faults_network"])
        stuck = self.seats[self.seats["occupied"] == 1]
        for kind, content in enumerate(_DATA_TRAFFIC):
            if content not in self.model.network.tallies:
                continue
            tally = self.model.network.tallies[content]
            size = int(self.services[kind, 0])
            tally.sent, tally.delivered = (
                int(self.run["sent"][kind]),
                int(self.run["delivered"][kind]),
            )
            if kind < SEATED:
                tally.sent += int(stuck["sent"][:, kind].sum())
                tally.delivered += int(stuck["delivered"][:, kind].sum())
            tally.sent_bytes, tally.delivered_bytes = tally.sent * size, tally.delivered * size

    # The journal

    def _because(self) -> None:
        if self.journal is not None:
            self.run["cause"] = self.journal.cause

    def _drain(self) -> None:
        """Hand the journal what the compiled functions logged."""
        count = int(self.run["log"])
        if count and self.journal is not None:
            for line in self.log[:count].tolist():
                self.journal.note(self._record(*line))
            self.run["log"] = 0
            self.log[:count] = 0

    def _record(
        self,
        time_ns: int,
        kind: int,
        number: int,
        cause: int,
        job: int | None,
        rank: int | None,
        node: int,
        peer: int,
        station: int,
        start_ns: int | None,
        end_ns: int | None,
        message: int,
        letter: int,
    ) -> Record:
        """The record of one line of the log."""
        name = LOGGED[kind]
        what = phase = hears = other = size = at = None
        if name in ("sent", "hop", "delivered"):
            other, size = peer, int(self.services[message, 0])
            if letter == NOBODY:
                content: type[Content] = _DATA_TRAFFIC[message]
            else:
                posted = self.posted[letter]
                content = type(posted.content)
                job, rank, cause = posted.content.job, posted.content.rank, posted.cause
            what, phase, hears = content.__name__, content.phase, content.hears
            if name == "delivered":
                node, other = other, node
        if name == "hop":
            at = self.forwarders[station].name
        elif name == "disk":
            at = self.model.nodes[node].disk.name
            size = self.model.constants.disk_bytes
        else:
            start_ns = end_ns = None
        about = time_ns, name, what, phase, hears, number, cause, job, rank
        return Record(*about, node, other, at, None, size, None, start_ns, end_ns)

    def _assemble(self) -> None:
        """Collect the arrays for the compiled functions; again whenever one is replaced."""
        self.held = World(*(getattr(self, name) for name in World._fields))
        self._description = description(self.held)
        self.world = self._description.ctypes.data

    def _call(self, function: Any, *numbers: int) -> Any:
        """Call a compiled function that is seldom needed."""
        return entry_of(function, self.held)(*numbers, self.world)


def _numbers(records: np.ndarray) -> np.ndarray:
    """Records of 64-bit fields as rows of whole numbers, in the same memory."""
    return records.view(np.int64).reshape(len(records), -1)
