"""What a run measured, as tables."""

from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import Any

import pandas as pd

from agents.disk import Disk
from agents.link import Link
from agents.switch import Switch
from model.core.emulation import Emulation
from model.core.watching import Verdict
from model.ground.units import seconds

_KINDS = {Link: "link", Switch: "switch", Disk: "disk"}


@dataclass(frozen=True)
class RunResult:
    """The tables of one run. Their column `design` (or `policy`) is what was run."""

    summary: dict[str, Any]  # one run of summary.json
    jobs: pd.DataFrame  # one row per job
    stations: pd.DataFrame  # one row per link, switch and disk
    kinds: dict[str, type]  # the kinds of messages by name
    #: One row per sample of the nodes' memory, in MB, at `time_s`; empty if none are taken.
    samples: pd.DataFrame = field(default_factory=pd.DataFrame)
    #: One row per class of pages, with what they cost; empty if that is not counted.
    pages: pd.DataFrame = field(default_factory=pd.DataFrame)
    verdicts: Sequence[Verdict] = ()  # on rules of the user's own


def station_table(emulation: Emulation, noun: str, label: str, end_ns: int) -> pd.DataFrame:
    """How much each station served, how busy it was, and how long things waited there.

    `noun` is what `label` names, a design or a policy. Utilization is a share of the time until
    `end_ns`.
    """
    rows = [
        {
            noun: label,
            "station": station.name,
            "kind": next(kind for of, kind in _KINDS.items() if isinstance(station, of)),
            "messages": station.served,
            "bytes": station.bytes,
            "utilization": station.busy_ns / max(1, end_ns),
            "mean_wait_s": seconds(station.wait_ns / max(1, station.served)),
            "max_wait_s": seconds(station.max_wait_ns),
        }
        for station in emulation.stations()
    ]
    return pd.DataFrame(rows)


def kinds(emulation: Emulation) -> dict[str, type]:
    """The kinds of messages by name: the system's own, then others in the order of first use."""
    return {kind.__name__: kind for kind in emulation.network.tallies}


def sent(emulation: Emulation) -> dict[str, dict[str, int]]:
    """Messages sent over the network and their bytes, by kind, for the summary."""
    tallies = emulation.network.tallies.items()
    return {
        "messages": {kind.__name__: tally.sent for kind, tally in tallies},
        "bytes": {kind.__name__: tally.sent_bytes for kind, tally in tallies},
    }
