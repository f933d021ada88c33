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

from model.core.journal import words
from model.core.journal.file import rows
from model.core.journal.kinds import Delivered, OfMessage, Sent
from model.ground.units import seconds
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
    clocks: dict[int, Counter[int]] = {}  # by node
    of_message: dict[int, Counter[int]] = {}  # by id
    for record in rows(selection.ways(recording, Sent, Delivered)):
        node = OfMessage.of(record).node
        clock = clocks.setdefault(node, Counter())
        if record.kind == Delivered.name:
            clock |= of_message.pop(record.id, Counter())
        clock[node] += 1
        clocks[node] = clock
        if record.kind == Sent.name:
            of_message[record.id] = clock.copy()
        counts = json.dumps({_host(at): count for at, count in sorted(clock.items())})
        yield f"{_host(node)} {seconds(record.time_ns):.9f} s {counts}"
        yield words.clause(record)


def _host(node: int) -> str:
    return f"node{node}"
