"""The gang scheduler that knows memory: what it believes, where it places jobs, and that none page.

RAM is 32 MB, unless said otherwise.
"""

import json

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from model.ground.errors import CheckFailed
from model.pnr.gang_memory import MemoryGangScheduler
from model.pnr.scenario import Scenario, make_scenario
from model.pnr.workload import load_workload
from model.systems import emulation_of, measure, run

MB, S = 2**20, 10**9


def job(processes=1, memory_mb=20.0, demand_s=10, submit_s=0, **more):
    given = {"processes": processes, "memory_mb": memory_mb, "demand_s": demand_s}
    return {**given, "submit_s": submit_s, **more}


class History:
    """Where and when jobs were placed in a run, which keeps its own rules."""

    def __init__(self, *jobs, design="DP", **parameters):
        given = {"scheduler": "gang-memory", "nodes": 2, "page_bytes": 2**16, "barrier_s": 10**6}
        given["minimum_demand_s"] = 0.001
        scenario = make_scenario(job=list(jobs), **{**given, **parameters})
        self.records = []
        self.cluster = run(scenario, design, readers=(self.records.append,), check=True)
        self.placed, self.estimated_mb = {}, {}
        for record in self.records:
            if record.kind == "placed":
                says = json.loads(record.payload)
                self.placed[record.job] = record.time_ns / S, record.slot, says["nodes"]
                if "estimate" in says:
                    self.estimated_mb[record.job] = says["estimate"] / MB

    def kinds(self, kind):
        return [record.time_ns / S for record in self.records if record.kind == kind]


def test_a_job_takes_the_lowest_free_nodes_that_hold_it():
    # node 0 has 12 MB left in all slots together, node 1 has 32: job 2 of 20 MB goes there, and
    # job 3 of 12 MB fits beside job 1, in the other slot
    history = History(job(), job(), job(memory_mb=12))
    assert history.placed == {1: (0, 0, [0]), 2: (0, 0, [1]), 3: (0, 1, [0])}
    assert history.kinds("fault") == []


def test_a_slot_qualifies_by_its_nodes_that_hold_the_job_and_is_chosen_by_its_free_nodes():
    # Job 1 of 2 processes leaves slot 0 one free node, job 2 of 3 has all of slot 1. Job 3 fits
    # nodes 2 (32 - 10 MB) alone: with 1 free node, slot 0 is tighter than the empty slot 2.
    jobs = [job(2, 20), job(3, 10), job(1, 11)]
    assert History(*jobs, nodes=3, mpl=3).placed[3] == (0, 0, [2])
    # of 23 MB, no node holds it beside the others; when job 1 ends, nodes 0 and 1 have 22 MB
    jobs = [job(2, 20), job(3, 10, 30), job(1, 23)]
    assert History(*jobs, nodes=3, mpl=3, pcs_ms=0).placed[3][0] > 10


@settings(max_examples=30)
@given(
    ram_mb=st.integers(1, 64),
    memory_mb=st.integers(1, 64),
    jobs=st.integers(1, 8),
    slots=st.integers(1, 6),
    nodes=st.integers(1, 3),
)
def test_of_equal_jobs_as_many_are_on_a_node_as_its_ram_holds(
    ram_mb, memory_mb, jobs, slots, nodes
):
    # each job has a process on every node: floor(R / m) of them fit, but one always does
    same = [job(nodes, memory_mb, 0.01) for _ in range(jobs)]
    history = History(*same, nodes=nodes, ram_mb=ram_mb, mpl=slots, page_bytes=2**20)
    together = max(1, min(slots, ram_mb // memory_mb))
    at_once = [number for number, (time_s, _, _) in history.placed.items() if time_s == 0]
    assert len(at_once) == min(jobs, together)
    here, most = set(), 0
    for record in history.records:
        if record.kind in ("placed", "ended"):
            here ^= {record.job}
            most = max(most, len(here))
    assert most == min(jobs, together)
    assert (history.kinds("fault") == []) or memory_mb > ram_mb


ANY = st.lists(
    st.builds(
        job,
        st.integers(1, 3),
        st.sampled_from([1, 7.5, 16, 20, 31.99, 32, 33, 50]),
        st.sampled_from([0.01, 0.05]),
        st.sampled_from([0, 0.013, 0.04]),
    ),
    min_size=1,
    max_size=7,
)


@settings(max_examples=30)
@given(jobs=ANY, slots=st.integers(1, 4), profile=st.sampled_from(["static", "ramp", "phases"]))
def test_with_exact_estimates_and_no_lending_only_a_job_that_alone_exceeds_ram_does(
    jobs, slots, profile
):
    seen = []

    def look(record):
        for node in seen[0].nodes if seen else ():
            held = list(node.memory.processes.values())
            assert sum(held) <= 32 * MB or len(held) == 1

    scenario = make_scenario(
        **{"job": jobs, "nodes": 3, "mpl": slots, "scheduler": "gang-memory"},
        **{"memory_profile": profile, "barrier_s": 0.001, "quantum_s": 0.02, "page_bytes": 2**18},
        minimum_demand_s=0.001,
    )
    emulation = emulation_of(scenario, "DP", load_workload(scenario), readers=(look,))
    seen.append(emulation)
    emulation.run()


def test_what_a_node_lends_is_no_room():
    # node 0's 48 MB borrow 16 of node 1, whose other 16 do not hold job 2 until job 1 has ended
    jobs = [job(1, 48, 0.1), job(1, 20, 0.1, 0.01)]
    history = History(*jobs, design="CLI")
    first_ends = history.kinds("ended")[0]
    assert history.placed[2] == (first_ends, 0, [0])
    assert History(*jobs, design="DP").placed[2] == (0.01, 0, [1])


def test_it_looks_again_at_the_end_of_a_quantum():
    # Job 1 on node 0 borrows of nodes 1 and 2 what it lacks. Job 2 is on node 1, job 3 on all in
    # the other slot. Job 4 needs nodes 0 and 2 whole: when job 1 ends, node 2 still lends, and when
    # it does no more nothing happens but, later, the end of a quantum.
    jobs = [
        job(1, 48, 0.5),
        job(1, 17, 30),
        job(3, 0.1, 30),
        job(2, 31.5, 1, 0.1),
    ]
    history = History(*jobs, design="CLI", nodes=3, quantum_s=5, page_bytes=2**20)
    first_ends = history.kinds("ended")[0]
    assert 0.5 <= first_ends < 4
    time_s, slot, nodes = history.placed[4]
    assert time_s in history.kinds("switch")  # which a quantum's end begins
    assert (time_s > first_ends, slot, nodes) == (True, 0, [0, 2])


def estimates(*jobs, how, **parameters):
    """(MB believed, MB listed) by job of a run."""
    history = History(*jobs, memory_estimate=how, **parameters)
    table = measure(history.cluster).jobs.set_index("job")["estimated_mb"]
    assert table.to_dict() == history.estimated_mb
    return history.estimated_mb


def test_exact_is_the_most_that_the_profile_says(tmp_path):
    (tmp_path / "own.csv").write_text("job,cpu_s,memory_mb\n1,0,1\n1,2,7\n1,3,2\n")
    jobs = [job(demand_s=5), job()]
    profile = {"memory_profile": str(tmp_path / "own.csv"), "barrier_s": 1}
    assert estimates(*jobs, how="exact", **profile) == {1: 7, 2: 20}
    assert estimates(*jobs, how="exact", memory_profile="ramp") == {1: 20, 2: 20}


def test_requested_is_what_was_asked_for_else_exact():
    jobs = [job(requested_mb=24), job(memory_mb=11)]
    assert estimates(*jobs, how="requested") == {1: 24, 2: 11}


def test_user_is_the_mean_of_what_the_user_s_jobs_have_needed_that_had_ended_before():
    jobs = [
        job(1, 10, 5, 0, user=3, requested_mb=9),  # no job of this user has ended: what it asked
        job(1, 21, 5, 1, user=3),  # neither: all of RAM, so it waits for a node of its own
        job(1, 4, 1, 5.5, user=3),  # job 1 has ended, at 5 s
        job(1, 4, 1, 20, user=3),  # jobs 1, 2 and 3 have
        job(1, 4, 1, 20, user=8),  # another user's
        job(1, 4, 1, 20, requested_mb=5),  # nobody's
    ]
    told = estimates(*jobs, how="user", nodes=3)
    mean = round((10 + 21 + 4) / 3 * MB) / MB
    assert told == {1: 9, 2: 32, 3: 10, 4: mean, 5: 32, 6: 5}


def test_of_a_log_field_10_is_what_was_requested_and_field_12_the_user(tmp_path):
    line = "{} 0 -1 10 1 10 2048 -1 -1 {} 1 {}\n"
    text = line.format(1, 4096, 7) + line.format(2, -1, -1) + line.format(3, 0, 0)
    (tmp_path / "log.swf").write_text(text)
    jobs = load_workload(Scenario(trace=tmp_path / "log.swf"))
    assert [(one.requested, one.user) for one in jobs] == [(4 * MB, 7), (None, None), (None, 0)]
    larger, *_ = load_workload(Scenario(trace=tmp_path / "log.swf", memory_scale=1.5))
    assert (larger.memory, larger.requested) == (3 * MB, 6 * MB)


def test_who_is_believed_to_need_less_pages_and_borrows():
    # 20 MB twice on a node of 32, believed to be 10 each: 8 MB are over-allocated
    jobs = [job(requested_mb=10, demand_s=1, submit_s=s) for s in (0, 0.1)]
    given = {"nodes": 2, "memory_estimate": "requested", "quantum_s": 0.3}
    big = job(1, 1, 5, requested_mb=30)  # node 0 is full, so that both are on node 1
    history = History(big, *jobs, design="CLI", **given)
    assert [history.placed[number][1:] for number in (2, 3)] == [(0, [1]), (1, [1])]
    assert history.kinds("borrowed") != []


def test_check_notices_a_node_without_room(monkeypatch):
    monkeypatch.setattr(MemoryGangScheduler, "room", lambda scheduler, node: 10**12)
    with pytest.raises(CheckFailed, match="node 0 has no room for it"):
        History(job(), job(), nodes=1)
