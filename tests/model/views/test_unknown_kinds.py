"""Views, exports, report and dashboard on kinds of messages that none of them has ever seen."""

import json
import re

import networkx as nx
import pandas as pd
import pytest
from perfetto.protos.perfetto.trace.perfetto_trace_pb2 import Trace

from model.dashboard.feed import Feed, Reader
from model.dashboard.session import Session
from model.pnr.scenario import make_scenario
from model.views import animation, diff, sequence, space_time, story, traffic
from model.views.exports.formats import FORMATS
from model.views.recording import Selection, read_recordings
from tests.journaled import compared
from tests.model.dashboard.steps import run_out

#: A manager probes its neighbour before it grants, and whispers to one or shouts to two others.
PROTOCOL = """
from agents.pnr.messages import RamRequest
from agents.pnr.protocol import Manager, Protocol, Send, message
from topologies.managers.man import man

@message(phase="probing", hears="manager", size_bytes=100)
class Probe:
    job: int
    rank: int
    amount: int

@message(phase="telling", hears="manager", size_bytes=lambda shout: 10 * len(shout.text))
class Shout:
    '''Manager -> others: about no job.'''
    text: str

class Loud(Manager):
    def receive(self, sender, content, now_ns):
        if isinstance(content, (Probe, Shout)):
            return []
        near, far = ((self.node + step) % self.nodes for step in (1, 2))
        loud = []
        if isinstance(content, RamRequest):
            loud = [Send(near, Probe(content.job, content.rank, content.need))]
            loud += [Send(near, Shout("psst")), Send(near, Shout("hear")), Send(far, Shout("hear"))]
            loud = loud[:1] + loud[2:] if content.rank else loud[:2]
        return loud + super().receive(sender, content, now_ns)

def loud(nodes):
    graph = man(nodes)
    graph.graph |= {"name": "LOUD", "protocol": Protocol(manager=Loud)}
    return graph
"""
JOBS = [
    {"number": 7, "processes": 2, "memory_mb": 40, "demand_s": 0.02},
    {"number": 8, "processes": 1, "memory_mb": 40, "demand_s": 0.02, "submit_s": 0.1},
]
PARAMETERS = {"nodes": 4, "job": JOBS, "page_bytes": 2**20, "minimum_demand_s": 0.001}


@pytest.fixture(scope="module", params=["all", "protocol"])
def heard(request, tmp_path_factory):
    """A journal file of LOUD and MAN, after the protocol's file is gone.

    Beside it, once, are tables and the report on them.
    """
    folder = tmp_path_factory.mktemp("loud")
    file = folder / "loud.py"
    file.write_text(PROTOCOL)
    scenario = make_scenario(**PARAMETERS, designs=["MAN", f"{file}:loud"])
    is_whole = request.param == "all"
    beside = {"out": folder / "out", "report": folder / "page.html"} if is_whole else {}
    journal = {"journal": folder / "journal.parquet", "journal_level": request.param}
    compared(scenario, **journal, **beside, check=True)
    file.unlink()
    return folder


@pytest.fixture(scope="module")
def read(heard):
    """The recordings by their designs."""
    return {one.design: one for one in read_recordings(heard / "journal.parquet")}


@pytest.fixture
def loud(read):
    return read["LOUD"]


def legend(figure):
    legends = [*figure.legends, *(axes.get_legend() for axes in figure.axes)]
    return " ".join(text.get_text() for one in legends if one for text in one.get_texts())


def test_a_sequence_has_an_arrow_for_each_and_a_broadcast_only_where_there_are_several(loud):
    told = [text.get_text() for text in sequence.draw(loud, Selection()).axes[0].texts]
    assert any(label.startswith("Probe · 8.00 MB · ") for label in told)
    assert any(label.startswith("Shout · to 2 servents · ") for label in told)
    assert any(re.fullmatch(r"Shout · [\d.]+ ms", label) for label in told)
    diagram = sequence.mermaid(loud, Selection())
    assert re.search(r"->>N\d: Shout · ", diagram)
    assert "Shout · to 2 servents" in diagram
    assert "probing of job 7" in diagram


def test_legends_name_them(loud):
    sent = loud.records[loud.records["kind"] == "sent"]["what"]
    named = legend(space_time.draw(loud, Selection()))
    for kind in ("Probe", "Shout"):
        assert f"{kind} ({(sent == kind).sum()})" in named
    if loud.every_hop:  # which a film needs
        figure, _ = animation.animate(loud, Selection())
        assert "Probe" in legend(figure)
        assert "Shout" in legend(figure)
    else:
        assert "Probe" in legend(traffic.draw(loud, Selection()))
        assert "Shout" in legend(traffic.draw(loud, Selection()))


def test_texts_tell_them(read):
    man, loud = read["MAN"], read["LOUD"]
    assert "sends Probe to node" in story.tell(loud, Selection(job=7))
    shout = loud.records[loud.records["what"] == "Shout"].iloc[0]
    assert "receives Shout" in story.tell(loud, Selection(), str(shout["id"]))
    rows = diff.tell(man, Selection(job=7), loud).splitlines()
    (probes,) = (row.split() for row in rows if row.startswith("Probe, messages"))
    assert probes[2:] == ["0", "2", "+2"]


def test_exports_hold_them(loud, tmp_path):
    for name, form in FORMATS.items():
        if name == "itf":  # of a path of `explore` alone
            continue
        form.write([loud] if form.several else loud, Selection(), tmp_path / f"loud.{name}")
    assert "Shout" in set(pd.read_csv(tmp_path / "loud.csv")["what"])
    graph = nx.read_graphml(tmp_path / "loud.graphml")
    assert sum(data.get("Shout", 0) for *_, data in graph.edges(data=True)) > 0
    assert all(manager for _, manager in graph.nodes(data="manager"))
    packets = Trace.FromString((tmp_path / "loud.perfetto").read_bytes()).packet
    names = {packet.track_event.name for packet in packets}
    assert {"sent Shout", "delivered Probe"} <= names
    assert "sends Shout to node" in (tmp_path / "loud.shiviz").read_text()


@pytest.mark.parametrize("heard", ["all"], indirect=True)  # neither depends on what is journaled
def test_tables_and_report_count_them(heard):
    runs = json.loads((heard / "out" / "summary.json").read_text())["runs"]
    assert [run["messages"].get("Probe", 0) for run in runs] == [0, 3]
    assert "Shout" not in runs[0]["messages"]
    assert runs[1]["bytes"]["Probe"] == 300
    page = (heard / "page.html").read_text()
    for told in ("Probe", "Shout", "Probing (MB)", "about no job"):
        assert told in page


def test_the_dashboard_has_them(tmp_path):
    (tmp_path / "loud.py").write_text(PROTOCOL)
    session = Session(make_scenario(**PARAMETERS), f"{tmp_path}/loud.py:loud")
    feed = Feed(session)
    _ = [*run_out(session, "a protocol message arrives")]
    sent = feed.moment(Reader())
    about = sent["runs"][0]["about"]
    assert {"Probe", "Shout"} <= {*about["words"]["what"]}
    assert {"Probe", "Shout"} <= about["colors"].keys()
    assert {"Probe arrives", "Shout arrives"} <= {*sent["goals"]}
