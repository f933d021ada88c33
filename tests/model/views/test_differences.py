"""Where two runs differ, by rank: found here by other code, from the table of the records."""

import json

import pytest

from model.core.journal.kinds import Record, Spent
from model.pnr.scenario import make_scenario
from model.views.differences import (
    CHOICE,
    END,
    LENDER,
    MESSAGES,
    REFUSAL,
    UNMET,
    differences,
    divergence,
    end,
)
from model.views.outcomes import Outcome
from model.views.page.tables import Codes, tables_of
from model.views.recording import record, recording_of

MB = 2**20
JOBS = [
    {"processes": 2, "memory_mb": 66, "demand_s": 0.01, "number": 7},
    {"processes": 1, "memory_mb": 8, "demand_s": 0.01, "number": 8, "submit_s": 0.5},
]


def runs_of(recordings):
    likeness = Codes()
    return [tables_of(recording, likeness)[0] for recording in recordings]


def two(*designs, **parameters):
    values = {"job": JOBS, "minimum_demand_s": 0.001, "page_bytes": 2**29, "nodes": 3} | parameters
    return [record(make_scenario(**values), design, "protocol") for design in designs]


def loans(recording):
    """(borrower, lender) -> bytes, of the first job."""
    table = recording.records
    table = table[(table["kind"] == "borrowed") & (table["job"] == 7)]
    return {(int(row.node), int(row.peer)): int(row.amount_bytes) for row in table.itertuples()}


@pytest.fixture(scope="module")
def pair():
    return two("CLI", "CEN")


@pytest.fixture(scope="module")
def found(pair):
    return differences(*runs_of(pair))


def test_they_go_from_outcome_to_cause(pair, found):
    assert loans(pair[0]) != loans(pair[1])
    of_worst = [it for it in found if it.job == found[0].job]
    sorts = [it.sort for it in of_worst]
    assert sorts == sorted(sorts)
    assert sorts[:3] == [END, UNMET, LENDER]
    assert MESSAGES in sorts


def test_the_first_after_the_end_is_the_first_other_lender(pair, found):
    first = next(it for it in found if it.sort == LENDER)
    here, there = map(loans, (pair[first.run], pair[1 - first.run]))
    item = runs_of(pair)[first.run].items.iloc[first.item]
    assert item["kind"] == "borrowed"
    way = int(item["node"]), int(item["peer"])
    assert here[way] != there.get(way)
    # none in either run that the other has otherwise is earlier
    for ours, theirs in ((0, 1), (1, 0)):
        table = pair[ours].records
        for row in table[table["kind"] == "borrowed"].itertuples():
            other = loans(pair[theirs]).get((int(row.node), int(row.peer)))
            assert row.time_ns >= item["time_ns"] or row.amount_bytes == other
    amount = here[way] / 2**20
    assert f"{amount:.2f} MB from node {way[1]} under {pair[first.run].design}" in first.text


def test_a_burst_is_one_difference(pair, found):
    for run, recording in enumerate(pair):
        told = [it for it in found if it.run == run and it.sort in (REFUSAL, MESSAGES, CHOICE)]
        keys = [(it.job, it.text.split(" about")[0]) for it in told]
        assert len(keys) == len({*keys})
        assert len(told) < (recording.records["kind"] == "sent").sum()


def test_the_end_has_the_response_under_both(pair, found):
    end = found[0]
    for recording in pair:
        table = recording.records[recording.records["job"] == end.job]
        times = table.set_index("kind")["time_ns"]
        response_ms = (times["ended"] - times["submitted"]) / 1e6
        assert f"{response_ms:,.4g} ms under {recording.design}" in end.text


def test_a_run_differs_from_itself_in_nothing(pair):
    assert differences(*runs_of([pair[0], pair[0]])) == []


def test_a_job_that_ends_in_one_run_alone_comes_first():
    lost = [{"kind": "loss", "messages": ["RamGrant"], "rate": 1}]
    runs = two("CEN", "DP", fault=lost)
    first = differences(*runs_of(runs))[0]
    assert (first.sort, first.job) == (END, 7)
    assert "job 7 never ends under CEN and takes" in first.text


def test_times_that_read_alike_are_told_by_what_lies_between():
    # under MAN a job that lacks nothing waits for its manager all the same
    jobs = [{"processes": 2, "memory_mb": 8, "demand_s": 20, "number": 7}]
    first = differences(*runs_of(two("DP", "MAN", job=jobs)))[0]
    assert first.text.startswith("job 7 takes 20 s under both, ")
    assert first.text.endswith("µs more under MAN, a difference that chance alone can make")


def of_records(*rows):
    """A run of a job's records, of which each names some fields."""
    records = [Record(**{"job": 7, "time_ns": n, "id": n + 1} | row) for n, row in enumerate(rows)]
    return recording_of(make_scenario(nodes=16), "MAN", records, (0,))


def placed(*nodes):
    payload = json.dumps({"nodes": nodes})
    return {"kind": "placed", "payload": payload, "slot": 0, "amount_bytes": MB}


def test_two_diverge_where_the_first_attempt_was_doomed_not_at_a_later_victim():
    """Job 7 waits in vain from 3 ns on, is killed at 50, and does so again from 52 on.

    Job 8, which waits in vain from 13 ns on, is placed elsewhere since job 7 hangs. Job 9 takes
    twice as long, as it is switched out in turn with what hangs, from 0 on.
    """

    def starts(job, at, node):
        request = {"what": "Request", "phase": "start", "hears": "manager", "rank": 0, "job": job}
        way = {"id": 100 * job + at, "size_bytes": 1} | request
        begin = placed(node) | {"job": job, "time_ns": at}
        return begin, {"kind": "sent", "time_ns": at, "node": node, "peer": 9} | way, way

    def hangs(job, at, node, lost_at):
        *begin, way = starts(job, at, node)
        return *begin, {"kind": "lost", "time_ns": lost_at, "node": 9, "peer": node} | way

    def ends(job, at, node, end_at):
        *begin, way = starts(job, at, node)
        arrives = {"kind": "delivered", "time_ns": at, "node": 9, "peer": node} | way
        started = {"kind": "started", "job": job, "rank": 0, "node": node, "time_ns": at}
        return *begin, arrives, started, {"kind": "ended", "job": job, "time_ns": end_at}

    came = [{"kind": "submitted", "job": job, "time_ns": 0} for job in (7, 8, 9)]
    killed = {"kind": "killed", "job": 7, "time_ns": 50}
    fine = [*came, *ends(9, 0, 1, 20), *ends(7, 0, 2, 9), *ends(8, 10, 2, 15)]
    hung = [*came, *ends(9, 0, 1, 40), *hangs(7, 0, 2, 3), *hangs(8, 10, 3, 13)]
    hung += [killed, *hangs(7, 51, 2, 52)]
    by_time = [sorted(records, key=lambda it: it["time_ns"]) for records in (fine, hung)]
    runs = runs_of([of_records(*records) for records in by_time])
    apart = divergence(*runs, differences(*runs))
    assert (apart.sort, apart.job, apart.run, apart.time_ns) == (END, 7, 1, 3)
    assert "it waited in vain from 0.000000 s on, when Request from node 2" in apart.text


def told(one, other):
    """What stands for the two runs in the first difference."""
    return differences(*runs_of([of_records(*one), of_records(*other)]))[0].text


@pytest.mark.parametrize(
    ("parts_s", "told"),
    [
        ({"barriers": 9}, "109 s under B, a difference that chance alone can make"),
        # it is switched out for longer because it takes longer
        (
            {"barriers": 50, "switched_out": 150},
            "300 s under B; of this difference of 200 s, 50 s at barriers",
        ),
        (
            {"disk_faults": 250, "computing": -50},
            "300 s under B; of this difference of 200 s, 250 s for pages from the disk, "
            "less 50 s computing",
        ),
    ],
)
def test_causes_are_told_of_what_chance_does_not_make(parts_s, told):
    parts = {"computing": 100}, {"computing": 100 + parts_s.pop("computing", 0)} | parts_s
    both = [taking(sum(its.values()), its) for its in parts]
    assert end("AB", both) == f"job 7 takes 100 s under A and {told}"


def taking(response_s, parts_s):
    """The outcome of a job of one process that took so long."""
    times_ns = {"submitted": 0, "ended": response_s * 10**9}
    return Outcome(7, times_ns, spent=Spent(1, {it: of * 10**9 for it, of in parts_s.items()}))


def test_where_a_job_is_names_the_nodes_that_differ():
    """Of twelve nodes eight are listed, and these are the same; so the ranks of two others."""
    first = range(11)
    differ = told([placed(*first, 11)], [placed(*first, 13)])
    assert "… (11 only there) under MAN and" in differ
    assert differ.endswith("… (13 only there) under MAN")
    assert told([placed(3, 5)], [placed(5, 3)]) == (
        "job 7 runs on nodes 3, 5 (rank 0 on node 3) under MAN "
        "and on nodes 3, 5 (rank 0 on node 5) under MAN"
    )
