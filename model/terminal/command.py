"""A command is a class: a field for each argument and option, and `run`, which does it."""

import inspect
import sys
from abc import ABC, abstractmethod
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import MISSING, fields
from importlib import import_module
from textwrap import TextWrapper
from typing import Any, get_type_hints

import typer
from typer.core import TyperCommand, TyperGroup

INTERRUPTED = 130  # the conventional exit status after Ctrl-C


class Command(ABC):
    """Derived classes are dataclasses of keywords; their docstrings are their help.

    Each field is annotated with its `typer.Option` or `typer.Argument`, or with a `Several`.
    """

    @abstractmethod
    def run(self) -> int | None:
        """Do it; returns the exit status, if it may be another than 0. Raises InputError."""


class Several(ABC):
    """Annotates a field that is made of the values of several options."""

    @abstractmethod
    def parameters(self, others: set[str]) -> list[inspect.Parameter]:
        """The options, none of which has the name of one of the command's `others`."""

    @abstractmethod
    def value(self, options: dict[str, Any]) -> Any:
        """The field's value; takes the options that it is made of out of all that were given."""


class _Help(TyperCommand):
    """Plain text that nothing in it can be mistaken for markup, as `[[fault]]`; it is quick, too.

    The options of a scenario stand under their own headings.
    """

    def format_options(self, context: typer.Context, formatter: Any) -> None:
        """Write a section for each heading."""
        sections: dict[str, list[tuple[str, str]]] = {"Arguments": [], "Options": []}
        for parameter in self.get_params(context):
            heading = getattr(parameter, "rich_help_panel", None) or "Options"
            name, text = parameter.get_help_record(context)
            if parameter.param_type_name == "argument":
                heading, (name, *_) = "Arguments", name.split()  # without a type
            sections.setdefault(heading, []).append((name, text))
        for heading, records in sections.items():
            if records:
                with formatter.section(heading):
                    _write_list(formatter, records)


def _write_list(formatter: Any, records: Sequence[tuple[str, str]]) -> None:
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


def typer_command(name: str, kind: type[Command]) -> TyperCommand:
    """Typer's command for a class."""
    hints = get_type_hints(kind, include_extras=True)
    severals: dict[str, Several] = {}
    parameters: list[inspect.Parameter] = []
    names = {field.name for field in fields(kind)}  # type: ignore[arg-type]  # a dataclass
    for field in fields(kind):  # type: ignore[arg-type]  # likewise
        annotation = hints[field.name]
        several = [part for part in annotation.__metadata__ if isinstance(part, Several)]
        if several:
            (severals[field.name],) = several
            parameters += several[0].parameters(names - {field.name})
        else:
            default = inspect.Parameter.empty if field.default is MISSING else field.default
            parameters.append(parameter(field.name, annotation, default))

    def call(**options: object) -> int | None:
        made = {field: several.value(options) for field, several in severals.items()}
        return kind(**options, **made).run()

    call.__signature__ = inspect.Signature(parameters)  # type: ignore[attr-defined]  # typer reads it
    app = typer.Typer(add_completion=False, rich_markup_mode=None)
    app.command(name, cls=_Help, help=kind.__doc__)(call)
    return typer.main.get_command(app)


def parameter(name: str, annotation: Any, default: Any = None) -> inspect.Parameter:
    """A parameter that typer makes an option of."""
    kind = inspect.Parameter.KEYWORD_ONLY
    return inspect.Parameter(name, kind, default=default, annotation=annotation)


class _Commands(TyperGroup):
    """Commands by name, of which only the one that is asked for is imported."""

    listed: Mapping[str, tuple[str, str]]

    def resolve_command(
        self, context: typer.Context, words: list[str]
    ) -> tuple[str | None, TyperCommand | None, list[str]]:
        """Import the class of the command that the first word names."""
        name, command, rest = super().resolve_command(context, words)
        if name is not None:
            module, _, kind = self.listed[name][0].partition(":")
            command = typer_command(name, getattr(import_module(module), kind))
        return name, command, rest

    def format_commands(self, context: typer.Context, formatter: Any) -> None:
        """List the commands with what they do, whole."""
        with formatter.section("Commands"):
            _write_list(formatter, [(name, what) for name, (_, what) in self.listed.items()])

    def make_context(self, *words: Any, **extra: Any) -> typer.Context:
        """Read the program's own options."""
        with _interruptible():
            return super().make_context(*words, **extra)

    def invoke(self, context: typer.Context) -> object:
        """Run the command."""
        with _interruptible():
            return super().invoke(context)


@contextmanager
def _interruptible() -> Iterator[None]:
    """Ctrl-C that a command does not handle itself is one line."""
    try:
        yield
    except KeyboardInterrupt:
        print("error: interrupted", file=sys.stderr)
        raise typer.Exit(INTERRUPTED) from None


def program(listed: Mapping[str, tuple[str, str]], callback: Callable[..., None]) -> TyperGroup:
    """The command line with these commands: by name, `module:class` and the help text.

    The callback has the options of the program itself, and its help.
    """
    app = typer.Typer(
        cls=_Commands, rich_markup_mode=None, context_settings={"max_content_width": 100}
    )
    app.callback(invoke_without_command=True)(callback)
    for name, (_, summary) in listed.items():
        app.command(name, help=summary)(_placeholder)
    commands = typer.main.get_command(app)
    commands.listed = listed
    return commands


def _placeholder() -> None:
    """Stands for a command that is not imported yet."""
