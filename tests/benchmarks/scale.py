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

from agents.messages import DATA_PHASES
from model.systems import emulation_of, run
from tests.benchmarks import page_round_trips
from tests.benchmarks.scenarios import LONG_S, SHORT_S, growing, pages

SIZES = "64,256,1024,4096,10000"
SMALL, ROUNDS = 1024, 3  # up to so many nodes, the best of so many runs


def measured(nodes: int, design: str, topology: str) -> dict[str, float]:
    """What an event and a message cost at this size; the costs are those of the cheapest runs.

    Longer jobs page more and send as many messages, so what more they cost is that of events.
    """
    run(growing(8, topology), design, plane="compiled")  # compiles, or loads what is compiled
    rounds = ROUNDS if nodes <= SMALL else 1
    cost_s: dict[int, float] = {}
    events: dict[int, int] = {}
    for demand_s in (SHORT_S, LONG_S) * rounds:
        cluster = emulation_of(growing(nodes, topology, demand_s), design, plane="compiled")
        began_s = process_time()
        cluster.run()
        took_s = process_time() - began_s
        cost_s[demand_s] = min(took_s, cost_s.get(demand_s, took_s))
        events[demand_s] = cluster.clock.executed
    tallies = cluster.network.tallies.items()
    messages = sum(tally.sent for kind, tally in tallies if kind.phase not in DATA_PHASES)
    event_s = (cost_s[LONG_S] - cost_s[SHORT_S]) / (events[LONG_S] - events[SHORT_S])
    return {
        "events": events[LONG_S],
        "event_ns": event_s * 1e9,
        "messages": messages,
        "message_us": (cost_s[SHORT_S] - events[SHORT_S] * event_s) / messages * 1e6,
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
    events = run(pages(page_round_trips.DEMAND_S), "CEN", plane="compiled").clock.executed
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
    print(
        "  nodes       events  ns an event  to the first  SimPy / this   messages  us each  peak MB"
    )
    first_ns = 0.0
    for nodes in map(int, given.nodes.split(",")):
        found = in_own_process(nodes, given.design, given.topology)
        event_ns = found["event_ns"]
        first_ns = first_ns or event_ns
        print(
            f"{nodes:7,} {found['events']:12,} {event_ns:12.0f} {event_ns / first_ns:13.2f} "
            f"{in_simpy_ns / event_ns:13.1f} {found['messages']:10,} "
            f"{found['message_us']:8.1f} {found['peak_mb']:8,.0f}",
            flush=True,
        )


if __name__ == "__main__":
    main()
