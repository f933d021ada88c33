"""Whole runs: what holds whatever the policy does, and what the loop does to a cluster."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from agents.sharing.job import ENDED, HELD, KILLED, MOVING, PAGING
from agents.sharing.policy import Hold, Kill, Policy
from model.ground.errors import InputError, Stalled
from model.sharing.metrics import measure
from model.sharing.unknown.policies import POLICIES
from tests.model.sharing.conservation import measured_whole
from tests.model.sharing.unknown.jobs import emulate, spec

MB, MS, S = 2**20, 10**6, 10**9


def test_submissions_wait_while_the_node_thrashes():
    # 220 MB thrash until the second ends; then, at once, the third begins, and ends its 1 s.
    specs = [spec(1, 40, 110), spec(2, 5, 110), spec(3, 1, 1, submit_s=2)]
    first, second, third = emulate(specs, "NO_LS_BLOCKING").jobs
    assert third.spent_ns[HELD] == second.end_ns - 2 * S
    assert second.end_ns < third.end_ns < first.end_ns


def test_a_job_migrates_at_r_and_its_working_set_of_then():
    # The second grows at 1 s of its CPU time and the node pages: it is the larger, 80 MB.
    specs = [spec(1, 100, 60), spec(2, 50, 30, (1, 80))]
    stays, goes = emulate(specs, "WORKSIZE").jobs
    assert (stays.migrations, goes.migrations) == (0, 1)
    assert goes.spent_ns[MOVING] == 100 * MS + 80 * MB * 8 * 100
    assert goes.faults
    assert stays.end_ns < 110 * S  # faults have ceased


@pytest.mark.parametrize(("bandwidth_mbps", "remote_s"), [(10, 0.1), (100, 0.05)])
def test_the_bandwidth_decides_on_r(bandwidth_mbps, remote_s):
    specs = [spec(1, 100, 128), spec(2, 1, 1, submit_s=5)]
    moved = emulate(specs, "AGE", bandwidth_mbps=bandwidth_mbps).jobs[1]
    assert (moved.remote_submissions, moved.spent_ns[MOVING]) == (1, remote_s * S)


@pytest.mark.parametrize(("target", "least", "most"), [("room", 0, 0), ("threshold", 5, 1000)])
def test_where_no_node_has_room_a_job_stays_or_as_printed_goes_to_and_fro(target, least, most):
    # Wherever the large one goes, its node pages, and the other has less than MT. It comes once
    # its home has heard of the job at the other node.
    specs = [spec(3, 200, 20, home=1), spec(1, 20, 120, submit_s=3), spec(2, 20, 20, submit_s=3)]
    cluster = emulate(specs, "WORKSIZE", bandwidth_mbps=1000, target=target)
    assert least <= cluster.jobs[1].migrations <= most
    assert all(job.state != KILLED for job in cluster.jobs)


def test_a_job_begins_where_it_first_runs_and_a_migration_does_not_change_that():
    # The third finds two jobs at its home, CT, and goes elsewhere in r = 0.1 s; then the second
    # grows, and migrates.
    specs = [spec(1, 100, 60), spec(2, 50, 30, (1, 80)), spec(3, 1, 1, submit_s=0.5)]
    stays, goes, submitted = emulate(specs, "WORKSIZE", ct=2).jobs
    assert (goes.migrations, submitted.remote_submissions) == (1, 1)
    assert [job.started_ns for job in (stays, goes, submitted)] == [0, 0, 600 * MS]


@pytest.mark.parametrize("policy", POLICIES)
def test_where_all_nodes_are_overloaded_nothing_is_lost(policy):
    specs = [spec(n, 2, 50, home=n % 2, submit_s=n / 10, ios=3000) for n in range(1, 21)]
    cluster = emulate(specs, policy)
    summary = measure(cluster).summary
    assert summary["jobs"] == 20
    # RAM and swap of each node hold five of 50 MB.
    assert (summary["killed"] > 0) == (policy == "NO_LS")
    held = [job for job in cluster.jobs if job.spent_ns[HELD]]
    assert bool(held) == (policy != "NO_LS")


def test_killed_jobs_are_told_apart_and_do_not_count():
    result = measure(emulate([spec(1, 10, 200), spec(2, 10, 200)], "NO_LS"))
    assert result.jobs["killed"].to_list() == [False, True]
    assert (result.summary["jobs"], result.summary["killed"]) == (2, 1)
    assert result.summary["mean_slowdown"] == result.jobs["slowdown"][0]


def test_where_every_job_is_killed_there_is_nothing_to_measure():
    with pytest.raises(InputError, match="NO_LS killed every job"):
        measure(emulate([spec(1, 10, 300)], "NO_LS"))


class Keeper(Policy):
    """Holds everything back for ever."""

    def arrived(self, view, job):
        return Hold(job)


def test_jobs_that_are_held_back_for_ever_are_found(monkeypatch):
    monkeypatch.setitem(POLICIES, "KEEPER", Keeper)
    with pytest.raises(Stalled, match="job 1: held back at its home"):
        emulate([spec(1, 1, 1)], "KEEPER")


class Executioner(Policy):
    """Kills, at every report, one job that is held back or waits for a page."""

    def arrived(self, view, job):
        return Hold(job) if job.number % 2 else None

    def reported(self, view):
        waiting = [*view.held, *(job for job in view.jobs if job.state == PAGING)]
        return Kill(waiting[0]) if waiting else None


def test_jobs_can_be_killed_wherever_they_wait(monkeypatch):
    monkeypatch.setitem(POLICIES, "EXECUTIONER", Executioner)
    cluster = emulate([spec(n, 30, 100, ios=9000) for n in range(1, 5)], "EXECUTIONER")
    assert sum(job.state == KILLED for job in cluster.jobs) >= 3


@pytest.mark.parametrize("policy", sorted(set(POLICIES) - {"NO_LS", "NO_LS_BLOCKING"}))
def test_jobs_that_are_over_before_the_next_report_are_let_in_one_after_another(policy):
    """With CT 1 a report lets in one of seven jobs of a millisecond, and then all is quiet."""
    cluster = emulate([spec(n, 0.001, 1) for n in range(1, 8)], policy, nodes=3, ct=1)
    assert {job.state for job in cluster.jobs} == {ENDED}


JOBS = st.lists(
    st.tuples(
        st.integers(1, 4000).map(lambda n: n / 1000),
        st.integers(1, 200),
        st.integers(0, 2),
        st.integers(0, 40).map(lambda n: n / 10),
        st.lists(st.tuples(st.sampled_from([0.2, 0.5, 0.9]), st.integers(1, 200)), max_size=3),
        st.sampled_from([0, 1000, 4000]),
    ),
    min_size=1,
    max_size=20,
)


@given(
    JOBS,
    st.sampled_from(sorted(POLICIES)),
    st.integers(1, 5),
    st.sampled_from([-15, 0, 15]),
    st.sampled_from(["formula", "messages"]),
    st.sampled_from([10, 1000]),
)
def test_jobs_and_work_are_conserved(jobs, policy, ct, mt, transfer, bandwidth_mbps):
    specs = [
        spec(
            *(number, demand_s, memory_mb),
            *((share * demand_s, mb) for share, mb in sorted(dict(events).items())),
            **{"home": home, "submit_s": submit_s, "ios": ios},
        )
        for number, (demand_s, memory_mb, home, submit_s, events, ios) in enumerate(jobs, start=1)
    ]
    specs.sort(key=lambda one: one.submit_ns)
    cluster = emulate(
        specs, policy, nodes=3, ct=ct, mt=mt, transfer=transfer, bandwidth_mbps=bandwidth_mbps
    )
    if all(job.state == KILLED for job in cluster.jobs):
        return
    result = measured_whole(cluster)
    assert policy == "NO_LS" or not result.summary["killed"]
