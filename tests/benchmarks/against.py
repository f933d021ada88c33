"""Today's model beside that of another revision: what each kind of work costs, and the ratios.

    uv run python -m tests.benchmarks --against REV

The other revision is checked out in a temporary folder, with today's measurements in it. Both run
in turn, each run in a process of its own that has been through the same work before, with a cache
of compiled code for each revision. What is compared is processor time, so other programs matter
little; but on a busy machine look at the spread, too.
"""

import os
import shutil
import subprocess
import sys
from collections.abc import Callable
from functools import partial
from pathlib import Path
from statistics import median
from tempfile import TemporaryDirectory
from time import process_time
from typing import Any

from agents.messages import DATA_PHASES
from model.pnr.scenario import make_scenario
from model.systems import emulation_of
from tests.benchmarks.scenarios import SHORT_S, growing, pages, window
from tests.benchmarks.start import GOALS_S, command_s, start_s

ROOT = Path(__file__).parents[2]
NEEDED = ("against.py", "scenarios.py", "start.py")  # by what is measured in the other revision


def ran(scenario: object, design: str, plane: str) -> tuple[float, Any]:
    """A run that has been through the same before: its processor time, in s, and what has run."""
    for _ in range(2):
        try:
            emulation: Any = emulation_of(scenario, design, plane=plane)
        except TypeError:  # before it was called so
            emulation = emulation_of(scenario, design, engine=plane)
        began_s = process_time()
        emulation.run()
        took_s = process_time() - began_s
    return took_s, emulation


def run_s(scenario: object, design: str, plane: str = "compiled") -> float:
    return ran(scenario, design, plane)[0]


def message_us(nodes: int, design: str) -> float:
    """What a protocol message costs all in, in us: beyond the same jobs under DP, which sends none.

    Whatever comes with messages counts: roles, loans, and pages over the network, not to the disk.
    """
    scenario = growing(nodes, demand_s=SHORT_S)
    took_s, emulation = ran(scenario, design, "compiled")
    tallies = emulation.network.tallies.items()
    messages = sum(tally.sent for kind, tally in tallies if kind.phase not in DATA_PHASES)
    return (took_s - run_s(scenario, "DP")) / messages * 1e6


def explored_s() -> float:
    """The processor time of a search whose compiled code lies on the disk, in s."""
    words = ("--nodes", "3", "--jobs", "3", "--order", "any", "--states", "20000", "--quiet")
    command_s("explore", "CLI", *words)
    return command_s("explore", "CLI", *words)


def first_start_s() -> float:
    """The processor time of the first run of all, which compiles, in s."""
    with TemporaryDirectory() as cache:
        os.environ["NUMBA_CACHE_DIR"] = cache
        return command_s("compare", "--first", "4621", "--jobs", "1", "--quiet")


def page_s() -> float:
    """The processor time of a page of a journal with 420,000 records, in s."""
    with TemporaryDirectory() as folder:
        scenario, journal = Path(folder, "scenario.toml"), Path(folder, "journal.parquet")
        scenario.write_text(
            "nodes = 64\n"
            + "".join(
                "[[job]]\nprocesses = 8\ndemand_s = 1\n"
                f"memory_mb = {8 * (48 if number % 2 else 8)}\nsubmit_s = {number / 2}\n"
                for number in range(12)
            )
        )
        of_run = ("--scenario", str(scenario), "--designs", "MAN", "--quiet")
        command_s("compare", *of_run, "--journal", str(journal), "--journal-level", "all")
        return command_s("view", str(journal), "--out", str(Path(folder, "page.html")))


KINDS: dict[str, Callable[[], float]] = {
    "pages": lambda: run_s(pages(1000), "CEN"),
    "barriers": lambda: run_s(make_scenario(first=1, jobs=1000), "DP"),
    "barriers-MAN": lambda: run_s(make_scenario(first=1, jobs=1000), "MAN"),
    "disk": lambda: run_s(window(), "DP"),
    "network": lambda: run_s(window(), "MAN"),
    "1024-nodes": lambda: run_s(pages(20, 1024), "CEN"),
    "messages-GOSSIP-128": lambda: run_s(growing(128, demand_s=SHORT_S), "GOSSIP"),
    "message-GOSSIP-128": lambda: message_us(128, "GOSSIP"),
    "messages-MAN-1024": lambda: run_s(growing(1024, demand_s=SHORT_S), "MAN"),
    "message-MAN-1024": lambda: message_us(1024, "MAN"),
    "messages-CEN-4096": lambda: run_s(growing(4096, demand_s=SHORT_S), "CEN"),
    "message-CEN-4096": lambda: message_us(4096, "CEN"),
    "actors": lambda: run_s(pages(2), "CEN", "actors"),
    "explore": explored_s,
    "page": page_s,
    "first-start": first_start_s,
    **{f"start-{name}": partial(start_s, name) for name in GOALS_S},
}


def measured_s(kind: str, tree: Path, cache: Path) -> float:
    """What a kind of work costs with the model in this folder, in a process of its own."""
    environment = {**os.environ, "PYTHONPATH": str(tree), "NUMBA_CACHE_DIR": str(cache)}
    code = f"from tests.benchmarks.against import KINDS; print(KINDS[{kind!r}]())"
    done = subprocess.run(
        [sys.executable, "-c", code],
        cwd=tree,
        env=environment,
        check=True,
        stdout=subprocess.PIPE,
        text=True,
    )
    return float(done.stdout.split()[-1])


def check_out(revision: str, tree: Path) -> None:
    """Put a revision of the model into a folder, with the measurements of today."""
    archive = subprocess.run(
        ["git", "archive", revision], cwd=ROOT, check=True, stdout=subprocess.PIPE
    )
    tree.mkdir()
    subprocess.run(["tar", "-x", "-C", str(tree)], input=archive.stdout, check=True)
    there = tree / "tests/benchmarks"
    there.mkdir(parents=True, exist_ok=True)
    for name in NEEDED:
        shutil.copy(Path(__file__).with_name(name), there / name)


def compare(revision: str, rounds: int, kinds: list[str]) -> None:
    """Print a line for each kind of work; a ratio above 1 means that today's model is faster."""
    with TemporaryDirectory() as folder:
        other = Path(folder, "other")
        check_out(revision, other)
        trees = {other: Path(folder, "then"), ROOT: Path(folder, "today")}
        print(
            "seconds of processor time (of one message: microseconds), "
            f"medians of {rounds}, and the least and most of the ratio"
        )
        print(f"{'':20} {revision[:10]:>10}     today   ratio")
        for kind in kinds:
            costs: dict[Path, list[float]] = {tree: [] for tree in trees}
            for _ in range(rounds):
                for tree, cache in trees.items():
                    costs[tree].append(measured_s(kind, tree, cache))
            then, today = costs.values()
            ratios = [before / after for before, after in zip(then, today, strict=True)]
            print(
                f"{kind:20} {median(then):10.2f} {median(today):9.2f} "
                f"{median(then) / median(today):7.2f}   {min(ratios):.2f} to {max(ratios):.2f}",
                flush=True,
            )
