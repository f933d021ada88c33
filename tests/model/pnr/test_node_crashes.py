"""Crashes of whole nodes: what is lost, what begins again, where and when."""

import pytest

from model.ground.errors import InputError
from model.ground.units import BYTES_PER_MB, NS_PER_MS, NS_PER_S
from model.pnr import node_crashes
from model.pnr.metrics import measure
from model.pnr.scenario import make_scenario
from model.systems import comparison_of
from tests.journaled import journaled

#: A process that fits into its node's 32 MB and computes for a second without a barrier.
FITS = {"memory_mb": 8, "demand_s": 1}
#: A process that lacks 8 MB.
LACKS = {"memory_mb": 40, "demand_s": 1}
LINK_NS, SWITCH_NS = 5_120 + 50, 80_000  # 64 bytes at 100 Mbps, and the latency


def crash(*nodes, at=0.4, restart_s=None):
    return {"kind": "node", "nodes": nodes, "from_s": at, "restart_s": restart_s}


def emulate(*faults, jobs, design="DP", level="protocol", plane="actors", **parameters):
    """A run with these faults on four nodes: the cluster, its journal, and its measures."""
    parameters = {"nodes": 4, "page_bytes": 2**20, "barrier_s": 100, **parameters}
    scenario = make_scenario(job=jobs, designs=(design,), fault=faults or None, **parameters)
    comparison_of(scenario).validate()
    options = {"journal_level": level, "plane": plane, "check": True}
    cluster, records = journaled(scenario, design, **options)
    return cluster, records, measure(cluster)


def placements(records):
    """Which job was placed where, and when, in s."""
    return [
        (record.job, record.payload, record.time_ns / NS_PER_S)
        for record in records
        if record.kind == "placed"
    ]


def times_s(records, kind):
    return [(record.job, record.time_ns / NS_PER_S) for record in records if record.kind == kind]


@pytest.mark.parametrize("plane", ["actors", "compiled"])
def test_a_killed_job_begins_again_at_once_where_nodes_are_free(plane):
    _, records, result = emulate(crash(0), jobs=[{"processes": 2, **FITS}], plane=plane)
    assert placements(records) == [(1, '{"nodes":[0,1]}', 0), (1, '{"nodes":[1,2]}', 0.4)]
    assert times_s(records, "killed") == [(1, 0.4)]
    assert times_s(records, "ended") == [(1, 1.4)]  # its whole demand
    [job] = result.jobs.to_dict("records")
    parts = ("response_s", "wait_s", "lost_s", "computing_s", "attempts")
    assert [job[part] for part in parts] == [1.4, 0, 0.4, 1, 2]
    assert result.summary["breakdown"]["lost_s"] == 0.4
    faults = result.summary["faults"]
    assert (faults["attempts"], faults["jobs_restarted"], faults["jobs_failed"]) == (2, 1, 0)


def test_a_job_that_finds_no_room_waits_for_the_node_to_come_back():
    _, records, result = emulate(crash(0, restart_s=10), jobs=[{"processes": 4, **FITS}])
    assert [at for _, _, at in placements(records)] == [0, 10.4]
    [job] = result.jobs.to_dict("records")
    assert (job["wait_s"], job["lost_s"], job["response_s"]) == (10, 0.4, 11.4)
    assert result.summary["faults"]["mean_time_to_recover_s"] == 10


def test_a_job_that_can_never_fit_again_has_failed_and_others_go_on():
    jobs = [{"processes": 4, **FITS}, {"processes": 1, **FITS}]
    _, records, result = emulate(crash(0), jobs=jobs, mpl=1)
    assert times_s(records, "failed") == [(1, 0.4)]
    assert times_s(records, "ended") == [(2, 1.4)]  # it had waited for job 1
    faults = result.summary["faults"]
    assert (faults["jobs_failed"], faults["jobs_stuck"], result.summary["jobs"]) == (1, 0, 1)


def test_killed_jobs_go_before_those_that_wait():
    jobs = [{"processes": 4, **FITS}, {"processes": 1, **FITS}]
    _, records, _ = emulate(crash(0, restart_s=1), jobs=jobs, mpl=1)
    assert times_s(records, "ended") == [(1, 2.4), (2, 3.4)]  # first come, first served


def test_jobs_killed_together_keep_their_order():
    jobs = [{"processes": 2, **FITS}, {"processes": 2, **FITS}]
    _, records, _ = emulate(crash(1, 2, restart_s=1), jobs=jobs, mpl=1)
    assert [(job, at) for job, _, at in placements(records)] == [(1, 0), (2, 0), (1, 0.4), (2, 1.4)]


def test_a_job_is_tried_so_often_and_no_more(monkeypatch):
    monkeypatch.setattr(node_crashes, "MOST_ATTEMPTS", 2)
    crashes = [crash(0, at=at, restart_s=0.1) for at in (0.2, 0.5, 0.8)]
    _, records, result = emulate(*crashes, jobs=[{"processes": 1, **FITS}], nodes=1)
    assert times_s(records, "killed") == [(1, 0.2), (1, 0.5)]
    assert times_s(records, "failed") == [(1, 0.5)]
    assert result.summary["faults"]["attempts"] == 2
    assert result.summary["faults"]["jobs_restarted"] == 1


@pytest.mark.parametrize("plane", ["actors", "compiled"])
def test_a_job_that_fits_no_more_after_its_first_attempt_was_begun_once(plane):
    # job 1 is killed and given up, and job 2 comes when only two nodes are left for its three
    jobs = [{"processes": 4, **FITS}, {"processes": 3, "submit_s": 1, **FITS}]
    _, records, result = emulate(crash(0, 1), jobs=jobs, plane=plane)
    assert [job for job, _ in times_s(records, "failed")] == [1, 2]
    faults = result.summary["faults"]
    assert (faults["attempts"], faults["jobs_restarted"], faults["jobs_failed"]) == (1, 0, 2)


@pytest.mark.parametrize("plane", ["actors", "compiled"])
def test_waits_for_pages_of_killed_attempts_count_as_their_faults_do(plane):
    pages = {"page_bytes": 2**16, "nodes": 1, "plane": plane}
    jobs = [{"processes": 1, **LACKS, "demand_s": 10}]
    _, _, result = emulate(crash(0, at=9, restart_s=1), jobs=jobs, **pages)
    [job] = result.jobs.to_dict("records")
    faults, wait_ms = result.summary["faults_disk"], result.summary["disk_page_ms"]
    # seek 9 ms, half a turn 4.166667 ms, 2^16 B at 50 MB/s: 1.25 ms. The crash may cut one short.
    assert job["disk_faults_s"] * 1000 < 14.416667 * (faults - 10)
    assert 14.416667 * (faults - 1) <= faults * wait_ms <= 14.416667 * faults


def test_a_job_is_killed_even_if_its_process_on_the_node_has_finished():
    # Job 2 is in the other time slot of node 0, where rank 0 of job 1 pages and ends later.
    jobs = [{"processes": 2, **FITS}, {"processes": 1, "memory_mb": 30, "demand_s": 1}]
    parameters = {"jobs": jobs, "nodes": 2, "mpl": 2, "quantum_s": 100}
    _, before, _ = emulate(**parameters)
    ends = {r.rank: r.time_ns for r in before if r.kind == "finished" and r.job == 1}
    assert ends[1] < ends[0]
    at_s = (ends[1] + 1) / NS_PER_S
    _, records, _ = emulate(crash(1, at=at_s, restart_s=1), **parameters)
    assert [job for job, _ in times_s(records, "killed")] == [1]


@pytest.mark.parametrize("plane", ["actors", "compiled"])
def test_a_node_that_crashes_while_it_is_down_is_back_when_both_crashes_are_over(plane):
    # down from 0.4 to 6 s; after that its servent hears the client and the manager again
    faults = crash(0, at=0.4, restart_s=1), crash(0, at=1, restart_s=5)
    jobs = [{"processes": 4, **FITS}, {"processes": 1, **LACKS, "submit_s": 10}]
    cluster, records, result = emulate(*faults, jobs=jobs, design="MAN", plane=plane)
    assert [at for _, _, at in placements(records)] == [0, 6, 10]
    assert [servent.host.crashes for servent in cluster.servents] == [0] * 4
    assert result.summary["jobs"] == 2
    restarts = [(it.what, it.time_ns / NS_PER_S) for it in records if it.kind == "restarted"]
    assert restarts == [("node", 6), ("servent", 6)]


@pytest.mark.parametrize("plane", ["actors", "compiled"])
def test_a_request_to_a_crashed_lender_goes_to_the_disk_after_the_timeout(plane):
    jobs = [{"processes": 1, **LACKS}]
    _, before, _ = emulate(jobs=jobs, design="CLI", level="all", page_bytes=2**16)
    asked = [r for r in before if (r.kind, r.what) == ("sent", "PageRequest")][2]
    _, records, result = emulate(
        crash(asked.peer, at=(asked.time_ns + 50_000) / NS_PER_S),
        jobs=jobs,
        design="CLI",
        level="all",
        plane=plane,
        page_bytes=2**16,
    )
    [lost] = [r for r in records if r.kind == "lost"]
    assert (lost.id, lost.time_ns) == (asked.id, asked.time_ns + 2 * LINK_NS + SWITCH_NS)
    disk = next(r for r in records if r.kind == "disk" and r.time_ns > asked.time_ns)
    assert (disk.time_ns, disk.cause) == (asked.time_ns + 10 * NS_PER_MS, asked.cause)
    later = [r.kind for r in records if r.time_ns > asked.time_ns and r.what == "PageRequest"]
    assert later == ["hop", "hop", "lost"]  # nobody borrows from the dead: the rest is on disk
    assert result.summary["jobs"] == 1
    given = [r for r in records if r.kind == "given back"]
    assert [(r.peer, r.amount_bytes) for r in given] == [(asked.peer, 8 * BYTES_PER_MB)]


def test_what_a_crashed_node_borrowed_stays_lent():
    # The manager of node 1 asks node 0, the dead one, first, and never hears from it.
    parameters = {"jobs": [{"processes": 1, **LACKS}], "grant_timeout_s": 1}
    _, _, result = emulate(crash(0), design="CLI", **parameters)
    assert result.summary["jobs"] == 1  # again, on node 1
    assert result.summary["faults"]["leaked_mb"] == 8


def test_clients_on_surviving_nodes_give_back_what_a_killed_process_needed():
    _, records, _ = emulate(crash(0), jobs=[{"processes": 2, **LACKS}], design="CLI")
    released = next(r for r in records if (r.kind, r.what) == ("sent", "ReleaseNotice"))
    assert (released.node, released.time_ns, released.rank) == (1, int(0.4 * NS_PER_S), 1)


def test_a_grant_for_an_attempt_that_was_killed_is_given_back():
    # Job 1's servent on node 1 asks at 0; node 0 of the same job dies while the answer travels.
    _, records, result = emulate(
        crash(0, at=0.000_05), jobs=[{"processes": 2, **LACKS}], design="CLI", nodes=6
    )
    assert result.summary["jobs"] == 1
    lent = dict.fromkeys(range(6), 0)
    for record in records:
        if record.kind in ("lent", "returned"):
            lent[record.node] += record.amount_bytes * (1 if record.kind == "lent" else -1)
    assert sum(lent.values()) <= 8 * BYTES_PER_MB  # at most what node 0 had asked for


def test_faults_that_leave_no_node_are_one_line():
    with pytest.raises(InputError, match=r"fault 2 .node. leaves no node; give restart_s"):
        emulate(crash(0, 1), crash(2, 3, at=9), jobs=[{"processes": 1, **FITS}])
    emulate(crash(0, 1), crash(2, 3, restart_s=1), jobs=[{"processes": 1, **FITS}])


DATA = {"messages": ["page", "barrier"]}


@pytest.mark.parametrize("design", ["DP", "MAN"])
@pytest.mark.parametrize(
    "fault",
    [
        {"kind": "loss", "rate": 0.3},
        {"kind": "duplicate", "rate": 0.5},
        {"kind": "delay", "delay_ms": 30, "distribution": "exponential"},
        {"kind": "partition", "groups": [[0]], "from_s": 0.5, "until_s": 2},
    ],
)
def test_jobs_get_over_faults_of_pages_and_barriers(fault, design):
    jobs = [{"processes": 3, **LACKS}, {"processes": 2, **LACKS, "submit_s": 0.2}]
    _, plain, _ = emulate(jobs=jobs, design=design, barrier_s=0.1, level="all")
    _, records, result = emulate(
        {**fault, **DATA}, jobs=jobs, design=design, barrier_s=0.1, level="all"
    )
    assert result.summary["jobs"] == 2
    # Every process passes as many barriers as without faults, and none twice.
    barriers = [[r.kind for r in all_of].count("barrier") for all_of in (plain, records)]
    assert barriers[0] == barriers[1]


def test_a_lost_page_is_asked_for_again_after_the_timeout():
    lost = {"kind": "loss", "messages": ["PageReply"], "until_s": 0.6}
    _, records, _ = emulate(lost, jobs=[{"processes": 1, **LACKS}], design="CLI", level="all")
    drops = [r for r in records if r.kind == "lost"]
    assert drops
    for drop in drops:  # a page of 1 MB travels for longer than the timeout of 10 ms
        again = next(r for r in records if r.what == "PageRequest" and r.time_ns >= drop.time_ns)
        assert (again.kind, again.time_ns, again.peer) == ("sent", drop.time_ns, drop.peer)


def test_a_lost_barrier_message_is_sent_again_after_the_timeout():
    lost = {"kind": "loss", "messages": ["BarrierArrive"], "until_s": 0.3}
    jobs = [{"processes": 2, **FITS}]
    _, records, _ = emulate(lost, jobs=jobs, barrier_s=0.25, level="all")
    sent = [r.time_ns for r in records if (r.kind, r.what) == ("sent", "BarrierArrive")]
    quarter = NS_PER_S // 4
    assert sent[:6] == [quarter + 10 * NS_PER_MS * again for again in range(6)]  # until 0.3 s
    assert sent[6] > 2 * quarter


@pytest.mark.parametrize("plane", ["actors", "compiled"])
def test_a_run_in_which_nodes_only_fail_has_stalled(plane):
    """The job waits for four nodes at once, of which hardly ever two are up."""
    fails = {"kind": "node", "mtbf_s": 0.001, "mttr_s": 0.1}
    cluster, _, result = emulate(fails, jobs=[{"processes": 4, **FITS}], plane=plane)
    assert result.summary["faults"]["jobs_stuck"] == 1
    assert cluster.clock.now_ns < 200 * NS_PER_S  # after some 1,000 failures of each
