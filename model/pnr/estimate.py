"""How long a run takes on one core, estimated before anything runs, from the events that it has.

Jobs are placed as gang scheduling places them (`OusterhoutMatrix`), and slots take turns at once.
Jobs that page compute more slowly, by the formulas of the thesis's section 3.1.3: while a process
loads its part out of RAM, n pages, the CPU time to the next fault is w·n / (pages not loaded yet)
on average, so in CPU time c it loads n·(1 - e^(-c / (w·n))) of them. Once all are loaded, a process
larger than RAM unloads some, and loads these again. A job that computes in turns has nothing loaded
when a turn begins, and a quantum for its CPU time and its faults. A job is as slow as that process
of it that lacks most.

Designs that lend are alike: idle RAM serves what share of the faults it can hold, and a page over
the network takes longer while more of them are asked for than the busiest station lets through.
Rounds of gossip and heartbeats are not counted.
"""

from collections import Counter, defaultdict, deque
from collections.abc import Hashable, Mapping, Sequence
from dataclasses import dataclass
from functools import lru_cache
from itertools import pairwise
from math import ceil, exp, inf, log
from typing import Any

from model.core.emulation import Loaded
from model.core.routing import Routing, station_names
from model.ground.delays import frames, transmission_ns
from model.pnr.design import Design
from model.pnr.job_spec import JobSpec
from model.pnr.ousterhout import OusterhoutMatrix
from model.pnr.scarcity import Room
from model.pnr.scenario import Scenario

#: Microseconds of a core per event of the compiled plane on an AMD EPYC, set by hand from about a
#: dozen runs of the bundled log (DP, CLI, CEN, MAN) and of a synthetic one; not yet by a benchmark.
EVENT_US = {
    "process": 60.0,  # placed and ended
    "turn": 60.0,  # a context switch, per job
    "barrier": 0.08,  # of a process, in rounds that repeat
    "busy barrier": 0.5,  # of a process whose job pages
    "disk fault": 0.0148,
    "hop": 0.032,  # of a page over a link or through a switch
    "message": 55.0,  # of a protocol
}
_STRETCHES, _LENGTH = 4, 250  # of a longer workload, so many stretches of jobs are counted
_PAIRS = 64  # of nodes, of whose ways pages are timed
_EULER = 0.577
#: For the last of what is unloaded: a part of a page, seldom touched; or a whole page.
_LAST_PART, _LAST_PAGE = 3.0, 1.0


def expected_s(scenario: Scenario, loaded: Loaded, design: Design) -> float:
    """The estimate, on the compiled plane, of a run of the scenario with one design."""
    events = expected_events(scenario, loaded, design)
    return sum(EVENT_US[kind] * count for kind, count in events.items()) / 10**6


def expected_events(scenario: Scenario, loaded: Loaded, design: Design) -> dict[str, float]:
    """How many events of each kind a run is expected to have."""
    jobs: Sequence[JobSpec] = loaded.workload
    stretches, weight = [jobs], 1.0
    if len(jobs) > _STRETCHES * _LENGTH:
        last = len(jobs) - _LENGTH
        starts = [last * place // (_STRETCHES - 1) for place in range(_STRETCHES)]
        stretches = [jobs[start : start + _LENGTH] for start in starts]
        weight = len(jobs) / (_STRETCHES * _LENGTH)
    events = defaultdict[str, float](float)
    room, path = Room.of(scenario), _Path.of(scenario, loaded)
    for stretch in stretches:
        pages = _Pages(loaded.constants, room, path, design)
        _go_through(stretch, room, pages)
        for kind, count in pages.events.items():
            events[kind] += weight * count
    return dict(events)


@dataclass(eq=False, slots=True)
class _Running:
    """A job that is placed, and the CPU time that it still needs."""

    job: JobSpec
    left_ns: float


_Matrix = OusterhoutMatrix[_Running]


def _go_through(jobs: Sequence[JobSpec], room: Room, pages: "_Pages") -> None:
    """Place jobs, first come, first served, and let them compute as their pages allow."""
    matrix = _Matrix(room.slots, [*range(len(room.seats))])
    coming, queue = deque(sorted(jobs, key=lambda job: job.submit_ns)), deque[JobSpec]()
    now_ns = 0.0
    while coming or matrix.filled():
        speeds = pages.speeds(matrix)
        ends_ns = {running: now_ns + running.left_ns / speed for running, speed in speeds.items()}
        first = min(ends_ns, key=ends_ns.__getitem__, default=None)
        arrives_ns = coming[0].submit_ns if coming else inf
        end_ns = inf if first is None else ends_ns[first]
        then_ns = min(end_ns, arrives_ns)
        for running, speed in speeds.items():
            running.left_ns = max(0.0, running.left_ns - (then_ns - now_ns) * speed)
        now_ns = then_ns
        if first is not None and end_ns <= arrives_ns:
            first.left_ns = 0
            matrix.remove(first)
            matrix.unify()
        else:
            queue.append(coming.popleft())
        while queue and (fit := matrix.best_fit(queue[0].processes)):
            matrix.place(_Running(queue[0], queue.popleft().demand_ns), *fit)
    pages.speeds(matrix)  # counts what the last one did


def _turns(matrix: _Matrix) -> dict[_Running, float]:
    """The share of the turns in which each job is switched in."""
    filled = matrix.filled()
    times = Counter(running for slot in filled for running in matrix.runnable(slot))
    return {running: count / len(filled) for running, count in times.items()}


@dataclass(frozen=True)
class _Law:
    """How pages of a process fault, by the CPU time that it has computed."""

    walk_ns: float  # w: of a walk through a page
    pages: int  # n: that can be out of RAM
    excess: float  # pages by which the process is larger than what it may have in RAM
    last: float  # of the pages that a change of locality unloads, beside the logarithm of how many
    missed: float  # the share out of RAM of what a drifting process touches; 0: it is static

    def faults(self, cpu_ns: float, loaded: float = 0) -> float:
        """Of so much CPU time, if so many pages are loaded at its begin."""
        if self.missed:
            return cpu_ns / self.walk_ns * self.missed
        scale_ns, left = self.walk_ns * self.pages, self.pages - loaded
        faults = left * (1 - exp(-cpu_ns / scale_ns))
        all_ns = scale_ns * (log(left) + _EULER) if left > 1 else 0  # as if collecting coupons
        if self.excess > 1 and cpu_ns > all_ns:
            again = (2 + self.excess) / 3  # on average (`relocated_bytes`)
            faults += (cpu_ns - all_ns) / scale_ns * again / (log(again) + self.last)
        return faults


@lru_cache(maxsize=4096)  # at most changes it is as before
def _turn_ns(law: _Law, quantum_ns: int, page_ns: float) -> float:
    """The CPU time that fits with its faults into a quantum, if nothing is loaded at its begin."""
    low, high = 0.0, float(quantum_ns)
    for _ in range(20):
        middle = (low + high) / 2
        if middle + page_ns * law.faults(middle) > quantum_ns:
            high = middle
        else:
            low = middle
    return max(1.0, low)


@dataclass(frozen=True)
class _Path:
    """What a page over the network takes, on average over pairs of nodes, there and back."""

    page_ns: float  # if it never queues
    busiest_ns: float  # of it, in the station that is busiest with all pages
    hops: float

    @classmethod
    def of(cls, scenario: Scenario, loaded: Loaded) -> "_Path":
        """That of some pairs."""
        constants: Any = loaded.constants
        graph, sizes, nodes = loaded.graph, constants.sizes, scenario.nodes
        names, routing = station_names(graph, scenario.duplex), Routing(graph, scenario)
        held_ns: Counter[Hashable] = Counter()
        hops = latency_ns = 0
        some = range(0, nodes, ceil(nodes / _PAIRS))
        for one in some:
            other = (one + 1 + 7 * one % max(1, nodes - 1)) % nodes
            for source, target, size in (
                (one, other, sizes.page_request),
                (other, one, sizes.page_reply),
            ):
                for here, there in pairwise(routing.path(source, target)):
                    edge, switch_ns = graph.edges[here, there], graph.nodes[there].get("switch_ns")
                    held_ns[names[here, there]] += transmission_ns(size, edge["bandwidth_mbps"])
                    held_ns[there] += (switch_ns or 0) * frames(size, scenario.frame_bytes)
                    latency_ns += edge["latency_ns"]
                    hops += 1 if switch_ns is None else 2
        each = 1 / len(some)
        total_ns, most_ns = sum(held_ns.values()), max(held_ns.values(), default=0)
        return cls((total_ns + latency_ns) * each, most_ns * each, hops * each)


@dataclass(slots=True)
class _Since:
    """A job since the latest change of who runs."""

    left_ns: float  # that it needed then
    laws: Counter[_Law]  # of its processes that page
    share: float  # of the turns that it has
    speed: float
    worst: _Law | None = None  # of the laws
    loaded: float = 0  # pages of a process with that law, if the job has all turns
    turn_ns: float = 1  # CPU time in a turn, if not

    @property
    def in_turns(self) -> bool:
        """Whether the job is switched out now and then."""
        return self.share < 1


class _Pages:
    """Counts the events of jobs while they are placed."""

    def __init__(self, constants: Any, room: Room, path: _Path, design: Design) -> None:
        self.events = defaultdict[str, float](float)
        self._constants = constants
        self._rams = room.rams
        self._node_of: list[int] = room.seats.tolist()  # by seat
        self._smallest = min(self._rams)
        self._disk_ns: float = sum(constants.disks_ns) / len(constants.disks_ns)
        self._design = design
        self._lends = design.has_own_protocol or bool(design.managers)
        self._told = len(design.tells(design.managers[0])) if design.managers else 0
        self._path = path
        self._network_ns = path.page_ns  # of a page, with the time that it queues
        self._share = 0.0  # of faults that are served over the network
        self._jobs: dict[_Running, _Since] = {}

    def speeds(self, matrix: _Matrix) -> dict[_Running, float]:
        """How fast jobs compute from now on; counts what they have done until now."""
        passed = [self._count(running, since) for running, since in self._jobs.items()]
        self.events["turn"] += max(passed, default=0)
        nodes: defaultdict[_Running, list[int]] = defaultdict(list)
        held: Counter[int] = Counter()
        beside: dict[_Running, Counter[int]] = {}  # what its slot holds, by node
        for row in matrix.rows:
            in_slot: Counter[int] = Counter()
            for seat, running in row.items():
                node = self._node_of[seat]
                nodes[running].append(node)
                in_slot[node] += running.job.in_ram
                beside[running] = in_slot
            held += in_slot
        lacks = {node: max(0, size - self._rams[node]) for node, size in held.items()}
        page_ns = self._page_ns(nodes, held, lacks)
        asked, before = 0.0, self._jobs
        self._jobs = {}
        shares = _turns(matrix)
        for running, share in shares.items():
            in_slot = beside[running]
            shared = [
                lacks[node] * running.job.in_ram // max(1, in_slot[node]) for node in nodes[running]
            ]
            laws = self._laws(running.job, shared)
            since = _Since(running.left_ns, laws, share, share)
            if laws:
                self._slow_down(since, page_ns, before.get(running))
            if running not in before:
                self._count_start(running.job, laws)
            self._jobs[running] = since
            shares[running] = since.speed
            asked += (share - since.speed) * laws.total()
        if page_ns:
            asked *= self._share / page_ns * self._path.busiest_ns
            self._network_ns = max(self._path.page_ns, self._network_ns * asked)
        return shares

    def _page_ns(
        self, nodes: Mapping[_Running, list[int]], held: Mapping[int, int], lacks: Mapping[int, int]
    ) -> float:
        """How long a page takes now, as some are on other nodes and the others on disks."""
        beyond = sum((it.job.memory - it.job.in_ram) * len(on) for it, on in nodes.items())
        self._share = 0.0
        if self._lends and (lacking := beyond + sum(lacks.values())):
            threshold = self._constants.threshold
            idle = [ram - threshold - held[node] for node, ram in enumerate(self._rams)]
            self._share = min(1.0, sum(max(0, size) for size in idle) / lacking)
        return self._share * self._network_ns + (1 - self._share) * self._disk_ns

    def _laws(self, job: JobSpec, lacks: Sequence[int]) -> Counter[_Law]:
        """Those of a job's processes that page, by what each lacks, and how many have each."""
        constants, beyond, laws = self._constants, job.memory - job.in_ram, Counter[_Law]()
        last = _LAST_PART if constants.relocality_unit == 1 else _LAST_PAGE
        excess = job.memory - min(job.in_ram, self._smallest)
        if excess <= constants.relocates_above:
            excess = 0
        for lack, processes in Counter(lacks).items():
            if outside := beyond + min(lack, job.in_ram):
                pages = ceil(outside / constants.page), excess / constants.page
                missed = outside / job.memory if constants.drifts else 0
                laws[_Law(constants.page_walk_ns, *pages, last, missed)] += processes
        return laws

    def _slow_down(self, since: _Since, page_ns: float, before: _Since | None) -> None:
        """Let a job that pages take time for its pages."""
        worst = since.worst = max(since.laws, key=lambda law: law.pages)
        if since.in_turns:
            quantum_ns = self._constants.quantum_ns
            since.turn_ns = _turn_ns(worst, quantum_ns, page_ns)
            since.speed *= since.turn_ns / quantum_ns
        elif since.left_ns:
            since.loaded = min(before.loaded if before else 0, worst.pages)
            faults_ns = page_ns * worst.faults(since.left_ns, since.loaded)
            since.speed = since.left_ns / (since.left_ns + faults_ns)

    def _count_start(self, job: JobSpec, laws: Counter[_Law]) -> None:
        """Count the messages for a job's memory."""
        self.events["process"] += job.processes
        if self._lends and self._design.coordinated:
            self.events["message"] += 3 * job.processes  # each asks, and gives back
        if self._lends and laws:
            self.events["message"] += 4 * laws.total() + 2 * self._told

    def _count(self, running: _Running, since: _Since) -> float:
        """Count what a job has done since; returns how many turns have passed if it shares them."""
        done_ns = since.left_ns - running.left_ns
        kind = "busy barrier" if since.laws else "barrier"
        self.events[kind] += running.job.processes * done_ns / self._constants.barrier_ns
        faults = 0.0
        for law, processes in since.laws.items():
            if since.in_turns:
                faults += processes * law.faults(since.turn_ns) * done_ns / since.turn_ns
            else:
                faults += processes * law.faults(done_ns, min(since.loaded, law.pages))
        if since.worst is not None:
            of_worst = since.worst.faults(done_ns, since.loaded)
            since.loaded = min(since.loaded + of_worst, since.worst.pages)
        self.events["disk fault"] += (1 - self._share) * faults
        self.events["hop"] += self._share * faults * self._path.hops
        return done_ns / since.speed / self._constants.quantum_ns if since.in_turns else 0
