"""Exports: read again by programs that are not ours, and a trace checked against its format.

The Trace Event Format: "Trace Event Format", Google, docs.google.com/document/d/1CvAClvFfyA5R-
PhYUmn5OOQtYMH4h6I0nSsKchNAySU.
"""

import itertools
import json
from collections import defaultdict

import networkx as nx
import pandas as pd
import pyarrow.parquet as pq
import pytest
from jsonschema import Draft202012Validator

from model.core.comparison import run
from model.core.journal import JournalFile
from model.ground.errors import InputError
from model.pnr.scenario import make_scenario
from model.views.exports import JOBS, NODES, STATIONS, chrome_trace, csv, graphml, parquet
from model.views.recording import Selection, read_recordings, record
from model.views.traffic import matrix, messages

BARRIER = {"processes": 3, "memory_mb": 8, "demand_s": 2, "number": 3}  # meets once, at 1 s
BORROWER = {"processes": 1, "memory_mb": 40, "demand_s": 0.02, "number": 7}


def recorded(*jobs, design="MAN", level="all", **parameters):
    return record(
        make_scenario(job=list(jobs), minimum_demand_s=0.001, **parameters), design, level
    )


def plain(frame):
    """A table whose equality does not depend on how a reader types what is missing."""
    return frame.astype(object).where(frame.notna(), None)


@pytest.fixture
def borrowing():
    return recorded(BARRIER, BORROWER, nodes=4, page_bytes=2**16)


# Tables


@pytest.mark.parametrize("read", [pd.read_parquet, lambda path: pq.read_table(path).to_pandas()])
def test_a_parquet_file_reads_back_equal(borrowing, tmp_path, read):
    parquet(borrowing, Selection(), tmp_path / "a.parquet")
    again = read(tmp_path / "a.parquet")
    pd.testing.assert_frame_equal(plain(again), plain(borrowing.records))


def test_a_csv_file_reads_back_equal(borrowing, tmp_path):
    csv(borrowing, Selection(), tmp_path / "a.csv")
    again = pd.read_csv(tmp_path / "a.csv", dtype=borrowing.records.dtypes.to_dict())
    pd.testing.assert_frame_equal(plain(again), plain(borrowing.records))
    assert borrowing.records["payload"].str.contains('","|,"', na=False).any()  # that need quotes


def test_a_selection_reads_back_with_its_rows_alone(borrowing, tmp_path):
    selected = Selection(job=7).of(borrowing)
    parquet(borrowing, Selection(job=7), tmp_path / "a.parquet")
    csv(borrowing, Selection(job=7), tmp_path / "a.csv")
    assert 0 < len(selected) < len(borrowing.records)
    assert pd.read_parquet(tmp_path / "a.parquet")["id"].tolist() == selected["id"].tolist()
    assert pd.read_csv(tmp_path / "a.csv")["id"].tolist() == selected["id"].tolist()


# The graph of the traffic


def test_the_graph_of_a_barrier(tmp_path):
    # Node 0, the master, hears of both others and tells both; DP has no managers
    made = recorded(BARRIER, nodes=3, design="DP")
    graphml(made, Selection(), tmp_path / "a.graphml")
    graph = nx.read_graphml(tmp_path / "a.graphml", node_type=int)
    assert graph.is_directed()
    assert graph.graph["design"] == "DP"
    assert dict(graph.nodes(data=True)) == {
        0: {"manager": False, "sent": 2, "received": 2},
        1: {"manager": False, "sent": 1, "received": 1},
        2: {"manager": False, "sent": 1, "received": 1},
    }
    arrive, release = (
        {"messages": 1, "bytes": 64, kind: 1} for kind in ("BarrierArrive", "BarrierRelease")
    )
    assert {(one, other): data for one, other, data in graph.edges(data=True)} == {
        (1, 0): arrive,
        (2, 0): arrive,
        (0, 1): release,
        (0, 2): release,
    }


def test_the_graph_agrees_with_the_matrix_and_knows_managers(tmp_path):
    made = recorded(BARRIER, BORROWER, nodes=4, design="CEN", page_bytes=2**16)
    graphml(made, Selection(), tmp_path / "a.graphml")
    graph = nx.read_graphml(tmp_path / "a.graphml", node_type=int)
    sizes = nx.to_numpy_array(graph, nodelist=range(4), weight="bytes")
    assert sizes.tolist() == matrix(messages(made.records), 4).tolist()
    assert [node for node, data in graph.nodes(data=True) if data["manager"]] == [0]
    for _, _, data in graph.edges(data=True):
        kinds = {k: v for k, v in data.items() if k not in ("messages", "bytes", "id")}
        assert sum(kinds.values()) == data["messages"]
    for node, data in graph.nodes(data=True):
        assert data["sent"] == graph.out_degree(node, weight="messages")
        assert data["received"] == graph.in_degree(node, weight="messages")


# The trace

# A JSON schema of the events that we write, after the published Trace Event Format.
REQUIRED = {  # by phase
    "M": ["name", "pid", "args"],
    "X": ["name", "cat", "ts", "dur", "pid", "tid"],
    "i": ["name", "ts", "pid", "tid", "s"],
    "b": ["name", "cat", "ts", "pid", "id"],
    "e": ["name", "cat", "ts", "pid", "id"],
    "s": ["name", "cat", "ts", "pid", "tid", "id"],
    "f": ["name", "cat", "ts", "pid", "tid", "id", "bp"],
}
EVENT = {
    "type": "object",
    "required": ["ph"],
    "properties": {
        "ph": {"enum": [*REQUIRED]},
        **{key: {"type": "string"} for key in ("name", "cat")},
        **{key: {"type": "number", "minimum": 0} for key in ("ts", "dur")},
        **{key: {"type": "integer"} for key in ("pid", "tid")},
        "id": {"type": ["integer", "string"]},
        "args": {"type": "object"},
        "s": {"enum": ["g", "p", "t"]},
        "bp": {"const": "e"},
    },
    "allOf": [
        {"if": {"properties": {"ph": {"const": phase}}}, "then": {"required": fields}}
        for phase, fields in REQUIRED.items()
    ],
}
SCHEMA = {
    "type": "object",
    "required": ["traceEvents"],
    "properties": {
        "displayTimeUnit": {"enum": ["ms", "ns"]},
        "traceEvents": {"type": "array", "items": EVENT},
    },
}
METADATA = {
    "process_name": {"name": str},
    "thread_name": {"name": str},
    "process_sort_index": {"sort_index": int},
    "thread_sort_index": {"sort_index": int},
}


def check(trace):
    """The format's rules, and that slices do not overlap, and arrows and jobs begin and end."""
    Draft202012Validator(SCHEMA).validate(trace)
    slices, open_jobs, latest = defaultdict(list), set(), 0
    flows = {"s": {}, "f": {}}
    begun = {}  # track -> the start of its latest slice, to which an arrow holds on
    named = {"process_name": set(), "thread_name": set()}
    for event in trace["traceEvents"]:
        phase = event["ph"]
        track = (event["pid"], event["tid"])
        if phase == "M":
            for field, kind in METADATA[event["name"]].items():
                assert isinstance(event["args"][field], kind)
            if event["name"] in named:
                named[event["name"]].add(track)
            continue
        assert event["ts"] >= latest
        latest = event["ts"]
        if phase == "X":
            # as Perfetto reads it: cut off to whole nanoseconds
            start, length = int(event["ts"] * 1000), int(event["dur"] * 1000)
            slices[track].append((start, start + length))
        if phase in "Xi":
            begun[track] = event["ts"]
            assert track in named["thread_name"]
        if phase in "sf":
            assert event["id"] not in flows[phase]
            flows[phase][event["id"]] = event["ts"]
            assert event["ts"] == begun[track]
        if phase == "b":
            assert event["id"] not in open_jobs
            open_jobs.add(event["id"])
        if phase == "e":
            open_jobs.remove(event["id"])
    assert not open_jobs
    assert flows["s"].keys() == flows["f"].keys()
    assert all(flows["s"][flow] <= flows["f"][flow] for flow in flows["s"])
    for services in slices.values():
        assert all(end <= start for (_, end), (start, _) in itertools.pairwise(services))
    tracks = [track for _, track in named["thread_name"]]
    assert len(set(tracks)) == len(tracks)  # Perfetto names threads by their number alone
    return slices


def traced(made, tmp_path, selection=None):
    chrome_trace(made, selection or Selection(), tmp_path / "trace.json")
    return json.loads((tmp_path / "trace.json").read_text(encoding="utf-8"))


def names_of(trace, group):
    return {
        event["tid"]: event["args"]["name"]
        for event in trace["traceEvents"]
        if event["name"] == "thread_name" and event["pid"] == group
    }


def test_the_trace_of_a_barrier(tmp_path):
    trace = traced(recorded(BARRIER, nodes=3, design="DP"), tmp_path)
    slices = check(trace)
    names = names_of(trace, STATIONS)
    services = {names[track]: times for (_, track), times in slices.items()}
    # 64 B hold a link for 5,120 ns, the switch for 80,000 ns; 50 ns of latency. Arrivals at 1 s;
    # releases at 1 s + 170,340 ns, when the second has arrived
    s, out = 10**9, 10**9 + 170_340
    assert services["1->switch"] == services["2->switch"] == [(s, s + 5_120)]
    assert services["0->switch"] == [(out, out + 5_120), (out + 5_120, out + 10_240)]
    first = [(s + 5_170, s + 85_170), (s + 85_170, s + 165_170)]
    then = [(out + 5_170, out + 85_170), (out + 85_170, out + 165_170)]
    assert services["switch"] == first + then
    assert names_of(trace, NODES) == {
        track: f"node {i}" for i, track in enumerate(sorted(names_of(trace, NODES)))
    }
    jobs = [event for event in trace["traceEvents"] if event["pid"] == JOBS and "ts" in event]
    assert [(e["name"], e["ph"], round(e["ts"] * 1000)) for e in jobs if e["ph"] != "M"] == [
        ("job 3", "b", 0),
        ("job 3", "e", 2_000_340_680),
    ]


def test_arrows_follow_a_message_and_lead_to_what_it_caused(tmp_path):
    trace = traced(recorded(BARRIER, nodes=3, design="DP"), tmp_path)
    names = names_of(trace, STATIONS) | names_of(trace, NODES)
    ends = defaultdict(dict)
    for event in trace["traceEvents"]:
        if event["ph"] in "sf":
            ends[event["id"]][event["ph"]] = names.get(event["tid"], "scheduler")
    arrows = [(end["s"], end["f"]) for end in ends.values()]
    # node 1's one message passes its link, the switch and the master's link
    for arrow in [("node 1", "1->switch"), ("1->switch", "switch"), ("switch->1", "node 1")]:
        assert arrows.count(arrow) == 1
    assert arrows.count(("switch", "switch->0")) == arrows.count(("switch->0", "node 0")) == 2
    assert arrows.count(("scheduler", "node 0")) > 0  # placed: started


@pytest.mark.parametrize("topology", ["star", "bus", "connected"])
@pytest.mark.parametrize("design", ["DP", "MAN"])
@pytest.mark.parametrize("level", ["all", "protocol"])
def test_traces_keep_to_the_format(tmp_path, topology, design, level):
    jobs = (BARRIER, BORROWER)
    made = recorded(
        *jobs,
        nodes=4,
        topology=topology,
        design=design,
        level=level,
        bandwidth_mbps=1000,
        switch_us=0,
    )
    trace = traced(made, tmp_path)
    slices = check(trace)
    services = made.records[made.records["kind"].isin(["hop", "disk"])]
    assert set(names_of(trace, STATIONS).values()) == set(services["station"])
    assert sum(map(len, slices.values())) == len(services)
    instants = sum(event["ph"] == "i" for event in trace["traceEvents"])
    assert instants == len(made.records) - len(services)


@pytest.mark.parametrize(
    "selection",
    [Selection(job=7), Selection(from_s=0.005, to_s=1.0001), Selection(nodes=(1,))],
)
def test_a_part_of_a_journal_is_a_whole_trace(borrowing, tmp_path, selection):
    check(traced(borrowing, tmp_path, selection))


def test_a_journal_read_from_a_file_exports_as_one_just_made(tmp_path):
    scenario = make_scenario(job=[BARRIER], nodes=3)
    file = JournalFile(tmp_path / "journal.parquet", scenario.model_dump_json())
    run(scenario, "MAN", readers=(file.of("MAN"),))
    file.close()
    (read,) = read_recordings(tmp_path / "journal.parquet")
    assert traced(read, tmp_path) == traced(record(scenario, "MAN"), tmp_path)
    graphml(read, Selection(), tmp_path / "read.graphml")
    parquet(read, Selection(), tmp_path / "read.parquet")
    assert len(pd.read_parquet(tmp_path / "read.parquet")) == len(read.records)


@pytest.mark.parametrize("write", [csv, parquet, graphml, chrome_trace])
def test_an_empty_selection_is_refused_and_no_file_is_left(borrowing, tmp_path, write):
    with pytest.raises(InputError, match="job 5 is not in the journal"):
        write(borrowing, Selection(job=5), tmp_path / "none")
    assert not (tmp_path / "none").exists()
