"""Whether memory is short, found out before anything runs: by hand, and by what runs do then."""

from dataclasses import replace
from fractions import Fraction

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from model.ground.units import BYTES_PER_MB, NS_PER_S
from model.pnr.job_spec import JobSpec
from model.pnr.ousterhout import OusterhoutMatrix
from model.pnr.scarcity import (
    Room,
    most_on_a_node,
    placed,
    scarce_windows,
    scarcity_begins,
    suggested_ram_pct,
)
from model.pnr.scenario import make_scenario
from model.pnr.workload import load_workload
from model.systems import measure, run


def room(nodes=2, ram_mb=16, slots=2):
    return Room((ram_mb * BYTES_PER_MB,) * nodes, slots)


def jobs(*rows):
    """Jobs, each of (submitted in s, processes, MB of a process, CPU time in s)."""
    return [
        JobSpec(number, round(at_s * NS_PER_S), size, round(mb * BYTES_PER_MB), cpu_s * NS_PER_S)
        for number, (at_s, size, mb, cpu_s) in enumerate(rows, 1)
    ]


def test_as_many_processes_share_a_node_as_there_are_slots():
    three = jobs((0, 1, 4, 1), (0, 8, 20, 1), (0, 1, 9, 1))
    assert most_on_a_node(three, 1) == 20 * BYTES_PER_MB  # one of job 2, however many it has
    assert most_on_a_node(three, 2) == 29 * BYTES_PER_MB
    assert most_on_a_node(three, 5) == 33 * BYTES_PER_MB


@pytest.mark.parametrize(("at_s", "short"), [(14.9, 3), (15.1, 2)])
def test_a_job_is_short_while_its_node_holds_more_than_its_ram(at_s, short):
    # Job 1 fills the first slot, so that 2 shares node 0 with it: 20 of 16 MB. Each computes half
    # of the time: 2 ends at 10 s, when 1 has 5 of its 10 s left and computes alone until 15 s.
    # What comes before that shares node 0 with it: 22 MB.
    found = placed(jobs((0, 2, 10, 10), (0, 1, 10, 5), (at_s, 1, 12, 1)), room())
    assert found.short == short
    assert found.alone == 0
    # CPU time: 2 x 10 s and 5 s of processes of 10 MB, 1 s of one of 12 MB
    assert found.load == pytest.approx(26 / (2 * at_s))
    assert found.wanted == pytest.approx((25 * 10 + 1 * 12) / (2 * 16 * at_s))


def test_with_one_slot_the_second_job_waits_for_the_node():
    both = jobs((0, 2, 10, 10), (0, 1, 10, 5))
    assert placed(both, room(slots=1)).short == 0
    assert placed(both, room(slots=1, ram_mb=9)).short == 2
    assert placed(both, room(slots=1, ram_mb=9)).alone == 2


def test_a_job_that_computes_on_nodes_idle_in_the_other_slot_computes_all_the_time():
    # On three nodes: job 1 takes two, 2 does not fit beside it and takes two of the second slot:
    # they share node 0 and 1. Job 3 fits into the first slot, on node 2, which the second slot
    # leaves idle: it computes in both turns, ends at 5 s, and 4 (at 6 s) has node 2 for itself.
    three = jobs((0, 2, 5, 60), (0, 2, 5, 60), (0, 1, 9, 5), (6, 1, 9, 5))
    assert placed(three, room(nodes=3)).short == 0
    late = jobs((0, 2, 5, 60), (0, 2, 5, 60), (0, 1, 9, 5), (4, 1, 9, 5))
    assert placed(late, room(nodes=3)).short == 2  # 18 of 16 MB


def short_of(listed, room):
    """The numbers of short jobs, by the scheduler's own matrix and in exact time."""
    matrix, short, queue = OusterhoutMatrix(room.slots, [*range(len(room.rams))]), set(), []
    coming, left, now = sorted(listed, key=lambda job: job.submit_ns), {}, 0
    while coming or left:
        filled = matrix.filled()
        turns = [job for slot in filled for job in matrix.runnable(slot)]
        shares = {job: Fraction(turns.count(job), len(filled)) for job in turns}
        ends = {job: now + left[job] / share for job, share in shares.items()}
        first = min(ends, key=ends.get, default=None)
        arrives = coming and (first is None or coming[0].submit_ns < ends[first])
        then = coming[0].submit_ns if arrives else ends[first]
        left = {job: time - (then - now) * shares[job] for job, time in left.items()}
        now = then
        if arrives:
            queue.append(coming.pop(0))
        else:
            matrix.remove(first)
            del left[first]
            matrix.unify()
        while queue and (fit := matrix.best_fit(queue[0].processes)):
            job = queue.pop(0)
            matrix.place(job, *fit)
            left[job] = job.demand_ns
            for node in fit[1]:
                there = [row[node] for row in matrix.rows if node in row]
                if sum(it.memory for it in there) > room.rams[node]:
                    short |= {it.number for it in there}
    return short


@settings(max_examples=200, deadline=None)
@given(
    st.lists(
        st.tuples(st.integers(0, 9), st.integers(1, 5), st.integers(1, 9), st.integers(1, 9)),
        min_size=1,
        max_size=40,
    ),
    st.lists(st.integers(8, 16), min_size=5, max_size=5),
    st.integers(1, 4),
)
def test_the_short_jobs_are_those_that_the_matrix_has_on_full_nodes(rows, rams_mb, slots):
    cluster = Room(tuple(ram_mb * BYTES_PER_MB for ram_mb in rams_mb), slots)
    listed = jobs(*rows)
    if slots > 2:  # thirds are not exact, so no two jobs end at once
        listed = [replace(it, demand_ns=it.demand_ns + 7**it.number % 10**6) for it in listed]
    assert placed(listed, cluster).short == len(short_of(listed, cluster))


def test_windows_are_those_with_the_most_short_jobs_and_do_not_overlap():
    small, large = (1, 4, 1), (1, 20, 1)
    rows = [small] * 4 + [large] * 2 + [small] * 2 + [small, large] + [small] * 2
    apart = jobs(*((100 * place, *row) for place, row in enumerate(rows)))
    found = scarce_windows(apart, room(), length=4, most=5)
    # Windows begin at 0, 2, 4, 6 and 8; those at 2 and 4 have both large jobs, and the first
    # counts; those at 6 and 8 have the third, and 6 does not overlap with 2.
    assert [(start, window.short, window.alone) for start, window in found] == [
        (2, 2, 2),
        (6, 1, 1),
    ]
    assert found[0][1].span_s == 300
    assert scarce_windows(apart, room(), length=4, most=1) == found[:1]
    assert scarce_windows(apart, room(ram_mb=64), length=4, most=5) == []


def test_the_ram_suggested_is_the_largest_under_which_a_tenth_is_short():
    # One job of ten has 11.3 MB, which is more than 35 % of 32 MB (11.2) and less than 40 %.
    ten = jobs(*((100 * place, 1, 11.3 if place == 4 else 4, 1) for place in range(10)))
    assert suggested_ram_pct(ten, room(ram_mb=32), 100) == 35
    assert suggested_ram_pct(ten, room(ram_mb=16), 50) == 35
    assert (
        suggested_ram_pct(ten, Room((30 * BYTES_PER_MB * 32 // 100,) * 2, 2), 30) == 25
    )  # below 30
    tiny = jobs((0, 1, 0.2, 1))
    assert suggested_ram_pct(tiny, room(ram_mb=32), 100) is None  # 1 % is 0.32 MB


@settings(max_examples=15, deadline=None)
@given(
    listed=st.lists(
        st.fixed_dictionaries(
            {
                "submit_s": st.integers(0, 6),
                "processes": st.integers(1, 4),
                "memory_mb": st.integers(1, 12),
                "demand_s": st.integers(1, 4),
            }
        ),
        min_size=1,
        max_size=6,
    ),
    slots=st.integers(1, 3),
)
def test_nothing_is_paged_if_a_nodes_ram_holds_what_can_share_it(listed, slots):
    cluster = {"nodes": 4, "mpl": slots, "quantum_s": 1, "ram": 100}
    ram_mb = most_on_a_node(load_workload(make_scenario(job=listed, **cluster)), slots)
    scenario = make_scenario(job=listed, ram_mb=ram_mb / BYTES_PER_MB, **cluster)
    for design in ("DP", "MAN"):
        summary = measure(run(scenario, design, plane="actors")).summary
        assert (summary["faults_disk"], summary["faults_network"]) == (0, 0)


@pytest.mark.parametrize("ram", [100, 65])
def test_on_a_window_of_the_trace_the_jobs_that_page_are_those_found_short(ram):
    scenario = make_scenario(first=4621, jobs=19, ram=ram)
    found = placed(load_workload(scenario), Room.of(scenario))
    paging = measure(run(scenario, "DP")).jobs
    assert found.short == (paging["disk_faults_s"] > 0).sum()


def test_scarcity_begins_where_a_process_no_longer_fits():
    alike = jobs(*[(at_s, 1, 16, 1) for at_s in range(20)])
    assert scarcity_begins(alike, room(1, 32, 1)) == pytest.approx(0.5, rel=0.011)
    assert scarcity_begins(alike, room(1, 8, 1)) == pytest.approx(2, rel=0.011)
