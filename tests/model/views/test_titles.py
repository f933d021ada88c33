"""Titles in SVG: each shape says what it stands for; parsed as a browser parses it."""

from collections import Counter
from xml.etree import ElementTree

import pytest
from matplotlib.collections import LineCollection, PolyCollection
from matplotlib.figure import Figure

from model.core.journal.past import GRANT, RUNNING, SWITCHED_OUT
from model.pnr.scenario import make_scenario
from model.sharing.scenarios import make_sharing_scenario
from model.views import gantt, network, residence, sequence, space_time, why
from model.views.recording import Selection, record
from model.views.titles import save_svg, titled

SVG = "{http://www.w3.org/2000/svg}"


def titles(figure, file):
    """The texts of all titles, by what says them."""
    save_svg(figure, file)
    root = ElementTree.parse(file).getroot()
    return [(one.tag.removeprefix(SVG), one[0].text) for one in root.iter() if _says(one)]


def _says(element):
    return len(element) and element[0].tag == f"{SVG}title"


@pytest.fixture(scope="module")
def made():
    jobs = [
        {"processes": 3, "memory_mb": 8, "demand_s": 2, "number": 3},
        {"processes": 2, "memory_mb": 40, "demand_s": 0.02, "number": 7},
    ]
    scenario = make_scenario(job=jobs, nodes=4, page_bytes=2**16, minimum_demand_s=0.001)
    return record(scenario, "MAN")


def test_shapes_of_collections_and_single_ones_have_their_own(tmp_path):
    figure = Figure()
    axes = figure.subplots()
    lines = axes.add_collection(LineCollection([[(0, 0), (1, 1)], [(5, 5), (6, 6)]]))
    areas = axes.add_collection(PolyCollection([[(0, 0), (1, 0), (1, 1)]] * 3))
    (curve,) = axes.plot([0, 1], [1, 0])
    axes.set(xlim=(0, 1), ylim=(0, 1))  # the second line is outside
    titled(lines, ["one", "outside"])
    titled(areas, ["a", "b", "c & <d>"])
    titled(curve, "curve")
    said = titles(figure, tmp_path / "a.svg")
    assert sorted(text for _, text in said) == ["a", "b", "c & <d>", "curve", "one", "outside"]


def test_a_picture_without_titles_is_as_it_was(tmp_path):
    figure = Figure()
    figure.subplots().plot([0, 1])
    assert titles(figure, tmp_path / "a.svg") == []


def test_messages_say_what_they_are(made, tmp_path):
    drawn = space_time.messages(made, Selection(job=7))
    drawn = drawn[drawn["node"] != drawn["peer"]]
    said = titles(space_time.draw(made, Selection(job=7)), tmp_path / "a.svg")
    first = drawn.iloc[0]
    assert len(said) == len(drawn)
    (text,) = (text for _, text in said if text.endswith(f"record {first['id']}"))
    assert text.startswith(f"{first['what']} from node {first['node']} to node {first['peer']}")
    took_ms = (first["delivered_ns"] - first["sent_ns"]) / 1e6
    assert f"{took_ms:.6f} ms, {first['size_bytes']:,} bytes" in text

    arrows = sequence.arrows(made, Selection(job=7))
    said = [text for _, text in titles(sequence.draw(made, Selection(job=7)), tmp_path / "b.svg")]
    assert {f"record {arrow.id}" for arrow in arrows} == {text.split("\n")[-1] for text in said}


def test_jobs_say_when_they_run(made, tmp_path):
    shown = [text for _, text in titles(gantt.draw(made, Selection()), tmp_path / "a.svg")]
    does = {RUNNING: "runs", SWITCHED_OUT: "is switched out", GRANT: "waits for a grant"}
    for stint in gantt.stints(made.job_spans):
        did = does[stint.state]
        start_s, end_s = stint.start_ns / 1e9, stint.end_ns / 1e9
        assert f"job {stint.job} {did} from {start_s:.6f} to {end_s:.6f} s" in shown


def test_links_say_what_they_carried(made, tmp_path):
    said = [text for _, text in titles(network.draw(made, Selection()), tmp_path / "a.svg")]
    over = (made.records["kind"] == "hop") & (made.records["station"] == "0<->switch")
    sent = made.records[over & (made.records["node"] == 0)]  # and not what it receives
    carried_kb = sent["size_bytes"].sum() / 2**10
    assert 1 < carried_kb < 1024
    assert any(text.startswith(f"0 to switch: {carried_kb:,.4g} KB, busy ") for text in said)


def test_parts_of_a_path_say_how_long(made, tmp_path):
    said = titles(why.draw(made, Selection(job=7)), tmp_path / "a.svg")
    path = why.path(made, 7)
    least_ns = 0.005 * (path[-1].end_ns - path[0].start_ns)  # of a node with a row of its own
    spent_ns = Counter[int | None]()
    for part in path:
        spent_ns[part.node] += part.end_ns - part.start_ns
    shown = [part for part in path if spent_ns[part.node] >= least_ns]
    assert 0 < len(shown) < len(path)
    assert len(said) == len(shown)


def test_jobs_of_load_sharing_say_where_they_are(tmp_path):
    jobs = [{"memory_mb": 1, "demand_s": 2, "home": 0, "submit_s": s} for s in range(3)]
    scenario = make_sharing_scenario(system="memory", policies="CPU_RE", nodes=2, ct=1, job=jobs)
    made = record(scenario, "CPU_RE")
    said = titles(gantt.draw(made, Selection()), tmp_path / "a.svg")
    assert len(said) == len(residence.residences(made.job_spans))
