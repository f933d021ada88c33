"""The five policies: whom they move where, by hand."""

from dataclasses import dataclass

import pytest

from model.sharing.scenarios import make_sharing_scenario
from model.sharing.system import load_policy
from model.sharing.wal_fc.indices import Load
from model.sharing.wal_fc.policies import POLICIES
from model.sharing.wal_fc.scenario import ALL_POLICIES, WalFcScenario
from model.sharing.wal_fc.system import SYSTEM
from tests.model.sharing.workstation import view

MB, MS = 2**20, 10**6


@dataclass(frozen=True)
class Job:
    number: int = 1
    io_per_ms: float = 1.0
    demand_ns: int = 1000 * MS
    memory: int = 10 * MB
    slowdown: float = 1.0


def load(jobs, memory_mb=10.0, io_per_ms=1.0):
    """That many equal jobs with so much memory and I/O each."""
    state = Load(0, 0, ())
    for _ in range(jobs):
        state = state.plus(Job(memory=round(memory_mb * MB), io_per_ms=io_per_ms))
    return state


@pytest.fixture
def policy():
    """Buffers of 0: all I/O is explicit load; no guard, and 1 MB goes with each job."""

    def make(name, **parameters):
        given = {"buffer_mb": 0, "guard": False, "data_mb": 1, **parameters}
        scenario = make_sharing_scenario(system="wal-fc", **given)
        return load_policy(name, SYSTEM)[1](SYSTEM.constants(scenario))

    return make


def target(policy, here, *others, job=None):
    move = policy.arrived(view(here, *others), job or Job())
    return move and move.target


def test_the_command_line_offers_all_policies():
    assert tuple(POLICIES) == ALL_POLICIES


def test_nlb_moves_nothing(policy):
    assert target(policy("NLB"), load(99), load(0), load(0)) is None


def test_io_looks_at_nothing_but_explicit_i_o(policy):
    busy, full = load(9, io_per_ms=0.1), load(1, memory_mb=9999, io_per_ms=0.5)
    assert target(policy("IO"), load(2), busy, load(3)) == 1
    assert target(policy("IO"), load(2), busy, full) == 2
    assert target(policy("IO"), load(1), load(1), load(2)) is None  # home is as good


def test_cm_balances_memory_first_then_jobs(policy):
    cm = policy("CM")
    # 30 MB with the job, 10 and 40: 40 is above 1.25 times 26.7; the least has 10.
    assert target(cm, load(2), load(4, 2.5), load(1, 40)) == 1
    # 30, 30, 30 MB: by jobs. 3, 6, 1: 6 is above 1.25 times 3.3.
    assert target(cm, load(2), load(6, 5), load(1, 30)) == 2
    # 30, 30, 30 MB; 3, 3, 3 jobs: all is well.
    assert target(cm, load(2), load(3), load(3)) is None
    # Home has the least.
    assert target(cm, load(0), load(4), load(4)) is None


def test_wal_weighs_jobs_and_i_o(policy):
    # Home with the job: 3 jobs, 3 requests. Node 1: 4 and 1.2; node 2: 1 and 3.
    here, jobs, io = load(2), load(4, io_per_ms=0.3), load(1, io_per_ms=3)
    assert policy("WAL", io_weight=0).index(jobs) == 4
    assert policy("WAL", io_weight=1).index(jobs) == pytest.approx(1.2)
    assert policy("WAL").index(jobs) == pytest.approx(2.6)
    # Weight 1: 3 is the highest; the mean is 2.4, but the target 1 must be worth it.
    assert target(policy("WAL", io_weight=1, overload=1.2), here, jobs, io) == 1
    assert target(policy("WAL", io_weight=0), here, jobs, io) is None  # 4 is higher


def test_wal_only_relieves_the_highest_load_above_its_threshold(policy):
    wal = policy("WAL", remote_s=0, data_mb=0)
    assert target(wal, load(2), load(4), load(0), load(0)) is None  # 3, 4, 0, 0
    assert target(wal, load(3), load(4), load(0), load(1)) == 2  # 4, 4, 0, 1: none is higher
    assert target(wal, load(3), load(3), load(1)) == 2  # 4, 3, 1: 1.5 times the mean
    assert target(wal, load(2), load(2), load(2)) is None  # 3, 2, 2: 1.286 times
    assert target(policy("WAL", overload=1.3), load(2), load(2), load(2)) is None
    assert target(wal, load(9)) is None  # a cluster of one


def test_wal_sees_page_faults_as_i_o(policy):
    # 640 MB: home would have 650. Elsewhere as many jobs, with less memory.
    here, others = load(2, 320), [load(3, 10)] * 2
    blind = policy("WAL", faults_per_ms=5, disk_load="requests")
    assert target(blind, here, *others, job=Job(io_per_ms=0)) is None
    assert target(policy("WAL", faults_per_ms=5), here, *others, job=Job(io_per_ms=0)) in (1, 2)
    fewer = [load(2, 10)] * 2
    calm = policy("WAL", faults_per_ms=0, remote_s=0, data_mb=0, overload=1.3)
    assert target(calm, here, *fewer, job=Job(io_per_ms=0)) is None
    paging = policy("WAL", faults_per_ms=5, remote_s=0, data_mb=0, overload=1.3)
    assert target(paging, load(3, 320), *fewer, job=Job(io_per_ms=0)) in (1, 2)


def test_wal_moves_nobody_who_does_not_gain_more_than_the_move_costs(policy):
    # Without I/O a job of 1 s gains 1 s for each job less beside it: 4 here, 2 there.
    quiet = Job(io_per_ms=0)
    here, there = load(3, io_per_ms=0), load(1, io_per_ms=0)
    assert target(policy("WAL", remote_s=1.9, data_mb=0), here, there, job=quiet) == 1
    assert target(policy("WAL", remote_s=2, data_mb=0), here, there, job=quiet) is None
    # 80 MB take 4 s at the disks.
    assert target(policy("WAL", remote_s=0, data_mb=80), here, there, job=quiet) is None


def test_the_guard_asks_for_more_than_the_job_and_the_move(policy):
    # A job of 1 s that moves in 0.5 s counts 1.5 times.
    guarded = {"guard": True, "data_mb": 0, "remote_s": 0.5}
    io, cm = policy("IO", **guarded), policy("CM", **guarded)
    # It has 0.2 requests a ms, and home 0.4 with it: 0.3 more than 0.05, but not than 0.15.
    small = Job(io_per_ms=0.2)
    home, calm, near = (load(1, io_per_ms=rate) for rate in (0.2, 0.05, 0.15))
    assert target(io, home, calm, job=small) == 1
    assert target(io, home, near, job=small) is None
    assert target(policy("IO"), home, near, job=small) == 1
    # It has 10 MB, and home 30 with it: 15 more than 10, but not than 16.
    assert target(cm, load(2), load(2, 5)) == 1
    assert target(cm, load(2), load(2, 8)) is None
    assert target(policy("CM"), load(2), load(2, 8)) == 1
    # Jobs and requests weigh the same: 3 of each at home, with 1 or 2 elsewhere; the job is 1.
    easy = {"overload": 1, "remote_s": 0, "data_mb": 0}
    wal = policy("WAL", guard=True, **easy)
    assert target(wal, load(2), load(1)) == 1
    assert target(wal, load(2), load(2)) is None


def test_wal_fc_turns_weight_and_all_buffers_when_jobs_end(policy):
    wal_fc, seen = policy("WAL_FC", buffer_mb=160, history=1), view(load(1), load(0))
    wal_fc.ended(seen, Job(slowdown=10))
    start = {"final_io_weight": 0.5, "final_buffer_mb": 160, "buffer_path_mb": 0}
    assert wal_fc.stated() == start
    wal_fc.ended(seen, Job(slowdown=8))
    assert wal_fc.stated() == {
        **{"final_io_weight": pytest.approx(0.6), "final_buffer_mb": 161, "buffer_path_mb": 1}
    }
    wal_fc.ended(seen, Job(slowdown=12))
    assert wal_fc.stated() == {
        **{"final_io_weight": pytest.approx(0.35), "final_buffer_mb": 159, "buffer_path_mb": 3}
    }
    assert seen._workstation.buffers == [160 * MB, 161 * MB, 159 * MB]
    assert not set(wal_fc.stated()) & set(WalFcScenario.model_fields)  # in a table beside these
    # 4 jobs and 4 requests weigh as both do now.
    assert wal_fc.index(load(0)) == 0
    assert wal_fc.io_weight == pytest.approx(0.35)
