"""What is shown through Rich, whose own colors and bars go to the terminal as they are."""

import os
from errno import EPIPE
from typing import Any

from rich.console import Console
from rich.text import Text

from model.ground.text import escaped
from model.terminal.plain import KEPT


def plain_console(*, stderr: bool = False, quiet: bool = False, soft_wrap: bool = False) -> Console:
    """A console that takes texts as they are, without markup, and controls in them as escapes."""
    return _PlainConsole(
        stderr=stderr, quiet=quiet, soft_wrap=soft_wrap, markup=False, emoji=False, highlight=False
    )


class _PlainConsole(Console):
    def render_str(self, text: str, **options: object) -> Text:
        given: dict[str, Any] = options
        return super().render_str(escaped(text, KEPT), **given)

    def on_broken_pipe(self) -> None:
        """Nobody reads any more: raise what `print` does, and not SystemExit."""
        raise BrokenPipeError(EPIPE, os.strerror(EPIPE))
