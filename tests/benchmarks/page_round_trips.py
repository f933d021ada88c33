"""Page round trips a second on a 64-node star: both planes beside the same model in SimPy.

    uv run python -m tests.benchmarks.page_round_trips

Half of the nodes run one process each of a job larger than RAM; all of its faults go to lenders on
the other half. Both sides draw the same faults from the same streams, so both must count the same
round trips. In SimPy, queues are in closed form: resources take longer.
"""

from collections.abc import Iterator
from time import process_time

import simpy

from model.ground.paging import fault_time_ns, relocated_bytes
from model.ground.randomness import FAULT_TIME, LENDER, RELOCALITY, draws
from model.pnr.cluster import Cluster
from model.pnr.constants import Constants
from model.systems import emulation_of
from tests.benchmarks.scenarios import pages

DEMAND_S = 4
COMPILED_DEMAND_S = 1000  # long enough for a clock to measure
ROUNDS = 3


def emulated(plane: str, demand_s: int) -> tuple[int, float]:
    """Run it on a plane; round trips and seconds of processor time."""
    cluster = emulation_of(pages(demand_s), "CEN", plane=plane)
    began_s = process_time()
    cluster.run()
    took_s = process_time() - began_s
    return sum(node.faults_network for node in cluster.nodes), took_s


def in_simpy() -> tuple[int, float]:
    """Run the same processes, loans and network in SimPy; round trips and processor seconds."""
    given = pages(DEMAND_S)
    constants = Constants.of(given)
    loans = loans_of_a_run()
    env = simpy.Environment()
    links = [[0] for _ in range(given.nodes)]  # when each is free, both directions together
    switch = [0]
    round_trips = 0

    def message(source: int, target: int, size: int) -> Iterator[simpy.Event]:
        held_ns = round(8000 * size / given.bandwidth_mbps)
        yield from queued(env, links[source], held_ns)
        yield env.timeout(constants.latency_ns)
        yield from queued(env, switch, constants.switch_ns)
        yield from queued(env, links[target], held_ns)
        yield env.timeout(constants.latency_ns)

    def process(rank: int) -> Iterator[simpy.Event]:
        nonlocal round_trips
        times, lenders, moves = (
            draws(given.seed, purpose, 1, rank) for purpose in (FAULT_TIME, LENDER, RELOCALITY)
        )
        size = 48 * 2**20
        limit = excess = size - constants.rams[0]
        loaded, left_ns = 0, DEMAND_S * 10**9
        while True:
            if loaded == limit:
                loaded -= relocated_bytes(next(moves), constants.page, excess)
            cpu_ns = fault_time_ns(next(times), constants.page_walk_ns, limit, loaded)
            if cpu_ns >= left_ns:
                yield env.timeout(left_ns)
                return
            left_ns -= cpu_ns
            yield env.timeout(cpu_ns)
            lender = pick(loans[rank], next(lenders))
            yield from message(rank, lender, constants.sizes.page_request)
            yield from message(lender, rank, constants.sizes.page_reply)
            loaded = min(loaded + constants.page, limit)
            round_trips += 1

    for rank in range(32):
        env.process(process(rank))
    began_s = process_time()
    env.run()
    return round_trips, process_time() - began_s


def queued(env: simpy.Environment, station: list[int], held_ns: int) -> Iterator[simpy.Event]:
    """Queue at a station that is just the time at which it will be free."""
    station[0] = max(station[0], env.now) + held_ns
    yield env.timeout(station[0] - env.now)


def loans_of_a_run() -> list[list[tuple[int, int]]]:
    """Each rank's (server, amount) pairs, as the manager dealt them, by server."""
    cluster = Cluster(pages(DEMAND_S), "CEN")
    cluster.clock.run(2000)  # of some 500,000 events: all loans are made, none is given back
    return [sorted(cluster.nodes[rank].memory.loans.items()) for rank in range(32)]


def pick(loans: list[tuple[int, int]], uniform: float) -> int:
    """A lender in proportion to its loan."""
    point = int(uniform * sum(amount for _, amount in loans))
    for server, amount in loans:
        point -= amount
        if point < 0:
            return server
    raise ValueError("nothing is borrowed")


def main() -> None:
    """All sides in turn, several times; the best of each, and the ratios."""
    best: dict[str, float] = {}
    emulated("compiled", DEMAND_S)  # compiles, or loads what is compiled
    for _ in range(ROUNDS):
        round_trips, took_s = emulated("actors", DEMAND_S)
        rates = {"actors": round_trips / took_s}
        more, took_s = emulated("compiled", COMPILED_DEMAND_S)
        rates["compiled"] = more / took_s
        counted, took_s = in_simpy()
        if counted != round_trips:
            raise SystemExit(f"SimPy: {counted} round trips, the actors had {round_trips}")
        rates["SimPy"] = counted / took_s
        best = {name: max(rate, best.get(name, 0)) for name, rate in rates.items()}
    print(
        f"{round_trips:,} page round trips on a 64-node star ({more:,} compiled), best of {ROUNDS}"
    )
    for name, rate in best.items():
        print(
            f"{name:22} {rate:12,.0f} /s   actors / this: {best['actors'] / rate:5.2f}   "
            f"compiled / this: {best['compiled'] / rate:6.1f}"
        )


if __name__ == "__main__":
    main()
