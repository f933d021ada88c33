"""The way of all text to the terminal: what comes from files or arguments cannot steer it.

`make_streams_plain` puts itself before standard output and standard error: whoever prints, also a
traceback, a warning of a library or a server's log, prints controls as escapes. Rich's own colors
and bars pass by it, so what is shown through Rich is shown by a console of `console.py`. That a
text within a line does not end that line is up to whoever writes the line: `escaped`.
"""

import sys
from typing import TextIO, cast

from model.ground.errors import cut
from model.ground.text import escaped

KEPT = "\n\t"  # of controls: a text may have several lines
_LONGEST_LINE = 1_500  # characters of a message


class _Plain:
    """A stream that shows controls as escapes, and is the stream behind it in all else."""

    def __init__(self, stream: TextIO) -> None:
        self._stream = stream

    def write(self, text: str) -> int:
        self._stream.write(escaped(text, KEPT))
        return len(text)

    def writelines(self, lines: list[str]) -> None:
        for line in lines:
            self.write(line)

    @property
    def rich_proxied_file(self) -> TextIO:
        """Where Rich writes, whose controls are its own."""
        stream = self._stream
        while (behind := getattr(stream, "rich_proxied_file", None)) is not None:
            stream = behind
        return stream

    def __getattr__(self, name: str) -> object:
        return getattr(self._stream, name)


def make_streams_plain() -> None:
    """Let all that is printed from now on show controls as escapes."""
    if not isinstance(sys.stdout, _Plain):
        sys.stdout = cast(TextIO, _Plain(sys.stdout))
    if not isinstance(sys.stderr, _Plain):
        sys.stderr = cast(TextIO, _Plain(sys.stderr))


def say_error(message: object) -> None:
    """Say on standard error what is wrong, on one line."""
    print(f"error: {_on_a_line(message)}", file=sys.stderr)


def warn(message: object) -> None:
    """Say on standard error what a person should know, on one line."""
    print(f"warning: {_on_a_line(message)}", file=sys.stderr)


def _on_a_line(message: object) -> str:
    return cut(escaped(str(message)), _LONGEST_LINE)
