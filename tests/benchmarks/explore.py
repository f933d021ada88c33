"""How many steps a second a search takes on one core: compiled, and in Python.

    uv run python -m tests.benchmarks.explore

The compiled search is run twice: with cold tables, which must ask Python what nodes do, and with
the tables of the first run. A miss is a question that the tables could not answer.
"""

from dataclasses import replace
from pathlib import Path
from time import process_time

from model.pnr.explore.instants import OrderMatters
from model.pnr.explore.search import Plain
from model.pnr.explore.setting import Setting
from model.pnr.explore.table import Table
from model.pnr.explore.world import World

OWN = Path(__file__).parents[1] / "model/pnr/explore/mutants.py"
CASES = (
    Setting("CLI", 4, 3, "any"),
    Setting("MAN", 3, 3, "any"),
    Setting("PROBE2", 3, 2),
    Setting("RELIABLE(CEN)", 3, 2, losses=1),
    Setting("LEASE", 3, 2),
    Setting("SURVIVOR", 3, 2, crashes=1, late_timers=True),
    Setting(f"{OWN}:hinting", 3, 2),
)
STATES = 1_000_000
IN_PYTHON = 10_000


def taken_a_second(steps: Table | Plain, most: int) -> tuple[int, float]:
    """Steps taken until so many states are known, and how many in a second of CPU."""
    began_s, before = process_time(), steps.taken
    end = 1
    while steps.found < most:
        while steps.advance(end) and steps.found < most:
            pass
        if end == steps.found:
            break
        end = steps.found
    taken = steps.taken - before
    return taken, taken / (process_time() - began_s)


def measure(setting: Setting, apart: bool) -> str:
    """A line about one case."""
    world = World(setting, apart)
    cold = Table(world, False, STATES)
    taken, cold_rate = taken_a_second(cold, STATES)
    misses, held = cold.misses, cold.bytes_held / cold.found
    cold.forget_states()
    _, warm_rate = taken_a_second(cold, STATES)
    _, plain_rate = taken_a_second(Plain(World(setting, apart), False, IN_PYTHON), IN_PYTHON)
    name = setting.declared.rpartition(":")[2]
    return (
        f"{name:15} {cold_rate:9,.0f} {warm_rate:9,.0f} {plain_rate:9,.0f} "
        f"{warm_rate / plain_rate:6.1f} {cold.found:10,} {misses / taken:8.2%} {held:6.0f}"
    )


def main() -> None:
    """Print a line for each case; times are of the processor, so other programs matter little."""
    print("explore: steps a second of one core")
    print("design               cold      warm in Python  ratio     states   misses  bytes a state")
    taken_a_second(Table(World(replace(CASES[0], nodes=2, jobs=1)), False, STATES), STATES)
    for setting in CASES:
        try:
            print(measure(setting, True), flush=True)
        except OrderMatters:
            print(measure(setting, False), flush=True)


if __name__ == "__main__":
    main()
