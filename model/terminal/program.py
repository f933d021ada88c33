"""The program: a person's mistake is one line on stderr and exit status 2."""

import errno
import os
import signal
import sys
from collections.abc import Mapping
from pathlib import Path
from typing import Annotated

import typer

from model.ground.errors import InputError, cut
from model.terminal.command import program

# Why a file cannot be read or written that are no bugs: a full disk, a name too long, …
_OF_THE_MACHINE = (
    *(errno.ENOSPC, errno.EDQUOT, errno.EFBIG, errno.EROFS, errno.EIO, errno.EACCES, errno.EPERM),
    *(errno.ENAMETOOLONG, errno.EISDIR, errno.ENOTDIR, errno.ELOOP, errno.EMFILE),
)


def main(commands: Mapping[str, tuple[str, str]], default: str) -> int:
    """Run one of the commands, or the `default` if none is given; returns the exit status."""
    try:
        words = sys.argv[1:] or [default]
        name = Path(sys.argv[0]).name
        status = program(commands, _options).main(words, name, standalone_mode=False) or 0
        sys.stdout.flush()
        return status
    except typer.TyperException as error:
        message = " ".join(error.format_message().split())  # it breaks lines before choices
        message = message.replace(": Value error, ", ": ")  # Pydantic's words
        print(f"error: {message} See run.py --help.", file=sys.stderr)
    except InputError as error:
        from model.core.users_code import UsersCodeError

        print(f"error: {error}", file=sys.stderr)
        if isinstance(error, UsersCodeError):
            print(error.story(), end="", file=sys.stderr)
    except BrokenPipeError:  # whoever reads our output has enough of it
        _forget_output()
        return 128 + signal.SIGPIPE
    except OSError as error:
        if error.errno not in _OF_THE_MACHINE:
            raise
        _forget_output()
        place = f"{cut(str(error.filename))}: " if error.filename else ""
        print(f"error: {place}{error.strerror}", file=sys.stderr)
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


def _forget_output() -> None:
    """Drop what cannot be written to standard output: Python would complain of it at its end."""
    try:
        sys.stdout.flush()
    except OSError:
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
