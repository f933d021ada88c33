"""The journal: order, ids and causes of its records, its two levels, its file."""

import json
from collections import Counter, defaultdict
from itertools import pairwise
from types import MappingProxyType

import numpy as np
import pyarrow.parquet as pq
import pytest

from agents.messages import Message, message
from agents.pnr.manager import Manager
from model.core.journal.file import JournalFile
from model.core.journal.kinds import Served
from model.core.journal.queues import Queues, most_windows
from model.core.journal.writer import Journal
from model.ground.clock import Clock
from model.pnr.scenario import Scenario, make_scenario
from tests.journaled import compared, journaled

#: Two jobs lack memory; the third takes the second slot.
JOBS = [
    {"processes": 2, "memory_mb": 40, "demand_s": 0.1},
    {"processes": 1, "memory_mb": 50, "demand_s": 0.1, "number": 9},
    {"submit_s": 0.01, "processes": 3, "memory_mb": 20, "demand_s": 0.05, "number": 5},
]
DATA_TRAFFIC = {"PageRequest", "PageReply", "BarrierArrive", "BarrierRelease"}


def scenario(**parameters):
    small = {"nodes": 4, "page_bytes": 2**16, "minimum_demand_s": 0.001, "barrier_s": 0.01}
    return make_scenario(**{"job": JOBS, "quantum_s": 0.03, **small, **parameters})


def journal(design="MAN", level="all", **parameters):
    _, records = journaled(scenario(**parameters), design, journal_level=level)
    return records


@pytest.mark.parametrize("design", ["DP", "CLI", "CEN", "MAN", "BB2"])
def test_records_stand_in_order_of_time_after_their_causes(design):
    now_ns, known = 0, {0}
    for record in journal(design):
        assert record.time_ns >= now_ns
        known.add(record.id)
        assert record.cause in known, record
        now_ns = record.time_ns


def test_an_id_belongs_to_one_event_or_to_one_message():
    records = journal()
    of_messages = {"sent", "hop", "delivered"}
    ids = Counter(record.id for record in records if record.kind not in of_messages)
    assert set(ids.values()) == {1}
    assert not ids.keys() & {record.id for record in records if record.kind in of_messages}


@pytest.mark.parametrize(
    ("topology", "route"),
    [
        ("star", lambda here, there: [f"{here}<->switch", "switch", f"{there}<->switch"]),
        ("connected", lambda here, there: [f"{here}->{there}"]),
        ("bus", lambda here, there: ["bus"]),
    ],
)
def test_a_message_is_sent_passes_its_route_and_is_delivered(topology, route):
    messages = defaultdict(list)
    for record in journal(topology=topology):
        if record.kind in ("sent", "hop", "delivered"):
            messages[record.id].append(record)
    assert {story[0].what for story in messages.values()} > DATA_TRAFFIC
    for story in messages.values():
        sent, *hops, delivered = story
        assert (sent.kind, delivered.kind) == ("sent", "delivered")
        assert (delivered.node, delivered.peer) == (sent.peer, sent.node)
        assert len({(r.what, r.job, r.rank, r.size_bytes, r.cause) for r in story}) == 1
        if sent.node == sent.peer:  # to itself: free and at once
            assert (hops, delivered.time_ns) == ([], sent.time_ns)
            continue
        assert [hop.station for hop in hops] == route(sent.node, sent.peer)
        assert hops[0].time_ns == sent.time_ns
        for hop, after in pairwise([*hops, delivered]):
            assert hop.time_ns <= hop.start_ns <= hop.end_ns
            latency_ns = 0 if hop.station == "switch" else 50
            assert after.time_ns == hop.end_ns + latency_ns


@pytest.mark.parametrize("design", ["DP", "CLI"])
def test_what_a_process_does_first_is_caused_by_the_placement_of_its_job_alone(design):
    # Under DP all start at once; under CLI those that lack memory ask before.
    records = journal(design)
    placed = {record.job: record.id for record in records if record.kind == "placed"}
    first = {}
    for record in records:
        if record.kind == "started" or (record.kind == "sent" and record.rank is not None):
            first.setdefault((record.job, record.rank), record)
    assert len(first) > len(placed)
    assert all(record.cause == placed[job] for (job, _), record in first.items())


def test_causes_lead_from_a_page_back_to_its_fault():
    records = {record.id: record for record in journal() if record.kind in ("sent", "fault")}
    reply = next(record for record in records.values() if record.what == "PageReply")
    request = records[reply.cause]
    fault = records[request.cause]
    assert (request.what, fault.kind) == ("PageRequest", "fault")
    assert (reply.job, reply.rank) == (request.job, request.rank) == (fault.job, fault.rank)
    assert (reply.node, reply.peer) == (request.peer, fault.node)


def test_the_protocol_level_is_the_whole_journal_without_hops_faults_and_barriers():
    def is_protocol(record):
        return record.kind not in ("hop", "disk", "fault", "barrier") and (
            record.what not in DATA_TRAFFIC
        )

    everything = journal(level="all")
    assert journal(level="protocol") == [r for r in everything if is_protocol(r)]
    assert {"hop", "disk", "fault", "barrier"} <= {record.kind for record in everything}


def test_protocol_messages_carry_what_they_say():
    sent = [record for record in journal("CEN", "protocol") if record.kind == "sent"]
    request = next(r for r in sent if r.what == "RamRequest" and r.job == 9)
    says = json.loads(request.payload)
    # a process of 50 MB on a node of 32 MB: 18 MB lack, and the node is loaded so far above RAM
    assert says["need"] == request.amount_bytes == 18 * 2**20
    assert says["word"] == [-18 * 2**20, request.time_ns]
    grant = next(r for r in sent if r.what == "RamGrant" and r.job == 9)
    loans = json.loads(grant.payload)["loans"]
    assert sum(amount for _, amount, _ in loans) == grant.amount_bytes > 0
    assert grant.size_bytes == 128 + 16 * len(loans)


OFFERS = """
from agents.pnr.protocol import Manager, Protocol, Send, message
from topologies.managers.man import man

@message(phase="trading", hears="manager", size_bytes=64, hidden=("ticket",))
class Offer:
    job: int
    price: int
    parts: tuple
    clients: int
    ticket: int

class Trading(Manager):
    def start(self, now_ns):
        return [Send(self.node, Offer(9, 7, (1, 2), 5, 99))]
    def receive(self, sender, content, now_ns):
        return [] if isinstance(content, Offer) else super().receive(sender, content, now_ns)

def trading(nodes):
    graph = man(nodes)
    graph.graph |= {"name": "TRADING", "protocol": Protocol(manager=Trading)}
    return graph
"""


def test_a_message_is_journaled_with_all_fields_but_those_that_its_class_hides(tmp_path):
    file = tmp_path / "trading.py"
    file.write_text(OFFERS)
    offers = [r for r in journal(f"{file}:trading") if (r.kind, r.what) == ("sent", "Offer")]
    assert {offer.job for offer in offers} == {9}
    assert [json.loads(offer.payload) for offer in offers] == [
        {"price": 7, "parts": [1, 2], "clients": 5} for _ in range(4)
    ]


@message("asking", hears="manager", size_bytes=40)
class Told:
    anything: object


@pytest.mark.parametrize(
    ("anything", "written"),
    [
        (
            {np.int64(3): np.float32(0.5), (1, 2): None, None: True},
            {"3": 0.5, "[1,2]": None, "null": True},
        ),
        ({"b", "c", "a"}, ["a", "b", "c"]),
        (frozenset({10, 9, None}), [10, 9, None]),  # by their texts in JSON
        ([float("nan"), {"most": float("inf"), 5: -np.inf}], ["nan", {"most": "inf", "5": "-inf"}]),
        (np.array([1.5, np.nan]), [1.5, "nan"]),
        (MappingProxyType({1: (2, {3})}), {"1": [2, [3]]}),
        ({"told": Told({(0,): object()})}, {"told": {"anything": {"[0]": "a object"}}}),
    ],
)
def test_whatever_a_message_says_is_written_as_json(anything, written):
    records = []
    journal = Journal(Clock(), [records.append])
    journal.sent(Message(0, 1, 1, Told(anything), 40, 0))
    assert json.loads(records[0].payload, parse_constant=pytest.fail) == {"anything": written}
    journal.noted(0, "manager", "it", anything)
    assert json.loads(records[1].payload, parse_constant=pytest.fail) == written


def test_a_message_within_a_message_is_journaled_by_its_fields():
    """A server that recalls memory hears of a release within the message that names borrowers."""
    released = [r for r in journal("RECLAIM(MAN)") if (r.kind, r.what) == ("sent", "NamedRelease")]
    assert {record.job for record in released} == {1, 9}
    for record in released:
        says = json.loads(record.payload)
        assert says["release"] == {"amount": record.amount_bytes}
        assert sum(amount for _, amount in says["holders"]) == record.amount_bytes


def test_the_life_of_jobs_is_there_with_slots_and_nodes():
    records = journal("DP", "protocol")
    placed = {record.job: record for record in records if record.kind == "placed"}
    # best fit: jobs 1 and 9 share slot 0 (4 nodes); job 5 does not fit there, and takes slot 1
    assert [(job, placed[job].slot) for job in (1, 9, 5)] == [(1, 0), (9, 0), (5, 1)]
    assert json.loads(placed[9].payload) == {"nodes": [2]}
    assert placed[5].amount_bytes == 20 * 2**20
    for job, processes in ((1, 2), (9, 1), (5, 3)):
        kinds = Counter(record.kind for record in records if record.job == job)
        assert kinds["submitted"] == kinds["placed"] == kinds["ended"] == 1
        assert kinds["started"] == kinds["finished"] == processes
        assert kinds["resumed"] == kinds["suspended"] + 1


def test_the_file_holds_all_runs_and_their_scenario(tmp_path):
    file = tmp_path / "journal.parquet"
    chosen = scenario(designs="DP,MAN")
    for level in ("protocol", "all"):
        compared(chosen, journal=file, journal_level=level)
        table = pq.read_table(file)
        assert Scenario.model_validate_json(table.schema.metadata[b"scenario"]) == chosen
        expected = [
            {"design": design, **record._asdict()}
            for design in ("DP", "MAN")
            for record in journal(design, level)
        ]
        assert table.to_pylist() == expected
    assert list(tmp_path.iterdir()) == [file]


def test_a_long_journal_is_written_in_chunks(tmp_path, monkeypatch):
    monkeypatch.setattr("model.core.journal.file._CHUNK", 100)
    file = JournalFile(tmp_path / "journal.parquet", "{}")
    records = journal()
    for record in records:
        file.of("MAN")(record)
    file.close()
    assert pq.read_table(file.path).num_rows == len(records)


def test_a_run_that_stalls_keeps_its_journal(tmp_path, monkeypatch, capsys):
    monkeypatch.setattr(Manager, "receive", lambda *message: [])
    with pytest.raises(SystemExit) as ended:
        compared(scenario(designs="MAN"), journal=tmp_path / "journal.parquet")
    assert ended.value.code == 1
    assert capsys.readouterr().err.count("\n") == 2  # and where the journal is
    assert len(list(tmp_path.iterdir())) == 1


def told(queues):
    return {station: [*served] for station, served in queues.by_station()}


def test_a_message_counts_in_the_window_in_which_it_reaches_the_station():
    # two messages, each served for 0.4 s from 0.8 s on: the second reaches the link in the first
    # window and waits into the next one
    second = 10**9
    queues = Queues()
    queues.count("up", "page", 800_000_000, 0)
    queues.count("up", "page", 900_000_000, 300_000_000)
    queues.count("up", "barrier", second, 600_000_000)
    assert told(queues) == {
        "up": [
            Served("barrier", 1, 1, 600_000_000, 600_000_000),
            Served("page", 0, 2, 300_000_000, 300_000_000),
        ]
    }


def test_windows_double_until_the_end_of_the_run_is_in_one_of_them():
    queues = Queues()
    for window, delay_ns in ((0, 5), (1, 7), (2, 1), (599, 2)):
        queues.count("up", "page", window * 10**9, delay_ns)
    queues.reach(600 * 10**9 - 1)
    assert queues.window_ns == 10**9
    queues.count("up", "page", 600 * 10**9, 3)
    assert queues.window_ns == 2 * 10**9
    assert told(queues)["up"] == [
        Served("page", 0, 2, 12, 7),
        Served("page", 1, 1, 1, 1),
        Served("page", 299, 1, 2, 2),
        Served("page", 300, 1, 3, 3),
    ]
    queues.reach(3 * 1200 * 10**9)
    assert queues.window_ns == 8 * 10**9
    assert told(queues)["up"][0] == Served("page", 0, 3, 13, 7)


def test_a_run_of_many_stations_has_fewer_windows():
    assert [most_windows(count) for count in (1, 1000, 3001, 10**6)] == [600, 600, 198, 2]
