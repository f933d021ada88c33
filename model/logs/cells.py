"""What stands in the cells of a table, each a text: numbers, lengths of time, sizes, dates.

A cell that states nothing, or none of these, is NaN or -1; `is_empty` tells which it is.
"""

import numpy as np
import numpy.typing as npt
import pandas as pd

from model.ground.units import NS_PER_S
from model.logs.log import UNKNOWN, Chosen, Column, Numbers, amounts

_NOTHING = ("", "-", "-1", "nan", "null", "none", "n/a", "na", "nat", "unknown", "invalid")
_CLOCK = r"^(?:(\d+)-)?(?:(\d+):)??(?:(\d+):)?(\d+(?:\.\d*)?)$"  # D-HH:MM:SS, MM:SS.mmm
_CLOCK_S = (86_400, 3_600, 60)
_SIZE = r"(?i)^(\d+(?:\.\d*)?)\s*([kmgtp]?)(?:i?b(?:ytes?)?)?([nc]?)$"  # 423232K, 1.5 GiB, 16Gn
_LETTERS = {letter: 2 ** (10 * power) for power, letter in enumerate(["", *"kmgtp"])}


def is_empty(cells: "pd.Series[str]") -> Chosen:
    """Where cells state nothing."""
    empty: Chosen = cells.str.lower().isin(_NOTHING).to_numpy(bool)
    return empty


def numbers(cells: "pd.Series[str]") -> Numbers:
    """The numbers in cells; NaN where there is none."""
    found: Numbers = pd.to_numeric(cells, errors="coerce").to_numpy("float64", na_value=np.nan)
    return found


def clock_ns(cells: "pd.Series[str]") -> Column:
    """Lengths of time as clocks show them, in nanoseconds."""
    parts = cells.str.extract(_CLOCK)
    seconds = parts[3].fillna("")
    found = amounts(numbers(seconds), seconds.iloc.__getitem__, NS_PER_S)
    for place, each_s in enumerate(_CLOCK_S):
        found = found + numbers(parts[place].fillna("0")).astype(np.int64) * each_s * NS_PER_S
    return np.where(parts[3].isna(), UNKNOWN, found)


def size_bytes(cells: "pd.Series[str]") -> tuple[Column, npt.NDArray[np.str_]]:
    """Sizes with the letter of their unit, in bytes; and n or c behind those of a node or core."""
    parts = cells.str.extract(_SIZE).fillna("")
    units = parts[1].str.lower().map(_LETTERS).to_numpy(np.int64)
    found = amounts(numbers(parts[0]), parts[0].iloc.__getitem__, units)
    return found, parts[2].str.lower().to_numpy(str)


def dates_ns(cells: "pd.Series[str]", written: str | None) -> Column:
    """Nanoseconds from 1970 to dates, which are of UTC if they name no zone."""
    dates = pd.to_datetime(cells, utc=True, format=written or "ISO8601", errors="coerce")
    found: Column = dates.dt.as_unit("ns").astype("int64").to_numpy()
    return np.where(dates.isna(), UNKNOWN, found)
