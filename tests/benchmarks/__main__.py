"""All benchmarks, each as a ratio within one run: `uv run python -m tests.benchmarks`.

`--against REV` compares today's model with that of a revision; `--table` prints the table of
model/README.md.
"""

import argparse

from tests.benchmarks import against, events, explore, page_round_trips, start, table


def main() -> None:
    """Run what the command line asks for."""
    options = argparse.ArgumentParser(description=(__doc__ or "").partition(":")[0])
    options.add_argument("--against", metavar="REV", help="compare with a revision instead")
    options.add_argument("--rounds", type=int, default=5, help="how often, in turn (default: 5)")
    options.add_argument("--kinds", help=f"some of: {','.join(against.KINDS)} (default: all)")
    options.add_argument(
        "--table", action="store_true", help="print model/README.md's table instead"
    )
    given = options.parse_args()
    if given.table:
        table.main()
    elif given.against:
        kinds = given.kinds.split(",") if given.kinds else list(against.KINDS)
        against.compare(given.against, given.rounds, kinds)
    else:
        page_round_trips.main()
        print()
        events.main()
        print()
        explore.main()
        print()
        start.main()


main()
