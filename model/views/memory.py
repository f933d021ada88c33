"""Whose memory is where over time, and who lends to whom.

RAM is a container that own processes, loans and what is idle fill; that of a crashed node is grey.
What a node has allocated beyond it hangs below: borrowed bytes are others' lent bytes, so the two
are never stacked on each other.
"""

from collections.abc import Sequence

import numpy as np
import pandas as pd
from matplotlib.axes import Axes
from matplotlib.ticker import MaxNLocator

from model.core.journal import words
from model.core.journal.kinds import Submitted
from model.core.journal.over_time import MemoryOverTime, largest_loans, memory
from model.core.journal.past import Parts
from model.ground.errors import InputError
from model.ground.units import BYTES_PER_MB, megabytes
from model.views.levels import window
from model.views.picture import Clock, Picture
from model.views.recording import Recording, Selection
from model.views.style import FONT_SIZE, grey_of, light_to_dark

_LOOKS = (  # names and colors of `Parts`: those in RAM from its bottom to its top
    ("own processes", "#56B4E9"),
    ("lent to others", "#009E73"),
    ("idle", "#EEEEEE"),
    ("node down or absent", grey_of("node", "crashed")),
    # what is over-allocated, from the line downwards
    ("borrowed from others", "#E69F00"),
    ("requested", "#CC79A7"),
    ("on disk", "#D55E00"),
)
_OVER = 4  # from which on they are over-allocated
_FEW_NODES = 8  # up to so many, each selected node has its own panel
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
    recording: Recording, nodes: Sequence[int], window_ns: tuple[int, int]
) -> pd.DataFrame:
    """The most MB that each lender (row) lent each borrower (column) in a window.

    Only of loans by or to these nodes. A loan counts as the borrower sees it: from the grant's
    arrival to the notice that ends it.
    """
    most = largest_loans(recording.records, recording.scenario.nodes, *window_ns)
    wanted = {pair: size for pair, size in most.items() if not {*nodes}.isdisjoint(pair)}
    table = pd.Series(
        [size / BYTES_PER_MB for size in wanted.values()],
        pd.MultiIndex.from_tuples([*wanted], names=["lender", "borrower"]),
        dtype=float,
    )
    return table.unstack("borrower").sort_index().sort_index(axis="columns")


def draw(recording: Recording, selection: Selection) -> Picture:
    """Memory over time (MB), of all nodes together or of a few each; below, who lends to whom.

    Nodes that hold and lend nothing in that time are left out, unless they are selected; the title
    has how much of their memory is idle. Selecting a job selects its nodes and lifetime, since
    memory is lent to nodes, not to jobs. Load sharing lends none: what its jobs need, as they are
    submitted, is where they are.
    """
    clock = Clock(*selection.window_ns(recording))
    nodes = selection.nodes_of(recording)
    if selection.job is not None:
        spans = [span for span in recording.job_spans if span.job == selection.job]
        of_job = {node for span in spans for node in span.nodes}
        nodes = [node for node in nodes if node in of_job]
    if not nodes:
        selection.of(recording)
    held = _Held(recording, nodes, clock.window_ns)
    whole = bool(selection.nodes) or not held.taking_part
    groups = [[node] for node in nodes] if _are_few(selection, nodes) else []
    groups = groups or [nodes if whole else held.taking_part]
    matrix = largest_loans_mb(recording, nodes, clock.window_ns)

    rows = -(-len(groups) // 2)
    heights_in = [1.3] * rows if len(groups) > 1 else [2.5]
    heights_in.append(min(3.5, 0.6 + 0.2 * len(matrix)) if len(matrix) else 0.3)
    picture = Picture(recording, selection)
    grid = picture.grid(heights_in, columns=min(2, len(groups)))
    axes = [picture.add_subplot(grid[divmod(turn, 2)]) for turn in range(len(groups))]
    _over_time(axes, held, groups, clock)
    _who_lends(picture.add_subplot(grid[-1, :]), matrix)
    title = f"{recording.design}: memory of {_whose(groups, len(nodes))}{held.of_the_others}"
    return picture.framed(title + held.worst_time, axes[0].get_legend_handles_labels()[0])


def _are_few(selection: Selection, nodes: list[int]) -> bool:
    return bool(selection.nodes) and len(nodes) <= _FEW_NODES


class _Held:
    """What nodes hold in a window."""

    def __init__(self, recording: Recording, nodes: list[int], window_ns: tuple[int, int]) -> None:
        self.rams, self.nodes = recording.rams, nodes
        held = memory_of(recording)
        here = window(held.times_ns, *window_ns)
        self.steps_ns = np.append(np.maximum(held.times_ns[here], window_ns[0]), window_ns[1])
        self.split = Parts(*(part[:, here] for part in held.parts(self.rams)))
        runs = held.own[:, here] > 0
        self.unused = ~runs & (held.crashed[:, here] == 0)
        takes = runs | (held.lent[:, here] > 0) | (held.borrowed[:, here] > 0)
        self.taking_part = [node for node in nodes if takes[node].any()]

    @property
    def of_the_others(self) -> str:
        """How much of the nodes that take no part is idle throughout, for people."""
        others = [node for node in self.nodes if node not in self.taking_part]
        if not others or not self.taking_part:
            return ""
        in_all = f"{megabytes(self.ram_of(others)):,.0f} MB in total"
        return f"; {len(others)} more ({in_all}) neither use nor lend any"

    def ram_of(self, nodes: list[int]) -> int:
        """The RAM of nodes together, in bytes."""
        return int(self.rams[nodes].sum())

    @property
    def worst_time(self) -> str:
        """What was on disk and idle in the worst time, for people; empty if nothing was on disk.

        Memory does not change in that time, and on disk were the most MB times s.
        """
        spans_ns = np.diff(self.steps_ns)
        on_disk = self.split.on_disk[self.nodes]
        worst = int((on_disk.sum(axis=0) * spans_ns.astype(float)).argmax())  # beyond 2^63
        of_them = on_disk[:, worst]
        if not of_them.any():
            return ""
        idle, unused = self.split.idle[:, worst], self.unused[:, worst]
        return (
            f"\nWorst time (most MB·s on disk): {words.span(spans_ns[worst])} from "
            f"{words.time(int(self.steps_ns[worst]))} on, {megabytes(of_them.sum()):,.1f} MB of "
            f"{words.count(int(np.count_nonzero(of_them)), 'node')} on disk, while "
            f"{megabytes(idle.sum()):,.1f} MB are idle "
            f"({words.count(int(np.count_nonzero(unused)), 'node')} without a job)"
        )


def _whose(groups: list[list[int]], nodes: int) -> str:
    if len(groups) > 1:
        return "each node"
    count = words.count(len(groups[0]), "node")
    return count if len(groups[0]) == nodes else f"the {count} that use any"


def _over_time(panels: list[Axes], held: _Held, groups: list[list[int]], clock: Clock) -> None:
    """One panel per group of nodes, whose memory is summed; what no node ever has is left out."""
    split, steps = held.split, clock.of(held.steps_ns)
    over = split.borrowed + split.asked + split.on_disk
    over_mb = megabytes(max(over[group].sum(axis=0).max() for group in groups))
    most_mb = megabytes(max(map(held.ram_of, groups)))
    there = [part for part, sizes in enumerate(split) if sizes[held.nodes].any()]
    for group, axes in zip(groups, panels, strict=True):
        for sign, parts in (
            (1, [part for part in there if part < _OVER]),
            (-1, [part for part in there if part >= _OVER]),
        ):
            if not parts:
                continue
            sums_mb = [sign * split[part][group].sum(axis=0) / BYTES_PER_MB for part in parts]
            axes.stackplot(
                steps,
                [np.append(of_part, of_part[-1]) for of_part in sums_mb],
                step="post",
                labels=[_LOOKS[part][0] for part in parts],
                colors=[_LOOKS[part][1] for part in parts],
                lw=0,
            )
        axes.axhline(megabytes(held.ram_of(group)), color="black", lw=0.8, ls="--", label="RAM")
        axes.axhline(0, color="black", lw=0.8)
        axes.set_ylim(-max(1.1 * over_mb, 0.02 * most_mb), 1.05 * most_mb)
        axes.yaxis.set_major_formatter(lambda mb, _: f"{abs(mb):,.4g}")
        axes.set_ylabel("Over-allocated | in RAM (MB)" if len(groups) == 1 else f"node {group[0]}")
        clock.label_axis(axes)
    if len(groups) > 1:
        panels[0].set_title("Over-allocated | in RAM (MB)", size=FONT_SIZE, loc="left")
    for axes in panels[: -min(2, len(groups))]:
        axes.set_xlabel("")


def _who_lends(axes: Axes, matrix: pd.DataFrame) -> None:
    """A matrix of lenders and borrowers with the largest loans, as numbers too if there is room."""
    if matrix.empty:
        axes.set_axis_off()
        axes.text(0.5, 0.5, "no memory is lent here", size=FONT_SIZE + 1, ha="center")
        return
    loans = matrix.stack().dropna()
    lenders, borrowers = (range(its.min(), its.max() + 1) for its in (matrix.index, matrix.columns))
    image = axes.imshow(
        matrix.reindex(index=lenders, columns=borrowers).to_numpy(),
        aspect="auto",
        cmap=light_to_dark(),
        vmin=0,
        interpolation="nearest",
        extent=(borrowers[0] - 0.5, borrowers[-1] + 0.5, lenders[-1] + 0.5, lenders[0] - 0.5),
    )
    if max(len(lenders), len(borrowers)) <= _FEW_LOANS:
        for (lender, borrower), amount in loans.items():
            color = "white" if amount > 0.45 * loans.max() else "black"
            text = axes.text(borrower, lender, f"{amount:.1f}", size=FONT_SIZE, color=color)
            text.set(ha="center", va="center")
    axes.set_xlabel("Borrower (node)")
    axes.set_ylabel("Lender (node)")
    for axis in (axes.xaxis, axes.yaxis):
        axis.set_major_locator(MaxNLocator(integer=True, min_n_ticks=1, nbins=16))
    axes.figure.colorbar(image, ax=axes, pad=0.01).set_label("Largest loan (MB)")
