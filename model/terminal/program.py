"""The program: a person's mistake is one line on stderr and exit status 2."""

import errno
import os
import signal
import sys
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from importlib import import_module
from pathlib import Path
from typing import Annotated, Any

import typer
from typer.core import TyperGroup

from model.ground.errors import CheckFailed, InputError
from model.terminal.help import write_list
from model.terminal.plain import plain_streams, say_error

INTERRUPTED = 130  # the conventional exit status after Ctrl-C

# Why a file cannot be read or written that are no bugs: a full disk, a name too long, …
_OF_THE_MACHINE = (
    *(errno.ENOSPC, errno.EDQUOT, errno.EFBIG, errno.EROFS, errno.EIO, errno.EACCES, errno.EPERM),
    *(errno.ENAMETOOLONG, errno.EISDIR, errno.ENOTDIR, errno.ELOOP, errno.EMFILE, errno.EBADF),
)


def main(commands: Mapping[str, tuple[str, str]], default: str) -> int:
    """Run one of the commands, or the `default` if none is given; returns the exit status."""
    with plain_streams():
        return _run(commands, default)


def _run(commands: Mapping[str, tuple[str, str]], default: str) -> int:
    try:
        words = sys.argv[1:] or [default]
        name = Path(sys.argv[0]).name
        status = _program(commands).main(words, name, standalone_mode=False) or 0
        if sys.stdout is not None and not sys.stdout.closed:  # by a user's code
            sys.stdout.flush()
        return status
    except typer.TyperException as error:
        message = " ".join(error.format_message().split())  # it breaks lines before choices
        message = message.replace(": Value error, ", ": ")  # Pydantic's words
        say_error(f"{message} See run.py --help.")
    except InputError as error:
        from model.core.users_code import UsersCodeError

        say_error(error)
        if isinstance(error, UsersCodeError):
            print(error.story(), end="", file=sys.stderr)
    except CheckFailed as failed:
        if not failed.is_users:
            raise
        say_error(failed)
    except MemoryError:
        say_error("there is no more memory; take fewer nodes, links or jobs")
    except BrokenPipeError:  # whoever reads our output has enough of it
        _forget_output()
        return 128 + signal.SIGPIPE
    except OSError as error:
        if error.errno not in _OF_THE_MACHINE:
            raise
        _forget_output()
        place = f"{error.filename}: " if error.filename else ""
        say_error(f"{place}{error.strerror}")
    return 2


def _options(
    version: Annotated[
        bool, typer.Option("--version", help="Show the version of the code and exit.")
    ] = False,
) -> None:
    """Emulates Parallel Network RAM on a cluster of nodes.

    Without a command, it compares the designs on a window of the bundled trace.
    """
    if version:
        from model.report.reproduction import code_version

        print(code_version())
        raise typer.Exit


class _Commands(TyperGroup):
    """Commands by name, of which only the one that is asked for is imported."""

    listed: Mapping[str, tuple[str, str]]

    def resolve_command(self, context: Any, words: list[str]) -> tuple[str | None, Any, list[str]]:
        """Import the class of the command that the first word names."""
        name, command, rest = super().resolve_command(context, words)
        if name is not None:
            from model.terminal.command import typer_command

            module, _, kind = self.listed[name][0].partition(":")
            command = typer_command(name, getattr(import_module(module), kind).for_words(rest))
        return name, command, rest

    def format_commands(self, context: Any, formatter: Any) -> None:
        """List the commands with what they do, whole."""
        with formatter.section("Commands"):
            write_list(formatter, [(name, what) for name, (_, what) in self.listed.items()])

    def make_context(self, *words: Any, **extra: Any) -> Any:
        """Read the program's own options."""
        with _interruptible():
            return super().make_context(*words, **extra)

    def invoke(self, context: Any) -> object:
        """Run the command."""
        with _interruptible():
            return super().invoke(context)


@contextmanager
def _interruptible() -> Iterator[None]:
    """Ctrl-C that a command does not handle itself is one line."""
    try:
        yield
    except KeyboardInterrupt:
        say_error("interrupted")
        raise typer.Exit(INTERRUPTED) from None


def _program(listed: Mapping[str, tuple[str, str]]) -> _Commands:
    """The command line with these commands: by name, `module:class` and the help text."""
    app = typer.Typer(
        cls=_Commands, rich_markup_mode=None, context_settings={"max_content_width": 100}
    )
    app.callback(invoke_without_command=True)(_options)
    for name, (_, summary) in listed.items():
        app.command(name, help=summary)(_placeholder)
    commands = typer.main.get_command(app)
    assert isinstance(commands, _Commands)
    commands.listed = listed
    return commands


def _placeholder() -> None:
    """Stands for a command that is not imported yet."""


def _forget_output() -> None:
    """Drop what cannot be written to standard output: Python would complain of it at its end."""
    try:
        sys.stdout.flush()
    except OSError:
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
