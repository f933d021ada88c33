"""Tables on standard output."""

from collections.abc import Sequence

from rich.box import SIMPLE_HEAD
from rich.console import Console
from rich.measure import Measurement
from rich.table import Table


def print_table(
    names: Sequence[str],
    headings: Sequence[str],
    lines: Sequence[Sequence[str]],
    title: str | None = None,
) -> None:
    """Print lines of cells: `names` head columns of words, `headings` columns of numbers.

    Headings are wrapped if the terminal is narrow, but nothing is ever cut off.
    """
    shown = Table(box=SIMPLE_HEAD, pad_edge=False, show_edge=False, title=title)
    for name in names:
        shown.add_column(name)
    for heading in headings:
        shown.add_column(heading, justify="right")
    for line in lines:
        shown.add_row(*line)
    console = Console(soft_wrap=True)
    needs = Measurement.get(console, console.options.update(max_width=10_000), shown)
    least = needs.minimum if console.is_terminal else needs.maximum
    console.width = max(console.width, least)
    console.print(shown)
