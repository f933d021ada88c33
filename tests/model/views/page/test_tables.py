"""What the page is made of: packed numbers are read back, items have their causes and partners."""

import base64
import json
import re
import zlib

import numpy as np
import pandas as pd
import pytest
from hypothesis import given
from hypothesis import strategies as st

from model.core.journal.kinds import MESSAGE, SCHEDULING, Record, identity
from model.pnr.scenario import make_scenario
from model.views.page import html
from model.views.page.packing import pack
from model.views.page.tables import Codes, tables_of
from model.views.recording import Recording, Selection, record, recording_of

columns = st.lists(st.integers(-(2**52), 2**52), max_size=30)


def unpacked(packed):
    """The numbers and texts, read in another way than the browser does."""
    body = zlib.decompress(base64.b64decode(packed["body"]))
    found = {}
    for table, name, count, width, least, rises in packed["columns"]:
        planes, body = body[: count * width], body[count * width :]
        numbers = [
            least + int.from_bytes(bytes(planes[i::count]) if count else b"", "little")
            for i in range(count)
        ]
        found[table, name] = [*np.cumsum(numbers)] if rises else numbers
    assert len(body) == packed["text_bytes"]
    return found, body.decode().split("\n")


@given(first=columns, second=columns, texts=st.lists(st.sampled_from(["", "a", "ä → ·"])))
def test_what_is_packed_is_read_back(first, second, texts):
    tables = {"one": {"plain": np.array(first, dtype=np.int64)}}
    tables["two"] = {"rises": np.array(sorted(second), dtype=np.int64)}
    found, read = unpacked(pack(tables, texts, rising=("rises",)))
    assert found == {("one", "plain"): first, ("two", "rises"): sorted(second)}
    assert read == (texts or [""])


def test_a_column_takes_no_more_bytes_than_its_range_needs():
    numbers = np.array([10**15, 10**15 + 255])
    packed = pack({"it": {"far": numbers, "same": numbers * 0 + 7}}, [], rising=())
    assert [spec[3] for spec in packed["columns"]] == [1, 0]


def made(*rows) -> Recording:
    """A run of these records, of which each names some fields."""
    return recording_of(make_scenario(nodes=4), "MAN", [Record(**row) for row in rows], (0,))


def made_of(run: Recording):
    """Its tables, and what else the page knows of it."""
    part = tables_of(run, Codes())[1]
    return part.tables, part.about


ASKED = {
    "id": identity(MESSAGE, 2, 5),
    "what": "RamRequest",
    "phase": "start",
    "hears": "manager",
    "job": 7,
    "rank": 0,
    "size_bytes": 128,
}


def test_a_message_is_one_item_from_its_sending_to_its_arrival():
    submitted = identity(SCHEDULING, 0, 1)
    run = made(
        {"time_ns": 10, "kind": "submitted", "id": submitted, "job": 7},
        {"time_ns": 20, "kind": "sent", "node": 2, "peer": 0, "cause": submitted} | ASKED,
        {"time_ns": 25, "kind": "hop", "node": 2, "peer": 0, "station": "bus", "start_ns": 30}
        | {"end_ns": 40, "cause": submitted}
        | ASKED,
        {"time_ns": 45, "kind": "delivered", "node": 0, "peer": 2, "cause": submitted} | ASKED,
    )
    tables, about = made_of(run)
    items = tables["items"]
    assert [*items["time"]] == [10, 20]
    assert [*items["lasts"]] == [-1, 25]
    assert [*items["back"]] == [0, 1]  # the message's cause is one item ago
    assert [(*items["node"],), (*items["peer"],)] == [(-1, 2), (-1, 0)]
    assert {name: [*its] for name, its in tables["hops"].items()} == {
        "item": [1],
        "station": [0],
        "at": [25],
        "waits": [5],
        "lasts": [10],
        "way": [0],
    }
    assert about["ways"] == [(2, 0)]  # from node to node, since no bus is in a star
    assert about["words"]["station"] == ["bus"]


@pytest.mark.parametrize("kind", ["delivered", "lost"])
def test_of_a_message_cut_off_at_its_sending_the_sender_is_known(kind):
    run = made({"time_ns": 45, "kind": kind, "node": 0, "peer": 2} | ASKED)
    tables, _ = made_of(run)
    items = tables["items"]
    assert (items["node"][0], items["peer"][0], items["lost"][0]) == (2, 0, kind == "lost")


def test_partners_are_the_nth_of_what_is_alike_in_two_runs():
    def asked(number, peer):
        which = {"id": identity(MESSAGE, 2, number), "node": 2, "peer": peer}
        return {"time_ns": number, "kind": "sent"} | ASKED | which

    runs = [made(asked(1, 0), asked(2, 1), asked(3, 0)), made(asked(4, 0), asked(5, 3))]
    likeness = Codes()
    one, other = (tables_of(run, likeness)[1].tables for run in runs)
    here, there = one["items"]["alike"], other["items"]["alike"]
    assert here[0] == there[0]
    assert len({*here, *there}) == 4  # the second to node 0, that to 1 and that to 3 are alone


def test_memory_of_a_node_fills_its_ram_and_what_is_beyond_is_apart():
    job = {"number": 7, "processes": 2, "memory_mb": 40, "demand_s": 0.03}
    small = {"nodes": 4, "page_bytes": 2**20, "minimum_demand_s": 0.001, "job": [job]}
    run = record(make_scenario(**small), "MAN", "protocol")
    tables, about = made_of(run)
    memory = pd.DataFrame(dict(tables["memory"]))
    assert (memory[["own", "lent", "idle"]].sum(axis=1) == about["rams"][0]).all()
    # the first change of a node with a process of 40 MB: 8 MB do not fit into its RAM of 32 MB
    first = memory[memory["node_of_memory"] == 0].iloc[0]
    assert (first["borrowed"], first["asked"], first["on_disk"]) == (0, 8 * 2**20, 0)
    assert not memory["on_disk"].any()  # all is granted


def test_a_job_that_never_starts_waits_for_a_grant():
    where = {"job": 7, "id": identity(SCHEDULING, 0, 1)}
    placed = {"slot": 0, "amount_bytes": 2**20, "payload": '{"nodes": [2]}'}
    run = made(
        {"time_ns": 10, "kind": "submitted"} | where,
        {"time_ns": 10**9, "kind": "placed"} | where | placed,
        {"time_ns": 2 * 10**9, "kind": "resumed", "slot": 0} | where,
    )
    _, about = made_of(run)
    assert about["jobs"][7]["parts"] == []
    assert about["jobs"][7]["rows"][0] == (
        "has not started",
        "waiting for a grant since 1.000000 s",
    )
    told = ("waits for a grant", "still: rank 0 on node 2")
    assert told in about["jobs"][7]["attempts"][0]


def test_lines_of_a_text_of_a_users_protocol_stay_one_text():
    """Two messages' contents and a note's name have line breaks; a browser finds five texts."""
    said = {"time_ns": 1, "kind": "sent", "node": 2, "peer": 0} | ASKED
    rows = [said | {"id": n, "payload": f'{{"text":"{n}\\nb"}}'} for n in (1, 2)]
    note = {"time_ns": 2, "kind": "note", "id": 3, "node": 2, "hears": "client", "what": "a\nb"}
    part = tables_of(made(*rows, note | {"payload": "5"}), Codes())[1]
    _, read = unpacked(pack(part.tables, part.texts, ()))
    assert read == part.texts
    assert [it for it in read if "b" in it and "to node 0" not in it] == [
        "text 1\\nb",
        "text 2\\nb",
        "node 2: the client notes a\\nb: 5",
    ]


def test_a_request_is_answered_when_nothing_of_it_is_asked_for_any_more():
    """What is granted in two parts takes as long as both."""
    steps = [("placed", 0, 10), ("asked", 0, 10), ("answered", 5, 4), ("answered", 9, 6)]
    where = {"job": 7, "node": 0, "payload": '{"nodes":[0]}', "slot": 0}
    rows = [
        {"time_ns": at, "kind": kind, "id": 1 + turn, "amount_bytes": size, **where}
        for turn, (kind, at, size) in enumerate(steps)
    ]
    run, _ = tables_of(made(*rows), Codes())
    assert run.outcomes[7].attempts[0].answered_ns == {0: 9}


def test_what_a_job_asks_for_and_gets_is_of_its_attempt():
    """It asks for 10 + 20 bytes and gets 4, and one process waits for ever, as a grant is lost.

    Killed and placed again, it asks for 7 + 5 and gets 6; what it gave back is lost meanwhile.
    """
    job, ids = {"job": 7}, iter(range(1, 99))

    def at(time_ns, kind, node=None, size=None, **more):
        more |= {"node": node, "amount_bytes": size, "id": next(ids)} | more
        return {"time_ns": time_ns, "kind": kind} | job | more

    def about(what, phase, rank, hears="manager", **more):
        return {"what": what, "phase": phase, "hears": hears, "rank": rank, "size_bytes": 1} | more

    grant = about("Grant", "start", 0, "client", id=50)
    notice = about("Notice", "end", 1, id=51)
    run = made(
        at(0, "placed", size=1, slot=0, payload='{"nodes":[0,1]}'),
        at(1, "asked", 0, 10),
        at(1, "asked", 1, 20),
        at(1, "sent", 0, peer=2, **about("Request", "start", 0)),
        at(2, "sent", 2, peer=0, **grant),
        at(2, "borrowed", 1, 4, peer=3),
        at(3, "answered", 1, 20),
        at(3, "started", 1, rank=1),
        at(3, "lost", 0, peer=2, **grant),
        {"time_ns": 4, "kind": "crashed", "what": "node", "node": 0, "id": 60},
        at(4, "killed", cause=60),
        at(4, "sent", 1, peer=2, cause=60, **notice),
        at(5, "placed", size=1, slot=0, payload='{"nodes":[1,2]}'),
        at(6, "asked", 1, 7),
        at(6, "asked", 2, 5),
        at(7, "lost", 2, peer=1, **notice),
        at(8, "borrowed", 1, 6, peer=3),
        at(9, "answered", 1, 7),
    )
    outcome = tables_of(run, Codes())[0].outcomes[7]
    first, second = outcome.attempts
    assert (first.unmet, second.unmet) == ({0: 10, 1: 16}, {1: 1, 2: 5})
    assert (first.waits_ns, second.waits_ns) == ([2], [3])
    assert (first.lenders, second.lenders) == ({3: 4}, {3: 6})
    assert [it.what for it in first.lost] == ["Grant", "Notice"]
    assert (first.waiting, first.doomed_by.what) == ([(0, 0)], "Grant")
    assert (second.lost, second.doomed_by) == ([], None)
    assert (first.over.time_ns, first.crash.node, second.over) == (4, 0, None)
    values = {row.name: raw for row, raw in outcome.values().items() if row.what[:5] == "unmet"}
    assert values == {
        **{"attempt 1: unmet": 26, "attempt 1: unmet by rank 0": 10},
        **{"attempt 1: unmet by rank 1": 16, "attempt 2: unmet": 6},
        **{"attempt 2: unmet by rank 0": 1, "attempt 2: unmet by rank 1": 5},
    }
    assert made_of(run)[1]["jobs"][7]["rows"][0][0] == "has not ended"  # it has started, once


def test_of_more_records_than_a_browser_holds_details_are_left_out_but_count(tmp_path, monkeypatch):
    jobs = [{"number": 7, "processes": 2, "memory_mb": 40, "demand_s": 0.01, "submit_s": 0}]
    jobs += [jobs[0] | {"number": 8, "submit_s": 5}]
    small = {"nodes": 4, "page_bytes": 2**20, "minimum_demand_s": 0.001, "job": jobs}
    run = record(make_scenario(**small, barrier_s=0.005), "MAN")
    monkeypatch.setattr(html, "MOST_RECORDS", len(run.records) - 1)
    shown = {}
    monkeypatch.setattr(html, "write_page", lambda page, _: shown.update(page=page))
    everything = tables_of(run, Codes())[1]

    def page_of(selection):
        html.write([run], selection, tmp_path / "page.html")
        (text,) = re.findall(r'class="run" type="application/json">(.*?)</script>', shown["page"])
        return json.loads(text)

    def count_of(page, table):
        return next(rows for name, _, rows, *_ in page["columns"] if name == table)

    none, of_job = page_of(Selection()), page_of(Selection(job=8))
    assert "records of hops, pages and barriers are left out" in none["about"]["caption"]
    hops = everything.tables["hops"]["item"]
    jobs = everything.tables["items"]["job"][hops]
    assert (count_of(none, "hops"), count_of(of_job, "hops")) == (0, (jobs == 8).sum())
    for page in (none, of_job):
        rows = {job: its["rows"] for job, its in page["about"]["jobs"].items()}
        assert rows == {
            str(job): [[*row] for row in its["rows"]]
            for job, its in everything.about["jobs"].items()
        }
