"""Whose memory is where over time, and who lends to whom.

RAM is a container that own processes, loans and what is idle fill; that of a crashed node is grey.
What a node has allocated beyond it hangs below: borrowed bytes are others' lent bytes, so the two
are never stacked on each other.
"""

import json
from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
import pandas as pd
from matplotlib.axes import Axes
from matplotlib.figure import Figure, SubFigure

from model.ground.errors import InputError
from model.ground.units import BYTES_PER_MB, NS_PER_S, megabytes
from model.views.caption import captioned
from model.views.outages import grey_of, outages
from model.views.recording import Recording, Selection
from model.views.residence import residences
from model.views.spans import in_words
from model.views.style import FONT_SIZE, PAGE_IN, dress, light_to_dark

_LOANS = {  # kind of a loan's record -> what it changes, and how
    "lent": ("lent", 1),
    "returned": ("lent", -1),
    "borrowed": ("borrowed", 1),
    "given back": ("borrowed", -1),
}
_IN_RAM = {  # from the bottom to the top; together they are the RAM
    "own processes": "#56B4E9",
    "lent to others": "#009E73",
    "idle": "#EEEEEE",
}
_LOST = {"of a crashed node": grey_of("node", "crashed")}
_OVER = {  # what is over-allocated: from the line downwards
    "borrowed from others": "#E69F00",
    "on disk": "#D55E00",
}
_FEW_NODES = 8  # up to so many, each selected node has its own panel
_NUMBERED = 32  # up to so many lenders or borrowers, each has its number beside the matrix
_FEW_LOANS = 16  # up to so many lenders or borrowers, numbers are written into the matrix


@dataclass(frozen=True)
class Ledger:
    """Memory in bytes by node (row) and time (column); each column holds until the next time."""

    times_ns: np.ndarray
    processes: np.ndarray
    lent: np.ndarray
    borrowed: np.ndarray
    down: np.ndarray  # whether the node has crashed, so that its RAM is of no use

    def in_ram(self, ram: int) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
        """What is in each node's RAM, in bytes: of its own processes, lent to others, idle."""
        own = self.processes - self.over(ram)
        return own, self.lent, np.where(self.down, 0, ram - own - self.lent)

    def lost(self, ram: int) -> np.ndarray:
        """The RAM of crashed nodes, which is not idle, in bytes."""
        return ram - sum(self.in_ram(ram))

    def over(self, ram: int) -> np.ndarray:
        """What each node has allocated beyond its RAM."""
        return np.maximum(0, self.processes + self.lent - ram)

    def over_parts(self, ram: int) -> tuple[np.ndarray, np.ndarray]:
        """Where that is: borrowed from others, on disk; in bytes."""
        over = self.over(ram)
        borrowed = np.minimum(over, self.borrowed)
        return borrowed, over - borrowed


def ledger(records: pd.DataFrame, nodes: int) -> Ledger:
    """The memory of all nodes after each time at which any of it changes."""
    rows: list[tuple[int, int, str, int]] = []  # ns, node, what changes, by how much
    sizes: dict[int, dict[int, int]] = {}  # job -> node -> memory of its process there
    kinds = ("placed", "resized", "departed", "arrived", "finished", "killed", *_LOANS)
    for row in records[records["kind"].isin(kinds)].itertuples():
        time_ns = int(row.time_ns)
        if row.kind == "placed":
            places = json.loads(row.payload)["nodes"]
            sizes[row.job] = dict.fromkeys(places, int(row.amount_bytes))
            rows += [(time_ns, node, "processes", size) for node, size in sizes[row.job].items()]
        elif row.kind == "resized":
            change = int(row.amount_bytes) - sizes[row.job][row.node]
            sizes[row.job][row.node] += change
            rows.append((time_ns, int(row.node), "processes", change))
        elif row.kind == "departed":  # both nodes hold it until it has arrived
            sizes[row.job][row.peer] = int(row.amount_bytes)
            rows.append((time_ns, int(row.peer), "processes", int(row.amount_bytes)))
        elif row.kind == "arrived":
            rows.append((time_ns, int(row.peer), "processes", -sizes[row.job].pop(row.peer)))
        elif row.kind == "finished":
            rows.append((time_ns, int(row.node), "processes", -sizes[row.job].pop(row.node)))
        elif row.kind == "killed":
            left = sizes.pop(row.job)
            rows += [(time_ns, node, "processes", -size) for node, size in left.items()]
        else:
            what, sign = _LOANS[row.kind]
            rows.append((time_ns, int(row.node), what, sign * int(row.amount_bytes)))
    table = pd.DataFrame(rows, columns=["time_ns", "node", "what", "amount"])
    crashes = [it for it in outages(records) if it.what == "node"]
    ends_ns = [ns for it in crashes for ns in (it.start_ns, it.end_ns)]
    times_ns = np.unique(np.append(table["time_ns"].to_numpy(np.int64), [0, *ends_ns]))
    down = np.zeros((nodes, len(times_ns)), dtype=bool)
    for it in crashes:
        first, last = np.searchsorted(times_ns, [it.start_ns, it.end_ns])
        down[it.node, first:last] = True

    def level(what: str) -> np.ndarray:
        part = table[table["what"] == what]
        steps = np.zeros((nodes, len(times_ns)), dtype=np.int64)
        column = np.searchsorted(times_ns, part["time_ns"].to_numpy(np.int64))
        np.add.at(steps, (part["node"].to_numpy(int), column), part["amount"].to_numpy(np.int64))
        return steps.cumsum(axis=1)

    return Ledger(times_ns, level("processes"), level("lent"), level("borrowed"), down)


def ledger_of(recording: Recording) -> Ledger:
    """The memory of all nodes of a run, whether it lends memory or shares load.

    Raises InputError if a journal of load sharing does not say what jobs need.
    """
    records, nodes = recording.records, recording.scenario.nodes
    if recording.scenario.lends_memory:
        return ledger(records, nodes)
    submitted = records[records["kind"] == "submitted"]
    if submitted["amount_bytes"].isna().any():
        raise InputError(
            f"--kind memory: the journal of {recording.design} does not say how much memory jobs "
            "need; take another view"
        )
    needs = dict(zip(submitted["job"], submitted["amount_bytes"], strict=True))
    stays = residences(records)
    times_ns = np.unique([0, *(it.start_ns for it in stays), *(it.end_ns for it in stays)])
    steps = np.zeros((nodes, len(times_ns)), dtype=np.int64)
    for it in stays:
        first, last = np.searchsorted(times_ns, [it.start_ns, it.end_ns])
        steps[it.node, first:last] += int(needs[it.job])
    nothing = np.zeros_like(steps)
    return Ledger(times_ns, steps, lent=nothing, borrowed=nothing, down=nothing.astype(bool))


def largest_loans_mb(
    records: pd.DataFrame, first_s: float = 0, last_s: float = float("inf")
) -> pd.DataFrame:
    """The most MB that each lender (row) lent each borrower (column) between first and last.

    A loan counts as the borrower sees it: from the grant's arrival to the notice that ends it.
    """
    loans = records[records["kind"].isin(("borrowed", "given back"))]
    signs = np.where(loans["kind"] == "borrowed", 1, -1)
    loans = pd.DataFrame(
        {
            "time_s": loans["time_ns"].to_numpy(float) / NS_PER_S,
            "lender": loans["peer"].to_numpy(int),
            "borrower": loans["node"].to_numpy(int),
            "amount": signs * loans["amount_bytes"].to_numpy(np.int64),
        }
    )
    pair = ["lender", "borrower"]
    loans["held"] = loans.groupby(pair)["amount"].cumsum()
    before = loans[loans["time_s"] < first_s].groupby(pair).tail(1)
    within = loans[loans["time_s"].between(first_s, last_s)]
    most = pd.concat([before, within]).groupby(pair)["held"].max()
    matrix = (most[most > 0] / BYTES_PER_MB).unstack("borrower")
    return matrix.sort_index().sort_index(axis="columns")


def draw(recording: Recording, selection: Selection) -> Figure:
    """Memory over time (MB), of all nodes together or of a few each; below, who lends to whom.

    Selecting a job selects its nodes and lifetime, since memory is lent to nodes, not to jobs. Load
    sharing lends none: what its jobs need, as they are submitted, is where they are.
    """
    records = recording.records
    window = selection.window_s(recording)
    nodes = selection.nodes_of(recording)
    if selection.job is not None:
        placed = records[(records["kind"] == "placed") & (records["job"] == selection.job)]
        its = {node for payload in placed["payload"] for node in json.loads(payload)["nodes"]}
        departed = (records["kind"] == "departed") & (records["job"] == selection.job)
        its |= {*records.loc[departed, "peer"]}
        nodes = [node for node in nodes if node in its]
    if not nodes:
        selection.of(recording)
    loans = records[records["node"].isin(nodes) | records["peer"].isin(nodes)]
    matrix = largest_loans_mb(loans, *window)

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
    book = ledger_of(recording)
    times_s = book.times_ns / NS_PER_S
    # what held before the window holds on into it
    first = max(0, int(np.searchsorted(times_s, window[0], side="right")) - 1)
    last = int(np.searchsorted(times_s, window[1], side="right"))
    steps_s = np.append(times_s[first:last], window[1])
    columns = min(2, len(groups))
    shape = (-(-len(groups) // columns), columns)
    panels = figure.subplots(*shape, sharex=True, sharey=True, squeeze=False).ravel()
    over_mb = megabytes(
        max(book.over(ram)[group, first:last].sum(axis=0).max() for group in groups)
    )
    most_mb = megabytes(ram * max(len(group) for group in groups))
    for group, axes in zip(groups, panels, strict=False):
        dress(axes)
        for parts, looks, sign in (
            ((*book.in_ram(ram), book.lost(ram)), _IN_RAM | _LOST, 1),
            (book.over_parts(ram), _OVER, -1),
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
        f"{_worst_time(book, ram, nodes, np.maximum(steps_s, window[0]), first)}",
        size=FONT_SIZE + 1,
    )
    handles, labels = panels[0].get_legend_handles_labels()
    if not book.down[nodes, first:last].any():
        place = labels.index(*_LOST)
        del handles[place], labels[place]
    figure.legend(
        handles,
        labels,
        loc="outside lower center",
        ncols=6 if len(labels) <= 6 else 4,
        fontsize=FONT_SIZE,
        frameon=False,
    )


def _worst_time(book: Ledger, ram: int, nodes: list[int], steps_s: np.ndarray, first: int) -> str:
    """What was on disk and what was idle in the worst time, for people; empty if nothing was.

    Memory does not change in that time, and on disk were the most MB times s.
    """
    spans_s = np.diff(steps_s)
    on_disk = book.over_parts(ram)[1][nodes, first : first + len(spans_s)]
    worst = int((on_disk.sum(axis=0) * spans_s).argmax())
    of_them = on_disk[:, worst]
    if not of_them.any():
        return ""
    idle = book.in_ram(ram)[2][:, first + worst]
    unused = (book.processes == 0) & ~book.down
    return (
        f"\n{in_words(steps_s[worst] * NS_PER_S, 6)} to "
        f"{in_words(steps_s[worst + 1] * NS_PER_S, 6)}: "
        f"{megabytes(of_them.sum()):,.1f} MB of {np.count_nonzero(of_them)} nodes are on disk, "
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
