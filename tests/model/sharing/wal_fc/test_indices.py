"""The paper's formulas by hand, and the expected response against queues that are emulated."""

from dataclasses import dataclass

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from model.sharing.scenarios import make_sharing_scenario
from model.sharing.wal_fc.constants import WalFcConstants
from model.sharing.wal_fc.indices import IO, Load, LoadIndices
from model.systems import run

MB, MS = 2**20, 10**6


@dataclass(frozen=True)
class Job:
    io_per_ms: float = 2.0
    demand_ns: int = 500 * MS
    memory: int = 10 * MB


def constants(**parameters):
    return WalFcConstants.of(make_sharing_scenario(system="wal-fc", **parameters))


def indices(**parameters):
    return LoadIndices(constants(**parameters))


def test_an_i_o_request_takes_seek_rotation_and_transfer():
    # 500 KB at 40 MB/s: 12.207 ms; 100 KB of standard deviation: 2.441 ms.
    of = constants(io_kb=500, io_sd_kb=100)
    assert of.service_ms == pytest.approx(8 + 500 / 1024 / 40 * 1000)
    assert of.square_service_ms2 == pytest.approx(of.service_ms**2 + (100 / 1024 / 40 * 1000) ** 2)
    assert of.request_ns(40 * MB) == 1008 * MS


def test_a_move_costs_e_and_its_data_over_network_and_both_disks():
    # 10 MB: twice 250 ms at 40 MB/s, 83.886 ms at 1 Gbps.
    cost_ms = 300 + 2 * 250 + 10 * MB * 8 / 1e6
    assert constants(remote_s=0.3, data_mb=10).move_ms(Job()) == pytest.approx(cost_ms)
    # By default its own data: 2 a ms for 500 ms, 256 KB each, one in 25 of other data: 10 MB too.
    assert constants(remote_s=0.3, reaccess=24, io_kb=256).move_ms(Job()) == pytest.approx(cost_ms)


def test_hit_rate_by_hand():
    # r = 4; 2 a ms for 500 ms, 256 KB each: 250 MB read, 50 MB of them different.
    of = indices(reaccess=4, io_kb=256, buffer_mb=100)
    io = IO(2.0, 500)
    assert of.hit(io, 2.0) == 0.8  # 100 MB for 50
    assert of.hit(io, 4.0) == 0.8  # 50 MB, its half
    assert of.hit(io, 8.0) == pytest.approx(0.8 * 25 / 50)
    assert of.hit(IO(1.0, 500), 8.0) == pytest.approx(0.8 * 12.5 / 25)  # less data, less buffer
    of.buffer = 0
    assert of.hit(io, 2.0) == 0
    assert of.hit(IO(0.0, 500), 2.0) <= 0.8  # whoever asks for nothing


def test_loads_by_hand():
    # The buffer leaves 480 MB; two jobs want 600: each faults 3 * 600 / 480 a ms.
    of = indices(faults_per_ms=3, reaccess=4, io_kb=256, buffer_mb=160)
    load = Load(0, 0, ()).plus(Job(memory=500 * MB)).plus(Job(2.0, 4000 * MS, 100 * MB))
    assert of.faults_per_ms(load) == 3.75
    assert of.implicit_io(load) == 7.5
    # Half of the buffer each: 80 MB for 50, and 80 for 400.
    assert of.explicit_io(load) == pytest.approx(2 * (1 - 0.8) + 2 * (1 - 0.8 * 0.2))
    assert of.load_io(load) == of.implicit_io(load) + of.explicit_io(load)
    fits = load.minus(Job(memory=500 * MB)).plus(Job(memory=380 * MB))
    assert of.faults_per_ms(fits) == 0  # 480 of 480
    of.buffer = 161 * MB
    assert of.faults_per_ms(fits) == pytest.approx(3 * 480 / 479)


def test_expected_response_by_hand():
    # s = 10 ms always. Two jobs of 0.03 a ms: rho = 0.6, wait 0.06 * 100 / 0.8 = 7.5 ms.
    quick = {"seek_ms": 10, "disk_mb_s": 10**6, "io_kb": 10**-3, "io_sd_kb": 0}
    of = indices(disk_load="requests", **quick)
    io = IO(0.03, 1000)
    load = Load(2, 0, (io, io))
    assert of.response_ms(io, load) == pytest.approx(1000 * (2 + 0.03 * 17.5))
    # Four of 0.03: 1.2, taken for 0.99: a wait of 0.12 * 100 / 0.02 = 600 ms.
    full = Load(4, 0, (io,) * 4)
    assert of.response_ms(io, full) == pytest.approx(1000 * (4 + 0.03 * 610))


def test_only_misses_and_faults_load_the_disk():
    # r = 4 and room for all: a fifth of the requests miss. Half of the memory is missing, so each
    # job faults 0.01 * 960 / 480 a ms.
    quick = {"seek_ms": 10, "disk_mb_s": 10**6, "io_kb": 10**-3, "io_sd_kb": 0, "fault_ms": 5}
    of = indices(reaccess=4, faults_per_ms=0.01, **quick)
    io = IO(0.1, 1000)
    # 0.02 misses of 10 ms from each of two: rho = 0.4, wait 0.04 * 100 / 1.2 = 3.333 ms.
    assert of.response_ms(io, Load(2, 0, (io, io))) == pytest.approx(
        1000 * (2 + 0.02 * (10 + 10 / 3))
    )
    # And 0.02 faults of 5 ms: rho = 0.6, E(s) = 7.5; wait (0.04 * 100 + 0.04 * 25) / 0.8 = 6.25 ms.
    paging = Load(2, 960 * MB, (io, io))
    assert of.response_ms(io, paging) == pytest.approx(1000 * (2 + 0.04 * (7.5 + 6.25)))
    # A job without I/O on a node where nobody pages or does I/O only computes.
    none = IO(0.0, 1000)
    assert of.response_ms(none, Load(3, 0, (none,) * 3)) == 3000


rates = st.floats(0.01, 10)


@given(st.lists(st.tuples(rates, st.floats(1, 10**6)), min_size=1, max_size=8), st.floats(1, 500))
def test_more_buffer_hits_more_and_all_hit_less_than_the_limit(ios, buffer_mb):
    of = indices(reaccess=5, buffer_mb=0)
    load = Load(len(ios), 0, tuple(IO(*io) for io in ios))
    without = of.explicit_io(load)
    assert without == pytest.approx(load.io_per_ms)
    of.buffer = round(buffer_mb * MB)
    with_buffer = of.explicit_io(load)
    of.buffer *= 2
    assert load.io_per_ms / 6 * (1 - 1e-9) <= of.explicit_io(load) <= with_buffer < without


def test_jobs_added_and_taken_away_leave_no_load():
    jobs = [Job(0.1 * n, n * MS, n) for n in range(1, 30)]
    load = Load(0, 0, ())
    for job in jobs:
        load = load.plus(job)
    for job in jobs[::-2] + jobs[-2::-2]:
        load = load.minus(job)
    assert load == (0, 0, ())
    assert load.io_per_ms == 0


def test_alone_a_job_responds_as_expected():
    """One job never waits for another's requests; what the formula adds for that is small here."""
    job = {"demand_s": 1000, "memory_mb": 1, "io_per_ms": 0.002}
    without = {"buffer_mb": 0, "reference_buffer_mb": 0}
    scenario = make_sharing_scenario(system="wal-fc", nodes=1, job=[job], **without)
    (alone,) = run(scenario, "NLB").jobs
    io = IO(0.002, 10**6)
    expected_ms = LoadIndices(WalFcConstants.of(scenario)).response_ms(io, Load(1, 0, (io,)))
    assert np.isclose(alone.end_ns / MS, expected_ms, rtol=0.005)
    assert np.isclose(alone.slowdown, 1, rtol=0.005)
