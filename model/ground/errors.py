"""Mistakes of a person, and failures of a run."""

import traceback
from pathlib import Path

from model.ground.text import escaped


class InputError(ValueError):
    """A person's mistake: one line on what is wrong and what would be right."""


class ProtocolMistake(InputError):
    """A forbidden act of a design's protocol during a run: names the role, message and time.

    `place` is the line of a user's code, if it is known.
    """

    place = ""


class Stalled(RuntimeError):
    """Work remains but no event is left that could finish it; names what each job waits for."""


class Beyond(RuntimeError):
    """The mean response time exceeds a scenario's limit: the run is given up, which is no error."""


class CheckFailed(AssertionError):
    """The emulation broke one of its own rules: a bug in it, or in a design that it ran."""

    is_users = False  # whether roles of a user's file took part, whose mistake it rather is


def shown(value: object, most: int = 80) -> str:
    """A refused value as a message shows it, cut to `most` characters."""
    try:
        return cut(repr(value), most)
    except Exception:  # a number of thousands of digits, or an object of a user's own
        return f"a {type(value).__name__} that cannot be shown"


def failure_in_words(error: Exception) -> str:
    """An error and the line that raised it, for places that show no traceback."""
    last = traceback.extract_tb(error.__traceback__)[-1]
    place = place_in(last.filename, last.lineno, last.name)
    return f"{cut(f'{type(error).__name__}: {error}', 200)} ({place})"


def cut(text: str, most: int = 80) -> str:
    """The text on one line that steers no terminal, cut to `most` characters."""
    line = escaped(" ".join(text[: 20 * most].split()))
    return line if len(line) <= most else f"{line[: most - 1]}…"


def place_in(file: str | Path, line: int | None = None, function: str = "<module>") -> str:
    """A place in a file, relative to the working folder if it is below it."""
    path = Path(file)
    if path.is_relative_to(Path.cwd()):
        path = path.relative_to(Path.cwd())
    lines = f", line {line}" if line is not None else ""
    return f"{path}{lines}" + (f", in {function}" if function != "<module>" else "")
