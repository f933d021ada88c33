"""What records mean stands in one room: elsewhere nobody names a kind of record by its text."""

import ast
from pathlib import Path

from model.core.journal.kinds import KINDS

ROOT = Path(__file__).parents[4]
#: The rooms that read journals; agents, schedulers and faults write them.
READERS = ("model/views", "model/report", "model/dashboard")
#: Of these, files that still name kinds, or that mean something else by such a word; at most so
#: often. Whoever brings a number down writes the new one here; none may rise.
STILL = {
    "model/views/animation.py": 4,
    "model/views/memory.py": 1,
    "model/views/style.py": 4,  # two are parts of a job's time
    "model/views/why.py": 4,
    "model/report/designs.py": 1,
    "model/report/measures.py": 1,
    "model/report/page.py": 2,
    "model/report/reproduction.py": 1,
    "model/dashboard/controls.py": 1,
    "model/views/exports/itf.py": 4,  # amounts of memory
    "model/views/exports/perfetto.py": 1,
    "model/views/page/tables.py": 4,
    "model/views/space_time.py": 2,
    "model/views/state.py": 3,  # amounts of memory
    "model/views/explored/scenes.py": 7,  # how nodes stand, and amounts of memory
    "model/views/explored/html.py": 1,  # a state that is lost
}


def names_in(file):
    """The kinds that a file names by their text, docstrings apart."""
    return [
        it.value
        for it in ast.walk(ast.parse(file.read_text("utf-8")))
        if isinstance(it, ast.Constant) and it.value in KINDS
    ]


def test_no_reader_names_a_kind():
    files = [file for room in READERS for file in sorted((ROOT / room).rglob("*.py"))]
    files.append(ROOT / "model/pnr/waste.py")
    found = {str(file.relative_to(ROOT)): len(names_in(file)) for file in files}
    assert {file: n for file, n in found.items() if n > STILL.get(file, 0)} == {}
