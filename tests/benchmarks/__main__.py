"""All benchmarks, each as a ratio within one run: `uv run python -m tests.benchmarks`.

First comes the table of model/README.md; `--table` prints that alone. `--against REV` compares
today's model with that of a revision.
"""

import argparse

from tests.benchmarks import against, explore, start, table


def main() -> None:
    """Run what the command line asks for."""
    options = argparse.ArgumentParser(description=(__doc__ or "").partition(":")[0])
    options.add_argument("--against", metavar="REV", help="compare with a revision instead")
    options.add_argument("--rounds", type=int, default=5, help="how often, in turn (default: 5)")
    options.add_argument("--kinds", help=f"some of: {','.join(against.KINDS)} (default: all)")
    options.add_argument("--table", action="store_true", help="print model/README.md's table alone")
    given = options.parse_args()
    if given.against:
        kinds = given.kinds.split(",") if given.kinds else list(against.KINDS)
        against.compare(given.against, given.rounds, kinds)
        return
    table.main()
    if not given.table:
        print()
        explore.main()
        print()
        start.main()


main()
