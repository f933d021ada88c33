"""The network in motion: where dots are by hand; films read by programs that are not ours."""

import json
import shutil
import subprocess

import numpy as np
import pytest
from PIL import Image

from model.ground.errors import InputError
from model.pnr.scenario import make_scenario
from model.views import animation
from model.views.animation import FRAMES, animate, writer
from model.views.network import draw_network
from model.views.recording import Selection, record
from model.views.style import page

JOB = {"processes": 2, "memory_mb": 40, "demand_s": 0.005, "number": 7}
# tests/model/views/test_flow.py: node 1's RamRequest is on its way from 0 to 100,580 ns, node 0's
# ServerRequest to node 2 until 201,160 ns, its answer until 301,740 ns, the grant until 404,880 ns
START = Selection(to_s=0.0004)


@pytest.fixture(scope="module")
def made():
    scenario = make_scenario(job=[JOB], nodes=3, minimum_demand_s=0.001, page_bytes=2**29)
    return record(scenario, "CEN", "protocol")


def at(film, frame):
    """The title, and where the dots are, of a frame."""
    figure, update = film
    update(frame)
    axes = figure.axes[0]
    return axes.get_title(), np.array(axes.collections[-2].get_offsets())  # the last are crosses


def test_a_dot_is_where_its_message_is(made):
    film = animate(made, START)
    _, places = page(5)
    where = draw_network(places, made).places
    # 60 slices of 400,000 ns / 60; in slice 3, around 23,333 ns, the request of node 1 alone
    title, dots = at(film, 3)
    assert title.endswith("0.000020 s + 6.667 µs: 1 messages")
    share = 23_333 / 50_290  # of its first link: it takes half of its time for each of the two
    expected = (1 - share) * np.array(where[1]) + share * np.array(where["switch"])
    assert dots == pytest.approx(np.array([expected]), abs=1e-3)
    # slice 37, around 250,000 ns: node 2's answer, close to the switch
    _, dots = at(film, 37)
    share = (250_000 - 201_160) / 50_290
    assert dots == pytest.approx(np.array([(1 - share) * where[2]]), abs=1e-3)


def test_links_are_dark_where_something_is_on_its_way(made):
    film = animate(made, START)
    axes = film[0].axes[0]
    at(film, 3)
    # links 0, 1, 2 to the switch: node 1's request to node 0 takes two
    widths = axes.collections[0].get_linewidths()
    assert widths[0] == widths[1] > widths[2]
    at(film, 37)
    widths = axes.collections[0].get_linewidths()
    assert widths[0] == widths[2] > widths[1]


def test_the_legend_names_the_kinds_that_are_there_and_answers_are_hollow(made):
    (legend,) = animate(made, START)[0].legends
    faces = {
        text.get_text(): handle.get_markerfacecolor()
        for text, handle in zip(legend.get_texts(), legend.legend_handles, strict=True)
    }
    assert set(faces) == {"RamRequest", "ServerRequest", "ServerReply", "RamGrant"}
    assert [kind for kind, face in faces.items() if face == "white"] == ["ServerReply"]


def test_many_messages_are_thinned_and_the_title_says_so(monkeypatch):
    # 39 workers tell the master at 1 s that they are at the barrier; each takes over 5,120 ns
    job = {"processes": 40, "memory_mb": 1, "demand_s": 2}
    crowd = record(make_scenario(job=[job], nodes=40), "DP", "all")
    window = Selection(from_s=1, to_s=1.000001)
    title, dots = at(animate(crowd, window), 5)
    assert title.endswith(": 39 messages")
    assert len(dots) == 39
    monkeypatch.setattr(animation, "MOST_DOTS", 10)
    title, dots = at(animate(crowd, window), 5)
    assert title.endswith(": 39 messages, 10 drawn")  # every fourth
    assert len(dots) == 10


@pytest.mark.parametrize("topology", ["bus", "connected", "fat-tree"])
def test_other_networks_move_too(topology):
    scenario = make_scenario(job=[JOB], nodes=4, topology=topology, minimum_demand_s=0.001)
    film = animate(record(scenario, "MAN", "protocol"), Selection(to_s=0.0004))
    assert any(len(at(film, frame)[1]) for frame in range(FRAMES))


@pytest.fixture
def short(monkeypatch):
    """A film of few frames: they are slow to draw."""
    monkeypatch.setattr(animation, "FRAMES", 8)


@pytest.mark.usefixtures("short")
def test_a_gif_has_a_frame_a_slice_and_moves(made, tmp_path):
    writer(".gif")(made, START, [tmp_path / "a.gif"])
    with Image.open(tmp_path / "a.gif") as film:
        assert film.is_animated
        frames = []
        for number in range(film.n_frames):
            film.seek(number)
            frames.append(np.asarray(film.convert("RGB"), int))
            assert film.info["duration"] > 0
    assert 1 < len(frames) <= 8
    assert any((frames[0] != frame).any() for frame in frames[1:])


@pytest.mark.usefixtures("short")
@pytest.mark.skipif(
    not (shutil.which("ffmpeg") and shutil.which("ffprobe")),
    reason="an MP4 is written by ffmpeg and read again by ffprobe, which are not here",
)
def test_an_mp4_has_a_frame_a_slice(made, tmp_path):
    writer(".mp4")(made, START, [tmp_path / "a.mp4"])
    words = ["ffprobe", "-v", "error", "-count_frames", "-show_streams", "-of", "json", "a.mp4"]
    says = subprocess.run(words, cwd=tmp_path, capture_output=True, check=True)
    (stream,) = json.loads(says.stdout)["streams"]
    assert stream["codec_type"] == "video"
    assert int(stream["nb_read_frames"]) == 8


def test_without_ffmpeg_an_mp4_is_refused(monkeypatch):
    monkeypatch.setenv("PATH", "")
    with pytest.raises(InputError, match=r"an MP4 needs ffmpeg; install it, or give a \.gif"):
        writer(".mp4")


def test_without_a_message_it_says_so():
    scenario = make_scenario(job=[{"processes": 1, "memory_mb": 4, "demand_s": 1}], nodes=2)
    with pytest.raises(InputError, match="no message is selected in the journal of DP"):
        animate(record(scenario, "DP"), Selection())
