"""Our study of later clusters: its cases, what a page costs, how clusters are compared."""

import pytest

from model.papers.cases import base_case, plain, stated
from model.papers.later_clusters.cases import (
    BUS,
    CLUSTERS,
    DESIGNS,
    HEAVY,
    HPC2N,
    LIGHT,
    PRESETS,
    SCARCE,
    SCARCE_DESIGNS,
    between,
    share_between,
    windows,
)
from model.papers.later_clusters.page_costs import FETCH, READ, WALK, page_us
from tests.model.papers.made_up import measured

CM5, BEOWULF, RDMA = PRESETS


def test_every_window_is_declared_with_its_designs(declared_runs):
    base = base_case("later-clusters")

    def of_a_case(parameters):
        return frozenset((key, stated(key, parameters[key])) for key in {**base, "jobs": None})

    runs = {
        (run.design, of_a_case(run.scenario.model_dump(mode="json")))
        for sweep in ("later-clusters", "hpc2n-log")
        for run in declared_runs(sweep)
    }
    asked = {
        (design, of_a_case({**base, **case.parameters}))
        for load, clusters, designs in (
            (LIGHT, CLUSTERS, DESIGNS),
            (HEAVY, CLUSTERS, DESIGNS),
            (SCARCE, PRESETS, SCARCE_DESIGNS),
            (BUS, PRESETS, SCARCE_DESIGNS),
        )
        for cluster in clusters
        for case in windows(cluster, load)
        for design in (*designs, "DP")
    }
    assert asked == runs


def test_only_the_cluster_with_a_log_of_its_own_leaves_the_bundled_one():
    logs = {cluster: windows(cluster, LIGHT)[0].parameters.get("trace") for cluster in CLUSTERS}
    assert [name for name, log in logs.items() if log] == [HPC2N]
    assert windows(HPC2N, LIGHT)[0].parameters["memory_scale"] == 1  # it states its own memory


def test_a_log_is_called_by_its_name_wherever_it_was():
    assert stated("trace", "/somewhere/hpc2n-part.swf") == "hpc2n-part.swf"
    assert stated("trace", None) is None
    assert stated("topology", "a/b.py:ring") == plain("a/b.py:ring")


@pytest.mark.parametrize(
    ("cluster", "walk", "fetch", "read"),
    [
        # 8 cycles of 1/33 us: 242 ns a reference; 2 · (128 + 4,096) bytes at 12.5 bytes/us, and the
        # switch twice; 9 ms, 60/7,200/2 s and 4,096 bytes at 50 MB/s.
        (CM5, 991.232, 675.84 + 160, 13_244.8),
        (BEOWULF, 4.096 * 4, 67.584 + 20, 13_244.8),  # 4 ns, and a tenth of the time on links
        (RDMA, 65.536 * 3, 2 * (128 + 65_536) / 12_500 + 1, 100),
    ],
)
def test_what_a_page_costs(cluster, walk, fetch, read):
    found = page_us(cluster)
    assert found[WALK] == pytest.approx(walk)
    assert found[FETCH] == pytest.approx(fetch)
    assert found[READ] == pytest.approx(read, rel=1e-5)


def test_a_design_is_compared_over_the_windows_of_its_cluster():
    runs = [
        (case, design, seed, 6.0 if design == "CLI" else 5.0)
        for case in windows(RDMA, HEAVY)
        for design in ("CLI", "MAN")
        for seed in (1, 2)
    ]
    found = measured("later-clusters", *runs)
    (one,) = between([RDMA], HEAVY, ["CLI"], "MAN", 1.1, 1.3)(found)
    assert one.words == "rdma-2020, heavy: in multiples of MAN, 1.1 to 1.3"
    assert [part.name for part in one.parts] == ["CLI by seeds", "CLI by windows"]
    assert one.answers == [True, True]
    assert [part.value.mean for part in one.parts] == pytest.approx([1.2, 1.2])
    (none,) = between([RDMA], LIGHT, ["CLI"], "MAN", 1.1, 1.3)(found)
    assert none.answers == [None, None]


def test_what_is_left_of_disk_pagings_time_is_compared_between_clusters():
    # MAN leaves a tenth of DP's time on one cluster, two tenths on the other.
    runs = [
        (case, design, seed, s)
        for cluster, man_s in ((BEOWULF, 1.0), (CM5, 2.0))
        for case in windows(cluster, HEAVY)
        for design, s in (("DP", 10.0), ("MAN", man_s))
        for seed in (1, 2)
    ]
    (one,) = share_between(BEOWULF, CM5, HEAVY, "MAN", 0, 0.6)(measured("later-clusters", *runs))
    assert [part.value.mean for part in one.parts] == pytest.approx([0.5] * 5)
    assert one.answers == [True] * 5
