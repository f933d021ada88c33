"""Whose memory is where over time, and who lends to whom.

RAM is a container that own processes, loans and what is idle fill; that of a crashed node is grey.
What a node has allocated beyond it hangs below: borrowed bytes are others' lent bytes, so the two
are never stacked on each other.
"""

from collections.abc import Sequence

import numpy as np
import pandas as pd
from matplotlib.axes import Axes
from matplotlib.figure import Figure, SubFigure

from model.core.journal import words
from model.core.journal.kinds import Submitted
from model.core.journal.over_time import MemoryOverTime, largest_loans, memory
from model.core.journal.past import Parts
from model.ground.errors import InputError
from model.ground.units import BYTES_PER_MB, NS_PER_S, megabytes
from model.views.caption import captioned
from model.views.outages import grey_of
from model.views.recording import Recording, Selection
from model.views.style import FONT_SIZE, PAGE_IN, dress, light_to_dark

_IN_RAM = {  # from the bottom to the top; together they are the RAM
    "own processes": "#56B4E9",
    "lent to others": "#009E73",
    "idle": "#EEEEEE",
}
_LOST = {"of a crashed node": grey_of("node", "crashed")}
_OVER = {  # what is over-allocated: from the line downwards
    "borrowed from others": "#E69F00",
    "asked for": "#CC79A7",
    "on disk": "#D55E00",
}
_FEW_NODES = 8  # up to so many, each selected node has its own panel
_NUMBERED = 32  # up to so many lenders or borrowers, each has its number beside the matrix
_FEW_LOANS = 16  # up to so many lenders or borrowers, numbers are written into the matrix


def memory_of(recording: Recording) -> MemoryOverTime:
    """The memory of all nodes of a run, whether it lends memory or shares load.

    Raises InputError if a journal of load sharing does not say what jobs need.
    """
    records, scenario = recording.records, recording.scenario
    if not scenario.lends_memory and recording.of_kinds(Submitted)["amount_bytes"].isna().any():
        raise InputError(
            f"--kind memory: the journal of {recording.design} does not say how much memory jobs "
            "need; take another view"
        )
    return memory(records, scenario.nodes)


def largest_loans_mb(
    recording: Recording, nodes: Sequence[int], first_s: float, last_s: float
) -> pd.DataFrame:
    """The most MB that each lender (row) lent each borrower (column) between first and last.

    Only of loans by or to these nodes. A loan counts as the borrower sees it: from the grant's
    arrival to the notice that ends it.
    """
    window_ns = first_s * NS_PER_S, last_s * NS_PER_S
    most = largest_loans(recording.records, recording.scenario.nodes, *window_ns)
    wanted = {pair: size for pair, size in most.items() if not {*nodes}.isdisjoint(pair)}
    table = pd.Series(
        [size / BYTES_PER_MB for size in wanted.values()],
        pd.MultiIndex.from_tuples([*wanted], names=["lender", "borrower"]),
        dtype=float,
    )
    return table.unstack("borrower").sort_index().sort_index(axis="columns")


def draw(recording: Recording, selection: Selection) -> Figure:
    """Memory over time (MB), of all nodes together or of a few each; below, who lends to whom.

    Selecting a job selects its nodes and lifetime, since memory is lent to nodes, not to jobs. Load
    sharing lends none: what its jobs need, as they are submitted, is where they are.
    """
    window = selection.window_s(recording)
    nodes = selection.nodes_of(recording)
    if selection.job is not None:
        spans = [span for span in recording.job_spans if span.job == selection.job]
        of_job = {node for span in spans for node in span.nodes}
        nodes = [node for node in nodes if node in of_job]
    if not nodes:
        selection.of(recording)
    matrix = largest_loans_mb(recording, nodes, *window)

    each = bool(selection.nodes) and len(nodes) <= _FEW_NODES
    groups = [[node] for node in nodes] if each else [nodes]
    rows = -(-len(groups) // 2)
    heights = (0.7 + 1.3 * rows if each else 2.9, min(3.5, 1.2 + 0.2 * len(matrix)))
    figure = Figure(figsize=(PAGE_IN, sum(heights)), layout="constrained")
    above, below = figure.subfigures(2, height_ratios=heights)
    _over_time(above, recording, groups, window)
    _who_lends(below, matrix)
    return captioned(figure, recording, selection)


def _over_time(
    figure: SubFigure, recording: Recording, groups: list[list[int]], window: tuple[float, float]
) -> None:
    """One panel per group of nodes, whose memory is summed."""
    nodes = [node for group in groups for node in group]
    ram = recording.constants.ram
    held = memory_of(recording)
    split = held.parts(ram)
    times_s = held.times_ns / NS_PER_S
    # what held before the window holds on into it
    first = max(0, int(np.searchsorted(times_s, window[0], side="right")) - 1)
    last = int(np.searchsorted(times_s, window[1], side="right"))
    steps_s = np.append(times_s[first:last], window[1])
    columns = min(2, len(groups))
    shape = (-(-len(groups) // columns), columns)
    panels = figure.subplots(*shape, sharex=True, sharey=True, squeeze=False).ravel()
    over = split.borrowed + split.asked + split.on_disk
    over_mb = megabytes(max(over[group, first:last].sum(axis=0).max() for group in groups))
    most_mb = megabytes(ram * max(len(group) for group in groups))
    for group, axes in zip(groups, panels, strict=False):
        dress(axes)
        for parts, looks, sign in (
            ((split.own, split.lent, split.idle, split.crashed), _IN_RAM | _LOST, 1),
            ((split.borrowed, split.asked, split.on_disk), _OVER, -1),
        ):
            sums_mb = [megabytes(part[group, first:last].sum(axis=0)) for part in parts]
            axes.stackplot(
                steps_s,
                [sign * np.append(part, part[-1]) for part in sums_mb],
                step="post",
                labels=list(looks),
                colors=list(looks.values()),
                lw=0,
            )
        axes.axhline(megabytes(ram * len(group)), color="black", lw=0.8, ls="--", label="RAM")
        axes.axhline(0, color="black", lw=0.8)
        axes.set_xlim(*window)
        axes.ticklabel_format(axis="x", style="plain", useOffset=False)
        axes.set_ylim(-max(1.1 * over_mb, 0.02 * most_mb), 1.05 * most_mb)
        axes.yaxis.set_major_formatter(lambda mb, _: f"{abs(mb):,.4g}")
        if len(groups) > 1:
            axes.set_title(f"node {group[0]}", size=FONT_SIZE)
    for axes in panels[len(groups) :]:
        axes.set_axis_off()
    for axes in panels[max(0, len(groups) - columns) : len(groups)]:
        axes.set_xlabel("Time (s)")
        axes.tick_params(labelbottom=True)
    figure.supylabel("Over-allocated | in RAM (MB)", size=FONT_SIZE + 1)
    count = len(groups[0])
    whose = "each node" if len(groups) > 1 else f"{count} node{'s' * (count != 1)}"
    figure.suptitle(
        f"{recording.design}: memory of {whose}"
        f"{_worst_time(held, split, nodes, np.maximum(steps_s, window[0]), first)}",
        size=FONT_SIZE + 1,
    )
    handles, labels = panels[0].get_legend_handles_labels()
    for label, part in ((*_LOST, split.crashed), ("asked for", split.asked)):
        if not part[nodes, first:last].any():
            place = labels.index(label)
            del handles[place], labels[place]
    figure.legend(
        handles,
        labels,
        loc="outside lower center",
        ncols=6 if len(labels) <= 6 else 4,
        fontsize=FONT_SIZE,
        frameon=False,
    )


def _worst_time(
    held: MemoryOverTime, split: Parts, nodes: list[int], steps_s: np.ndarray, first: int
) -> str:
    """What was on disk and what was idle in the worst time, for people; empty if nothing was.

    Memory does not change in that time, and on disk were the most MB times s.
    """
    spans_s = np.diff(steps_s)
    on_disk = split.on_disk[nodes, first : first + len(spans_s)]
    worst = int((on_disk.sum(axis=0) * spans_s).argmax())
    of_them = on_disk[:, worst]
    if not of_them.any():
        return ""
    idle = split.idle[:, first + worst]
    unused = (held.own == 0) & (held.crashed == 0)
    return (
        f"\nMost MB·s on disk: for {words.span(spans_s[worst] * NS_PER_S)}, from "
        f"{words.span(steps_s[worst] * NS_PER_S, 6)} on, {megabytes(of_them.sum()):,.1f} MB of "
        f"{np.count_nonzero(of_them)} nodes are on disk,\n"
        f"while {megabytes(idle.sum()):,.1f} MB of the cluster are idle "
        f"({np.count_nonzero(unused[:, first + worst])} nodes run nothing)"
    )


def _who_lends(figure: SubFigure, matrix: pd.DataFrame) -> None:
    """A matrix of lenders and borrowers with the largest loans, as numbers too if there is room."""
    axes = figure.subplots()
    dress(axes)
    if matrix.empty:
        axes.set_axis_off()
        axes.text(0.5, 0.5, "no memory is lent here", size=FONT_SIZE + 1, ha="center")
        return
    matrix = matrix.reindex(index=_places(matrix.index), columns=_places(matrix.columns))
    image = axes.imshow(matrix.to_numpy(), cmap=light_to_dark(), aspect="auto", vmin=0)
    _label(axes, matrix)
    if max(matrix.shape) <= _FEW_LOANS:
        for row, column in zip(*np.nonzero(matrix.notna().to_numpy()), strict=True):
            amount = matrix.iat[row, column]
            dark = amount > 0.45 * image.norm.vmax
            axes.text(
                column,
                row,
                f"{amount:.1f}",
                size=FONT_SIZE,
                ha="center",
                va="center",
                color="white" if dark else "black",
            )
    bar = figure.colorbar(image, ax=axes, pad=0.01)
    bar.set_label("Largest loan (MB)", size=FONT_SIZE + 1)
    bar.ax.tick_params(labelsize=FONT_SIZE)


def _places(nodes: pd.Index) -> Sequence[int]:
    """The nodes of an axis: those given, or all between them if not each can have its number."""
    return list(nodes) if len(nodes) <= _NUMBERED else range(nodes.min(), nodes.max() + 1)


def _label(axes: Axes, matrix: pd.DataFrame) -> None:
    for axis, numbers in ((axes.xaxis, matrix.columns), (axes.yaxis, matrix.index)):
        every = -(-len(numbers) // _NUMBERED)
        axis.set_ticks(range(0, len(numbers), every), [str(number) for number in numbers[::every]])
    axes.set_xlabel("Borrower (node)")
    axes.set_ylabel("Lender (node)")
