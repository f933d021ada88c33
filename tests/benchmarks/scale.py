"""What an event costs on clusters of 64 to 10,000 nodes, and how much memory a run needs.

    uv run python -m tests.benchmarks.scale           # CEN on a star; a few minutes
    uv run python -m tests.benchmarks.scale --nodes 64,1024 --design MAN --topology fat-tree

Sixteen jobs of an eighth of the nodes each, every second of which needs more memory than its nodes
have: so the events and the messages of one node are about as many on a small cluster as on a large
one. Every size runs in a process of its own, so that its peak memory is its own; what is timed is
processor time, after a small run that compiles or loads what is compiled. SimPy runs pages on a
star of 64 nodes (`page_round_trips`), and its cost is divided by the events which the emulation
counts there.
"""

import argparse
import json
import subprocess
import sys
from resource import RUSAGE_SELF, getrusage
from time import process_time
from typing import Any

from agents.messages import DATA_PHASES
from model.pnr.scenario import Scenario, make_scenario
from model.systems import emulation_of, run
from tests.benchmarks import page_round_trips

SIZES = "64,256,1024,4096,10000"
JOBS, DEMAND_S = 16, 2
SMALL, ROUNDS = 1024, 3  # up to so many nodes, the best of so many runs


def scenario(nodes: int, topology: str) -> Scenario:
    """Jobs that start every half second; of 48 MB a process on nodes of 32 MB, or of 8 MB."""
    processes = max(1, nodes // 8)
    jobs: list[dict[str, Any]] = [
        {
            "processes": processes,
            "memory_mb": processes * (48 if number % 2 else 8),
            "demand_s": DEMAND_S,
            "submit_s": number / 2,
        }
        for number in range(JOBS)
    ]
    return make_scenario(nodes=nodes, topology=topology, job=jobs)


def measured(nodes: int, design: str, topology: str) -> dict[str, float]:
    """What runs of this size took and counted; the costs are those of the cheapest run."""
    run(scenario(8, topology), design, engine="compiled")  # compiles, or loads what is compiled
    costs_s = []
    for _ in range(ROUNDS if nodes <= SMALL else 1):
        cluster = emulation_of(scenario(nodes, topology), design, engine="compiled")
        began_s = process_time()
        cluster.run()
        costs_s.append(process_time() - began_s)
    tallies = cluster.network.tallies.items()
    return {
        "cost_s": min(costs_s),
        "events": cluster.clock.executed,
        "messages": sum(tally.sent for kind, tally in tallies if kind.phase not in DATA_PHASES),
        "peak_mb": getrusage(RUSAGE_SELF).ru_maxrss / 1024,
    }


def in_own_process(nodes: int, design: str, topology: str) -> dict[str, float]:
    """The same, measured in a process of its own."""
    code = f"print(json.dumps(scale.measured({nodes}, {design!r}, {topology!r})))"
    command = [sys.executable, "-c", f"import json; from tests.benchmarks import scale; {code}"]
    return json.loads(subprocess.run(command, check=True, stdout=subprocess.PIPE).stdout)


def simpy_ns() -> float:
    """The cost of an event in SimPy, in ns: its processor time, by the events counted here."""
    _, took_s = page_round_trips.in_simpy(page_round_trips.with_timeout, lambda env: [0])
    events = run(page_round_trips.scenario(), "CEN", engine="compiled").clock.executed
    return took_s / events * 1e9


def main() -> None:
    """Print a line for each size."""
    options = argparse.ArgumentParser(description=(__doc__ or "").partition("\n")[0])
    options.add_argument("--nodes", default=SIZES, help=f"sizes of clusters (default: {SIZES})")
    options.add_argument("--design", default="CEN", help="of the managers (default: CEN)")
    options.add_argument("--topology", default="star", help="of the network (default: star)")
    given = options.parse_args()
    in_simpy_ns = simpy_ns()
    print(f"{given.design} on a {given.topology}; in SimPy, an event costs {in_simpy_ns:,.0f} ns")
    print("  nodes       events  ns an event  to the first  SimPy / this  messages/s  peak MB")
    first_ns = 0.0
    for nodes in map(int, given.nodes.split(",")):
        found = in_own_process(nodes, given.design, given.topology)
        cost_ns = found["cost_s"] / found["events"] * 1e9
        first_ns = first_ns or cost_ns
        print(
            f"{nodes:7,} {found['events']:12,} {cost_ns:12.0f} {cost_ns / first_ns:13.2f} "
            f"{in_simpy_ns / cost_ns:13.1f} {found['messages'] / found['cost_s']:11,.0f} "
            f"{found['peak_mb']:8,.0f}",
            flush=True,
        )


if __name__ == "__main__":
    main()
