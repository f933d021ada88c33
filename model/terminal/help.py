"""Help as plain text in two columns."""

from collections.abc import Sequence
from textwrap import TextWrapper
from typing import Any, Protocol

from typer.core import TyperCommand

#: Options that have another name now; their old one is read for one release.
RENAMED = {"--engine": "--plane"}


class Formatter(Protocol):
    """What writes the help."""

    width: int

    def write(self, string: str) -> None:
        """Write a text."""


class Help(TyperCommand):
    """Plain text that nothing in it can be mistaken for markup, as `[[fault]]`; it is quick, too.

    The options of a scenario stand under their own headings.
    """

    def parse_args(self, context: Any, words: list[str]) -> list[str]:
        return super().parse_args(context, [_renamed(word) for word in words])

    def format_options(self, context: Any, formatter: Any) -> None:
        """Write a section for each heading."""
        sections: dict[str, list[tuple[str, str]]] = {"Arguments": [], "Options": []}
        for parameter in self.get_params(context):
            heading = getattr(parameter, "rich_help_panel", None) or "Options"
            name, text = parameter.get_help_record(context) or ("", "")
            if parameter.param_type_name == "argument":
                heading, (name, *_) = "Arguments", name.split()  # without a type
            sections.setdefault(heading, []).append((name, text))
        for heading, records in sections.items():
            if records:
                with formatter.section(heading):
                    write_list(formatter, records)


def _renamed(word: str) -> str:
    name, equals, value = word.partition("=")
    return RENAMED.get(name, name) + equals + value


def write_list(formatter: Formatter, records: Sequence[tuple[str, str]]) -> None:
    """Names and what they mean in two columns, where no name is parted at a hyphen."""
    column = min(30, max(len(name) for name, _ in records)) + 2
    wrapper = TextWrapper(
        formatter.width - column - 2, break_on_hyphens=False, break_long_words=False
    )
    for name, text in records:
        lines = [part for line in text.splitlines() for part in wrapper.wrap(line)]
        if len(name) > column - 2:
            formatter.write(f"  {name}\n")
            name = ""
        for line in lines:
            formatter.write(f"  {name:{column}}{line}\n")
            name = ""
