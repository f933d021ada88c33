"""How many steps a second a search takes on one core, and how many bytes a state takes.

    uv run python -m tests.benchmarks.explore

What nodes do with an input is computed by their roles once; a miss is a step for which it was not
known yet.
"""

from pathlib import Path
from time import process_time

from model.pnr.explore.alike import Alike, as_alike_as_possible
from model.pnr.explore.search import Search, without_garbage_collection
from model.pnr.explore.setting import Setting
from model.pnr.explore.world import World

OWN = Path(__file__).parents[1] / "model/pnr/explore/mutants.py"
CASES = (
    Setting("CLI", 4, 3, "any"),
    Setting("MAN", 3, 3, "any"),
    Setting("PROBE2", 3, 2),
    Setting("RELIABLE(CEN)", 3, 2, losses=1),
    Setting("LEASE", 3, 2),
    Setting("SURVIVOR", 3, 2, crashes=1, late_timers=True),
    Setting(f"{OWN}:Hinting", 3, 2),
)
STATES = 300_000


def measure(setting: Setting) -> str:
    """A line about one case."""

    def run(alike: Alike) -> str:
        search = Search(World(setting, alike), most_states=STATES, all_rules=True)
        began_s = process_time()
        found = search.run()
        rate = found.steps / (process_time() - began_s)
        misses = len(search.world.reactions.outcomes) / found.steps
        held = search.bytes_held() / found.states
        name = setting.declared.rpartition(":")[2]
        return f"{name:15} {rate:9,.0f} {found.states:10,} {misses:8.2%} {held:6.0f}"

    return as_alike_as_possible(run)


def main() -> None:
    """Print a line for each case; times are of the processor, so other programs matter little."""
    print("explore: steps a second of one core")
    print("design          steps a s     states   misses  bytes a state")
    for setting in CASES:
        setting.design  # noqa: B018  # is loaded before
        with without_garbage_collection():
            print(measure(setting), flush=True)


if __name__ == "__main__":
    main()
