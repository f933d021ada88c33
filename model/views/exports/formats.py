"""The formats of exports: by their names, and how the names of their files end."""

from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from model.ground.errors import InputError
from model.views.exports.batsim import batsim
from model.views.exports.itf import itf
from model.views.exports.perfetto import trace
from model.views.exports.shiviz import log
from model.views.exports.tables import csv, parquet
from model.views.exports.traffic_graph import graphml


@dataclass(frozen=True)
class Format:
    """How to write one: with `several`, the runs of a journal together, else a run."""

    suffix: str | None  # of its file; None: it is a folder of files
    write: Callable[..., Any]
    several: bool = False


FORMATS = {
    "perfetto": Format(".pftrace", trace, several=True),
    "shiviz": Format(".shiviz", log, several=True),
    "batsim": Format(None, batsim),
    "csv": Format(".csv", csv),
    "parquet": Format(".parquet", parquet, several=True),
    "graphml": Format(".graphml", graphml),
    "itf": Format(".itf.json", itf),
}


def format_of(out: Path, name: str | None) -> Format:
    """The format of this name, or else the one for such a file; raises InputError."""
    if name is not None:
        return FORMATS[name]
    for one in FORMATS.values():
        if one.suffix and out.name.lower().endswith(one.suffix):
            return one
    *some, last = [one.suffix for one in FORMATS.values() if one.suffix]
    raise InputError(
        f"--out {out}: give a file that ends in {', '.join(some)} or {last}, or a folder with "
        "--format batsim"
    )
