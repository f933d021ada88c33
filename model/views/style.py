"""How pictures look: as in a paper, dark lines on white, in colors readable for the color-blind."""

from collections.abc import Iterable
from typing import TYPE_CHECKING, NamedTuple
from zlib import crc32

if TYPE_CHECKING:  # texts need its words about kinds, and do not wait for matplotlib
    from matplotlib.axes import Axes
    from matplotlib.colors import Colormap
    from matplotlib.figure import Figure

COLUMN_IN = 3.4  # the width of a paper's column, in inches; a page is twice as wide
PAGE_IN = 7.0
FONT_SIZE = 7

# Okabe and Ito's palette by what a message does, and Paul Tol's muted one for all other kinds.
_KIND_COLORS = {
    "PageRequest": "#56B4E9",
    "PageReply": "#56B4E9",
    "BarrierArrive": "#BBBBBB",
    "BarrierRelease": "#BBBBBB",
    "RamRequest": "#0072B2",
    "ServerRequest": "#E69F00",
    "ServerReply": "#E69F00",
    "RamGrant": "#009E73",
    "LoadBroadcast": "#CC79A7",
    "ReleaseNotice": "#D55E00",
    "ServerRelease": "#000000",
    "ReleaseAck": "#000000",
    "LoadReport": "#CC79A7",
    "JobSent": "#E69F00",
    "JobTransfer": "#0072B2",
}

_OTHER_COLORS = (
    *("#332288", "#88CCEE", "#44AA99", "#117733", "#999933"),
    *("#DDCC77", "#CC6677", "#882255", "#AA4499"),
)

# For jobs: Okabe and Ito's without black, and two of Paul Tol's, since many are side by side; then
# the same, darker.
JOB_COLORS = (
    *("#E69F00", "#56B4E9", "#009E73", "#F0E442", "#0072B2", "#D55E00", "#CC79A7"),
    *("#882255", "#999933"),
    *("#8A5F00", "#346C8C", "#005F45", "#908928", "#003E60", "#803800", "#7A4964"),
    *("#521433", "#5C5C1F"),
)


# An answer has its request's color, but a dashed line or an open mark.
ANSWERS = ("PageReply", "BarrierRelease", "ServerReply", "ReleaseAck")


def color_of(kind: str) -> str:
    """The color of a kind of message; for a kind that is unknown here, the name decides."""
    other = _OTHER_COLORS[crc32(kind.encode()) % len(_OTHER_COLORS)]
    return _KIND_COLORS.get(kind, other)


def in_order(kinds: Iterable[str]) -> list[str]:
    """Kinds of messages, once each, in the order of legends, with unknown ones last."""
    known = list(_KIND_COLORS)
    rank = {kind: place for place, kind in enumerate(known)}
    return sorted(set(kinds), key=lambda kind: (rank.get(kind, len(known)), kind))


def line_style(kind: str) -> object:
    """The dashes of a message's line."""
    return (0, (3, 1.5)) if kind in ANSWERS else "solid"


#: What messages were good for (`Recording.use_of`): refused are hollow, those of no use pale, and
#: those that changed a choice bold.
REFUSED, PALE_USES, BOLD_USE = "refused", ("about nothing", "superseded"), "changed the choice"
PALE = 0.3  # the share of full ink
BOLD = 2.5  # times the usual width of a line


def ink_of(use: str | None) -> float:
    """How strong a message is drawn: those that changed nothing are pale."""
    return PALE if use in PALE_USES else 1.0


def width_of(use: str | None) -> float:
    """How wide a message is drawn, times the usual width: those that changed a choice are bold."""
    return BOLD if use == BOLD_USE else 1.0


def light_to_dark() -> "Colormap":
    """The colors of amounts, from little (still visible on white) to the most."""
    from matplotlib.colors import LinearSegmentedColormap

    return LinearSegmentedColormap.from_list("amount", ["#D0E4F2", "#0072B2", "#08233B"])


def page(height_in: float, width_in: float = PAGE_IN) -> "tuple[Figure, Axes]":
    """A figure with one pair of axes, as wide as a page by default."""
    from matplotlib.figure import Figure

    figure = Figure(figsize=(width_in, height_in), layout="constrained")
    axes = figure.subplots()
    dress(axes)
    return figure, axes


def dress(axes: "Axes") -> None:
    """Give axes small type and no box."""
    axes.tick_params(labelsize=FONT_SIZE)
    axes.xaxis.label.set_size(FONT_SIZE + 1)
    axes.yaxis.label.set_size(FONT_SIZE + 1)
    axes.spines[["top", "right"]].set_visible(False)


class Room(NamedTuple):
    """How much of the two axes an inch of a picture shows, so that a text is known to fit."""

    x_per_in: float
    y_per_in: float

    @classmethod
    def of(cls, window: tuple[float, float], rows: int, height_in: float) -> "Room":
        """That of axes as wide as a page, beside their labels, with so many rows of nodes."""
        return cls((window[1] - window[0]) / (PAGE_IN - 0.8), rows / height_in)

    def write(
        self, axes: "Axes", text: str, x: tuple[float, float], y: tuple[float, float]
    ) -> None:
        """Write a text in the middle of a rectangle, if it has room there."""
        from matplotlib.patheffects import withStroke

        (left, right), (low, high) = x, y
        wide = (right - left) / self.x_per_in >= (len(text) + 0.5) * 0.62 * FONT_SIZE / 72
        tall = (high - low) / self.y_per_in >= 1.15 * FONT_SIZE / 72
        if wide and tall:
            place = {"ha": "center", "va": "center_baseline"}
            written = axes.text((left + right) / 2, (low + high) / 2, text, size=FONT_SIZE, **place)
            written.set_path_effects([withStroke(linewidth=1.5, foreground="white")])
