"""Reads what SLURM's `sacct` prints about jobs: which column is what, and which rows are steps."""

from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING

from model.ground.errors import InputError
from model.logs.columns import ColumnMap
from model.logs.file import first_lines

if TYPE_CHECKING:
    import pandas as pd

_COMMAND = (
    "TZ=UTC sacct -a -P -S 2024-01-01 -o JobID,User,Submit,Start,End,Elapsed,TotalCPU,AllocCPUS,"
    "NNodes,ReqMem,MaxRSS,State"
)
ID = "JobID"
MEMORY = "MaxRSS"
_PROCESSORS = ("AllocCPUS", "NCPUS", "ReqCPUS")
_SEPARATORS = "|,;\t"


def is_sacct(path: Path) -> bool:
    """Whether a file begins as a table that sacct printed; raises InputError if it is for people.

    Such a table has columns of a fixed width, which cut ids and names.
    """
    lines = first_lines(path)
    names = lines[0] if lines else ""
    if names.split()[:1] == [ID] and len(lines) > 1 and not lines[1].strip("- "):
        raise InputError(f"{path}: columns of sacct are cut to their width; print it by {_COMMAND}")
    separator = max(_SEPARATORS, key=names.count)
    return ID in [name.strip().strip('"') for name in names.split(separator)] and (
        "Submit" in names or "Elapsed" in names or "State" in names
    )


def map_of(path: Path, names: Sequence[str]) -> ColumnMap:
    """The map of a table that sacct printed; raises InputError if too little is in it."""
    processors = next((name for name in _PROCESSORS if name in names), None)
    run = None
    if "Elapsed" in names:
        run = {"column": "Elapsed", "unit": "clock"}
    elif "ElapsedRaw" in names:
        run = {"column": "ElapsedRaw", "unit": "s"}
    elif {"Start", "End"} <= {*names}:
        run = {"from": "Start", "to": "End", "unit": "date"}
    needed = {"Submit": "Submit" in names, "AllocCPUS": processors, "Elapsed": run}
    if missing := [name for name, found in needed.items() if not found]:
        raise InputError(f"{path}: sacct without {', '.join(missing)}; print it by {_COMMAND}")
    values: dict[str, object] = {
        "number": ID,
        "submit": {"column": "Submit", "unit": "date"},
        "processors": processors,
        "seconds": run,
        "run": run,
    }
    if "TotalCPU" in names:
        values["seconds"] = {"column": "TotalCPU", "unit": "clock", "of": "job"}
    if MEMORY in names:
        values["memory"] = {"column": MEMORY, "unit": "suffixed"}
    if "ReqMem" in names:
        values["requested"] = {"column": "ReqMem", "unit": "suffixed", "of": "job"}
    optional = {"user": "User", "state": "State", "nodes": "NNodes"}
    values |= {fact: name for fact, name in optional.items() if name in names}
    return ColumnMap.model_validate(values)


def without_steps(cells: "pd.DataFrame") -> "pd.DataFrame":
    """The rows of jobs; the memory of one is the most that any of its steps has.

    A step is named by its job and what follows a full stop: 17.batch, 17_3.0, 17+1.extern.
    """
    import pandas as pd

    from model.logs.cells import size_bytes

    jobs = cells[ID].str.partition(".")[0]
    is_step = cells[ID].str.contains(".", regex=False)
    if is_step.any() and MEMORY in cells:
        sizes = pd.Series(size_bytes(cells[MEMORY])[0], cells.index)
        largest = sizes.groupby(jobs).transform("idxmax")
        cells = cells.assign(**{MEMORY: cells[MEMORY].loc[largest].to_numpy()})
    return cells[~is_step]
