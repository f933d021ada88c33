"""What the commands that read a journal have in common: which one, and what of it."""

from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from model.core.names import listed
from model.ground.errors import InputError, shown
from model.pnr.scenario import Scenario, make_scenario
from model.terminal.command import Command
from model.terminal.options import Level
from model.terminal.scenario_options import ScenarioOptions

if TYPE_CHECKING:
    from model.terminal.progress import Bar
    from model.views.recording import Selection
    from model.views.show import Source


class Reading(Command):
    """A command that reads a journal, or runs the scenario to have one."""

    scenario: Annotated[
        Scenario, ScenarioOptions(make_scenario, Scenario, common=(), instead="journal")
    ]
    journal: Annotated[Path | None, typer.Argument()] = None
    """A journal written with --journal; without one, a scenario is run."""
    design: str | None = None
    """The design to look at. Default: MAN."""
    job: int | None = None
    """Show only the job with this number."""
    from_s: float | None = None
    """Show only what happens from this time on, s."""
    to_s: float | None = None
    """Show only what happens before this time, s."""
    on_nodes: Annotated[str | None, typer.Option(metavar="<node,...>")] = None
    """Show only these nodes, such as 0,3,17."""
    message_kind: Annotated[str | None, typer.Option(metavar="<kind,...>")] = None
    """Show only messages of these kinds, such as PageRequest,PageReply."""
    journal_level: Level = "protocol"

    def source(self, bar: "Bar") -> "Source":
        """Where the journal comes from; the bar shows how far that is."""
        from model.terminal.progress import said_if_slow
        from model.views.show import Source

        if self.journal is None:
            from model.systems import comparison_of
            from model.terminal.comparison import say_remarks

            say_remarks(comparison_of(self.scenario))
        return Source(
            self.journal,
            self.scenario,
            self.design,
            self.journal_level,
            progress=bar.update,
            stage=bar.stage,
            reading=said_if_slow,
        )

    def selection(self, window: str | None = None) -> "Selection":
        """What of it is asked for; raises InputError."""
        from model.views.recording import Selection

        return Selection(
            self.job,
            self.from_s,
            self.to_s,
            _numbers("--on-nodes", self.on_nodes),
            tuple(listed(self.message_kind)) if self.message_kind else (),
            window,
        )


def _numbers(option: str, text: str | None) -> tuple[int, ...]:
    try:
        return tuple(int(part) for part in text.split(",")) if text else ()
    except ValueError:
        raise InputError(
            f"{option}: give numbers with commas between (not {shown(text)})"
        ) from None
