"""Page round trips a second on a 64-node star: both planes beside C, SimPy and Mesa's event list.

Half of the nodes run one process each of a job larger than RAM; all of its faults go to lenders on
the other half. All sides draw the same faults from the same streams and queue at the same stations,
so all must count the same round trips, and wait for pages about as long. Each has one event a hop,
seven a round trip. The sides that are no planes have no protocol, no barriers and no measures, and
queues in closed form: SimPy's resources take longer.
"""

import subprocess
from collections.abc import Callable, Iterator
from functools import partial
from pathlib import Path
from shutil import which
from tempfile import TemporaryDirectory
from time import process_time
from typing import NamedTuple

import simpy
from mesa import Model
from mesa.experimental.devs import DEVSimulator

from agents.pnr.process import NETWORK_FAULT
from model.ground.paging import fault_time_ns, relocated_bytes
from model.ground.randomness import FAULT_TIME, LENDER, RELOCALITY, draws, stream_key
from model.pnr.cluster import Cluster
from model.pnr.constants import Constants
from model.systems import emulation_of
from tests.benchmarks.scenarios import pages

DEMAND_S = 4
LONG_DEMAND_S = 1000  # long enough for a clock to measure what is compiled
ROUNDS = 5
#: How far waits may be apart. The model has messages of its protocol, too, and queues amplify what
#: shifts anything: other starts alone change the waits by 0.03 %.
APART = 0.001
COMPILER = "cc"
SOURCE = Path(__file__).with_suffix(".c")
JOB = 1
STREAMS = FAULT_TIME, LENDER, RELOCALITY


class Counts(NamedTuple):
    """What all sides must agree in."""

    round_trips: int
    waited_ns: int  # for pages, by all processes


class Star:
    """What the other simulators are given: constants, and loans as the manager dealt them."""

    def __init__(self, demand_s: int):
        scenario = pages(demand_s)
        constants = Constants.of(scenario)
        cluster = Cluster(scenario, "CEN")
        cluster.clock.run(2000)  # of some 500,000 events: all loans are made, none is given back
        self.seed = scenario.seed
        self.nodes = self.switch = scenario.nodes  # stations: the nodes' links, then the switch
        self.ranks = self.nodes // 2
        self.demand_ns = demand_s * 10**9
        self.latency_ns, self.switch_ns = constants.latency_ns, constants.switch_ns
        sizes = constants.sizes.page_request, constants.sizes.page_reply
        self.held_ns = [round(8000 * size / scenario.bandwidth_mbps) for size in sizes]
        self.page, self.page_walk_ns = constants.page, constants.page_walk_ns
        self.limit = 48 * 2**20 - constants.rams[0]
        #: Each rank's (server, amount) pairs, by server.
        self.loans = [
            sorted(cluster.nodes[rank].memory.loans.items()) for rank in range(self.ranks)
        ]
        self.ways = {
            (rank, server): self._way(rank, server)
            for rank, loans in enumerate(self.loans)
            for server, _ in loans
        }

    def _way(self, rank: int, server: int) -> list[tuple[int, int, int]]:
        """For each hop of a round trip: the station, how long it is held, the latency after it."""
        request_ns, reply_ns = self.held_ns
        switched = (self.switch, self.switch_ns, 0)
        return [
            (rank, request_ns, self.latency_ns),
            switched,
            (server, request_ns, self.latency_ns),
            (server, reply_ns, self.latency_ns),
            switched,
            (rank, reply_ns, self.latency_ns),
        ]

    def faults(self, rank: int) -> Iterator[tuple[int, int]]:
        """The CPU time to each of a process's faults, and who has the page."""
        times, lenders, moves = (draws(self.seed, purpose, JOB, rank) for purpose in STREAMS)
        loaded, left_ns = 0, self.demand_ns
        while True:
            if loaded == self.limit:
                loaded -= relocated_bytes(next(moves), self.page, self.limit)
            cpu_ns = fault_time_ns(next(times), self.page_walk_ns, self.limit, loaded)
            if cpu_ns >= left_ns:
                return
            left_ns -= cpu_ns
            yield cpu_ns, pick(self.loans[rank], next(lenders))
            loaded = min(loaded + self.page, self.limit)

    def as_text(self) -> str:
        """For the program in C."""
        numbers = [self.nodes, self.ranks, self.demand_ns, self.latency_ns, self.switch_ns]
        numbers += [*self.held_ns, self.page, self.page_walk_ns, self.limit]
        for rank, loans in enumerate(self.loans):
            keys = [stream_key(self.seed, purpose, JOB, rank) for purpose in STREAMS]
            signed = [key - 2**64 if key >= 2**63 else key for key in keys]
            numbers += [*signed, len(loans), *(number for loan in loans for number in loan)]
        return "\n".join(map(str, numbers))


def pick(loans: list[tuple[int, int]], uniform: float) -> int:
    """A lender in proportion to its loan."""
    point = int(uniform * sum(amount for _, amount in loans))
    for server, amount in loans:
        point -= amount
        if point < 0:
            return server
    raise ValueError("nothing is borrowed")


def emulated(plane: str, demand_s: int) -> tuple[Counts, float]:
    """Run it on a plane; counts, and seconds of processor time."""
    cluster = emulation_of(pages(demand_s), "CEN", plane=plane)
    began_s = process_time()
    cluster.run()
    took_s = process_time() - began_s
    (job,) = cluster.jobs
    waited_ns = sum(process.spent_ns[NETWORK_FAULT] for process in job.processes)
    return Counts(sum(node.faults_network for node in cluster.nodes), waited_ns), took_s


def in_c(demand_s: int) -> tuple[Counts, float]:
    with TemporaryDirectory() as folder:
        program = Path(folder, SOURCE.stem)
        # Products and sums are rounded apart, as in Python.
        options = ("-std=c99", "-O2", "-ffp-contract=off", "-o", program)
        subprocess.run([COMPILER, *options, SOURCE, "-lm"], check=True)
        done = subprocess.run(
            [program], input=Star(demand_s).as_text(), check=True, capture_output=True, text=True
        )
    *counts, took_s = done.stdout.split()
    return Counts(*map(int, counts)), float(took_s)


def in_simpy(demand_s: int) -> tuple[Counts, float]:
    star = Star(demand_s)
    env = simpy.Environment()
    free_ns = [0] * (star.nodes + 1)
    round_trips = waited_ns = 0

    def process(rank: int) -> Iterator[simpy.Event]:
        nonlocal round_trips, waited_ns
        for cpu_ns, lender in star.faults(rank):
            yield env.timeout(cpu_ns)
            waited_ns -= env.now
            for station, held_ns, latency_ns in star.ways[rank, lender]:
                free_ns[station] = max(free_ns[station], env.now) + held_ns
                yield env.timeout(free_ns[station] + latency_ns - env.now)
            waited_ns += env.now
            round_trips += 1

    for rank in range(star.ranks):
        env.process(process(rank))
    began_s = process_time()
    env.run()
    return Counts(round_trips, waited_ns), process_time() - began_s


def in_mesa(demand_s: int) -> tuple[Counts, float]:
    star = Star(demand_s)
    simulator = DEVSimulator()
    simulator.setup(Model())
    faults = [star.faults(rank) for rank in range(star.ranks)]
    free_ns = [0] * (star.nodes + 1)
    round_trips = waited_ns = 0

    def compute(rank: int) -> None:
        nonlocal waited_ns
        for cpu_ns, lender in faults[rank]:
            waited_ns -= simulator.time + cpu_ns
            way = iter(star.ways[rank, lender])
            simulator.schedule_event_relative(hop, cpu_ns, function_args=[rank, way])
            return

    def hop(rank: int, way: Iterator[tuple[int, int, int]]) -> None:
        nonlocal round_trips, waited_ns
        for station, held_ns, latency_ns in way:
            free_ns[station] = max(free_ns[station], simulator.time) + held_ns
            arrives_ns = free_ns[station] + latency_ns
            simulator.schedule_event_absolute(hop, arrives_ns, function_args=[rank, way])
            return
        waited_ns += simulator.time
        round_trips += 1
        compute(rank)

    for rank in range(star.ranks):
        compute(rank)
    began_s = process_time()
    simulator.run_until(float("inf"))
    return Counts(round_trips, int(waited_ns)), process_time() - began_s


def simulators() -> dict[str, tuple[Callable[[int], tuple[Counts, float]], int]]:
    """What runs a demand, and the demand that it is measured with."""
    found: dict[str, tuple[Callable[[int], tuple[Counts, float]], int]] = {
        "compiled": (partial(emulated, "compiled"), LONG_DEMAND_S),
        "C": (in_c, LONG_DEMAND_S),
        "actors": (partial(emulated, "actors"), DEMAND_S),
        "SimPy": (in_simpy, DEMAND_S),
        "Mesa": (in_mesa, DEMAND_S),
    }
    if not which(COMPILER):
        print(f"C is left out: there is no compiler ({COMPILER})\n")
        del found["C"]
    return found


def rates() -> dict[str, float]:
    """Round trips a second: all sides in turn, several times; the best of each."""
    counts: dict[int, Counts] = {}
    best: dict[str, float] = {}
    sides = simulators()
    for of_round in range(1 + ROUNDS):
        for name, (simulate, measured_s) in sides.items():
            demand_s = measured_s if of_round else DEMAND_S  # the first compiles, and is the same
            counted, took_s = simulate(demand_s)
            expected = counts.setdefault(demand_s, counted)
            apart_ns = abs(counted.waited_ns - expected.waited_ns)
            if counted.round_trips != expected.round_trips or apart_ns > APART * expected.waited_ns:
                raise SystemExit(f"{name}: {counted}, others had {expected}")
            if of_round:
                best[name] = max(counted.round_trips / took_s, best.get(name, 0))
    return best
