"""What managers believed of other nodes, how old and how wrong that was, and what was true.

It answers: what did a manager believe when it decided, how old was that, and what was true?

A belief is the newest word that a manager has received, from the words in messages and, at its
decisions, from their own records; of a node that it has not heard of, it believes that all RAM is
idle, as if stated at time 0. What is true is RAM - demand, which is negative where memory is short;
a node that is down has no free memory.
"""

from collections.abc import Iterator
from dataclasses import dataclass

import numpy as np
from matplotlib.axes import Axes
from matplotlib.colors import LinearSegmentedColormap, TwoSlopeNorm
from matplotlib.image import AxesImage
from matplotlib.lines import Line2D
from matplotlib.ticker import MaxNLocator
from numpy.typing import NDArray

from model.core.journal import kinds, words
from model.core.journal.file import rows
from model.core.journal.over_time import levels
from model.core.journal.past import words_in
from model.ground.errors import InputError
from model.ground.units import BYTES_PER_MB, megabytes
from model.views.flow import page_of
from model.views.picture import Picture, times_s
from model.views.recording import Recording, Selection
from model.views.style import FONT_SIZE

MANAGERS_A_PAGE = 3
#: Believed less than true, as it is, more than true.
_ERRORS = LinearSegmentedColormap.from_list("error", ["#0072B2", "#EEEEEE", "#D55E00"])
_TICKS = 6


@dataclass(frozen=True)
class Glimpse:
    """What a manager believes at a moment: when it decides, or when words have reached it."""

    time_ns: int
    manager: int
    chosen: int | None  # the node that it decides for
    job: int | None
    believed: NDArray[np.int64]  # by node, in bytes, as `true`
    stated_ns: NDArray[np.int64]  # by node; 0 if it has not heard of it
    true: NDArray[np.int64]

    @property
    def errors(self) -> NDArray[np.int64]:
        """Believed less true, by node, in bytes."""
        return self.believed - self.true

    @property
    def ages_ns(self) -> NDArray[np.int64]:
        """How old the word about each node is."""
        return self.time_ns - self.stated_ns


def glimpses(recording: Recording) -> Iterator[tuple[int, Glimpse]]:
    """Each moment at which a manager decides, or hears words, with its record's index; in order."""
    nodes, rams = recording.scenario.nodes, recording.constants.rams
    times_ns, (loads,) = levels(
        recording.records, nodes, lambda it: [it.load(rams[it.number])], kinds.MEMORY, kinds.OUTAGES
    )
    decided = recording.of_kinds(kinds.Decided)
    deciders = {*zip(decided["node"], decided["hears"], strict=True)}
    under_way: dict[int, list[kinds.Heard]] = {}  # by a message's id, its words about nodes
    tables: dict[int, tuple[NDArray[np.int64], NDArray[np.int64]]] = {}
    table = recording.of_kinds(kinds.Sent, kinds.Delivered, kinds.Decided, kinds.Crashed)
    for index, record in zip(table.index, rows(table), strict=True):
        node, now_ns = kinds.OfMessage.of(record).node, record.time_ns
        if record.kind == kinds.Sent.name:
            if heard := [word for word in words_in(record) if not word.group]:
                under_way[record.id] = heard
            continue
        if record.kind == kinds.Crashed.name:
            tables.pop(node, None)  # its servent forgets
            continue
        decides = record.kind == kinds.Decided.name
        heard = [] if decides else under_way.get(record.id, [])
        if (node, record.hears) not in deciders or not (heard or decides):
            continue
        believed, stated_ns = tables.setdefault(
            node, (np.full(nodes, rams[node], np.int64), np.zeros(nodes, np.int64))
        )
        true = loads[:, np.searchsorted(times_ns, now_ns, side="right") - 1].copy()
        for word in heard:
            if word.stated_ns >= stated_ns[word.about]:
                believed[word.about], stated_ns[word.about] = word.load, word.stated_ns
        if decides:
            choice = kinds.Decided.contents(kinds.Decided.of(record).payload)
            if choice.groups:
                continue  # it chooses among groups, of whose nodes it believes nothing
            for about, belief in choice.candidates.items():
                true[about] = belief.true
                if belief.ram is not None and belief.believed is None:
                    believed[about] = belief.ram
                if belief.believed is not None:
                    believed[about], stated_ns[about] = belief.believed, belief.stated_ns
        believed[node], stated_ns[node] = true[node], now_ns  # it sees its own node
        chosen = record.peer if decides else None
        yield (
            index,
            Glimpse(now_ns, node, chosen, record.job, believed.copy(), stated_ns.copy(), true),
        )


def draw(recording: Recording, selection: Selection, page: int = 1) -> Picture:
    """A panel a manager: nodes over its decisions and load reports, one column each.

    The color is the error of its belief; a circle is the node that it decides for. Below: what was
    believed of these, and what was true, decision by decision.
    Raises InputError if nobody decides, and for a part of a journal.
    """
    if not recording.scenario.lends_memory:
        raise InputError("--kind knowledge: load sharing journals no decisions; take another view")
    if recording.part:
        raise InputError(
            "--kind knowledge: a part of a journal lacks the load reports of managers; take the "
            "whole journal"
        )
    selected = selection.of(recording).index
    wanted = selection.nodes or tuple(range(recording.scenario.nodes))
    shown: dict[int, list[Glimpse]] = {}
    for index, glimpse in glimpses(recording):
        if index in selected and glimpse.manager in wanted:
            shown.setdefault(glimpse.manager, []).append(glimpse)
    choices = {node: sum(it.chosen is not None for it in of_one) for node, of_one in shown.items()}
    order = sorted((node for node in shown if choices[node]), key=lambda it: (-choices[it], it))
    if not order:
        raise InputError(
            f"--kind knowledge: no manager decides in this part of the journal of "
            f"{recording.design}; choose another design, job, window or nodes"
        )
    here, which = page_of(order, page, MANAGERS_A_PAGE, "managers")
    decisions = sorted(
        (it for node in order for it in shown[node] if it.chosen is not None),
        key=lambda it: it.time_ns,
    )
    most_mb = max(
        0.01, *(megabytes(float(abs(it.errors).max())) for node in here for it in shown[node])
    )
    tall_in = min(2.6, 1.3 + 0.025 * recording.scenario.nodes)
    picture = Picture(recording, selection)
    *panels, below = picture.panels([tall_in] * len(here) + [1.7])
    norm = TwoSlopeNorm(0, -most_mb, most_mb)
    for node, axes in zip(here, panels, strict=True):
        image = _beliefs(axes, node, shown[node], norm)
    _choices(below, decisions)
    bar = picture.colorbar(image, ax=[*panels, below], shrink=0.5, aspect=40, anchor=(0, 1))
    bar.set_label("Error of the belief: believed − true (MB)")
    return picture.framed(
        _title(recording, decisions, which),
        [
            Line2D([], [], ls="", marker="o", ms=5, mfc="none", mec="black", label="chosen node"),
            Line2D([], [], ls="", marker="o", ms=3.5, mfc="white", mec="black", label="believed"),
            Line2D([], [], ls="", marker="o", ms=3.5, color="black", label="true"),
            Line2D([], [], ls="", marker="x", ms=4, color="black", label="true, never reported"),
        ],
    )


def _beliefs(axes: Axes, manager: int, of_one: list[Glimpse], norm: TwoSlopeNorm) -> AxesImage:
    errors_mb = np.array([it.errors for it in of_one]).T / BYTES_PER_MB
    image = axes.imshow(errors_mb, cmap=_ERRORS, norm=norm, aspect="auto", interpolation="nearest")
    marks = [(column, it.chosen) for column, it in enumerate(of_one) if it.chosen is not None]
    x, y = np.array(marks).reshape(-1, 2).T
    axes.scatter(x, y, s=14, fc="none", ec="black", lw=0.7, clip_on=False)
    axes.set_ylabel(f"Manager {manager}'s\nbelief about node", size=FONT_SIZE)
    axes.yaxis.set_major_locator(MaxNLocator(integer=True, min_n_ticks=1, nbins=8))
    _name_times(axes, [it.time_ns for it in of_one])
    return image


def _choices(axes: Axes, decisions: list[Glimpse]) -> None:
    """For each decision, of the chosen node: from what was believed to what was true."""
    turns = np.arange(len(decisions))
    at = [(it.believed[it.chosen], it.true[it.chosen]) for it in decisions]
    believed_mb, true_mb = np.array(at, float).T / BYTES_PER_MB
    heard = np.array([bool(it.stated_ns[it.chosen]) for it in decisions])
    size = 10 if len(decisions) <= 100 else 3
    for only, marker in ((heard, "o"), (~heard, "x")):
        axes.vlines(turns[only], true_mb[only], believed_mb[only], color="#888888", lw=0.5)
        axes.scatter(turns[only], true_mb[only], s=size, marker=marker, color="black", lw=0.6)
    axes.scatter(turns, believed_mb, s=size, fc="white", ec="black", lw=0.5, zorder=3)
    axes.axhline(0, color="#999999", lw=0.5)
    axes.set_xlim(-0.5, len(decisions) - 0.5)
    axes.set_ylabel("Chosen node:\nRAM − demand (MB)", size=FONT_SIZE)
    axes.set_xlabel("Time (s), a column per decision; above, per load report too")
    _name_times(axes, [it.time_ns for it in decisions])


def _name_times(axes: Axes, times_ns: list[int]) -> None:
    columns = range(0, len(times_ns), -(-len(times_ns) // _TICKS))
    axes.set_xticks(columns, times_s(times_ns[column] for column in columns))


def _title(recording: Recording, decisions: list[Glimpse], which: str) -> str:
    heard = [it for it in decisions if it.stated_ns[it.chosen]]
    unheard = [it for it in decisions if not it.stated_ns[it.chosen]]
    lines = [f"{recording.design}: {words.count(len(decisions), 'decision')}{which}"]
    if heard:
        ages_ns = [int(it.ages_ns[it.chosen]) for it in heard]
        mean_ns, most_ns = float(np.mean(ages_ns)), float(np.quantile(ages_ns, 0.95))
        lines.append(
            f"{len(heard):,} used a load report, {words.span(mean_ns)} old on average (95 % below "
            f"{words.span(most_ns)}): {_off(heard)}"
        )
    if unheard:
        lines.append(f"{len(unheard):,} without a report assumed the node idle: {_off(unheard)}")
    return "\n".join(lines)


def _off(decisions: list[Glimpse]) -> str:
    """By how much beliefs about the nodes chosen were wrong, and how far that was one way."""
    errors_mb = np.array([it.errors[it.chosen] for it in decisions], float) / BYTES_PER_MB
    error_mb, bias_mb = np.abs(errors_mb).mean(), errors_mb.mean()
    return f"error {error_mb:,.4g} MB on average, bias {bias_mb:+,.4g} MB"
