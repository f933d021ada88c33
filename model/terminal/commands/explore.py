"""`run.py explore`."""

from dataclasses import dataclass
from pathlib import Path
from typing import Annotated, Literal

import typer

from model.ground.errors import InputError
from model.terminal.command import Command
from model.terminal.completion import designs, one_of


@dataclass(frozen=True, kw_only=True)
class Explore(Command):
    """Search all orders of messages and faults, without time, for a rule that a design breaks.

    Example: run.py explore MAN --jobs 1 --loss 1 --out lost.parquet

    Exit status 0: nothing was found; 1: something was.
    """

    design: Annotated[
        str | None,
        typer.Argument(
            metavar="DESIGN",
            autocompletion=one_of(designs),
            help="The design, by its name or as file.py:function; functions of that file with the "
            "parameters (before, step, after) are properties.",
        ),
    ] = None
    nodes: Annotated[int, typer.Option(min=1, max=64, help="Nodes of the cluster.")] = 3
    jobs: Annotated[
        int,
        typer.Option(
            min=1,
            max=100,
            help="Jobs; odd ones have two processes of 10 MB, even ones one of 12 MB.",
        ),
    ] = 2
    order: Annotated[
        Literal["fifo", "any"],
        typer.Option(help="Whether messages from one node to another keep their order."),
    ] = "fifo"
    loss: Annotated[int, typer.Option(min=0, help="Messages that may be lost.")] = 0
    duplicates: Annotated[int, typer.Option(min=0, help="Messages that may arrive twice.")] = 0
    crashes: Annotated[
        int, typer.Option(min=0, help="Crashes of servents, which may restart at any time.")
    ] = 0
    timers: Annotated[
        Literal["any", "late"],
        typer.Option(help="When timers fire: at any time, or only if no message is on its way."),
    ] = "any"
    depth: Annotated[
        int | None,
        typer.Option(min=1, help="The most steps of a path. Default: all.", show_default=False),
    ] = None
    states: Annotated[int, typer.Option(min=2, help="The most states to visit.")] = 1_000_000
    processes: Annotated[
        int,
        typer.Option(
            min=1, max=256, help="Processes that search; with any number they find the same path."
        ),
    ] = 1
    random: Annotated[
        int | None,
        typer.Option(
            min=1,
            help="Take this many random walks instead of all possible steps.",
            show_default=False,
        ),
    ] = None
    seed: Annotated[
        int, typer.Option(min=0, help="Seed of the roles' draws, and of random walks.")
    ] = 1
    scenario: Annotated[
        Path | None,
        typer.Option(
            help="A scenario file with another workload and cluster, instead of --nodes, --jobs.",
            show_default=False,
        ),
    ] = None
    out: Annotated[
        Path | None,
        typer.Option(
            help="Write what is found to this journal (.parquet), for `view` and --replay.",
            show_default=False,
        ),
    ] = None
    table: Annotated[
        bool,
        typer.Option(
            "--table",
            help="Print what one fault of each kind does to designs, named with commas between.",
        ),
    ] = False
    replay: Annotated[
        Path | None,
        typer.Option(
            help="Take the path of this journal again, perhaps with another design.",
            show_default=False,
        ),
    ] = None
    quiet: Annotated[
        bool, typer.Option("--quiet", help="Print only whether something was found, in one line.")
    ] = False

    def run(self) -> int:
        """Search, take a path again or print the table."""
        from model.terminal.exploring import print_table, run_explore, run_replay

        if self.replay is not None:
            return run_replay(self.replay, self.design, self.out)
        if self.design is None:
            raise InputError("explore: name a design, such as MAN or file.py:function")
        from model.pnr.explore.setting import Setting

        setting = Setting(
            declared=self.design,
            nodes=self.nodes,
            jobs=self.jobs,
            order=self.order,
            losses=self.loss,
            duplicates=self.duplicates,
            crashes=self.crashes,
            late_timers=self.timers == "late",
            seed=self.seed,
            scenario_file=None if self.scenario is None else str(self.scenario),
        )
        if self.table:
            if self.loss or self.duplicates or self.crashes:
                raise InputError(
                    "--table takes one fault of each kind; leave --loss and the like out"
                )
            print_table(setting, depth=self.depth, states=self.states, quiet=self.quiet)
            return 0
        return run_explore(
            setting,
            depth=self.depth,
            states=self.states,
            processes=self.processes,
            walks=self.random,
            out=self.out,
            quiet=self.quiet,
        )
