"""The trace, read by Perfetto's own trace processor and compared with the journal.

What is expected is counted from the journal's records here, by other code than the export's.
"""

import json
from pathlib import Path

import pytest

from model.core.journal.over_time import memory
from model.pnr.waste import WASTED
from model.views import exports
from model.views.exports.perfetto import trace
from model.views.recording import Recording, Selection
from tests.model.views.exports.conftest import BARRIER, BORROWER, recorded
from tests.model.views.exports.trace_processor import TraceProcessor

MODULE = Path(exports.__file__).parent / "messages.sql"
# Every track with its path below the root
PATHS = """
WITH RECURSIVE tree(id, path) AS (
    SELECT track.id, track.name FROM track JOIN track AS root ON track.parent_id = root.id
    WHERE root.parent_id IS NULL
    UNION ALL
    SELECT track.id, tree.path || '/' || track.name FROM track JOIN tree ON parent_id = tree.id
)
"""
SERVICES = ("hop", "disk")


@pytest.fixture(scope="module")
def processor(browser):
    made = TraceProcessor(browser)
    yield made
    made.close()


@pytest.fixture
def opened(processor, tmp_path):
    def opened(made, selection=None):
        runs = [made] if isinstance(made, Recording) else made
        trace(runs, selection or Selection(), tmp_path / "a.pftrace")
        return processor.open(tmp_path / "a.pftrace")

    return opened


def test_a_barrier_to_the_nanosecond(opened):
    asked = opened(recorded(BARRIER, nodes=3, design="DP"))
    # 64 B hold a link for 5,120 ns, the switch for 80,000 ns; 50 ns of latency. Arrivals at 1 s;
    # releases at 1 s + 170,340 ns, when the second has arrived
    s, out = 10**9, 10**9 + 170_340
    # Rank 2's message waits at the switch for rank 1's: one waits from its arrival on
    waiting = asked.rows(
        f"{PATHS} SELECT ts, value FROM counter JOIN tree ON tree.id = track_id "
        f"WHERE path = 'Network/switches/switch/waiting' AND ts < {out} ORDER BY ts"
    )
    assert waiting == [(0, 0), (s + 5_170, 1), (s + 85_170, 0)]
    # The master is released when both have arrived, the others when its messages arrive: 5,120 ns
    # of both links, 80,000 ns of the switch and two latencies, and rank 2 waits for rank 1 there
    states_of = {}
    for path, name, start_ns, lasts_ns in asked.rows(
        f"{PATHS} SELECT path, name, ts, dur FROM slice JOIN tree ON tree.id = track_id "
        "WHERE category = 'state' AND path GLOB 'Nodes/*' ORDER BY path, ts"
    ):
        states_of.setdefault(path, []).append((name, start_ns, start_ns + lasts_ns))
    for rank, released in enumerate([out, out + 90_340, out + 170_340]):
        assert states_of[f"Nodes/node {rank}/job 3, rank {rank}"] == [
            ("running", 0, s),
            ("waiting at a barrier", s, released),
            ("running", released, released + s),
        ]


@pytest.mark.parametrize(
    ("design", "options"),
    [
        ("MAN", {}),
        ("CLI", {"topology": "bus"}),
        ("DP", {"topology": "fat-tree", "bandwidth_mbps": 1000, "switch_us": 0}),
    ],
)
def test_slices_flows_and_counters_are_those_of_the_journal(opened, design, options):
    made = recorded(BARRIER, BORROWER, nodes=4, design=design, page_bytes=2**16, **options)
    asked = opened(made)
    assert asked.rows("SELECT name, value FROM stats WHERE severity != 'info' AND value > 0") == []
    records = made.records
    services = records[records["kind"].isin(SERVICES)]

    # a slice for each service, with its station's name, times and arguments
    told = asked.rows(
        f"{PATHS} SELECT path, ts, dur, EXTRACT_ARG(arg_set_id, 'debug.id') AS id FROM slice "
        "JOIN tree ON tree.id = track_id WHERE category IN ('hop', 'disk')"
    )
    assert sorted((path.split("/")[-1 - path.endswith("disk")], *rest) for path, *rest in told) == (
        sorted(
            (
                (f"node {row.node}" if row.kind == "disk" else row.station),
                row.start_ns,
                lasts,
                row.id,
            )
            for row in services.itertuples()
            for lasts in [row.end_ns - row.start_ns]
        )
    )
    # an instant for each other record
    instants = asked.rows(
        "SELECT EXTRACT_ARG(arg_set_id, 'debug.id'), ts FROM slice "
        "WHERE category IN ('message', 'step')"
    )
    others = records[~records["kind"].isin(SERVICES)]
    assert sorted(instants) == sorted(zip(others["id"], others["time_ns"], strict=True))
    # no service or state begins before the one before it on its track has ended
    assert asked.rows(
        "SELECT count(*) AS n FROM slice WHERE depth > 0 AND category IN ('hop', 'disk', 'state')"
    ) == [(0,)]
    # a flow leads to each record whose message, or else whose cause, was recorded before
    seen, flows = set(), 0
    for row in records.itertuples():
        flows += row.id in seen or row.cause in seen
        seen.add(row.id)
    assert asked.rows("SELECT count(*) AS n FROM flow") == [(flows,)]
    assert asked.rows(
        "SELECT count(*) AS n FROM flow JOIN slice AS a ON slice_out = a.id "
        "JOIN slice AS b ON slice_in = b.id WHERE a.ts > b.ts"
    ) == [(0,)]

    # in flight: what has been sent over the network and has not arrived
    over = records[(records["node"] != records["peer"]) & records["phase"].notna()]
    changes = over["kind"].map({"sent": 1, "delivered": -1}).fillna(0).astype(int)
    level = changes.groupby(over["time_ns"]).sum().cumsum()
    level = level[level.diff().fillna(level) != 0]
    counted = asked.rows(
        f"{PATHS} SELECT ts, value FROM counter JOIN tree ON tree.id = track_id "
        "WHERE path = 'Network/messages in flight' ORDER BY ts"
    )
    assert [row for row in counted if row != (0, 0)] == [*zip(level.index, level, strict=True)]

    # RAM is full of own processes, loans and idle memory at any time
    held = memory(records, 4)
    levels = asked.rows(
        f"{PATHS} SELECT path, ts, value FROM counter JOIN tree ON tree.id = track_id "
        "WHERE path GLOB 'Nodes/*RAM*' ORDER BY ts"
    )
    ram = made.constants.rams[0]
    latest = {}
    for place, (path, time_ns, value) in enumerate(levels):
        latest[path] = value
        if place + 1 == len(levels) or levels[place + 1][1] > time_ns:
            column = held.times_ns.searchsorted(time_ns, side="right") - 1
            for node in range(4):
                parts = [
                    latest[f"Nodes/node {node}/RAM: {what}"]
                    for what in ("own processes", "lent", "idle")
                ]
                assert sum(parts) == ram
                assert parts[1] == held.lent[node, column]


def test_a_run_and_the_fields_of_a_message_are_found_by_their_names(opened, borrowing):
    asked = opened(borrowing)
    assert asked.rows("SELECT name FROM track WHERE parent_id IS NULL") == [("design MAN",)]
    records = borrowing.records
    sent = records[(records["what"] == "RamGrant") & (records["kind"] == "sent")].iloc[-1]
    ((peer, payload),) = asked.rows(
        "SELECT EXTRACT_ARG(arg_set_id, 'debug.peer') AS peer, "
        "EXTRACT_ARG(arg_set_id, 'debug.payload.loans') AS payload FROM slice "
        f"WHERE name = 'sent RamGrant' AND EXTRACT_ARG(arg_set_id, 'debug.id') = {sent['id']}"
    )
    assert peer == sent["peer"]
    assert json.loads(payload) == json.loads(sent["payload"])["loans"]


def test_a_part_of_a_run_is_a_whole_trace_of_that_time(opened, borrowing):
    selection = Selection(from_s=0.005, to_s=1.0001)
    asked = opened(borrowing, selection)
    assert asked.rows("SELECT name, value FROM stats WHERE severity != 'info' AND value > 0") == []
    selected = selection.of(borrowing)
    services = int(selected["kind"].isin(SERVICES).sum())
    assert asked.rows(
        "SELECT sum(category IN ('hop', 'disk')) AS n, sum(category IN ('message', 'step')) AS m "
        "FROM slice"
    ) == [(services, len(selected) - services)]
    assert asked.rows(
        "SELECT min(ts) AS ts FROM (SELECT ts FROM slice UNION ALL SELECT ts FROM counter)"
    ) == [(5_000_000,)]


def test_two_designs_are_in_one_trace_and_the_wasted_messages_of_each_are_asked_by_sql(opened):
    made = [recorded(BARRIER, BORROWER, nodes=4, design=design) for design in ("CLI", "MAN")]
    asked = opened(made)
    assert asked.rows(MODULE.read_text("utf-8") + "SELECT 1 AS one") == [(1,)]
    for one in made:
        sent = one.records[one.records["kind"] == "sent"]
        over = sent[sent["node"] != sent["peer"]]
        wasted = [
            (number, what)
            for number, what in zip(over["id"], over["what"], strict=True)
            if one.use_of.get(number) in WASTED
        ]
        told = asked.rows(
            "SELECT EXTRACT_ARG(slice.arg_set_id, 'debug.id') AS number, kind "
            "FROM wasted_messages JOIN slice USING (id) "
            f"WHERE design = 'design {one.design}'"
        )
        assert sorted(told) == sorted(wasted)
        assert asked.rows(
            f"SELECT COUNT(*) AS n FROM messages WHERE design = 'design {one.design}'"
        ) == [(len(over),)]
    flows = {number for row in asked.rows("SELECT id FROM flow") for number in row}
    assert len(flows) > 0
    across = asked.rows(
        "SELECT COUNT(*) AS n FROM flow JOIN slice AS a ON a.id = slice_out "
        "JOIN slice AS b ON b.id = slice_in JOIN run_of_track AS one ON one.id = a.track_id "
        "JOIN run_of_track AS other ON other.id = b.track_id WHERE one.design != other.design"
    )
    assert across == [(0,)]
