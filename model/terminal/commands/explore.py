"""`run.py explore`."""

from pathlib import Path
from typing import Annotated, Literal

import typer

from model.pnr.explore.limits import (
    Faults,
    Jobs,
    Nodes,
    Order,
    Placements,
    Seed,
    States,
)
from model.terminal.command import Command


class Explore(Command):
    """Search all orders of messages and faults, without time, for a rule that a design breaks.

    Example: run.py explore MAN --jobs 1 --loss 1 --out lost.parquet

    Exit status 0: nothing was found; 1: something was.
    """

    design: Annotated[str | None, typer.Argument()] = None
    """The design, by its name or as file.py:function; functions of that file with the parameters
    (before, step, after) are properties."""
    nodes: Nodes = 3
    """Nodes of the cluster."""
    jobs: Jobs = 2
    """Jobs; odd ones have two processes of 10 MB, even ones one of 12 MB."""
    order: Order = "fifo"
    """Whether messages from one node to another keep their order."""
    placements: Placements = "lowest"
    """On which free nodes a job may be placed: the lowest, as the scheduler does, or any."""
    loss: Faults = 0
    """Messages that may be lost."""
    duplicates: Faults = 0
    """Messages that may arrive twice."""
    crashes: Faults = 0
    """Crashes of servents, which may restart at any time."""
    for_ever: bool = False
    """No servent that has crashed restarts; what it waits for or lends itself is not looked at."""
    joins: Faults = 0
    """Nodes, the last ones, that are not there at first and may join at any time."""
    leaves: Faults = 0
    """Nodes, any of them, that may be told to leave at any time, and then are gone when their
    jobs have ended."""
    timers: Literal["any", "late"] = "any"
    """When timers fire: at any time, or only if no message is on its way."""
    early: Faults = 0
    """Late timers that may fire all the same while a message is on its way."""
    depth: Annotated[int | None, typer.Option(min=1)] = None
    """The most steps of a path. Default: all."""
    rules: str | None = None
    """The only rules that must hold, of those that can be left out, with commas between."""
    all_except: Annotated[str | None, typer.Option("--except")] = None
    """Rules that need not hold, with commas between."""
    all_rules: bool = False
    """Go on after a finding, and tell a shortest path for each cause and kind of complaint."""
    base: str | None = None
    """A design whose failures are known, such as MAN: what has the same cause is no finding."""
    states: States = 1_000_000
    """The most states to visit."""
    memory_gb: Annotated[float, typer.Option("--memory-gb", min=0.1, max=10**6)] = 8.0
    """The most memory for what is known of states."""
    random: Annotated[int | None, typer.Option(min=1)] = None
    """Take this many random walks instead of all possible steps."""
    seed: Seed = 1
    """Seed of the roles' draws, and of random walks."""
    scenario: Path | None = None
    """A scenario file with another workload and cluster, instead of --nodes, --jobs."""
    out: Path | None = None
    """Write what is found to this journal (.parquet), for `view` and --replay; with --all-rules,
    what else is found to NAME-2.parquet, NAME-3.parquet, … beside it."""
    page: Path | None = None
    """Write all states to this page (.html), a graph to walk in with a browser."""
    table: bool = False
    """Print what one fault of each kind does to designs, named with commas between."""
    replay: Path | None = None
    """Take the path of this journal again, perhaps with another design; one from a file is only
    taken if it is named, and so is a scenario file."""
    quiet: bool = False
    """Print only whether something was found, in one line."""

    def run(self) -> int:
        self.refuse_with(
            "page", "replay", "table", "random", "out", "all_rules", "base", "memory_gb"
        )
        self.refuse_with("table", "replay", "random", "out", "all_rules", "base")
        again = ("replay", "design", "scenario", "out", "quiet")
        self.refuse_with("replay", *(name for name in type(self).model_fields if name not in again))
        self.refuse_with("random", "all_rules", "base")
        self.refuse_without("crashes", "for_ever")
        from model.terminal.exploring import explore

        return explore(**vars(self))
