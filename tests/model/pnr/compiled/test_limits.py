"""64 bits are enough: at the limits of the inputs both planes still do the same."""

import numpy as np
import pytest
from numba import njit

from agents.station import Station
from model.ground.errors import InputError
from model.ground.paging import fault_time_ns
from model.pnr.cluster import Cluster
from model.pnr.compiled.records import CARRY, STATION
from model.pnr.compiled.transport import enter
from model.pnr.constants import Constants
from model.pnr.scenario import make_scenario
from model.pnr.workload import load_workload
from tests.model.pnr.compiled.equality import assert_equal

YEAR_NS = 366 * 24 * 3600 * 10**9


@njit(_nrt=False)
def enter_the_first(stations):
    enter(stations[0], 0, 10, 1)


def test_waits_of_many_for_a_year_are_summed_without_overflow():
    # 1,000 messages wait a year each: 3.2 * 10^19 ns, more than 2^64
    station = np.zeros(1, STATION)
    expected = Station(Cluster(make_scenario(job=[JOB]), "DP"), "station")
    for _ in range(1000):
        station["free_ns"] = expected.free_ns = YEAR_NS
        enter_the_first(station)
        expected.enter(10, 1)
    assert int(station["wait_ns"][0]) + CARRY * int(station["waits"][0]) == 1000 * YEAR_NS
    assert expected.wait_ns == 1000 * YEAR_NS > 2**64
    assert 0 <= station["wait_ns"][0] < CARRY


def test_a_fault_time_fits_64_bits_whatever_it_is_drawn_from():
    longest = fault_time_ns(2.0**-53, 10**18, 2**46, 2**46 - 1)
    assert longest == 2**62 > 10**18  # longer than any demand


JOB = {"processes": 2, "memory_mb": 40, "demand_s": 10}


@pytest.mark.parametrize("design", ["DP", "CEN"])
@pytest.mark.parametrize(
    "extreme",
    [
        {
            "job": [{**JOB, "submit_s": 0}, {**JOB, "submit_s": 10**9}],
            "page_bytes": 2**20,
            "sample_s": 10**7,
        },
        {"job": [{**JOB, "demand_s": 10**9}], "barrier_s": 10**6, "page_bytes": 2**30},
        {"job": [JOB], "bandwidth_mbps": 0.001, "page_bytes": 2**22},
        {"job": [JOB], "latency_ns": 10**12, "page_bytes": 2**22},
        {"job": [{**JOB, "memory_mb": 2**26}] * 2, "ram_mb": 2**24, "page_bytes": 2**30},
        {"job": [{**JOB, "demand_s": 2}], "page_bytes": 1, "cpu_mhz": 0.01},
    ],
)
def test_both_engines_agree_at_the_limits(extreme, design):
    scenario = make_scenario(**{"nodes": 4, **extreme})
    assert_equal(scenario, design, "all" if design == "DP" else "protocol")


@pytest.mark.parametrize(
    ("given", "complaint"),
    [
        ({"cpu_mhz": 0.001, "hit_ratio": 0.9999, "page_bytes": 2**30}, "--cpu-mhz.*walk through a"),
        ({"disk_mb_per_s": 10**-6, "page_bytes": 2**30}, "--seek-ms.*page from the disk takes"),
    ],
)
def test_constants_beyond_the_limits_are_refused(given, complaint):
    with pytest.raises(InputError, match=complaint):
        Constants.of(make_scenario(job=[JOB], **given))


def test_a_workload_that_comes_too_late_is_refused():
    late = make_scenario(job=[JOB, {**JOB, "submit_s": 1001}], load_factor=10**-6)
    with pytest.raises(InputError, match="job 2 is submitted after 1001000000 s, more than the"):
        load_workload(late)
