"""The page fault model: its distributions, and what they make of a process on one node."""

from itertools import islice
from math import ceil, exp, sqrt

import pytest
from hypothesis import given
from hypothesis import strategies as st

from model.ground.paging import fault_time_ns, relocated_bytes
from model.ground.randomness import FAULT_TIME, RELOCALITY, draws
from model.pnr.scenario import make_scenario
from model.systems import run
from tests.journaled import journaled
from tests.model.no_memory import without_memory

MB = 2**20
PAGE = 4096
WALK_NS = 242 * PAGE  # R rounds to 242 ns
#: 9 ms, half a turn of 8,333,333.3 ns, and 4 KB or 64 KB at 50 MB/s: 78,125 or 1,250,000 ns
DISK_4K_NS, DISK_64K_NS = 13_244_792, 14_416_667
SAMPLES = 100_000


def fault_times(limit, loaded):
    stream = islice(draws(1, FAULT_TIME, 1, 0), SAMPLES)
    return [fault_time_ns(uniform, WALK_NS, limit, loaded) for uniform in stream]


def relocations(page, excess, unit=1):
    stream = islice(draws(1, RELOCALITY, 1, 0), SAMPLES)
    return [relocated_bytes(uniform, page, excess, unit) for uniform in stream]


def paged(*jobs, **parameters):
    """Disk paging on one node of 32 MB; jobs are (submit s, MB, demand s).

    Those after the first stand in another slot, whose turn does not come while the first runs.
    """
    listed = [
        {"submit_s": submit_s, "processes": 1, "memory_mb": memory_mb, "demand_s": demand_s}
        for submit_s, memory_mb, demand_s in jobs
    ]
    settings = {"nodes": 1, "quantum_s": 10**6, "page_bytes": 2**16, **parameters}
    return run(make_scenario(job=listed, **settings), "DP", check=True)


@pytest.mark.parametrize("means", [0.05, 0.5, 1, 2, 4])
def test_the_time_to_a_fault_is_exponential(means):
    later = sum(time > means * WALK_NS for time in fault_times(8 * MB, 0)) / SAMPLES
    share = exp(-means)
    assert abs(later - share) < 4 * sqrt(share * (1 - share) / SAMPLES)


@pytest.mark.parametrize(
    ("loaded", "median_ns"),
    [(0, 693_147_181), (2, 1_386_294_361), (3, 2_772_588_722)],  # ln 2 = 0.693 147 180 56
)
def test_the_median_time_to_a_fault_is_ln_2_of_its_mean(loaded, median_ns):
    assert fault_time_ns(0.5, 10**9, 4, loaded) == median_ns


def test_the_time_to_a_fault_is_at_least_1_ns():
    largest = 1 - 2**-53
    assert fault_time_ns(largest, WALK_NS, 8 * MB, 0) == 1  # 10^6 ns · 10^-16 would round to 0
    assert min(fault_times(8 * MB, 0)) >= 1


def test_the_time_to_a_fault_ends_also_for_the_smallest_draw_and_the_last_byte():
    # ln 2^-53 = -36.7; one byte of 8 MB is left: 36.7 · 8 · 2^20 · R · 4,096 = 3.05 · 10^14 ns
    assert fault_time_ns(2.0**-53, WALK_NS, 8 * MB, 8 * MB - 1) == pytest.approx(3.055e14, rel=1e-3)


@pytest.mark.parametrize("excess", [PAGE + 1, 2 * PAGE, 8 * MB])
def test_a_change_of_locality_unloads_between_a_page_and_what_exceeds_ram(excess):
    assert relocated_bytes(2.0**-53, PAGE, excess, 1) == PAGE
    assert relocated_bytes(1 - 2**-53, PAGE, excess, 1) == excess
    unloaded = relocations(PAGE, excess)
    assert min(unloaded) >= PAGE
    assert max(unloaded) <= excess


@pytest.mark.parametrize(
    ("share", "reached"),  # F(min + reached · (max - min)) = 1 - (1 - reached)²
    [(0.19, 0.1), (0.36, 0.2), (0.75, 0.5), (0.96, 0.8), (0.99, 0.9)],
)
def test_what_a_change_of_locality_unloads_is_triangular(share, reached):
    excess = PAGE + 10_000_000
    point = PAGE + 10_000_000 * reached
    assert relocated_bytes(share, PAGE, excess, 1) == pytest.approx(point, abs=1)
    below = sum(unloaded <= point for unloaded in relocations(PAGE, excess)) / SAMPLES
    assert abs(below - share) < 4 * sqrt(share * (1 - share) / SAMPLES)


@given(uniform=st.floats(2**-53, 1 - 2**-53), excess=st.integers(PAGE + 1, 2**40))
def test_in_whole_pages_it_unloads_at_least_one_and_no_more_than_exceeds_ram(uniform, excess):
    pages, rest = divmod(relocated_bytes(uniform, PAGE, excess, PAGE), PAGE)
    assert rest == 0
    assert 1 <= pages <= excess // PAGE


def test_whole_pages_are_the_nearest_to_triangular():
    # Of x in [1, 4] of density 2 (4 - x) / 9: P(x > a) = (4 - a)² / 9. So 1, 2, 3 or 4 pages have
    # the probabilities 1 - 6.25/9, 4/9, 2/9 and 0.25/9. Mean 17.75/9, mean square 43.75/9.
    pages = [unloaded // PAGE for unloaded in relocations(PAGE, 5 * PAGE - 1, PAGE)]
    for count, ninths in ((1, 2.75), (2, 4), (3, 2), (4, 0.25)):
        share = ninths / 9
        bound = 4 * sqrt(share * (1 - share) / SAMPLES)
        assert abs(pages.count(count) / SAMPLES - share) < bound
    bound = 4 * sqrt((43.75 / 9 - (17.75 / 9) ** 2) / SAMPLES)
    assert abs(sum(pages) / SAMPLES - 17.75 / 9) < bound


def test_faults_come_as_often_as_if_each_page_were_first_touched_at_a_random_time():
    # 64 MB on 32 MB: L = 8,192 pages. With k of them missing the rate is k / (8,192 · R · 4,096),
    # as if each were touched on its own after an exponential time of mean 8,192 · 0.991 ms =
    # 8.120 s. So in 10 s of CPU time binomial(8,192, 1 - e^-1.2315): mean 5,801, deviation 41.
    share = 1 - exp(-10e9 / (8192 * WALK_NS))
    faults = paged((0, 64, 10), page_bytes=PAGE).nodes[0].faults_disk
    assert 8192 * share == pytest.approx(5801, abs=1)
    assert abs(faults - 8192 * share) < 4 * sqrt(8192 * share * (1 - share))


@pytest.mark.parametrize(
    ("first_mb", "others_mb", "pages"),
    [
        (20, [20], 128),  # O = 8 MB = 128 pages of 64 KB, less than the process
        (4, [20, 20], 64),  # O = 12 MB, more than the process: all of its 4 MB
        (20, [12.5], 8),  # O = 0.5 MB
        (20, [12.15625], 3),  # O = 2.5 pages: the last fault loads half a page
        (20, [12], 0),  # just full
    ],
)
def test_a_process_loads_each_page_of_its_limit_once_while_nothing_interferes(
    first_mb, others_mb, pages
):
    # 128 pages take 128 · H(128) · 15.9 ms = 11 s of CPU time on average: 100 s are plenty
    cluster = paged((0, first_mb, 100), *((0, other_mb, 5) for other_mb in others_mb), mpl=3)
    assert cluster.jobs[0].end_ns == 100 * 10**9 + pages * DISK_64K_NS


def test_there_are_no_faults_any_more_when_the_other_job_has_freed_its_memory():
    first, second = paged((0, 20, 100), (0, 20, 5)).jobs
    assert second.end_ns == first.end_ns + 4_000_000 + 5 * 10**9  # a switch, and its demand


@given(
    first=st.integers(1, 32),
    second=st.integers(1, 40),
    demand_s=st.sampled_from([0.1, 1, 3, 9]),
)
def test_faults_are_at_most_the_pages_of_the_limit_and_each_costs_one_disk_service(
    first, second, demand_s
):
    # sizes in half pages of 32 KB; RAM is 32 of them, so the first process alone fits
    half_mb = 1 / 32
    jobs = (0, first * half_mb, demand_s), (0, second * half_mb, 1)
    job = paged(*jobs, ram_mb=1, minimum_demand_s=0.1).jobs[0]
    faults, rest = divmod(job.end_ns - job.demand_ns, DISK_64K_NS)
    assert rest == 0
    assert 0 <= faults <= ceil(min(max(0, first + second - 32), first) / 2)


@pytest.mark.parametrize("excess", [1, PAGE // 2, PAGE])
def test_a_process_larger_than_ram_by_no_more_than_a_page_faults_once(excess):
    # one page holds all that is missing, and there is no locality to change to
    # (1 byte: U is 1 as long as it is missing)
    cluster = paged((0, 32 + excess / MB, 10), page_bytes=PAGE)
    assert cluster.nodes[0].faults_disk == 1
    assert cluster.jobs[0].end_ns == 10 * 10**9 + DISK_4K_NS


def test_a_process_larger_than_ram_by_more_than_a_page_goes_on_faulting():
    # When its two missing pages are loaded, a new locality unloads at least one, and the next
    # fault comes after at most 2 · R · 4,096 = 2 ms on average: in 10 s far more than two.
    cluster = paged((0, 32 + 2 * PAGE / MB, 10), page_bytes=PAGE)
    faults = cluster.nodes[0].faults_disk
    assert faults > 100
    assert cluster.jobs[0].end_ns == 10 * 10**9 + faults * DISK_4K_NS


def test_changes_of_locality_in_whole_pages_keep_their_rate():
    # Two pages are missing, so that one (3/4) or two (1/4) are unloaded. With both missing the next
    # fault is w = R · 4,096 away on average, with one 2 w: 1.25 faults in 2.25 w of CPU time. Of
    # faults - 5/9 · time / w of such a cycle the variance is 1.349.
    cycles = 10 * 10**9 / (2.25 * WALK_NS)
    cluster = paged((0, 32 + 2 * PAGE / MB, 10), page_bytes=PAGE, relocality_unit="page")
    assert abs(cluster.nodes[0].faults_disk - 1.25 * cycles) < 4 * sqrt(1.349 * cycles)


@pytest.mark.parametrize(
    ("first_mb", "others_mb", "share"),
    [(64, [], 1 / 2), (20, [20], 8 / 20), (4, [20, 20], 1)],  # of it that is out of RAM
)
def test_faults_never_die_out_where_a_process_touches_all_of_its_memory_in_turn(
    first_mb, others_mb, share
):
    # each walk through a page of 64 KB, 242 ns · 65,536 = 15.9 ms, faults with this probability
    jobs = [(0, first_mb, 100), *((0, other_mb, 5) for other_mb in others_mb)]
    cluster = paged(*jobs, mpl=3, locality="drifting")
    job = cluster.jobs[0]
    faults, rest = divmod(job.end_ns - job.demand_ns, DISK_64K_NS)
    expected = 100 * 10**9 / (242 * 2**16) * share
    assert rest == 0
    assert abs(faults - expected) < 4 * sqrt(expected)


def test_a_process_that_computes_when_its_node_becomes_overallocated_faults_from_then_on():
    # no barrier cuts its stretch of 100 s; at 20 s another 20 MB arrive: 128 pages are missing
    cluster = paged((0, 20, 100), (20, 20, 5), barrier_s=1000)
    assert cluster.nodes[0].faults_disk == 128
    assert cluster.jobs[0].end_ns == 100 * 10**9 + 128 * DISK_64K_NS


def test_pages_are_loaded_anew_after_another_job_ran_on_the_node():
    # O = 4 pages, loaded in 4 · H(4) · 15.9 ms = 0.13 s on average, in a quantum of 2 s. A turn
    # computes 2 s - 4 · 14,416,667 ns = 1.942 333 332 s; a job of 5 s takes three.
    # Job 1: 0 to 2 s, 4.008 to 6.008, and from 8.016 on 1.115 333 336 s and four faults:
    #   to 9.189 000 004 s.
    # Job 2: 2.004 to 4.004 s, 6.012 to 8.012, and from 9.193 000 004 on 1.115 333 336 s; alone,
    #   it has no faults any more.
    cluster = paged((0, 16, 5), (0, 16.25, 5), quantum_s=2)
    assert cluster.nodes[0].faults_disk == 12 + 8
    assert [job.end_ns for job in cluster.jobs] == [9_189_000_004, 10_308_333_340]


def test_pages_stay_loaded_while_a_job_is_switched_out_but_no_other_ran_on_the_node():
    # Job 1 lacks half a page on each of two nodes: a fault each. Job 2, of 0 bytes, runs on node 0
    # from 60.004 to 80.004 s. Back at 80.008 s, rank 0 faults again, rank 1 does not.
    # So rank 0 ends last, after 100 s, 20.008 s and twice 13,244,792 ns.
    jobs = [
        {"processes": 2, "memory_mb": 32 + 2048 / MB, "demand_s": 100},
        {"processes": 1, "memory_mb": 1, "demand_s": 20},
    ]
    scenario = without_memory(make_scenario(job=jobs, nodes=2, barrier_s=1000), 2)
    cluster = run(scenario, "DP", check=True)
    assert [node.faults_disk for node in cluster.nodes] == [2, 1]
    assert cluster.jobs[0].end_ns == 120_034_489_584


def slowly_paged(seek_ms, other_s):
    """Job 1 (10 s) lacks half a page, so it has one fault, 1 ms after it began on average.

    Job 2, without memory, runs for so many s when job 1's quantum of 60 s has ended.
    """
    jobs = [
        {"processes": 1, "memory_mb": 32 + 2048 / MB, "demand_s": 10},
        {"processes": 1, "memory_mb": 1, "demand_s": other_s},
    ]
    scenario = make_scenario(job=jobs, nodes=1, seek_ms=seek_ms, rotation=False)
    scenario = without_memory(scenario, 2)
    cluster, journal = journaled(scenario, "DP", check=True)
    faults = [record for record in journal if record.kind == "fault"]
    assert {fault.job for fault in faults} == {1}
    return cluster.jobs[0], [fault.time_ns for fault in faults]


def test_a_fault_in_flight_goes_on_while_its_job_is_switched_out():
    # a disk of 100.000 078 125 s; job 2 runs 60.004 to 70.004 s, which costs job 1 nothing
    job, faults = slowly_paged(100_000, 10)
    assert len(faults) == 1
    assert faults[0] < 60 * 10**9
    assert job.end_ns == 110_000_078_125


def test_a_process_whose_page_came_while_it_was_switched_out_computes_when_it_runs_again():
    # A disk of 70.000 078 125 s: the page comes while job 2 runs, 60.004 to 110.004 s. Job 1 is
    # back at 110.008 s and computes; since job 2 ran on its node, it needs the page once more.
    job, faults = slowly_paged(70_000, 50)
    assert len(faults) == 2
    assert 110_008_000_000 < faults[1] < 120_008_000_000
    computed_ns = faults[0]  # it began at 0
    assert job.end_ns == 110_008_000_000 + (10 * 10**9 - computed_ns) + 70_000_078_125
