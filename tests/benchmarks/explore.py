"""How many steps a second a search takes on one core, and what a step costs."""

from time import process_time

from model.pnr.explore.search import search
from model.pnr.explore.setting import Setting

CASES = (
    Setting("CLI", 3, 2, "any"),
    Setting("MAN", 3, 2, "any"),
    Setting("PROBE2", 3, 2),
    Setting("RELIABLE(CEN)", 3, 2),
)
STATES = 30_000


def main() -> None:
    """Print a line for each case; times are of the processor, so other programs matter little."""
    print("explore, 3 nodes, 2 jobs: steps a second of one core, and what a step costs")
    for setting in CASES:
        began_s = process_time()
        found = search(setting, most_states=STATES)
        took_s = process_time() - began_s
        name = f"{setting.declared}, {setting.order}"
        rate, cost_us = found.steps / took_s, took_s / found.steps * 1e6
        print(f"{name:20} {rate:8,.0f} {cost_us:6.1f} us {found.states:10,} states")


if __name__ == "__main__":
    main()
