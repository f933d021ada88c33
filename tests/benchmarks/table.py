"""The table of speeds in model/README.md, as Markdown, with the processor and all versions.

uv run python -m tests.benchmarks --table
"""

import platform
import subprocess
from importlib.metadata import version

from model.pnr.scenario import make_scenario
from model.terminal.commands.live import processor
from tests.benchmarks.events import WINDOWS, best
from tests.benchmarks.page_round_trips import COMPILER, rates

SIDES = ("compiled", "C", "actors", "SimPy", "Mesa")


def versions(with_c: bool) -> str:
    named = [f"Python {platform.python_version()}"]
    named += [f"{name} {version(name.lower())}" for name in ("Numba", "SimPy", "Mesa")]
    if with_c:
        about = subprocess.run([COMPILER, "--version"], check=True, capture_output=True, text=True)
        named.append(about.stdout.splitlines()[0])
    return ", ".join(named)


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
    for name, what in (("disk-heavy", "disk"), ("network-heavy", "network")):
        design, values = WINDOWS[name]
        scenario = make_scenario(**values)
        events = {
            plane: in_words(best(scenario, design, plane).rate * 1e6)
            for plane in ("compiled", "actors")
        }
        print(row(f"events a second, mostly {what} faults ({design})", events))
