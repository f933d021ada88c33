"""Files of what pages cost: `pages.csv` of a run that counts them (`agents/pnr/page_costs.py`)."""

from collections.abc import Callable
from pathlib import Path
from typing import TYPE_CHECKING

import numpy as np
import pandas as pd

from agents.pnr.page_costs import LOADED, NOTHING, QUANTILES, SOURCES, WAITING, PageCosts
from model.ground.errors import InputError, cut
from model.ground.page_classes import least_in, loaded_class, waiting_class
from model.ground.units import NS_PER_MS

if TYPE_CHECKING:
    from model.pnr.scenario import Scenario

COLUMNS = ("loaded_pages", "waiting", "page_ms", "pages")
#: What costs go by, and the class of each row.
_CLASSES: dict[str, tuple[int, Callable[[pd.DataFrame], pd.Series]]] = {
    "nothing": (NOTHING, lambda rows: rows["pages"] * 0),
    "loaded": (LOADED, lambda rows: rows["loaded_pages"].map(lambda it: loaded_class(it, 1))),
    "waiting": (WAITING, lambda rows: rows["waiting"].map(waiting_class)),
}


def page_costs_of(scenario: "Scenario") -> PageCosts | None:
    """What counts or draws the costs of pages in a run; None if nothing does."""
    if scenario.page_costs is None and not scenario.count_pages:
        return None
    table, by = None, 0
    if scenario.page_costs is not None:
        by, class_of = _CLASSES[scenario.page_costs_by]
        rows = read_page_costs(scenario.page_costs)
        table = _quantiles(rows, class_of(rows))
    return PageCosts(scenario.seed, scenario.page_bytes, table, by)


def page_table(costs: PageCosts | None, design: str) -> pd.DataFrame:
    """A row for each class of pages that a run has counted: its mean cost, and how many there were.

    The `source` is disk or network; `loaded_pages` and `waiting` are the least of their class.
    """
    if costs is None:
        return pd.DataFrame()
    places = np.argwhere(costs.counts)
    counts, totals = costs.counts[tuple(places.T)], costs.total_ns[tuple(places.T)]
    source, by_loaded, by_waiting, _ = places.T
    loaded = np.where(by_loaded > 0, 1 << np.maximum(by_loaded - 1, 0), 0)
    waiting = [least_in(int(each)) for each in by_waiting]
    columns = (loaded, waiting, totals / counts / NS_PER_MS, counts)
    table = pd.DataFrame(dict(zip(COLUMNS, columns, strict=True)))
    table.insert(0, "source", [SOURCES[each] for each in source])
    table.insert(0, "design", design)
    return table


def read_page_costs(file: Path) -> pd.DataFrame:
    """A table with COLUMNS; `loaded_pages` and `waiting` may be missing. Raises InputError."""
    where = f"page_costs: {cut(str(file))}"
    try:
        table = pd.read_csv(file)
    except (OSError, ValueError) as error:
        why = error.strerror if isinstance(error, OSError) else cut(str(error))
        raise InputError(f"{where}: {why}; give a table like pages.csv") from None
    for name in ("design", "source"):
        if name in table and table[name].nunique() > 1:
            raise InputError(f"{where}: has several in its column {name}; keep the rows of one")
    for name in COLUMNS[:2]:
        if name not in table:
            table[name] = 0
    for name in COLUMNS:
        whole = name != "page_ms"
        values = pd.to_numeric(table.get(name, pd.Series([-1])), errors="coerce")
        known = values.between(0 if whole else 10**-6, 10**9)
        if whole:
            known &= values % 1 == 0
        if not known.all():
            what = "whole numbers from 0" if whole else "numbers from 0.000001"
            raise InputError(f"{where}: column {name}: give {what} to 1,000,000,000")
        table[name] = values.astype(int) if whole else values
    if not table["pages"].sum():
        raise InputError(f"{where}: has no pages; give their number in the column pages")
    return table


def _quantiles(rows: pd.DataFrame, classes: pd.Series) -> np.ndarray:
    """QUANTILES costs of each class, in ns; a class without pages has those of the one below."""
    groups = {int(key): group for key, group in rows[rows["pages"] > 0].groupby(classes)}
    table = np.zeros((max(groups) + 1, QUANTILES), np.int64)
    nearest = min(groups)
    for place in range(len(table)):
        nearest = place if place in groups else nearest
        group = groups[nearest].sort_values("page_ms")
        upto = group["pages"].cumsum().to_numpy()
        at = np.searchsorted(upto, (np.arange(QUANTILES) + 0.5) / QUANTILES * upto[-1])
        table[place] = np.rint(group["page_ms"].to_numpy()[at] * NS_PER_MS)
    return table
