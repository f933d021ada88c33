"""`run.py watch`."""

from collections.abc import Sequence
from pathlib import Path
from typing import Annotated, ClassVar

import typer

from model.core.scenario import BaseScenario
from model.pnr.scenario import Scenario
from model.sharing.scenarios import SHARING
from model.systems import make_any_scenario
from model.terminal.command import Command
from model.terminal.commands.explore import Explore
from model.terminal.scenario_options import ScenarioOptions


class Watch(Command):
    """Watch a cluster in a web page: play, step, go back, two designs side by side.

    Example: run.py watch --first 4621 --jobs 19 --ram 65

    A journal, such as bus.parquet, is replayed. --system memory shows load sharing.
    """

    scenario: Annotated[
        BaseScenario,
        ScenarioOptions(make_any_scenario, Scenario, *SHARING.values(), instead="journal"),
    ]
    journal: Annotated[Path | None, typer.Argument()] = None
    """A journal to replay; without one, the scenario runs as you watch."""
    host: Annotated[str, typer.Option(metavar="<address>")] = "127.0.0.1"
    """The address to serve at. Other machines can reach any but the loopback address."""
    port: int = 8765
    """The port to serve at; 0 takes a free one."""

    explore: str | None = None
    """Walk through the state graph of this design instead, as explore --page does, with any number
    of states. Its other options are those of explore: watch --explore DESIGN --help."""

    @classmethod
    def for_words(cls, words: Sequence[str]) -> type[Command]:
        """With --explore it is another command, whose options mean other things."""
        return WatchExplore if any(it.partition("=")[0] == "--explore" for it in words) else cls

    def run(self) -> None:
        from model.dashboard.server import serve
        from model.dashboard.session import recordings
        from model.systems import comparison_of
        from model.terminal.comparison import say_remarks
        from model.terminal.progress import said_if_slow

        if self.journal is None:
            comparison = comparison_of(self.scenario)
            serve(self.scenario, self.host, self.port, before=lambda: say_remarks(comparison))
            return
        with said_if_slow(f"reading {self.journal}"):
            replayed = recordings(self.journal)
        serve(replayed, self.host, self.port)


class WatchExplore(Explore):
    """Walk through the state graph of a design in a web page: take steps, go back, see what breaks.

    Example: run.py watch --explore MAN --jobs 2 --loss 1

    A server takes the steps, so there may be any number of states. --states is how many it looks
    at first, for the buttons that lead to a broken rule or a good end.
    """

    done_by: ClassVar = "model.terminal.exploring.walk_in"

    design: Annotated[str, typer.Option("--explore")]
    """The design, by its name or as file.py:function."""
    host: Annotated[str, typer.Option(metavar="<address>")] = "127.0.0.1"
    """The address to serve at."""
    port: int = 8765
    """The port to serve at; 0 takes a free one."""

    def run(self) -> int | None:
        files = ("replay", "out", "page", "keep")
        self.refuse_with("design", *files, "table", "random", "all_rules", "base", "memory_gb")
        self.refuse_without("crashes", "for_ever")
        return super(Explore, self).run()
