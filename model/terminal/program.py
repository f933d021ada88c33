"""The program: a person's mistake is one line on stderr and exit status 2."""

import os
import signal
import sys
import traceback
from collections.abc import Mapping
from importlib import import_module
from pathlib import Path
from typing import Annotated, Any

import typer
from typer.core import TyperGroup

from model.ground.errors import CheckFailed, InputError
from model.terminal.ending import INTERRUPTED, interrupts
from model.terminal.plain import make_streams_plain, say_error

_MISTAKE = 2
_TRACEBACK = "--traceback"  # before the command
_UNREAD = 128 + signal.SIGPIPE  # the exit status where nobody reads our output any more


def main(commands: Mapping[str, str], moved: Mapping[str, str], default: str) -> int:
    """Run one of the commands, or the `default` if none is given; returns the exit status.

    `commands` are told in a line each; `moved` names what to use instead of those of old.
    """
    make_streams_plain()
    with interrupts() as signals:
        try:
            status = _run(commands, moved, default)
        except BaseException:
            if not signals:
                raise
            # A signal is an interrupt, or what some module has made of that as it was imported.
            say_error("interrupted")
            status = INTERRUPTED
    return 128 + signals[0] if signals and status == INTERRUPTED else status


def _run(commands: Mapping[str, str], moved: Mapping[str, str], default: str) -> int:
    try:
        name, words = Path(sys.argv[0]).name, sys.argv[1:] or [default]
        if words[0] in moved:
            raise InputError(f"{words[0]} is now: {moved[words[0]]}")
        program = _program(commands)
        if f"_{name}_COMPLETE".upper().replace("-", "_") in os.environ:
            program.main(words, name)  # which exits
        with program.make_context(name, words) as context:
            status = program.invoke(context) or 0
        sys.stdout.flush()
        return int(status)
    except typer.Exit as end:
        return end.exit_code
    except SystemExit as end:
        return end.code if isinstance(end.code, int) else 1
    except typer.TyperException as error:
        message = " ".join(error.format_message().split())  # it breaks lines before choices
        say_error(f"{message} See run.py --help.")
    except InputError as error:
        say_error(error)
        if _TRACEBACK in sys.argv:
            traceback.print_exc()
    except CheckFailed as failed:
        if not failed.is_users:
            raise
        say_error(failed)
    except MemoryError:
        say_error("there is no more memory; take fewer nodes, links or jobs")
    except BrokenPipeError:
        _forget_output()
        return _UNREAD
    except OSError as error:  # a full disk, a name too long, …
        _forget_output()
        place = f"{error.filename}: " if error.filename else ""
        say_error(f"{place}{error.strerror or error}")
    return _MISTAKE


def _options(
    version: Annotated[
        bool, typer.Option("--version", help="Show the version of the code and exit.")
    ] = False,
    traceback: Annotated[
        bool, typer.Option(_TRACEBACK, help="Show where in the code an error arose.")
    ] = False,
) -> None:
    """Emulates Parallel Network RAM on a cluster of nodes.

    Without a command, it compares the designs on a window of the bundled trace.
    """
    if version:
        from model.core.version import code_version

        print(code_version())
        raise typer.Exit


class _Commands(TyperGroup):
    """Commands by name, of which only the one that is asked for is imported."""

    def resolve_command(self, context: Any, words: list[str]) -> tuple[str | None, Any, list[str]]:
        name, command, rest = super().resolve_command(context, words)
        if name is not None:
            from model.terminal.command import typer_command

            kind = getattr(import_module(f"model.terminal.commands.{name}"), name.capitalize())
            command = typer_command(name, kind.for_words(rest))
        return name, command, rest


def _program(commands: Mapping[str, str]) -> typer.core.TyperGroup:
    app = typer.Typer(
        cls=_Commands, rich_markup_mode=None, context_settings={"max_content_width": 100}
    )
    app.callback(invoke_without_command=True)(_options)
    for name, summary in commands.items():
        app.command(name, help=summary)(lambda: None)  # until it is imported
    program = typer.main.get_command(app)
    assert isinstance(program, TyperGroup)
    return program


def _forget_output() -> None:
    """Drop what cannot be written to standard output: Python would complain of it at its end."""
    try:
        sys.stdout.flush()
    except OSError:
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
