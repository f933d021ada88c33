"""What a feedback controller could gain: the best fixed settings, and other gains and histories.

Fixed settings are chosen with hindsight, on the same runs on which they are compared, which is more
than a controller can do.
"""

from collections.abc import Iterator

import pandas as pd

from model.papers.measurements import Measurements, geometric_mean
from model.papers.page import interval, table
from model.papers.wal_fc.figures import cases

#: Figures with a grid of fixed settings, and the most that WAL_FC is better than WAL there.
_FIXED = {"5.2": "2.74", "5.3": "2.82", "5.4": "2.20", "5.5": "not said"}
_CONTROLLED = ("5.2", "5.3")
_START = {"buffer_mb": 160.0, "io_weight": 0.5}


def tables(measured: Measurements) -> str:
    """Both tables, in Markdown."""
    return "\n".join([*_fixed(measured), *_controllers(measured)])


def _fixed(measured: Measurements) -> Iterator[str]:
    yield "## What a controller could gain"
    yield ""
    yield (
        "The mean slowdown of WAL, with 160 MB and a weight of 0.5, in multiples of that of "
        "WAL_FC; of WAL with the one fixed buffer and weight that are best over all seeds; and of "
        "WAL with those that are best for each seed. These were chosen with hindsight, on the "
        "same runs, from the grid in `model/papers/wal_fc/wal-fc.toml`."
    )
    yield ""
    headings = ("In figure", "Paper, at most", "WAL_FC", "Best fixed", "Which", "Best of each seed")
    rows = []
    for figure, stated in _FIXED.items():
        grid = cases(f"fixed {figure}")
        start = next(iter(grid.values())).but(**_START)
        own = measured.values(start, "WAL")
        gains = pd.DataFrame(
            {which: own / measured.values(case, "WAL") for which, case in grid.items()}
        ).dropna()
        if gains.empty:
            rows.append((figure, stated, "not run", "", "", ""))
            continue
        best = max(gains, key=lambda which: geometric_mean(gains[which].tolist()).mean)
        controlled = measured.ratio((start, "WAL"), (start, "WAL_FC"))
        fixed, each = (geometric_mean(one.tolist()) for one in (gains[best], gains.max(axis=1)))
        which = f"{best[0]:g} MB, {best[1]:g}"
        rows.append((figure, stated, interval(controlled), interval(fixed), which, interval(each)))
    yield from table(headings, rows)


def _controllers(measured: Measurements) -> Iterator[str]:
    yield "## Other controllers"
    yield ""
    yield (
        "The mean slowdown of WAL in multiples of that of WAL_FC, for the number of jobs that S is "
        "the mean of and for the buffer gain; and how far, in MB, the buffer is from 160 MB in the "
        "end, up or down. The paper's values are 50 and 0.5."
    )
    yield ""
    rows = []
    for figure in _CONTROLLED:
        for (history, gain), case in cases(f"controller {figure}").items():
            start = case.but(history=50, buffer_gain=0.5)
            moved = measured.values(case, "WAL_FC", "final_buffer_mb") - _START["buffer_mb"]
            found = measured.ratio((start, "WAL"), (case, "WAL_FC"))
            far = "" if moved.empty else f"{moved.abs().mean():.1f}"
            rows.append((figure, f"{history:g}", f"{gain:g}", interval(found), far))
    headings = ("In figure", "Jobs", "Gain, MB", "WAL over WAL_FC", "Buffer moved, MB")
    yield from table(headings, rows)
