"""A job's critical path, against the run's own measures."""

from itertools import pairwise

import pytest

from model.ground.errors import InputError
from model.pnr.cluster import Cluster
from model.pnr.scenario import make_scenario
from model.sharing.unknown.scenario import UnknownScenario
from model.views.exports.tables import parquet
from model.views.recording import Selection, read_recordings, record, recording_of
from model.views.why import (
    BARRIERS,
    COMPUTING,
    DISK,
    GRANT,
    MOVING,
    OUT,
    PAGES,
    QUEUE,
    RUNNING,
    STAYS,
    Part,
    draw,
    parting,
    path,
    totals_s,
)
from tests.model.views.test_gantt import journal

JOBS = [
    {"processes": 3, "memory_mb": 6, "demand_s": 0.2, "number": 7},
    {"processes": 2, "memory_mb": 9, "demand_s": 0.3, "number": 9, "submit_s": 0.01},
    {"processes": 1, "memory_mb": 5, "demand_s": 0.1, "number": 11, "submit_s": 0.02},
]


def scenario_of(jobs=JOBS, **parameters):
    given = {"nodes": 4, "page_bytes": 2**16, "minimum_demand_s": 0.001, "quantum_s": 0.1}
    return make_scenario(job=list(jobs), **{**given, "ram_mb": 8, "barrier_s": 0.02, **parameters})


def test_the_path_of_a_job_alone_by_hand():
    # CPU time between barriers is the same for both, and nothing else happens: computing is the
    # demand; at each barrier the worker's message and its answer take the star 100.58 us each, if
    # the worker is the last; the last barrier is the finish
    job = {"processes": 2, "memory_mb": 1, "demand_s": 0.1, "number": 3}
    parts = path(record(scenario_of([job]), "DP"), 3)
    totals = totals_s(parts)
    assert totals[COMPUTING] == pytest.approx(0.1)
    assert set(totals) == {COMPUTING, BARRIERS}
    assert {part.node for part in parts} == {0, 1}


# Ranks 0, 1 and 3 of four along a tree (90.34 us a message): 3 tells 1, 1 tells 0, 0 releases 1 and
# 1 releases 3. Rank 3 goes on last, 511.02 us after it came (`test_synchronization.py`), and is the
# last to finish. In a ring rank 3 hears rank 2 last of all, 650.34 us after. Without
# barriers nobody waits, and exchanged data hold up nobody.
@pytest.mark.parametrize(
    ("way", "barrier_s", "nodes"),
    [("tree", 0.00051102, {0, 1, 3}), ("neighbours", 0.00065034, {2, 3}), ("none", 0, {3})],
)
def test_the_path_follows_other_ways_to_synchronize(way, barrier_s, nodes):
    job = {"processes": 4, "memory_mb": 1, "demand_s": 0.04, "number": 3}
    exchange_kb = 0 if barrier_s else 1
    given = {"synchronization": way, "exchange_kb": exchange_kb}
    parts = path(record(scenario_of([job], **given), "DP"), 3)
    totals = totals_s(parts)
    assert totals[COMPUTING] == pytest.approx(0.04)
    assert totals.get(BARRIERS, 0) == pytest.approx(barrier_s)
    assert {part.node for part in parts} == nodes


@pytest.mark.parametrize("slots", [1, 3])
@pytest.mark.parametrize("design", ["DP", "CLI", "MAN"])
def test_it_is_whole_and_computes_the_demand(design, slots):
    made = record(scenario_of(mpl=slots), design)
    records = made.records
    for job in JOBS:
        number = job["number"]
        its = records[records["job"] == number].set_index("kind")["time_ns"]
        parts = path(made, number)
        assert (parts[0].start_ns, parts[-1].end_ns) == (its["submitted"], its["ended"])
        assert all(a.end_ns == b.start_ns for a, b in pairwise(parts))
        totals = totals_s(parts)
        assert totals[COMPUTING] == pytest.approx(job["demand_s"], abs=1e-12)
        waited_ns = its["placed"] - its["submitted"]
        assert totals.get(QUEUE, 0) == pytest.approx(waited_ns / 1e9)
        assert slots > 1 or OUT not in totals
        assert design != "DP" or not {GRANT, PAGES} & set(totals)


def test_a_single_process_waits_as_its_own_clock_says():
    # of one process the path is all that it did: with one slot, so that nothing overlaps
    records = []
    job = {"processes": 1, "memory_mb": 12, "demand_s": 0.2, "number": 3}
    cluster = Cluster(scenario_of([job], mpl=1), "CLI", readers=(records.append,))
    kept = {}
    place = cluster.nodes[0].residents
    cluster.running = True
    while cluster.running:
        cluster.step()
        kept |= {it.rank: it for it in place.values()}
    (process,) = kept.values()
    grant, disk, network = (process.spent_ns[state] / 1e9 for state in (2, 3, 4))
    totals = totals_s(path(recording_of(scenario_of([job], mpl=1), "CLI", records, ()), 3))
    assert totals.get(DISK, 0) == pytest.approx(disk)
    assert totals[PAGES] == pytest.approx(network)
    assert totals[GRANT] == pytest.approx(grant)


def test_a_part_of_a_journal_claims_no_path_of_a_job_whose_pages_it_lacks(tmp_path):
    """A single process: its parts are those of its end, to the nanosecond."""
    job = {"processes": 1, "memory_mb": 12, "demand_s": 0.2}
    whole = record(scenario_of([job, job], mpl=1), "CLI")
    parquet([whole], Selection(job=1), tmp_path / "part.parquet")
    (part,) = read_recordings(tmp_path / "part.parquet")
    assert path(part, 1) == path(whole, 1)
    assert "critical path" in draw(part, Selection(job=1)).axes[-1].get_title(loc="left")
    assert totals_s(path(whole, 2))[PAGES] > 0
    assert set(totals_s(path(part, 2))) == {GRANT, RUNNING}
    of_part = draw(part, Selection(job=2)).axes[-1]
    assert of_part.get_title(loc="left").endswith("on average over its processes")
    widths = [
        sorted(bar.get_width() for bar in axes.patches)
        for axes in (of_part, draw(whole, Selection(job=2)).axes[-1])
    ]
    assert widths[0] == pytest.approx(widths[1])


def test_where_two_designs_part():
    one, other = record(scenario_of(), "CLI"), record(scenario_of(), "MAN")
    a, b = parting(one, other, 9)
    assert (a.kind, b.kind) == ("sent", "sent")
    assert a.peer != b.peer  # whom they ask
    before = [run.records[run.records["job"] == 9]["kind"].head(2).tolist() for run in (one, other)]
    assert before == [["submitted", "placed"]] * 2
    assert parting(one, one, 9) is None


def test_the_picture_shows_the_parts_and_says_where_they_part():
    one, other = record(scenario_of(), "CLI"), record(scenario_of(), "MAN")
    figure = draw(one, Selection(job=9), against=other)
    lane, _, waterfall = figure.axes
    totals = totals_s(path(one, 9))
    spans = [it.vertices[:, 0] for it in lane.collections[0].get_paths()]
    assert max(span.max() for span in spans) == pytest.approx(sum(totals.values()))
    widths = [bar.get_width() for bar in waterfall.patches]
    for amount in totals.values():
        assert pytest.approx(amount) in widths
    assert "design CLI against MAN" in figure.legends[0].get_title().get_text()
    assert "\nCLI: diverges at 0.010000 s, node" in lane.get_title(loc="left")


def test_it_needs_a_job_that_has_ended():
    made = record(scenario_of(), "DP")
    with pytest.raises(InputError, match="--job: a critical path is one job's"):
        draw(made, Selection())
    with pytest.raises(InputError, match="job 5 is not in the journal"):
        draw(made, Selection(job=5))


def test_a_job_of_load_sharing_waits_stays_on_nodes_and_is_on_its_way_between_them():
    made = record(UnknownScenario(nodes=3, jobs=2), "NO_LS")
    rows = journal(
        (1, "submitted", 7, [0]),
        (4, "moved", 7, [0, 1]),  # remote execution: it never was on node 0
        (6, "placed", 7, [1]),
        (11, "moved", 7, [1, 2]),
        (14, "placed", 7, [2]),
        (22, "ended", 7, [2]),
    )
    assert path(recording_of(made.scenario, "NO_LS", rows, ()), 7) == [
        Part(1, 4, QUEUE),
        Part(4, 6, MOVING, 1),
        Part(6, 11, STAYS, 1),
        Part(11, 14, MOVING, 2),
        Part(14, 22, STAYS, 2),
    ]
    job = int(made.records.loc[made.records["kind"] == "ended", "job"].iloc[0])
    its = made.records[made.records["job"] == job].set_index("kind")["time_ns"]
    assert sum(totals_s(path(made, job)).values()) * 1e9 == its["ended"] - its["submitted"]
    figure = draw(made, Selection(job=job))
    labels = [tick.get_text() for tick in figure.axes[-1].get_yticklabels()]
    assert labels == ["computing", "waiting for the CPU"]
    assert sum(bar.get_width() for bar in figure.axes[-1].patches) * 1e9 == pytest.approx(
        its["ended"] - its["submitted"]
    )


def test_without_details_the_waterfall_is_where_the_time_of_processes_went():
    records = []
    cluster = Cluster(scenario_of(), "CLI", readers=(records.append,), journal_level="protocol")
    cluster.run()
    job = cluster.job(9)
    figure = draw(recording_of(scenario_of(), "CLI", records, ()), Selection(job=9))
    waterfall = figure.axes[-1]
    response_s = (job.end_ns - job.submit_ns) / 1e9
    assert sum(bar.get_width() for bar in waterfall.patches) == pytest.approx(response_s)
    bars = dict(
        zip(
            [tick.get_text() for tick in waterfall.get_yticklabels()],
            [bar.get_width() for bar in waterfall.patches],
            strict=True,
        )
    )
    assert bars["computing"] == pytest.approx(job.demand_ns / 1e9)
    assert "pages over the network" in bars


def test_a_job_that_never_ended_says_what_it_waits_for_since_when_and_what_was_lost():
    # the client's request of job 3 is the only message that is lost, at 100 % until 0.5 ms
    fault = [{"kind": "loss", "rate": 1, "until_s": 0.0005, "messages": ["ServerRequest"]}]
    job = {"processes": 1, "memory_mb": 12, "demand_s": 0.2, "number": 3}
    made = record(scenario_of([job], fault=fault), "MAN", "protocol")
    (lost,) = made.records[made.records["kind"] == "lost"].itertuples()
    placed = made.records.loc[made.records["kind"] == "placed", "time_ns"].item()
    figure = draw(made, Selection(job=3))
    title = figure.axes[0].get_title(loc="left").replace("\n", " ")
    assert f"attempt 1: placed at {placed / 1e9:.6f} s in slot 0 on node 0;" in title
    assert f"hangs since {lost.time_ns / 1e9:.6f} s, when ServerRequest from node" in title
    assert f"to node {lost.node} was lost: rank 0 on node 0;" in title
    assert "never ended" in figure.get_suptitle().replace("\n", " ")
    (bar,) = figure.axes[-1].patches  # it waits for a grant to the end of the journal
    assert bar.get_width() * 1e9 == pytest.approx(made.records["time_ns"].max() - placed)
