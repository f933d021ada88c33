"""A log for ShiViz (bestchai.bitbucket.io/shiviz), which draws who could know what from whom.

The two first lines are the regular expressions that ShiViz asks for, which it reads from there if
the file is uploaded: of an event, and of the line above each execution. Each message is two events;
their vector clocks (Fidge 1988, Mattern 1989) count the events of each node that could have had an
effect on them.
"""

import json
from collections import Counter
from collections.abc import Iterator, Sequence
from pathlib import Path

import pandas as pd

from model.core.journal.kinds import Record
from model.ground.units import megabytes, seconds
from model.views.recording import Recording, Selection

EVENT = r"(?<host>\S+) (?<time>\S+ s) (?<clock>\{.*\})\n(?<event>.*)"
EXECUTION = r"^=== (?<trace>.*) ===$"


def log(recordings: Sequence[Recording], selection: Selection, path: Path) -> None:
    """Write the selected messages of each run as one execution."""
    with path.open("w", encoding="utf-8") as file:
        file.write(f"{EVENT}\n{EXECUTION}\n")
        for recording in recordings:
            file.write(f"=== {recording.scenario.noun} {recording.design} ===\n")
            file.writelines(f"{line}\n" for line in _events(recording, selection))


def _events(recording: Recording, selection: Selection) -> Iterator[str]:
    """Two lines for each event: its node, time and clock, and what it is."""
    chosen, records = selection.of(recording), recording.records
    wanted = chosen.loc[chosen["kind"].isin(("sent", "delivered")), "id"]
    its = records[records["id"].isin(wanted) & records["kind"].isin(("sent", "delivered"))]
    clocks: dict[int, Counter[int]] = {}  # by node
    of_message: dict[int, Counter[int]] = {}  # by id
    for row in its.itertuples():
        clock = clocks.setdefault(row.node, Counter())
        if row.kind == "delivered":
            clock |= of_message.pop(row.id, Counter())
        clock[row.node] += 1
        clocks[row.node] = clock
        if row.kind == "sent":
            of_message[row.id] = clock.copy()
        told = json.dumps({_host(node): count for node, count in sorted(clock.items())})
        yield f"{_host(row.node)} {seconds(row.time_ns):.9f} s {told}"
        yield _told(row)


def _host(node: int) -> str:
    return f"node{node}"


def _told(row: Record) -> str:
    way = f"to node {row.peer}" if row.kind == "sent" else f"from node {row.peer}"
    about = f", {megabytes(row.amount_bytes):.2f} MB" if pd.notna(row.amount_bytes) else ""
    return f"{'sends' if row.kind == 'sent' else 'receives'} {row.what} {way}{about}"
