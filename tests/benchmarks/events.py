"""Events a second of the compiled plane, beside the actors; what 1,024 nodes cost.

    uv run python -m tests.benchmarks.events    # a minute

Events are those that the actors plane executes; both planes count the same. The compiled one
skips rounds of barriers that repeat (`model/pnr/compiled/rounds.py`), and counts their events.
"""

from time import process_time
from typing import NamedTuple

from model.pnr.scenario import Scenario, make_scenario
from model.systems import emulation_of
from tests.benchmarks.scenarios import WINDOW, pages

WINDOWS = {
    "disk-heavy": ("DP", WINDOW),
    "network-heavy": ("MAN", WINDOW),
    "barriers only": ("DP", {"first": 1, "jobs": 200}),
}


class Measured(NamedTuple):
    """Events of a run, and millions of them a second of processor time."""

    events: int
    rate: float


def best(scenario: Scenario, design: str, plane: str, rounds: int = 5) -> Measured:
    """The fastest of several runs."""
    runs = []
    for _ in range(rounds):
        cluster = emulation_of(scenario, design, plane=plane)
        began_s = process_time()
        cluster.run()
        took_s = process_time() - began_s
        runs.append(Measured(cluster.clock.executed, cluster.clock.executed / took_s / 1e6))
    return max(runs, key=lambda measured: measured.rate)


def main() -> None:
    """Print the tables."""
    print("events of the bundled trace, millions a second")
    for name, (design, window) in WINDOWS.items():
        scenario = make_scenario(**window)
        compiled = best(scenario, design, "compiled")
        actors = best(scenario, design, "actors", rounds=1)
        assert compiled.events == actors.events
        print(
            f"{name:15} {design:4} compiled {compiled.rate:5.1f}   actors {actors.rate:5.2f}   "
            f"ratio {compiled.rate / actors.rate:5.1f}   ({compiled.events:,} events)"
        )
    small, large = (
        best(pages(6400 // nodes, nodes), "CEN", "compiled").rate for nodes in (64, 1024)
    )
    print(
        f"a star of 1,024 nodes: {1000 / large:.1f} ns an event, of 64 nodes "
        f"{1000 / small:.1f} ns: ratio {small / large:.2f}"
    )


if __name__ == "__main__":
    main()
