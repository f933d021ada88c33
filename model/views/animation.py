"""The network view in motion: a short film of messages on their way, as a GIF, an MP4 or a WebM.

Every message is where the journal's hops say that it was: on one link at a time, or waiting in a
stack at the station that it has reached. The film's clock is paced by events: each frame is the
middle of a service, and there are as many services between any two frames.
"""

import itertools
from collections.abc import Callable, Hashable, Sequence
from errno import EIO
from pathlib import Path
from subprocess import CalledProcessError
from typing import NamedTuple

import numpy as np
import pandas as pd
from matplotlib.animation import FFMpegWriter, FuncAnimation
from matplotlib.backends.backend_agg import FigureCanvasAgg
from matplotlib.collections import PathCollection
from matplotlib.figure import Figure
from matplotlib.lines import Line2D
from matplotlib.text import Text
from numpy.typing import NDArray
from PIL import Image

from model.core.journal import kinds
from model.ground.errors import InputError
from model.ground.units import seconds
from model.pnr.waste import REFUSED
from model.views import space_time
from model.views.network import Chart, draw_network
from model.views.picture import Picture
from model.views.recording import Recording, Selection
from model.views.style import CROSS, FONT_SIZE, color_of, in_order
from model.views.wiring import Routes

FRAMES = 60
FRAMES_PER_S = 6
_CODECS = {".mp4": "h264", ".webm": "libvpx-vp9"}
_DPI = 100
_HIGHEST_STACK = 6  # dots; the count beside it is how many wait
_STEP = 0.035  # between the dots of a stack, as a share of the picture

Place = NDArray[np.float64]


class Hop(NamedTuple):
    """A message reaches a station, which serves it from start to end."""

    number: int  # of the message, in the table
    station: str
    arrival_ns: int
    start_ns: int
    end_ns: int
    line: tuple[Hashable, ...]  # of vertices: a switch, or both ends of a link or medium

    def place(self, chart: Chart, time_ns: float) -> Place:
        """Where it is while it is served."""
        points = chart.course(self.line)
        times = np.linspace(self.start_ns, max(self.end_ns, self.start_ns + 1), len(points))
        return np.array([np.interp(time_ns, times, points[:, axis]) for axis in (0, 1)])


def writer(suffix: str) -> Callable[[Recording, Selection, Sequence[Path]], None]:
    """A function that writes films; raises InputError if the program for this suffix is missing."""
    if suffix in _CODECS and not FFMpegWriter.isAvailable():
        raise InputError(f"--out: a film as {suffix} needs ffmpeg; install it, or give a .gif")

    def write(recording: Recording, selection: Selection, files: Sequence[Path]) -> None:
        figure, update = animate(recording, selection)
        for file in files:
            if suffix == ".gif":
                _write_gif(figure, update, file)
                continue
            film = FuncAnimation(figure, update, frames=FRAMES)
            ffmpeg = FFMpegWriter(fps=FRAMES_PER_S, codec=_CODECS[suffix])
            try:
                film.save(file, writer=ffmpeg, dpi=_DPI)
            except (BrokenPipeError, CalledProcessError) as error:
                raise OSError(EIO, "ffmpeg could not write it") from error

    return write


def animate(recording: Recording, selection: Selection) -> tuple[Picture, Callable[[int], None]]:
    """A figure, and a function that makes it show a frame.

    A message on a link or in a switch is a dot; messages that wait are a stack of dots with their
    count; links in use are dark. Raises InputError if no message is selected, or if the journal
    does not have the hops of those that are.
    """
    table = messages_on_their_way(recording, selection)
    picture = Picture(recording, selection, width_in=6.0)
    axes = picture.panel(5.2)
    chart = draw_network(axes, recording)
    axes.margins(0.2)  # room for stacks
    hops = _hops(chart, recording, table)
    times_ns = _instants(hops, selection.window_ns(recording))
    # a stack of those that wait goes beyond the network
    dots = axes.scatter([], [], s=22, linewidths=1.2, zorder=5, clip_on=False)
    crosses = axes.scatter([], [], s=40, marker="x", color="black", linewidths=1.6, zorder=6)
    counts: list[Text] = []

    def update(frame: int) -> None:
        now_ns = times_ns[frame]
        served = [hop for hop in hops if hop.start_ns <= now_ns < hop.end_ns]
        waiting = [hop for hop in hops if hop.arrival_ns <= now_ns < hop.start_ns]
        while counts:
            counts.pop().remove()
        stacked, points = _draw_stacks(chart, waiting, counts)
        points = [*(hop.place(chart, now_ns) for hop in served), *points]
        _color(dots, table.iloc[[hop.number for hop in [*served, *stacked]]], points)
        next_ns = times_ns[frame + 1] if frame + 1 < len(times_ns) else np.inf
        lost = table["lost"] & table["delivered_ns"].between(now_ns, next_ns, inclusive="left")
        receivers = table.loc[lost, "peer"]
        crosses.set_offsets(np.array([chart.places[it] for it in receivers]).reshape(-1, 2))
        chart.show_outages([it for it in recording.outages if it.overlaps(now_ns, now_ns)])
        in_use = (way for hop in served for way in itertools.pairwise(hop.line))
        chart.show_traffic(dict.fromkeys(in_use, 1.0))
        axes.set_title(
            f"{recording.design} on {recording.scenario.topology}, squares are managers\n"
            f"{seconds(int(now_ns)):.6f} s: {len(served)} on links or in switches, "
            f"{len(waiting)} in queues",
            size=FONT_SIZE + 1,
            family="monospace",  # so that the digits keep their places
        )

    picture.framed("", _key(table))
    update(0)
    picture.draw_without_rendering()
    picture.set_layout_engine("none")  # else frames would jump
    return picture, update


def _key(table: pd.DataFrame) -> list[Line2D]:
    """The kinds of messages, and what crosses and hollow dots mean, if there are any."""
    handles = [
        Line2D([], [], ls="", marker="o", ms=5, mec=color_of(kind), mfc=_face(kind), label=kind)
        for kind in in_order(table["what"])
    ]
    if table["lost"].any():
        handles.append(Line2D([], [], **CROSS, label="lost"))
    if (table["use"] == REFUSED).any():
        hollow = Line2D([], [], ls="", marker="o", ms=5, mec="black", mfc="white")
        hollow.set_label("hollow: refused")
        handles.append(hollow)
    return handles


def _draw_stacks(
    chart: Chart, waiting: list[Hop], counts: list[Text]
) -> tuple[list[Hop], list[Place]]:
    """Write above each stack how many wait; returns which of them have a dot, and where."""
    everywhere = np.array(list(chart.places.values()))
    middle, size = everywhere.mean(axis=0), np.ptp(everywhere, axis=0).max()
    shown: list[Hop] = []
    points: list[Place] = []
    for stack in _stacks(waiting).values():
        foot = np.array(chart.places[stack[0].line[0]])
        outwards = foot - middle
        away = np.hypot(*outwards)
        step = _STEP * size * (outwards / away if away > 1e-6 else np.array([0.0, 1.0]))
        for height, hop in enumerate(stack[:_HIGHEST_STACK], start=1):
            points.append(foot + height * step)
            shown.append(hop)
        top = foot + (min(len(stack), _HIGHEST_STACK) + 1) * step
        text = chart.axes.text(top[0], top[1], f"{len(stack)} wait", size=FONT_SIZE, zorder=7)
        text.set(ha="center", va="center")
        counts.append(text)
    return shown, points


def _color(dots: PathCollection, messages: pd.DataFrame, points: list[Place]) -> None:
    """Put the dots of these messages at these points."""
    looks = [*zip(messages["what"], messages["use"], strict=True)]
    dots.set_offsets(np.array(points).reshape(-1, 2))
    dots.set_edgecolor([color_of(*look) for look in looks])
    dots.set_facecolor([_face(*look) for look in looks])


def messages_on_their_way(recording: Recording, selection: Selection) -> pd.DataFrame:
    """The selected messages that the network delivers, as `space_time.messages`, by their ids."""
    table = space_time.messages(recording, selection).dropna(subset="delivered_ns")
    if table.empty:
        raise InputError(
            f"no message is selected in the journal of {recording.design}, so nothing moves; "
            "choose another job, window or nodes"
        )
    return table.assign(lost=table["lost"].astype(bool)).reset_index(drop=True)


def _hops(chart: Chart, recording: Recording, table: pd.DataFrame) -> list[Hop]:
    """The hops of the messages in the order of arrival; raises InputError if there are none."""
    numbers = {it: number for number, it in enumerate(table["id"])}
    found = [kinds.Hop.of(it) for it in recording.each(kinds.Hop) if it.id in numbers]
    if not found:
        raise InputError(
            f"the journal of {recording.design} has no hops of these messages; write it with "
            "--journal-level all"
        )
    routes = Routes(chart.graph, recording.scenario)
    hops = []
    for hop in found:
        line = routes.lines(hop.node, hop.peer)[hop.station]
        times_ns = hop.time_ns, hop.start_ns, hop.end_ns
        hops.append(Hop(numbers[hop.id], hop.station, *times_ns, tuple(line)))
    return hops


def _instants(hops: list[Hop], window_ns: tuple[int, int]) -> list[float]:
    """The times of the frames, in ns: middles of services, evenly spaced in their order."""
    middles = sorted({(hop.start_ns + hop.end_ns) / 2 for hop in hops})
    within = [it for it in middles if window_ns[0] <= it < window_ns[1]] or middles
    return [within[round(at)] for at in np.linspace(0, len(within) - 1, FRAMES)]


def _stacks(waiting: list[Hop]) -> dict[str, list[Hop]]:
    """Those that wait at each station, in the order in which they will be served."""
    stacks: dict[str, list[Hop]] = {}
    for hop in sorted(waiting, key=lambda hop: hop.start_ns):
        stacks.setdefault(hop.station, []).append(hop)
    return stacks


def _face(kind: str, use: str | None = None) -> str:
    """Hollow if it is refused."""
    return "white" if use == REFUSED else color_of(kind, use)


def _write_gif(figure: Figure, update: Callable[[int], None], file: Path) -> None:
    """Write all frames with one palette, so that a color means the same throughout.

    It has the colors that cover the most: a few dots mean more than all shades of grey.
    """
    canvas = FigureCanvasAgg(figure)
    figure.set_dpi(_DPI)
    frames = []
    for number in range(FRAMES):
        update(number)
        canvas.draw()
        frames.append(np.asarray(canvas.buffer_rgba())[..., :3].copy())
    palette = Image.fromarray(np.concatenate(frames)).quantize(method=Image.Quantize.MAXCOVERAGE)
    plain = Image.Dither.NONE
    first, *others = (Image.fromarray(it).quantize(palette=palette, dither=plain) for it in frames)
    shown_ms = round(1000 / FRAMES_PER_S)
    first.save(file, save_all=True, append_images=others, duration=shown_ms, loop=0)
