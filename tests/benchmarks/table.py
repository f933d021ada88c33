"""The README's table of speeds, as Markdown, with the name of the processor.

uv run python -m tests.benchmarks --table
"""

from model.pnr.scenario import make_scenario
from model.terminal.commands.live import processor
from tests.benchmarks.events import WINDOWS, best, rate
from tests.benchmarks.page_round_trips import (
    COMPILED_DEMAND_S,
    DEMAND_S,
    ROUNDS,
    emulated,
    in_simpy,
)


def round_trips_a_second(plane: str, demand_s: int) -> float:
    """The most of several runs."""
    emulated(plane, 1)  # compiles
    runs = [emulated(plane, demand_s) for _ in range(ROUNDS)]
    return max(trips / took_s for trips, took_s in runs)


def main() -> None:
    """Print the table."""
    trips, took_s = min(in_simpy() for _ in range(ROUNDS))
    pages = (
        round_trips_a_second("compiled", COMPILED_DEMAND_S) / 1e6,
        round_trips_a_second("actors", DEMAND_S),
        trips / took_s,
    )
    print(f"On one core of an {processor()}:\n")
    print("| | compiled | actors | SimPy |\n|---|---|---|---|")
    compiled, actors, simpy = pages
    print(
        f"| page round trips a second, 64-node star | {compiled:.1f} million "
        f"| {actors:,.0f} | {simpy:,.0f} |"
    )
    for name, what in (("disk-heavy", "disk"), ("network-heavy", "network")):
        design, values = WINDOWS[name]
        both = [
            rate(best(make_scenario(**values), design, plane)) for plane in ("compiled", "actors")
        ]
        print(
            f"| events a second, mostly {what} faults ({design}) | {both[0]:.0f} million "
            f"| {both[1]:.2f} million | |"
        )
