"""The advice that a sweep's results give, as a table at a terminal."""

from pathlib import Path

from model.ground.errors import InputError
from model.pnr.measures import PAGING
from model.sweeps.advice import NETWORKS, Advice, advise
from model.sweeps.results import load_results
from model.sweeps.statistics import Estimate
from model.terminal.printing import Table, print_table
from model.terminal.progress import said_if_slow
from model.terminal.tables import with_half_width


def show_advice(folder: Path, version: str | None) -> None:
    """Print the table; raises InputError if the folder has no such runs."""
    with said_if_slow(f"reading {folder}"):
        rows = advise(load_results(folder, version))
    if not rows:
        raise InputError(
            f"{folder}: has no runs of DP and two other designs under the thesis's loads; do them "
            f"with run.py sweep thesis --out {folder}"
        )
    lines = [
        [
            *(str(row.nodes), row.network, row.load),
            f"{row.cases} of {len(NETWORKS[row.network])}",
            _use(row),
            row.thesis,
            _interval(row.ahead_pct),
            _interval(row.vs_dp_pct),
            str(row.ahead_pct.n) if row.ahead_pct.n > 1 else "1: no confidence",
        ]
        for row in rows
    ]
    names = ["nodes", "network", "load", "cases", "use", "table 5.1"]
    headings = ["ahead of the next, %", "better than DP, %", "replications"]
    print_table(Table(names, headings, lines))


def _use(row: Advice) -> str:
    if row.ahead_pct.n == 1:
        return f"perhaps {PAGING if row.vs_dp_pct.mean < 0 else row.best[0]}"
    best = ", ".join(row.best)
    return f"{PAGING}; of the others {best}" if row.vs_dp_pct.high < 0 else best


def _interval(found: Estimate) -> str:
    return with_half_width(found.mean, found.half_width, "+,.2f")
