"""Jobs that do I/O on workstations: times by hand, hit rates, and what holds for every policy."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from agents.sharing.job import IO, MOVING, PAGING
from agents.sharing.policy import Policy
from model.ground.errors import InputError
from model.sharing.metrics import measure
from model.sharing.scenarios import make_sharing_scenario
from model.sharing.wal_fc.policies import POLICIES
from model.systems import comparison_of, run
from tests.model.sharing.conservation import lists_of_jobs, measured_whole

MB, MS = 2**20, 10**6


def job(demand_s, io_per_ms=0.0, memory_mb=1, submit_s=0, home=0):
    return {
        **{"submit_s": submit_s, "home": home, "memory_mb": memory_mb},
        **{"demand_s": demand_s, "io_per_ms": io_per_ms},
    }


def scenario(jobs, **parameters):
    return make_sharing_scenario(system="wal-fc", job=jobs, **{"nodes": 2, **parameters})


def emulate(jobs, policy="NLB", **parameters):
    return run(scenario(jobs, **parameters), policy, check=True)


def test_an_i_o_request_takes_seek_and_transfer_and_the_cpu_goes_on():
    # 1 MB at 100 MB/s: 10 ms, and 5 ms to seek.
    parameters = {"seek_ms": 5, "disk_mb_s": 100, "io_kb": 1024, "io_sd_kb": 0, "buffer_mb": 0}
    parameters["reference_buffer_mb"] = 0
    alone = emulate([job(1, io_per_ms=0.1)], **parameters).jobs[0]
    assert 60 < alone.requests < 140  # 100 +- 4 sd
    assert alone.spent_ns[IO] == alone.requests * 15 * MS
    assert alone.end_ns == 0.1 * MS + 1000 * MS + alone.spent_ns[IO]
    assert alone.unshared_io_ns == 100 * 15 * MS
    assert alone.slowdown == alone.end_ns / (2500 * MS)
    # Beside it another one computes, and the same requests come.
    first, second = emulate([job(1, io_per_ms=0.1), job(0.5)], **parameters).jobs
    assert first.requests == alone.requests
    assert second.end_ns < 1100 * MS
    assert first.end_ns < alone.end_ns + 500 * MS


def test_faults_come_as_often_as_memory_exceeds_what_the_buffer_leaves():
    # 600 MB where the buffer of 160 leaves 480: 4 * 600 / 480 = 5 a ms, for 20 ms.
    only = emulate([job(0.02, memory_mb=600)], faults_per_ms=4).jobs[0]
    assert only.faults == 100
    assert only.spent_ns[PAGING] == 100 * 8.1 * MS
    assert emulate([job(0.02, memory_mb=480)], faults_per_ms=4).jobs[0].faults == 0


@pytest.mark.parametrize(
    ("buffer_mb", "hit_rate"), [(0, 0), (25, 0.4), (50, 0.8), (100, 0.8), (160, 0.8)]
)
def test_the_buffer_answers_the_share_that_the_formula_says(buffer_mb, hit_rate):
    # r = 4; 10,000 requests of 25.6 KB: 250 MB, 50 MB of them different.
    cluster = emulate(
        [job(10, io_per_ms=1)], buffer_mb=buffer_mb, reaccess=4, io_kb=25.6, io_sd_kb=0
    )
    assert measure(cluster).summary["hit_rate"] == pytest.approx(hit_rate, abs=4 * 10**-2)


def test_two_jobs_share_the_buffer_while_both_are_there():
    # As above, with room for one job's data: beside each other half of them, then all again.
    parameters = {"buffer_mb": 50, "reaccess": 4, "io_kb": 25.6, "io_sd_kb": 0}
    jobs = [job(10, io_per_ms=1), job(10, io_per_ms=1)]
    both = measure(emulate(jobs, **parameters)).summary["hit_rate"]
    apart = [job(10, io_per_ms=1), job(10, io_per_ms=1, home=1)]
    alone = measure(emulate(apart, **parameters)).summary["hit_rate"]
    assert both == pytest.approx(0.4, abs=0.03)
    assert alone == pytest.approx(0.8, abs=0.03)


class Tuned(Policy):
    """All buffers change when the first job ends."""

    size = 0

    def ended(self, view, job):
        view.set_buffers(self.size * MB)


@pytest.mark.parametrize(("size", "hit_rate"), [(0, 0), (50, 0.8)])
def test_when_buffers_change_hit_rates_do_from_then_on(monkeypatch, size, hit_rate):
    monkeypatch.setitem(POLICIES, "TUNED", Tuned)
    monkeypatch.setattr(Tuned, "size", size)
    # The first ends after 1 ms, on another node.
    jobs = [job(0.001), job(10, io_per_ms=1, home=1)]
    parameters = {"buffer_mb": 25, "reaccess": 4, "io_kb": 25.6, "io_sd_kb": 0}
    cluster = emulate(jobs, "TUNED", **parameters)
    assert measure(cluster).summary["hit_rate"] == pytest.approx(hit_rate, abs=0.03)


def test_when_buffers_grow_jobs_that_fitted_fault(monkeypatch):
    monkeypatch.setitem(POLICIES, "TUNED", Tuned)
    monkeypatch.setattr(Tuned, "size", 240)
    # From 10 ms on 400 MB remain for 480: 5 * 1.2 = 6 faults a ms for 90 ms.
    jobs = [job(0.01), job(0.1, memory_mb=480, home=1)]
    faulting = emulate(jobs, "TUNED", faults_per_ms=5).jobs[1]
    assert abs(faulting.faults - 540) <= 1


def test_a_job_that_moves_pays_for_its_data():
    # IO: the second finds I/O at home. 0.1 s, 10 MB: twice 250 ms, 83.886080 ms at 1 Gbps.
    jobs = [job(1, io_per_ms=1), job(0.1, io_per_ms=1, submit_s=0.5)]
    parameters = {"data_mb": 10, "buffer_mb": 0, "guard": False}
    by_formula = emulate(jobs, "IO", **parameters).jobs[1]
    assert by_formula.spent_ns[MOVING] == 600 * MS + 83_886_080
    assert by_formula.remote_submissions == 1
    carried = emulate(jobs, "IO", transfer="messages", **parameters).jobs[1]
    assert carried.spent_ns[MOVING] >= by_formula.spent_ns[MOVING]


def test_slowdowns_with_all_buffers_have_one_denominator():
    # r = 4, 1 a ms for 1 s, 1 MB each: 1000 requests of 200 MB. With 100 MB 0.4 of them hit, with
    # 200 MB 0.8; the service takes 5 and 10 ms.
    parameters = {"seek_ms": 5, "disk_mb_s": 100, "io_kb": 1024, "io_sd_kb": 0, "reaccess": 4}

    def io_s(**buffers):
        return emulate([job(1, io_per_ms=1)], **parameters, **buffers).jobs[0].unshared_io_ns / 1e9

    assert io_s(buffer_mb=0, reference_buffer_mb=100) == pytest.approx(600 * 0.015)
    assert io_s(buffer_mb=300, reference_buffer_mb=100) == pytest.approx(600 * 0.015)
    assert io_s(buffer_mb=0, reference_buffer_mb=200) == pytest.approx(200 * 0.015)


@given(
    lists_of_jobs(200, (1, 300), homes=3, io_per_ms=st.sampled_from([0, 0.05, 0.5, 2.8])),
    st.sampled_from(sorted(POLICIES)),
    st.sampled_from(["formula", "messages"]),
    st.integers(0, 500),
    st.sampled_from([0, 0.2, 2]),
    st.integers(0, 10**6),
)
def test_jobs_and_work_are_conserved(jobs, policy, transfer, buffer_mb, faults_per_ms, gain):
    cluster = emulate(
        jobs,
        policy,
        **{"nodes": 3, "transfer": transfer, "buffer_mb": buffer_mb, "reaccess": 30},
        **{"faults_per_ms": faults_per_ms, "buffer_gain": gain, "remote_s": 0.01, "history": 3},
    )
    measured_whole(cluster)
    for node in cluster.nodes:
        assert 0 <= node.memory._indices.buffer <= 576 * MB


@pytest.mark.parametrize(
    ("parameters", "says"),
    [
        ({"buffer_mb": 577}, "--buffer-mb 577: leaves less than the --user-least-mb 64 of the 640"),
        ({"io_range_pct": 101}, "io_range_pct|io-range-pct"),
        ({"ct": 4}, "--ct is no parameter of --system wal-fc"),
        ({"policies": "MEM_RE"}, "take one of NLB, CM, IO, WAL, WAL_FC"),
    ],
)
def test_what_does_not_do_is_said_in_a_line(parameters, says):
    with pytest.raises(InputError, match=says):
        comparison_of(scenario([job(1)], **parameters)).validate()
