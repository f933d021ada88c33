"""Makes the table of single faults of model/pnr/README.md again, as the command above it does.

`python -m tests.model.pnr.explore.faults_table STORE` writes each cell into the file STORE as soon
as it is made, and all of them into the page at the end. What STORE has is not made again, so an
interrupted run goes on. `--designs` and `--faults` name the rows and columns to make.
"""

import json
import re
import shlex
from argparse import ArgumentParser
from collections import ChainMap
from hashlib import sha256
from pathlib import Path
from time import process_time

from model.core.names import listed
from model.core.version import version_of_rooms
from model.pnr.explore.setting import Setting
from model.terminal.exploring import FAULTS, Effort, bounds, cell, decided

PAGE = Path(__file__).parents[4] / "model/pnr/README.md"
HEAD = f"| design | {' | '.join(FAULTS)} |\n"
Cells = dict[tuple[str, str], str]  # by design and fault


def read() -> tuple[list[str], Effort, Cells]:
    """The designs and the effort of the command above the table, and the table's cells."""
    above, _, below = PAGE.read_text("utf-8").partition(HEAD)
    words = shlex.split(above.rpartition("uv run run.py explore")[2].partition("\n")[0])
    states, memory_gb = (words[words.index(it) + 1] for it in ("--states", "--memory-gb"))
    cells = {}
    for line in below.partition("\n\n")[0].splitlines()[1:]:
        design, *texts = line.strip("| ").split(" | ")
        cells |= {(design, fault): text for fault, text in zip(FAULTS, texts, strict=True)}
    return listed(words[0]), Effort(None, int(states), float(memory_gb), None, True), cells


def write(designs: list[str], cells: Cells) -> None:
    """Replace the table of the page."""
    rows = [[design, *(cells[design, fault] for fault in FAULTS)] for design in designs]
    table = "".join(f"| {' | '.join(row)} |\n" for row in rows)
    above, head, below = PAGE.read_text("utf-8").partition(HEAD)
    line, _, after = below.partition("\n")
    _, end, text = after.partition("\n\n")
    PAGE.write_text(f"{above}{head}{line}\n{table.rstrip()}{end}{text}", "utf-8")


def setting_of(design: str, fault: str) -> Setting:
    return Setting(design, **FAULTS[fault])


def drawn(cells: Cells, most_states: int) -> Cells:
    """Cells whose searches see at most so many states in all: others after each change of code."""
    version = version_of_rooms("agents", "model/pnr", "topologies")

    def order(place: tuple[str, str]) -> str:
        return sha256(repr((version, place)).encode()).hexdigest()

    some = {}
    for place in sorted(cells, key=order):
        if (seen := re.search(r"\(([\d,]+) states", cells[place])) is None:
            continue
        states = int(seen[1].replace(",", ""))
        if states <= most_states:
            most_states -= states
            some[place] = cells[place]
    return some


def mistake_in(design: str, fault: str, text: str, effort: Effort) -> str | None:
    """What a cell says and what is found within its bound, where these differ."""
    settings = dict(ChainMap(*bounds(setting_of(design, fault))))
    bound = max((it for it in settings if text.endswith(it)), key=len)
    found = cell(effort.on(settings[bound]), bound)
    if found == text:
        return None
    return (
        f"{design}, {fault}: the table of single faults in model/pnr/README.md says "
        f"“{text}”, but a search gives “{found}”. To make it again: python -m "
        f'tests.model.pnr.explore.faults_table STORE --designs "{design}" --faults "{fault}"'
    )


def main() -> None:
    designs, effort, cells = read()
    parser = ArgumentParser("python -m tests.model.pnr.explore.faults_table")
    parser.add_argument("store", type=Path, help="the file where finished cells are kept")
    parser.add_argument("--designs", type=listed, default=designs, help="rows, commas between")
    parser.add_argument("--faults", type=listed, default=[*FAULTS], help="columns, commas between")
    options = parser.parse_args()
    options.store.touch()
    made = [json.loads(line) for line in options.store.read_text("utf-8").splitlines()]
    cells |= {(design, fault): text for design, fault, text, _ in made}
    done = {(design, fault) for design, fault, *_ in made}
    for fault in options.faults:
        for design in options.designs:
            if (design, fault) in done:
                continue
            began_s = process_time()
            text = decided(setting_of(design, fault), effort)
            cells[design, fault] = text
            took_s = round(process_time() - began_s, 2)
            with options.store.open("a", encoding="utf-8") as store:
                store.write(f"{json.dumps([design, fault, text, took_s])}\n")
            print(f"{design}, {fault}: {text}, {took_s:.0f} CPU s", flush=True)
    write(designs, cells)


if __name__ == "__main__":
    main()
