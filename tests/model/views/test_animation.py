"""The network in motion: where dots are by hand; films read by programs that are not ours."""

import json
import shutil
import subprocess

import numpy as np
import pytest
from pandas.testing import assert_frame_equal
from PIL import Image

from model.ground.errors import InputError
from model.pnr.scenario import make_scenario
from model.views import animation
from model.views.animation import FRAMES, animate, writer
from model.views.caption import caption
from model.views.network import draw_network
from model.views.picture import Picture
from model.views.recording import Selection, record

JOB = {"processes": 2, "memory_mb": 40, "demand_s": 0.005, "number": 7}
# tests/model/views/test_flow.py: node 1's RamRequest is on its way from 0 to 100,580 ns, node 0's
# ServerRequest to node 2 until 201,160 ns, its answer until 301,740 ns, the grant until 404,880 ns
START = Selection(to_s=0.0004)


@pytest.fixture(scope="module")
def made():
    scenario = make_scenario(job=[JOB], nodes=3, minimum_demand_s=0.001, page_bytes=2**29)
    return record(scenario, "CEN")


def at(film, frame):
    """The title, where the dots are, and the texts beside stacks, of a frame."""
    figure, update = film
    update(frame)
    axes = figure.axes[0]
    dots, _ = axes.collections[-2:]
    texts = [text.get_text() for text in axes.texts if text.get_text().endswith(" wait")]
    return axes.get_title(), np.array(dots.get_offsets()), texts


def now_ns(title):
    return round(float(title.split("\n")[1].split(" s: ")[0]) * 10**9, -3)


def test_a_dot_is_where_its_message_is(made):
    film = animate(made, START)
    where = draw_network(Picture(made, START).panel(5), made).places
    # node 1's request of 128 B: on its link until 10,240 ns, at the switch at 10,290 ns, and in it
    # until 90,290 ns; frames are the middles of these services
    seen = {}
    for frame in range(FRAMES):
        title, dots, _ = at(film, frame)
        assert "1 on links or in switches, 0 in queues" in title
        seen.setdefault(now_ns(title), dots)
    first, second, third = list(seen.items())[:3]
    assert [time_ns for time_ns, _ in (first, second, third)] == [5_000, 50_000, 95_000]
    up = (np.array(where[1]) + where["switch"]) / 2
    down = (np.array(where["switch"]) + where[0]) / 2
    assert first[1] == pytest.approx(np.array([up]))
    assert second[1] == pytest.approx(np.array([where["switch"]]))
    assert third[1] == pytest.approx(np.array([down]))


def test_a_film_needs_hops_and_says_so():
    scenario = make_scenario(job=[JOB], nodes=3, minimum_demand_s=0.001, page_bytes=2**29)
    with pytest.raises(InputError, match=r"has no hops .* write it with --journal-level all"):
        animate(record(scenario, "CEN", "protocol"), START)


def test_hops_may_be_kept_of_a_window_only(made):
    scenario = made.scenario
    some = record(scenario, "CEN", hops_of=Selection(to_s=0.0001))
    hops, whole = (it.records[it.records["kind"] == "hop"] for it in (some, made))
    assert hops["time_ns"].tolist() == [t for t in whole["time_ns"] if t < 100_000]
    sent, all_sent = (it.records[it.records["kind"] == "sent"] for it in (some, made))
    assert (sent["phase"] == "start").sum() == (all_sent["phase"] == "start").sum()


@pytest.mark.parametrize("level", ["all", "protocol"])
def test_a_run_for_a_window_stops_when_what_was_sent_in_it_has_arrived(level):
    """Until then, its records are those of the whole run, ids and all."""
    scenario = make_scenario(
        nodes=5,
        minimum_demand_s=0.001,
        page_bytes=2**18,
        job=[{"processes": 3, "memory_mb": 40, "demand_s": 0.5, "submit_s": it} for it in (0, 70)],
    )
    window = Selection(from_s=70, to_s=70.001)
    whole = record(scenario, "MAN", level, hops_of=window).records
    made = record(scenario, "MAN", level, hops_of=window, stop=True)
    assert made.stopped
    assert len(made.records) < len(whole)
    both = (it.astype({"station": "string"}) for it in (made.records, whole[: len(made.records)]))
    assert_frame_equal(*both, check_dtype=False)
    sent = whole[(whole["kind"] == "sent") & (whole["time_ns"] < 70_001_000_000)]["id"]
    ended = made.records[made.records["kind"].isin(["delivered", "lost"])]["id"]
    assert {*sent} <= {*ended}
    assert not any(span.lasts for span in made.job_spans)
    assert "outdated" not in made.use_of.values()
    assert "the run was stopped then" in caption(made, window)


def test_those_that_wait_are_a_stack_with_their_number():
    # 39 workers tell the master at 1 s that they are at the barrier: each is on its own link for
    # 5,120 ns; then the switch takes one after another, for 80,000 ns each
    job = {"processes": 40, "memory_mb": 1, "demand_s": 2}
    crowd = record(make_scenario(job=[job], nodes=40), "DP", "all")
    film = animate(crowd, Selection(from_s=1, to_s=1.001))
    title, dots, texts = at(film, 0)
    assert title.endswith("1.000003 s: 39 on links or in switches, 0 in queues")
    assert (len(dots), texts) == (39, [])
    frames = (at(film, frame) for frame in range(FRAMES))
    title, dots, texts = next(it for it in frames if "1.000045 s" in it[0])
    assert title.endswith(" 1 on links or in switches, 38 in queues")
    assert texts == ["38 wait"]
    assert len(dots) == 1 + 6  # no stack is higher


@pytest.mark.parametrize(
    ("topology", "duplex"), [("bus", "half"), ("connected", "full"), ("fat-tree", "half")]
)
def test_other_networks_move_too(topology, duplex, monkeypatch):
    monkeypatch.setattr(animation, "FRAMES", 12)
    given = {"job": [JOB], "nodes": 4, "topology": topology, "duplex": duplex}
    made = record(make_scenario(**given, minimum_demand_s=0.001, page_bytes=2**29), "MAN")
    film = animate(made, Selection(to_s=0.0004))
    assert all(len(at(film, frame)[1]) for frame in range(12))


@pytest.fixture(scope="module")
def gif(made, tmp_path_factory):
    """A film of few frames: they are slow to draw."""
    file = tmp_path_factory.mktemp("film") / "a.gif"
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(animation, "FRAMES", 8)
        writer(".gif")(made, START, [file])
    return file


def test_a_gif_has_a_frame_a_slice_and_moves(gif):
    with Image.open(gif) as film:
        assert film.is_animated
        frames = []
        for number in range(film.n_frames):
            film.seek(number)
            frames.append(np.asarray(film.convert("RGB"), int))
            assert film.info["duration"] > 0
    assert 1 < len(frames) <= 8
    assert any((frames[0] != frame).any() for frame in frames[1:])


@pytest.mark.skipif(
    not (shutil.which("ffmpeg") and shutil.which("ffprobe")),
    reason="an MP4 is written by ffmpeg and read again by ffprobe, which are not here",
)
def test_an_mp4_has_a_frame_a_slice(made, tmp_path, monkeypatch):
    monkeypatch.setattr(animation, "FRAMES", 8)
    writer(".mp4")(made, START, [tmp_path / "a.mp4"])
    words = ["ffprobe", "-v", "error", "-count_frames", "-show_streams", "-of", "json", "a.mp4"]
    says = subprocess.run(words, cwd=tmp_path, capture_output=True, check=True)
    (stream,) = json.loads(says.stdout)["streams"]
    assert stream["codec_type"] == "video"
    assert int(stream["nb_read_frames"]) == 8


def test_without_ffmpeg_an_mp4_is_refused(monkeypatch):
    monkeypatch.setenv("PATH", "")
    with pytest.raises(
        InputError, match=r"a film as \.mp4 needs ffmpeg; install it, or give a \.gif"
    ):
        writer(".mp4")


def test_without_a_message_it_says_so():
    scenario = make_scenario(job=[{"processes": 1, "memory_mb": 4, "demand_s": 1}], nodes=2)
    with pytest.raises(InputError, match="no message is selected in the journal of DP"):
        animate(record(scenario, "DP"), Selection())
