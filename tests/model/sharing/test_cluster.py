"""Jobs on workstations: times by hand, and what holds whatever the policy does."""

from itertools import pairwise

import pytest
from hypothesis import given
from hypothesis import strategies as st

from agents.sharing.job import MOVING, PAGING, READY
from agents.sharing.policy import Move, Policy
from model.core.checks import CheckFailed
from model.ground.errors import Stalled
from model.sharing.memory.policies import POLICIES
from model.sharing.scenarios import make_sharing_scenario
from model.systems import run
from tests.journaled import journaled
from tests.model.sharing.conservation import lists_of_jobs, measured_whole

MS = 10**6
#: 10 MB of RAM, working sets as large as requests; a fault every 4 ms of CPU, 10 ms at the disk.
SMALL = {"nodes": 2, "ram_mb": 10, "working_set_pct": 100, "mips": 100, "fault_rate": 2.5}


def job(demand_s, memory_mb=1, submit_s=0, home=0):
    return {"submit_s": submit_s, "home": home, "memory_mb": memory_mb, "demand_s": demand_s}


def emulate(jobs, policy="NO_LS", **parameters):
    return run(make_sharing_scenario(job=jobs, **{**SMALL, **parameters}), policy, check=True)


def ends_ms(cluster):
    return [job.end_ns / MS for job in cluster.jobs]


def test_a_job_alone_pays_one_context_switch():
    assert ends_ms(emulate([job(0.05)])) == [50.1]


def test_two_jobs_take_turns():
    # Turns of 10.1 ms: 0 has three, the last of 5 ms; 1 has two: 0 1 0 1 0.
    assert ends_ms(emulate([job(0.025), job(0.02)])) == [4 * 10.1 + 5.1, 4 * 10.1]


def test_on_an_overloaded_node_a_job_faults_every_four_ms_of_cpu_time():
    cluster = emulate([job(0.1, memory_mb=10)])
    (only,) = cluster.jobs
    assert only.faults == 25  # the first within 4 ms, 24 more; at 100 ms it has ended
    assert only.end_ns == 0.1 * MS + 100 * MS + 250 * MS
    assert only.spent_ns[PAGING] == 250 * MS


def test_below_the_ram_nobody_faults_and_at_the_ram_all_do():
    below = emulate([job(0.1, memory_mb=4), job(0.1, memory_mb=5.9)])
    at = emulate([job(0.1, memory_mb=4), job(0.1, memory_mb=6)])
    assert [one.faults for one in below.jobs] == [0, 0]
    assert all(one.faults > 10 for one in at.jobs)


def test_faults_cease_when_a_job_leaves_and_begin_when_one_comes():
    # The second comes after 100 ms and is gone well before the first one's last second.
    cluster = emulate([job(2, memory_mb=9), job(0.1, memory_mb=9, submit_s=0.1)])
    first, second = cluster.jobs
    assert 20 <= second.faults <= 25
    # They take turns, so while both are there the first faults as often, give or take one slice
    # (10 ms, 2.5 faults); alone it would fault 500 times.
    assert abs(first.faults - second.faults) <= 3


def test_a_remote_submission_costs_r():
    # CT 1: the second finds a job at home and goes; it is alone there.
    cluster = emulate([job(1), job(0.05, submit_s=0.01)], "CPU_RE", ct=1)
    _, moved = cluster.jobs
    assert moved.end_ns == 10 * MS + 100 * MS + 0.1 * MS + 50 * MS
    assert (moved.remote_submissions, moved.spent_ns[MOVING]) == (1, 100 * MS)


def test_a_migration_costs_r_and_its_data_over_the_network():
    # After 5 s the oldest of two has had 2.5 s or so of CPU; with the third it goes at home 3, away
    # 1: 2 jobs apart. 1 MB at 10 Mbps takes 838.8608 ms.
    jobs = [job(9), job(8, submit_s=0.001), job(0.01, submit_s=5)]
    cluster = emulate(jobs, "CPU_PM", ct=2)
    moved = cluster.jobs[0]
    assert [one.migrations for one in cluster.jobs] == [1, 0, 0]
    assert moved.spent_ns[MOVING] == 100 * MS + 8 * 2**20 * 100
    assert cluster.nodes[1].residents == {}


def test_messages_carry_what_the_formula_charges_and_latency():
    jobs = [job(9), job(8, submit_s=0.001), job(0.01, submit_s=5)]
    parameters = {"ct": 2, "latency_ns": 7000, "submission_bytes": 125, "report_period_s": 100}
    by_formula = emulate(jobs, "CPU_PM", **parameters).jobs[0].spent_ns[MOVING]
    by_message = emulate(jobs, "CPU_PM", transfer="messages", **parameters).jobs[0].spent_ns[MOVING]
    assert by_message == by_formula + 100_000 + 7000  # 125 bytes, 1,000 bits at 10 Mbps


def test_transfers_contend_on_the_bus():
    # Two submissions at the same instant share the bus: the second waits for the first.
    jobs = [job(1), job(1, home=1), *(job(0.05, submit_s=0.5, home=home) for home in (0, 1))]
    parameters = {"ct": 1, "transfer": "messages", "submission_bytes": 125_000, "nodes": 4}
    moved = emulate(jobs, "CPU_RE", **parameters).jobs[2:]
    assert sorted(one.spent_ns[MOVING] // MS for one in moved) == [200, 300]


class Nomad(Policy):
    """Sends every job on at every report."""

    def reported(self, view):
        return Move(view.running[0], (view.node + 1) % 2) if view.running else None


def test_a_job_that_migrates_again_and_again_ends(monkeypatch):
    monkeypatch.setitem(POLICIES, "NOMAD", Nomad)
    cluster = emulate([job(5)], "NOMAD")
    (only,) = cluster.jobs
    assert only.migrations > 10
    assert only.spent_ns[READY] == 5000 * MS + 2 * 0.1 * MS  # on each node nobody ran since


@given(
    lists_of_jobs(3000, (1, 12), homes=3),
    st.sampled_from(sorted(POLICIES)),
    st.integers(1, 4),
    st.sampled_from(["formula", "messages"]),
    st.sampled_from([1, 10, 100]),
)
def test_jobs_and_work_are_conserved(jobs, policy, ct, transfer, slice_ms):
    cluster = emulate(
        jobs, policy, nodes=3, ct=ct, transfer=transfer, slice_ms=slice_ms, remote_s=0.01
    )
    measured_whole(cluster)


def test_the_same_seed_gives_the_same_journal_and_another_does_not():
    jobs = [job(0.3, memory_mb=6, submit_s=k / 50, home=k % 2) for k in range(10)]

    def journal(seed):
        scenario = make_sharing_scenario(job=jobs, seed=seed, ct=2, **SMALL)
        _, records = journaled(scenario, "CPU_MEM_HP_RE")
        assert all(one.time_ns <= other.time_ns for one, other in pairwise(records))
        return records

    assert journal(1) == journal(1) != journal(2)


def test_a_run_that_cannot_go_on_says_which_job_waits(monkeypatch):
    monkeypatch.setattr(
        "agents.sharing.workstation.Workstation.page_loaded", lambda self, job: None
    )
    with pytest.raises(Stalled, match="job 1 on node 0: waiting for a page"):
        emulate([job(1, memory_mb=10)])


def test_a_job_that_computes_too_little_is_found(monkeypatch):
    monkeypatch.setattr("agents.sharing.job.SequentialJob.age_ns", property(lambda self: 1))
    with pytest.raises(CheckFailed, match="CPU time is not its demand"):
        emulate([job(1)])
