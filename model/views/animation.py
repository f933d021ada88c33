"""The network view in motion: a short film of messages on their way, as a GIF or an MP4."""

from collections.abc import Callable, Sequence
from errno import EIO
from pathlib import Path
from subprocess import CalledProcessError

import numpy as np
import pandas as pd
from matplotlib.animation import FFMpegWriter, FuncAnimation, PillowWriter
from matplotlib.cm import ScalarMappable
from matplotlib.colors import Normalize, to_rgb
from matplotlib.figure import Figure
from matplotlib.lines import Line2D
from numpy.typing import NDArray

from model.ground.errors import InputError
from model.ground.units import seconds
from model.views import space_time
from model.views.caption import captioned
from model.views.network import Chart, Routes, draw_network, traffic_mb
from model.views.outages import CROSS, outages
from model.views.recording import Recording, Selection
from model.views.style import ANSWERS, FONT_SIZE, LIGHT_TO_DARK, color_of, in_order, page
from model.views.traffic import window

FRAMES = 60
FRAMES_PER_S = 6
MOST_DOTS = 1000  # in a frame
_DPI = 100
_WRITERS = {".gif": PillowWriter, ".mp4": FFMpegWriter}


def writer(suffix: str) -> Callable[[Recording, Selection, Sequence[Path]], None]:
    """A function that writes films; raises InputError if the program for this suffix is missing."""
    if suffix == ".mp4" and not FFMpegWriter.isAvailable():
        raise InputError("--out: an MP4 needs ffmpeg; install it, or give a .gif")

    def write(recording: Recording, selection: Selection, files: Sequence[Path]) -> None:
        figure, update = animate(recording, selection)
        film = FuncAnimation(figure, update, frames=FRAMES)
        for file in files:
            try:
                film.save(file, writer=_WRITERS[suffix](fps=FRAMES_PER_S), dpi=_DPI)
            except (BrokenPipeError, CalledProcessError) as error:
                raise OSError(EIO, "ffmpeg could not write it") from error

    return write


def animate(recording: Recording, selection: Selection) -> tuple[Figure, Callable[[int], None]]:
    """A figure, and a function that makes it show a frame: the messages on their way in a slice.

    The selected time has `FRAMES` slices of equal length. Each message is a dot where it is halfway
    through the slice, or as close to that time as it is on its way; links are as dark as the bytes
    on their way over them. Raises InputError if no message is selected.
    """
    table = messages_on_their_way(recording, selection)
    edges_ns = np.linspace(*window(recording, selection), FRAMES + 1)
    figure, axes = page(5.6, 6.0)
    chart = draw_network(axes, recording)
    flights = _Flights(chart, table)
    down = outages(recording.records)
    slices = [flights.during(*edges_ns[frame : frame + 2]) for frame in range(FRAMES)]
    carried = [traffic_mb(chart.graph, table.iloc[here].assign(kind="sent")) for here in slices]
    most = max((amount for links in carried for amount in links.values()), default=1.0)

    bar = figure.colorbar(
        ScalarMappable(Normalize(0, most * 1024), LIGHT_TO_DARK), ax=axes, shrink=0.5
    )
    bar.set_label("On its way over the link (KB)", size=FONT_SIZE + 1)
    bar.ax.tick_params(labelsize=FONT_SIZE)
    handles = [
        Line2D([], [], ls="", marker="o", ms=5, mec=color_of(kind), mfc=_face(kind), label=kind)
        for kind in in_order(table["what"])
    ]
    if table["lost"].any():
        handles.append(Line2D([], [], **CROSS, label="lost"))
    figure.legend(
        handles=handles, loc="outside lower center", ncols=4, fontsize=FONT_SIZE, frameon=False
    )
    dots = axes.scatter([], [], s=22, linewidths=1.2, zorder=5)
    crosses = axes.scatter([], [], s=40, marker="x", color="black", linewidths=1.6, zorder=6)
    slice_ns = edges_ns[1] - edges_ns[0]

    def update(frame: int) -> None:
        start_ns, end_ns = edges_ns[frame : frame + 2]
        here = slices[frame][:: -(-len(slices[frame]) // MOST_DOTS) or 1]
        kinds = table["what"].iloc[here]
        chart.show_outages([it for it in down if it.overlaps(start_ns, end_ns)])
        lost = [number for number in slices[frame] if flights.is_lost_during(number, end_ns)]
        crosses.set_offsets(flights.places(lost, end_ns))
        dots.set_offsets(flights.places(here, (start_ns + end_ns) / 2))
        dots.set_edgecolors([to_rgb(color_of(kind)) for kind in kinds])
        dots.set_facecolors([to_rgb(_face(kind)) for kind in kinds])
        chart.show_traffic(carried[frame], most)
        some = f", {len(here)} drawn" if len(here) < len(slices[frame]) else ""
        axes.set_title(
            f"{recording.design} on {recording.scenario.topology}, squares manage\n"
            f"{seconds(start_ns):.6f} s + {slice_ns / 1000:,.4g} µs: "
            f"{len(slices[frame])} messages{some}",
            size=FONT_SIZE + 1,
            family="monospace",  # so that the digits keep their places
        )

    captioned(figure, recording, selection)
    update(0)
    figure.draw_without_rendering()
    figure.set_layout_engine("none")  # frozen: frames would otherwise jump
    return figure, update


def messages_on_their_way(recording: Recording, selection: Selection) -> pd.DataFrame:
    """The selected messages that the network delivers, as `space_time.messages`, numbered."""
    table = space_time.messages(recording, selection)
    table = table[table["node"] != table["peer"]].dropna(subset="delivered_ns")
    if table.empty:
        raise InputError(
            f"no message is selected in the journal of {recording.design}, so nothing moves; "
            "choose another job, window or nodes"
        )
    return table.reset_index(drop=True)


class _Flights:
    """Where messages are at a time, if each link of their way takes the same time."""

    def __init__(self, chart: Chart, table: pd.DataFrame) -> None:
        routes = Routes(chart.graph)
        ends = list(zip(table["node"], table["peer"], strict=True))
        self._ways = {
            pair: np.array([chart.places[vertex] for vertex in routes.between(*pair)])
            for pair in dict.fromkeys(ends)
        }
        self._ends = ends
        self._sent_ns = table["sent_ns"].to_numpy(float)
        self._delivered_ns = table["delivered_ns"].to_numpy(float)
        self._lost = table["lost"].to_numpy(bool)

    def during(self, start_ns: float, end_ns: float) -> NDArray[np.int64]:
        """The numbers of the messages that are on their way at some time in a slice."""
        return np.flatnonzero((self._sent_ns < end_ns) & (self._delivered_ns >= start_ns))

    def is_lost_during(self, number: int, end_ns: float) -> bool:
        """Whether a message that is on its way in a slice is lost before the slice's end."""
        return bool(self._lost[number]) and self._delivered_ns[number] < end_ns

    def places(
        self, numbers: Sequence[int] | NDArray[np.int64], time_ns: float
    ) -> NDArray[np.float64]:
        """Where these messages are at a time, or at the closest time at which they are moving."""
        points = np.empty((len(numbers), 2))
        for row, number in enumerate(numbers):
            way = self._ways[self._ends[number]]
            sent_ns, delivered_ns = self._sent_ns[number], self._delivered_ns[number]
            legs = np.linspace(sent_ns, max(delivered_ns, sent_ns + 1), len(way))
            points[row] = [np.interp(time_ns, legs, way[:, axis]) for axis in (0, 1)]
        return points


def _face(kind: str) -> str:
    return "white" if kind in ANSWERS else color_of(kind)
