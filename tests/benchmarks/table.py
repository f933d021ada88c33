"""The table of speeds in model/README.md, as Markdown, with the processor and all versions.

    uv run python -m tests.benchmarks --table

Events are those that the actors plane executes; both planes count the same. The compiled one
skips rounds of barriers that repeat (`model/pnr/compiled/rounds.py`), and counts their events.
"""

import platform
import subprocess
from importlib.metadata import version
from time import process_time

from model.pnr.scenario import Scenario
from model.systems import emulation_of
from model.terminal.commands.live import processor
from tests.benchmarks.page_round_trips import COMPILER, rates
from tests.benchmarks.scenarios import window

ROUNDS = 5
SIDES = ("compiled", "C", "actors", "SimPy", "Mesa")


def versions(with_c: bool) -> str:
    named = [f"Python {platform.python_version()}"]
    named += [f"{name} {version(name.lower())}" for name in ("Numba", "SimPy", "Mesa")]
    if with_c:
        about = subprocess.run([COMPILER, "--version"], check=True, capture_output=True, text=True)
        named.append(about.stdout.splitlines()[0])
    return ", ".join(named)


def events_a_second(scenario: Scenario, design: str, plane: str) -> float:
    """Of processor time, in the fastest of several runs."""
    found = []
    for _ in range(ROUNDS):
        cluster = emulation_of(scenario, design, plane=plane)
        began_s = process_time()
        cluster.run()
        found.append(cluster.clock.executed / (process_time() - began_s))
    return max(found)


def row(name: str, cells: dict[str, str]) -> str:
    return " | ".join([f"| {name}", *(cells.get(side, "") for side in SIDES)]) + " |"


def in_words(a_second: float) -> str:
    if a_second < 10**5:
        return f"{round(a_second, -2):,.0f}"
    millions = a_second / 1e6
    return f"{millions:.0f} million" if millions >= 10 else f"{millions:.2g} million"


def main() -> None:
    """Print the table."""
    pages = rates()
    print(f"One core of an {processor()}; {versions('C' in pages)}:\n")
    print(row("", {side: side for side in SIDES}))
    print("|---" * (1 + len(SIDES)) + "|")
    print(
        row(
            "page round trips a second, 64-node star",
            {name: in_words(a_second) for name, a_second in pages.items()},
        )
    )
    ratios = {name: pages["compiled"] / a_second for name, a_second in pages.items()}
    print(row("compiled / this", {name: f"{ratio:.3g}" for name, ratio in ratios.items()}))
    for design, what in (("DP", "disk"), ("MAN", "network")):
        events = {
            plane: in_words(events_a_second(window(), design, plane))
            for plane in ("compiled", "actors")
        }
        print(row(f"events a second, mostly {what} faults ({design})", events))
