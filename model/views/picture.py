"""The frame of every picture: a title above its panels, below them a key and a caption.

Views make a `Picture`, draw on its panels, with a `Clock` for the axis of time and `Rows` for that
of nodes, and call `framed`.
"""

from collections.abc import Iterable, Sequence
from io import BytesIO
from itertools import groupby
from operator import attrgetter
from textwrap import fill
from typing import Any

import numpy as np
from matplotlib.artist import Artist
from matplotlib.axes import Axes
from matplotlib.collections import PolyCollection
from matplotlib.figure import Figure
from matplotlib.gridspec import GridSpec
from matplotlib.patches import Patch, Polygon
from matplotlib.patheffects import withStroke
from matplotlib.text import Text
from matplotlib.ticker import FixedLocator, MaxNLocator
from numpy.typing import ArrayLike, NDArray

from model.core.journal import words
from model.core.journal.over_time import Outage
from model.ground.errors import InputError
from model.ground.units import NS_PER_S
from model.views.caption import caption
from model.views.recording import Recording, Selection
from model.views.style import CM_PER_IN, FONT_SIZE, PAGE_IN, dress, grey_of

Box = tuple[float, float, float, float]  # left, right, low, high

_LETTER_IN, _LINE_IN = 0.52 / 72, 1.3 / 72  # of type of 1 point, in the mean
_MARK_IN = 5.0 * FONT_SIZE / 72  # what a mark of the key takes beside its words
_MARGIN_IN = 0.06
WHITE = [withStroke(linewidth=1.5, foreground="white")]  # around letters, so that they are legible


class Picture(Figure):
    """A picture of a run, and perhaps of another that is laid over it."""

    def __init__(
        self,
        recording: Recording,
        selection: Selection,
        against: Recording | None = None,
        width_in: float = PAGE_IN,
        least_in: float = 0.0,
    ) -> None:
        """It cannot be narrower than `least_in`, which what is written beside each other takes."""
        super().__init__(figsize=(width_in, 1), layout="constrained")
        self._least_in = least_in
        self._shows = caption(recording, selection, against)
        self._end = recording.finding
        self._down: list[Outage] = []
        self._title, self._key, self._panels_in = "", list[Artist](), 0.0

    def add_subplot(self, *args: Any, **kwargs: Any) -> Axes:
        """Axes, with small type and no box."""
        return dress(super().add_subplot(*args, **kwargs))

    def add_axes(self, *args: Any, **kwargs: Any) -> Axes:
        """The same, of bars of colors, too."""
        return dress(super().add_axes(*args, **kwargs))

    def _repr_png_(self) -> bytes:
        """How a notebook shows it."""
        file = BytesIO()
        self.savefig(file, dpi=100)
        return file.getvalue()

    def panels(self, heights_in: Sequence[float], around_in: float = 0.0, **how: Any) -> list[Axes]:
        """Axes of these heights below each other, with their labels.

        Titles and labels that take much, compared with the axes, have room of their own around.
        """
        self._panels_in = sum(heights_in) + around_in
        panels = self.subplots(len(heights_in), squeeze=False, height_ratios=heights_in, **how)
        return list(panels.flat)

    def grid(
        self, heights_in: Sequence[float], columns: int, around_in: float = 0.0, **how: Any
    ) -> GridSpec:
        """Rows of these heights, for panels of other shapes; around them as in `panels`."""
        self._panels_in = sum(heights_in) + around_in
        return self.add_gridspec(len(heights_in), columns, height_ratios=heights_in, **how)

    def panel(self, height_in: float) -> Axes:
        """The only axes of a picture."""
        return self.panels([height_in])[0]

    def shade(self, axes: Axes, outage: Outage, box: Box, above: bool = False) -> None:
        """Draw an outage over its lane, below (or above) what else is drawn there."""
        left, right, low, high = box
        corners = [(left, low), (right, low), (right, high), (left, high)]
        grey, zorder = grey_of(outage.what, outage.how), 2.5 if above else 0.5
        axes.add_patch(Polygon(corners, facecolor=grey, lw=0, zorder=zorder))
        self.explain(outage)

    def explain(self, outage: Outage) -> None:
        """Have the key say what the grey of an outage means, with how many there are."""
        if outage not in self._down:
            self._down.append(outage)

    def framed(self, title: str, key: Iterable[Artist] = ()) -> "Picture":
        """The picture with its title, its key and its caption."""
        self._title, self._key = title, [*key]
        sort = attrgetter("what", "how")
        for (what, how), alike in groupby(sorted(self._down, key=sort), key=sort):
            label = f"{what} {how} ({len(list(alike)):,})"
            self._key.append(Patch(facecolor=grey_of(what, how), label=label))
        self.fit(self.get_figwidth())
        return self

    def fit(self, width_in: float, plain: bool = False) -> None:
        """Make it so wide, and as high as that needs; a plain one has no caption.

        What `explore` has found at the end of a path stands in the title. The caption is the title
        of the figure's legend, since the layout makes room for legends only. Raises InputError if
        that is too narrow.
        """
        if width_in < self._least_in:
            least_cm = np.ceil(10 * self._least_in * CM_PER_IN) / 10
            raise InputError(
                f"--width-cm {width_in * CM_PER_IN:g}: what is written beside each other in this "
                f"picture needs {least_cm:g} cm"
            )
        lines = [self._title] if self._title else []
        if self._end is not None:
            lines.insert(0, f"In the end {self._end}")
        title = _filled("\n".join(lines), width_in * 0.95, FONT_SIZE + 1)
        shows = "" if plain else _filled(self._shows, width_in - 2 * _MARGIN_IN, FONT_SIZE - 1)
        columns = self._columns(width_in)
        height_in = self._panels_in + _height_in(title, FONT_SIZE + 1)
        height_in += -(-len(self._key) // columns) * 1.5 * FONT_SIZE / 72
        height_in += _height_in(shows, FONT_SIZE - 1) + _MARGIN_IN
        self.set_size_inches(width_in, height_in)
        self.suptitle(title, size=FONT_SIZE + 1)
        for legend in [*self.legends]:
            legend.remove()
        legend = self.legend(
            handles=self._key,
            loc="outside lower left",
            ncols=columns,
            fontsize=FONT_SIZE,
            frameon=False,
            borderaxespad=0.2,
        )
        legend.set_title(shows)
        legend.get_title().set(size=FONT_SIZE - 1, color="#555555")
        legend.set_alignment("left")
        if width_in < PAGE_IN:
            self._narrow()

    def _narrow(self) -> None:
        """Break titles and labels as wide as their panels, and number only ticks that have room."""
        self.draw_without_rendering()
        for axes in self.axes:
            axes.apply_aspect()
            room_in = axes.bbox.width / self.dpi
            label, title = axes.xaxis.label, axes.get_title("left")
            label.set_text(_filled(label.get_text(), room_in, FONT_SIZE + 1))
            axes.set_title(_filled(title, room_in, FONT_SIZE), loc="left", size=FONT_SIZE)
            locator = axes.xaxis.get_major_locator()
            if isinstance(locator, MaxNLocator | FixedLocator):
                names = [line_in(it.get_text() + "  ", FONT_SIZE) for it in axes.get_xticklabels()]
                locator.set_params(nbins=max(1, int(room_in / max(names, default=room_in))))

    def _columns(self, width_in: float) -> int:
        """The most columns of the key that have room beside each other."""
        widths = [line_in(str(mark.get_label()), FONT_SIZE) + _MARK_IN for mark in self._key]
        for count in range(len(widths), 1, -1):
            if sum(max(its, default=0) for its in np.array_split(widths, count)) <= width_in:
                return count
        return 1


class Clock:
    """Times for people, in the unit that suits a window; short windows count from their start."""

    def __init__(self, start_ns: int, end_ns: int) -> None:
        self.window_ns = start_ns, end_ns
        self.unit_ns, self.unit = words.unit_of(end_ns - start_ns, at_least=2)
        self.zero_ns = 0 if self.unit == "s" or start_ns == 0 else start_ns
        zero_s = f"{self.zero_ns / NS_PER_S:,.9f}".rstrip("0").rstrip(".")
        after = f" after {zero_s} s" if self.zero_ns else ""
        self.label = f"Time{after} ({self.unit})"

    def of(self, times_ns: ArrayLike) -> NDArray[np.float64]:
        """Times in ns as numbers of this unit."""
        return (np.asarray(times_ns, dtype=float) - self.zero_ns) / self.unit_ns

    def span(self, start_ns: float, end_ns: float) -> tuple[float, float]:
        """From when to when, as numbers of this unit."""
        start, end = self.of([start_ns, end_ns])
        return float(start), float(end)

    def within(self, start_ns: float, end_ns: float) -> tuple[float, float]:
        """The part of a span that is in the window."""
        first_ns, last_ns = self.window_ns
        return self.span(max(first_ns, start_ns), min(last_ns, end_ns))

    def shows(self, start_ns: float, end_ns: float) -> bool:
        """Whether some of a span is in the window."""
        return end_ns >= self.window_ns[0] and start_ns <= self.window_ns[1]

    def label_axis(self, axes: Axes) -> None:
        """Show the window on the horizontal axis, with whole numbers and without offsets."""
        axes.set_xlim(*self.span(*self.window_ns))
        axes.set_xlabel(self.label)
        axes.xaxis.set_major_locator(MaxNLocator(nbins=6, steps=[1, 2, 2.5, 5, 10]))
        axes.ticklabel_format(axis="x", style="plain", useOffset=False)


class Rows:
    """Some nodes as rows of a panel, in the order of their numbers from the top.

    The cores of a node share its row; nodes have one each unless `cores` has another number.
    """

    def __init__(self, nodes: Iterable[int], cores: Sequence[int] = ()) -> None:
        self.nodes = sorted(set(nodes))
        self.of = {node: row for row, node in enumerate(self.nodes)}
        self._cores = cores

    def blocks(self, nodes: Sequence[int], cores: Sequence[int] = ()) -> list[tuple[float, float]]:
        """Where these cores of nodes are, from top to bottom; adjacent ones are a block."""
        blocks: list[tuple[float, float]] = []
        pairs = zip(nodes, cores or [0] * len(nodes), strict=True)
        for row, core, node in sorted((self.of[n], core, n) for n, core in pairs if n in self.of):
            of_node = self._cores[node] if cores else 1
            top, low = row - 0.5 + core / of_node, row - 0.5 + (core + 1) / of_node
            if blocks and abs(blocks[-1][1] - top) < 1e-9:
                top = blocks.pop()[0]
            blocks.append((top, low))
        return blocks

    def label_axis(self, axes: Axes, height_in: float, of_all: int, panel: str = "Node") -> None:
        """Number the rows, as many as have room; say how many nodes are left out."""
        every = max(1, -(-len(self.nodes) * 8 // int(72 * max(0.3, height_in))))
        shown = range(0, len(self.nodes), every)
        axes.set_yticks(list(shown), [str(self.nodes[row]) for row in shown])
        axes.set_ylim(max(1, len(self.nodes)) - 0.5, -0.5)
        left_out = of_all - len(self.nodes)
        label = f"{panel} ({left_out} without)" if left_out else panel
        axes.set_ylabel(_filled(label, height_in, FONT_SIZE + 1))


def draw_boxes(axes: Axes, boxes: Sequence[Box], **look: Any) -> None:
    """Draw rectangles."""
    corners = [
        [(left, low), (right, low), (right, high), (left, high)] for left, right, low, high in boxes
    ]
    axes.add_collection(PolyCollection(corners, **look), autolim=False)


class _Fitting(Text):
    """A text in the middle of a rectangle, which is seen only if it has room there."""

    def __init__(self, text: str, box: Box) -> None:
        self.box = left, right, low, high = box
        super().__init__((left + right) / 2, (low + high) / 2, text, size=FONT_SIZE)
        self.set(ha="center", va="center_baseline", path_effects=WHITE, in_layout=False)

    def fits(self) -> bool:
        """Whether it has room in the picture as it is now."""
        assert self.axes is not None
        left, right, low, high = self.box
        room = np.ptp(self.axes.transData.transform([(left, low), (right, high)]), axis=0)
        dots = self.axes.figure.dpi / 72 * FONT_SIZE
        return bool(room[0] >= (len(self.get_text()) + 0.5) * 0.62 * dots and room[1] >= 1.1 * dots)

    def draw(self, renderer: Any) -> None:
        """Draw it, if it fits."""
        if self.fits():
            super().draw(renderer)


def write_if_it_fits(axes: Axes, text: str, box: Box) -> None:
    """Write in the middle of a rectangle, if there is room when the picture is drawn."""
    axes.add_artist(_Fitting(text, box))


def draw_table(axes: Axes, heads: Sequence[str], table: Sequence[Sequence[str]], left: int) -> None:
    """Columns with heads, the first `left` of them flush left; row 0 is at 0, the next at 1."""
    axes.set_axis_off()
    widths = [max(map(len, column)) + 2 for column in zip(heads, *table, strict=True)]
    edges = np.cumsum([0, *widths]) / sum(widths)
    look: dict[str, Any] = {"va": "center", "size": FONT_SIZE - 1}
    look["transform"] = axes.get_yaxis_transform()
    for row, cells in enumerate([heads, *table], start=-1):
        look["weight"] = "bold" if row < 0 else "normal"
        for column, cell in enumerate(cells):
            side = "left" if column < left else "right"
            axes.text(edges[column + (side == "right")], row, cell, ha=side, **look)


def times_s(times_ns: Iterable[int]) -> list[str]:
    """Times in s, all with as many decimals as the closest two need to differ."""
    times = list(times_ns)
    apart_ns = np.diff(np.unique(times)).min(initial=NS_PER_S)
    decimals = int(np.ceil(-np.log10(apart_ns / NS_PER_S)))
    return [f"{time_ns / NS_PER_S:,.{decimals}f}" for time_ns in times]


def line_in(text: str, size: float) -> float:
    """About how wide a line of type is."""
    return len(text) * _LETTER_IN * size


def _filled(text: str, width_in: float, size: float) -> str:
    """The text with its lines broken, between words, where they are too long."""
    letters = max(1, int(width_in / (_LETTER_IN * size)))
    lines = (fill(line, letters, break_long_words=False) for line in text.splitlines())
    return "\n".join(lines)


def _height_in(text: str, size: float) -> float:
    return (text.count("\n") + 1) * _LINE_IN * size if text else 0.0
