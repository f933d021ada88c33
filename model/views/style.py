"""How pictures look: as in a paper, dark lines on white, in colors readable for the color-blind."""

from collections.abc import Iterable, Mapping, Sequence
from colorsys import hls_to_rgb, rgb_to_hls
from functools import cache
from types import MappingProxyType
from typing import TYPE_CHECKING, Any
from zlib import crc32

from model.core.journal import kinds
from model.core.journal.words import SPENT
from model.pnr.waste import DECISIVE, OUTDATED, UNUSED

if TYPE_CHECKING:  # texts need its words about kinds, and do not wait for matplotlib
    from matplotlib.axes import Axes
    from matplotlib.colors import Colormap

COLUMN_IN = 3.4  # the width of a paper's column, in inches; a page is twice as wide
PAGE_IN = 7.0
CM_PER_IN = 2.54
FONT_SIZE = 7

# Okabe and Ito's palette by what a message does, and Paul Tol's muted one for all other kinds.
# An answer has another color than its question.
_KIND_COLORS = {
    "PageRequest": "#56B4E9",
    "PageReply": "#999933",
    "BarrierArrive": "#BBBBBB",
    "BarrierRelease": "#DDCC77",
    "Exchange": "#8A8A8A",
    "RamRequest": "#0072B2",
    "ServerRequest": "#E69F00",
    "ServerReply": "#332288",
    "RamGrant": "#009E73",
    "LoadBroadcast": "#CC79A7",
    "ReleaseNotice": "#D55E00",
    "ServerRelease": "#000000",
    "ReleaseAck": "#8A8A8A",
    "LoadReport": "#CC79A7",
    "JobSent": "#E69F00",
    "JobTransfer": "#0072B2",
}

_OTHER_COLORS = (
    *("#332288", "#88CCEE", "#44AA99", "#117733", "#999933"),
    *("#DDCC77", "#CC6677", "#882255", "#AA4499"),
)

# Records that are no messages, on the page.
_RECORD_COLORS = {
    **dict.fromkeys((kinds.Crashed, kinds.Killed, kinds.Failed, kinds.Disk), "#D55E00"),
    **dict.fromkeys((kinds.Restarted, kinds.Lent), "#009E73"),
    **dict.fromkeys((kinds.Submitted, kinds.Moved, kinds.Departed, kinds.Arrived), "#0072B2"),
    **dict.fromkeys((kinds.Placed, kinds.Resized), "#56B4E9"),
    **{
        kinds.Decided: "#CC79A7",
        kinds.Returned: "#77B8A4",
        kinds.Borrowed: "#E69F00",
        kinds.GivenBack: "#E9C37A",
    },
    **{kinds.Ended: "#332288", kinds.Fault: "#AA4499", kinds.Io: "#999933"},
}

#: Of parts of a job's time, by their names.
PART_COLORS = {
    SPENT[part]: color
    for part, color in {
        **{"waiting": "#999999", "grant": "#CC79A7", "computing": "#009E73"},
        **{"disk_faults": "#D55E00", "network_faults": "#E69F00", "barriers": "#0072B2"},
        **{"moving": "#882255", "queueing": "#DDDDDD", "io": "#999933"},
        **{"switched_out": "#DDDDDD", "lost": "#000000"},
    }.items()
}

# For jobs: Okabe and Ito's without black, and two of Paul Tol's, since many are side by side; then
# the same, darker.
JOB_COLORS = (
    *("#E69F00", "#56B4E9", "#009E73", "#F0E442", "#0072B2", "#D55E00", "#CC79A7"),
    *("#882255", "#999933"),
    *("#8A5F00", "#346C8C", "#005F45", "#908928", "#003E60", "#803800", "#7A4964"),
    *("#521433", "#5C5C1F"),
)


def colors_of_jobs(jobs: Iterable[int]) -> dict[int, str]:
    """The color of each job on all pictures of a run, whose jobs come in the order of their starts.

    No two jobs have the same color while there are enough.
    """
    turns = enumerate(dict.fromkeys(jobs))
    return {job: JOB_COLORS[turn % len(JOB_COLORS)] for turn, job in turns}


#: Messages whose lines are dashed.
ANSWERS = ("PageReply", "BarrierRelease", "ServerReply", "ReleaseAck")

#: How a lost message ends: at its receiver's door.
CROSS: Mapping[str, Any] = MappingProxyType(
    {"ls": "", "marker": "x", "color": "black", "ms": 6, "mew": 1.4}
)
_GREYS = {"crashed": "#AAAAAA", "paused": "#DDDDDD"}  # of a part of a node


def grey_of(what: str, how: str) -> str:
    """The grey of what is down: a whole node's is the darkest."""
    return "#777777" if what == "node" else _GREYS[how]


def forms_of(kind: str) -> Sequence[str]:
    """The color of a kind of message on each paper; for a kind unknown here, the name decides."""
    other = _OTHER_COLORS[crc32(kind.encode()) % len(_OTHER_COLORS)]
    return on_papers(_KIND_COLORS.get(kind, other))


def color_of(kind: str, use: str | None = None) -> str:
    """The color of a message on white: of what changed nothing it is pale."""
    return forms_of(kind)[2 if use in PALE_USES else 0]


def color_of_record(kind: type[kinds.Kind]) -> str:
    """The color of a kind of record that is no message."""
    return _RECORD_COLORS.get(kind, "#888888")


#: The papers of the page: white, and that of the dark (`page.css` has them, too).
PAPERS = ("#ffffff", "#16181b")
LEGIBLE, FAINTEST = 3.3, 3.05  # contrasts of marks: see `on_papers`
LETTERS = 4.5


def contrast(one: str, other: str) -> float:
    """How much two colors stand out from each other, 1 to 21 (WCAG 2.2)."""

    def luminance(color: str) -> float:
        parts = [int(color[place : place + 2], 16) / 255 for place in (1, 3, 5)]
        linear = [it / 12.92 if it <= 0.04045 else ((it + 0.055) / 1.055) ** 2.4 for it in parts]
        return 0.2126 * linear[0] + 0.7152 * linear[1] + 0.0722 * linear[2]

    dark, light = sorted(map(luminance, (one, other)))
    return (light + 0.05) / (dark + 0.05)


@cache  # there are few colors
def on_papers(color: str) -> Sequence[str]:
    """A color as it is drawn on each of the papers, and then, pale, what changed nothing.

    It is as near to the color as can be read; what is pale is greyer, and stands out just enough.
    """
    hue, light, saturation = _hls(color)
    found = []
    for part, least in ((1.0, LEGIBLE), (0.5, FAINTEST)):
        for paper, step in zip(PAPERS, (-0.01, 0.01), strict=True):
            level = 1 - light if saturation < 0.05 and step > 0 else light
            level = level if part == 1 else (0.85 if step < 0 else 0.15)
            while contrast(made := _hex(hue, level, part * saturation), paper) < least:
                level += step
            found.append(made)
    return tuple(found)


def for_letters(color: str) -> str:
    """A color as letters on white have it: as dark as they need to be read (WCAG 2.2, 1.4.3)."""
    hue, light, saturation = _hls(color)
    while contrast(made := _hex(hue, light, saturation), PAPERS[0]) < LETTERS:
        light -= 0.01
    return made


def _hls(color: str) -> tuple[float, float, float]:
    return rgb_to_hls(*(int(color[it : it + 2], 16) / 255 for it in (1, 3, 5)))


def _hex(hue: float, light: float, saturation: float) -> str:
    return "#" + "".join(f"{round(255 * it):02x}" for it in hls_to_rgb(hue, light, saturation))


def in_order(kinds: Iterable[str]) -> list[str]:
    """Kinds of messages, once each, in the order of legends, with unknown ones last."""
    known = list(_KIND_COLORS)
    rank = {kind: place for place, kind in enumerate(known)}
    return sorted(set(kinds), key=lambda kind: (rank.get(kind, len(known)), kind))


def line_style(kind: str) -> object:
    """The dashes of a message's line."""
    return (0, (3, 1.5)) if kind in ANSWERS else "solid"


#: What messages were good for (`Recording.use_of`): refused are hollow, unused and outdated
#: ones pale, and decisive ones bold.
PALE_USES, BOLD_USE = (UNUSED, OUTDATED), DECISIVE
BOLD = 2.5  # times the usual width of a line


def width_of(use: str | None) -> float:
    """How wide a message is drawn, times the usual width: decisive ones are bold."""
    return BOLD if use == BOLD_USE else 1.0


def light_to_dark() -> "Colormap":
    """The colors of amounts, from little (still visible on white) to the most."""
    from matplotlib.colors import LinearSegmentedColormap

    return LinearSegmentedColormap.from_list("amount", ["#D0E4F2", "#0072B2", "#08233B"])


def dress(axes: "Axes") -> "Axes":
    """Give axes small type and no box."""
    axes.tick_params(labelsize=FONT_SIZE)
    axes.xaxis.label.set_fontsize(FONT_SIZE + 1)
    axes.yaxis.label.set_fontsize(FONT_SIZE + 1)
    axes.spines[["top", "right"]].set_visible(False)
    return axes
