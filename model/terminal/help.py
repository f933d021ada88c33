"""What we add to Typer's help: options that belong together stand together, the rest elsewhere."""

from typing import Any

import typer
from typer.core import TyperCommand

#: Options that have another name now; their old one is read for one release.
RENAMED = {"--engine": "--plane", "--patience-s": "--timeout-s"}

HELP_SCENARIO = "--help-scenario"
_WIDEST = 26  # names that are wider have a line of their own
#: The last is SCENARIO of core/scenario.py, which is slow to import.
_SHOWN = ("Arguments", "Options", "Scenario")


class Help(TyperCommand):
    """A command whose options stand under their headings, also without Rich, which is slow to
    import and takes `[[fault]]` for markup."""

    def parse_args(self, context: Any, words: list[str]) -> list[str]:
        return super().parse_args(context, [_renamed(word) for word in words])

    def format_options(self, context: Any, formatter: Any) -> None:
        self._format(context, formatter, is_own=True)

    def format_scenario(self, context: Any, formatter: Any) -> None:
        """Write the scenario's parameters that `format_options` leaves out."""
        self._format(context, formatter, is_own=False)

    def _format(self, context: Any, formatter: Any, is_own: bool) -> None:
        sections: dict[str, list[tuple[str, str]]] = {heading: [] for heading in _SHOWN}
        for parameter in self.get_params(context):
            heading = getattr(parameter, "rich_help_panel", None) or "Options"
            record = parameter.get_help_record(context)
            if record is None:
                continue  # it is hidden
            name, text = record
            if parameter.param_type_name == "argument":
                heading, (name, *_) = "Arguments", name.split()  # without its type
            elif len(parameter.opts) > 1:
                name = f"{parameter.opts[0]} {parameter.metavar}"  # without its other names
            sections.setdefault(heading, []).append((name, text))
        for heading, records in sections.items():
            if records and (heading in _SHOWN) is is_own:
                with formatter.section(heading):
                    formatter.write_dl(records, col_max=_WIDEST)


def show_scenario_help(context: typer.Context, value: bool) -> None:
    """Print what `format_scenario` writes, and exit."""
    if value:
        command: Any = context.command
        formatter = context.make_formatter()
        command.format_scenario(context, formatter)
        print(formatter.getvalue(), end="")
        raise typer.Exit


def _renamed(word: str) -> str:
    name, equals, value = word.partition("=")
    return RENAMED.get(name, name) + equals + value
