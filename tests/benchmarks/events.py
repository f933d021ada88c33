"""Events a second of the compiled plane, beside the actors; what 1,024 nodes cost.

    uv run python -m tests.benchmarks.events    # a minute

Events are those that the actors plane executes; both planes count the same.
"""

from model.pnr.cluster import Cluster
from model.pnr.scenario import Scenario, make_scenario
from model.systems import run
from tests.benchmarks.scenarios import WINDOW, pages

WINDOWS = {
    "disk-heavy": ("DP", WINDOW),
    "network-heavy": ("MAN", WINDOW),
    "barriers only": ("DP", {"first": 1, "jobs": 200}),
}


def rate(cluster: Cluster) -> float:
    """Millions of events a second of a run that has ended."""
    return cluster.clock.executed / cluster.wall_s / 1e6


def best(scenario: Scenario, design: str, plane: str, rounds: int = 3) -> Cluster:
    """The fastest of several runs."""
    runs = [run(scenario, design, plane=plane) for _ in range(rounds)]
    return min(runs, key=lambda cluster: cluster.wall_s)


def main() -> None:
    """Print the tables."""
    print("events of the bundled trace, millions a second")
    for name, (design, window) in WINDOWS.items():
        scenario = make_scenario(**window)
        compiled = best(scenario, design, "compiled")
        actors = best(scenario, design, "actors", rounds=1)
        assert compiled.clock.executed == actors.clock.executed
        print(
            f"{name:15} {design:4} compiled {rate(compiled):5.1f}   actors {rate(actors):5.2f}   "
            f"ratio {rate(compiled) / rate(actors):5.1f}   ({compiled.clock.executed:,} events)"
        )
    small, large = (best(pages(6400 // nodes, nodes), "CEN", "compiled") for nodes in (64, 1024))
    print(
        f"a star of 1,024 nodes: {1000 / rate(large):.1f} ns an event, of 64 nodes "
        f"{1000 / rate(small):.1f} ns: ratio {rate(small) / rate(large):.2f}"
    )


if __name__ == "__main__":
    main()
