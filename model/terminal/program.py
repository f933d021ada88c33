"""The program: a person's mistake is one line on stderr and exit status 2."""

import errno
import io
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
from model.terminal.ending import INTERRUPTED, LINE, Ending
from model.terminal.help import write_list
from model.terminal.plain import plain_streams, say_error

_UNREAD = 128 + signal.SIGPIPE  # the exit status where nobody reads our output any more

# Why a file cannot be read or written that are no bugs: a full disk, a name too long, …
_OF_THE_MACHINE = (
    *(errno.ENOSPC, errno.EDQUOT, errno.EFBIG, errno.EROFS, errno.EIO, errno.EACCES, errno.EPERM),
    *(errno.ENAMETOOLONG, errno.EISDIR, errno.ENOTDIR, errno.ELOOP, errno.EMFILE, errno.EBADF),
)


def main(
    commands: Mapping[str, tuple[str, str]], moved: Mapping[str, str], default: str, ending: Ending
) -> int:
    """Run one of the commands, or the `default` if none is given; returns the exit status.

    `moved` names what to use instead of commands that there are no longer.
    """
    _open_what_is_closed()
    with plain_streams():
        return _run(commands, moved, default, ending)


def _run(
    commands: Mapping[str, tuple[str, str]], moved: Mapping[str, str], default: str, ending: Ending
) -> int:
    try:
        words = sys.argv[1:] or [default]
        if words[0] in moved:
            raise InputError(f"{words[0]} is now: {moved[words[0]]}")
        name = Path(sys.argv[0]).name
        status = _program(commands, ending).main(words, name, standalone_mode=False) or 0
        if sys.stdout is not None and not sys.stdout.closed:  # by a user's code
            sys.stdout.flush()
        return ending.status(status)
    except SystemExit as error:  # of `fail`, or after Ctrl-C
        return ending.status(error.code) if isinstance(error.code, int) else 1
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
    except BrokenPipeError:
        _forget_output()
        return _UNREAD
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
    ending: Ending

    def resolve_command(self, context: Any, words: list[str]) -> tuple[str | None, Any, list[str]]:
        """Import the class of the command that the first word names."""
        name, command, rest = super().resolve_command(context, words)
        if name is not None:
            from model.terminal.command import typer_command

            module, _, kind = self.listed[name][0].partition(":")
            command = typer_command(name, getattr(import_module(module), kind).for_words(rest))
            assert command.callback is not None
            command.callback = self.ending.orderly()(command.callback)
        return name, command, rest

    def format_commands(self, context: Any, formatter: Any) -> None:
        """List the commands with what they do, whole."""
        with formatter.section("Commands"):
            write_list(formatter, [(name, what) for name, (_, what) in self.listed.items()])

    def make_context(self, *words: Any, **extra: Any) -> Any:
        """Read the program's own options."""
        with _while_read():
            return super().make_context(*words, **extra)

    def invoke(self, context: Any) -> object:
        """Run the command."""
        with _while_read():
            return super().invoke(context)


@contextmanager
def _while_read() -> Iterator[None]:
    """Whoever reads our output may have enough of it, which typer would call a failure.

    And of Ctrl-C it would say nothing.
    """
    try:
        yield
    except KeyboardInterrupt:
        print(LINE, file=sys.stderr)
        raise typer.Exit(INTERRUPTED) from None
    except BrokenPipeError:
        _forget_output()
        raise typer.Exit(_UNREAD) from None


def _program(listed: Mapping[str, tuple[str, str]], ending: Ending) -> _Commands:
    """The command line with these commands: by name, `module:class` and the help text."""
    app = typer.Typer(
        cls=_Commands, rich_markup_mode=None, context_settings={"max_content_width": 100}
    )
    app.callback(invoke_without_command=True)(_options)
    for name, (_, summary) in listed.items():
        app.command(name, help=summary)(_placeholder)
    commands = typer.main.get_command(app)
    assert isinstance(commands, _Commands)
    commands.listed, commands.ending = listed, ending
    return commands


def _placeholder() -> None:
    """Stands for a command that is not imported yet."""


def _open_what_is_closed() -> None:
    """Standard streams that are closed lead nowhere: a file that is opened would have their number.

    What cannot be written in their encoding, as a name of a file that is no text, is escaped.
    """
    for descriptor in range(3):
        try:
            os.fstat(descriptor)
        except OSError:
            os.set_inheritable(os.open(os.devnull, os.O_RDWR), True)  # it takes the lowest number
    sys.stdout = sys.stdout or os.fdopen(os.dup(1), "w")
    sys.stderr = sys.stderr or os.fdopen(os.dup(2), "w")
    if isinstance(sys.stdout, io.TextIOWrapper):
        sys.stdout.reconfigure(errors="backslashreplace")


def _forget_output() -> None:
    """Drop what cannot be written to standard output: Python would complain of it at its end."""
    try:
        sys.stdout.flush()
    except OSError:
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
