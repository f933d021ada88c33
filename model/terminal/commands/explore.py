"""`run.py explore`."""

from pathlib import Path
from typing import Annotated, ClassVar, Literal

import typer

from model.pnr.explore.limits import Faults, Jobs, Nodes, Order, Placements, Seed, States
from model.terminal.command import Command


class Explore(Command):
    """Search all orders of messages and faults for a rule that a design breaks.

    Example: run.py explore MAN --jobs 1 --loss 1 --out lost.parquet

    Times play no role. Exit status: 0 if nothing was found, 1 if something was.
    """

    done_by: ClassVar = "model.terminal.exploring.explore"

    design: Annotated[str | None, typer.Argument()] = None
    """The design, by its name or as file.py:function. Functions of that file with the parameters
    (before, step, after) are further rules."""
    nodes: Nodes = 3
    """Nodes of the cluster."""
    jobs: Jobs = 2
    """Jobs: odd ones have two processes of 10 MB, even ones one of 12 MB."""
    order: Order = "fifo"
    """Whether messages from one node to another keep their order."""
    placements: Placements = "lowest"
    """On which free nodes a job may be placed: the lowest (as the scheduler does) or any."""
    loss: Faults = 0
    """Messages that may be lost."""
    duplicates: Faults = 0
    """Messages that may arrive twice."""
    crashes: Faults = 0
    """Crashes of servents, which may restart at any time."""
    for_ever: bool = False
    """Crashed servents do not restart. What they wait for or lend is not checked."""
    joins: Faults = 0
    """Nodes, the last ones, that are absent at first and may join at any time."""
    leaves: Faults = 0
    """Nodes, any of them, that may be told to leave at any time. They are gone when their jobs have
    ended."""
    timers: Literal["any", "late"] = "any"
    """When timers fire: at any time, or only if no message is under way."""
    early: Faults = 0
    """Late timers that may nevertheless fire while a message is under way."""
    depth: Annotated[int | None, typer.Option(min=1)] = None
    """Most steps of a path. Default: no limit."""
    check: Path | None = None
    """A file of rules of your own (monitors), besides those of the design's file."""
    rules: str | None = None
    """Check only these of the rules that can be left out, with commas between."""
    all_except: Annotated[str | None, typer.Option("--except")] = None
    """Leave out these rules, with commas between."""
    all_rules: bool = False
    """Continue after a finding, and print a shortest path for each cause and kind of complaint."""
    base: str | None = None
    """A design with known failures, such as MAN. A failure with the same cause is no finding."""
    states: States = 1_000_000
    """Most states to visit."""
    memory_gb: Annotated[float, typer.Option("--memory-gb", min=0.1, max=10**6)] = 8.0
    """Most memory for states, GB."""
    keep: Path | None = None
    """Keep the search in this file, every few minutes and when it stops. Started again with it, the
    search goes on, also with more --states or --memory-gb."""
    random: Annotated[int | None, typer.Option(min=1)] = None
    """Take this many random walks instead of all possible steps."""
    seed: Seed = 1
    """Seed of the roles' draws and of random walks."""
    scenario: Path | None = None
    """A scenario file with another workload and cluster, instead of --nodes and --jobs."""
    out: Path | None = None
    """Write the finding to this journal (.parquet), for `view` and --replay. With --all-rules,
    further findings go to NAME-2.parquet, NAME-3.parquet, … beside it."""
    page: Path | None = None
    """Write all states to this page (.html), a graph to walk through in a browser."""
    table: bool = False
    """Print the effect of one fault of each kind on designs, named with commas between."""
    replay: Path | None = None
    """Take the path of this journal again, perhaps with another design. A design or scenario from a
    file must be named again."""
    quiet: bool = False
    """Print one line only: whether something was found."""

    def run(self) -> int | None:
        self.refuse_with(
            "page", "replay", "table", "random", "out", "all_rules", "base", "memory_gb", "keep"
        )
        self.refuse_with("table", "replay", "random", "out", "all_rules", "base", "keep")
        again = ("replay", "design", "scenario", "check", "out", "quiet")
        self.refuse_with("replay", *(name for name in type(self).model_fields if name not in again))
        self.refuse_with("random", "all_rules", "base", "keep")
        self.refuse_without("crashes", "for_ever")
        return super().run()
