"""The gang scheduler: who runs when, to the nanosecond, and what it does when nothing moves."""

from collections import defaultdict
from dataclasses import dataclass, field

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from agents.pnr.messages import BarrierRelease, RamGrant
from model.ground.errors import Stalled
from model.pnr.cluster import Cluster
from model.pnr.job_spec import JobSpec
from model.pnr.scenario import make_scenario
from model.systems import emulation_of, run
from tests.model.no_memory import without_memory

MB = 2**20
#: No barrier cuts in: a job computes for its demand.
PLAIN = {"barrier_s": 10**6}


def job(processes=1, demand_s=10, submit_s=0, memory_mb=1):
    return {
        "processes": processes,
        "demand_s": demand_s,
        "submit_s": submit_s,
        "memory_mb": memory_mb,
    }


class History:
    """What the scheduler did in a run: lists of (s, job) by kind, of (s, slot) for time slots."""

    def __init__(self, *jobs, design="DP", empty=(), **parameters):
        self.journal = []
        scenario = make_scenario(job=list(jobs), **{**PLAIN, **parameters})
        for number in empty:
            scenario = without_memory(scenario, number)
        self.cluster = run(scenario, design, readers=(self.journal.append,), check=True)
        self.switches = self.cluster.scheduler.switches

    def __getattr__(self, kind):
        return [
            (record.time_ns / 10**9, record.slot if record.job is None else record.job)
            for record in self.journal
            if record.kind == kind
        ]

    @property
    def places(self):
        """(s, slot, nodes) by job."""
        return {
            record.job: (record.time_ns / 10**9, record.slot, record.payload)
            for record in self.journal
            if record.kind == "placed"
        }


def test_two_slots_run_for_60_s_in_turn_with_a_switch_of_4_ms_between():
    # job 1: 0 to 60 s, 120.008 to 160.008; job 2: 60.004 to 120.004, 160.012 to 170.012
    history = History(job(demand_s=100), job(demand_s=70), nodes=1)
    assert history.resumed == [(0, 1), (60.004, 2), (120.008, 1), (160.012, 2)]
    assert history.suspended == [(60, 1), (120.004, 2)]
    assert history.ended == [(160.008, 1), (170.012, 2)]
    # begun at the end of a quantum, or when the slot empties, for the slot whose turn it is then
    assert history.switch == [(60, 1), (120.004, 0), (160.008, 1)]
    assert history.switched == [(60.004, 1), (120.008, 0), (160.012, 1)]
    assert history.switches == 3


def test_memory_is_taken_and_asked_for_at_placement_also_in_a_slot_that_does_not_run():
    history = History(job(2, demand_s=100), job(2, memory_mb=40), nodes=2, design="CEN")
    asked = [
        (r.time_ns, r.node)
        for r in history.journal
        if (r.kind, r.what, r.job) == ("sent", "RamRequest", 2)
    ]
    assert asked == [(0, 0), (0, 1)]
    assert history.resumed[:2] == [(0, 1), (60.004, 2)]
    # before that, job 1 computes on nodes with 41 of 32 MB
    assert (history.fault[0][1], history.fault[0][0] < 60) == (1, True)


def test_a_grant_that_comes_while_the_job_is_switched_out_lets_it_start_when_it_runs():
    history = History(job(2, demand_s=100), job(2, demand_s=20), nodes=2, design="CEN")
    granted = [
        r.time_ns
        for r in history.journal
        if (r.kind, r.what, r.job) == ("delivered", RamGrant.__name__, 2)
    ]
    assert len(granted) == 2
    assert max(granted) < 10**9
    assert history.ended[0] == (80.004, 2)  # it begins to compute at 60.004 s


def test_a_job_also_runs_in_the_slot_of_others_while_its_nodes_idle_there():
    # Slot 0: job 1 on node 0, job 2 on node 1. Slot 1: job 3 on node 0, job 4 on node 1.
    # Job 1 ends at 10 s: job 3 runs on from then, whosever turn it is, to 210 s; it does not even
    # pause for the switches at 60, 120.004 and 160.008 s. Slots 0 and 1 do not merge, for node 1.
    history = History(
        job(demand_s=10), job(demand_s=100), job(demand_s=200), job(demand_s=70), nodes=2
    )
    assert history.resumed == [(0, 1), (0, 2), (10, 3), (60.004, 4), (120.008, 2), (160.012, 4)]
    assert history.suspended == [(60, 2), (120.004, 4)]
    assert history.ended == [(10, 1), (160.008, 2), (170.012, 4), (210, 3)]
    assert history.switches == 3


def test_when_the_slot_whose_turn_it_is_merges_into_a_lower_one_all_run_on():
    # Slot 0: job 1 on nodes 0 and 1. Slot 1: job 2 on nodes 0 to 2, job 3 on node 3, which idles in
    # slot 0: job 3 runs all the time. At 60.004 s job 2 comes in; it ends at 70.004 s, and job 1
    # goes on at that moment, in slot 0 with job 3.
    history = History(job(2, demand_s=100), job(3, demand_s=10), job(1, demand_s=200), nodes=4)
    assert history.places[3][1:] == (1, '{"nodes":[3]}')
    assert history.unified == [(70.004, 0)]
    assert history.resumed == [(0, 1), (0, 3), (60.004, 2), (70.004, 1)]
    assert history.suspended == [(60, 1)]
    assert history.ended == [(70.004, 2), (110.004, 1), (200, 3)]
    assert history.switches == 1


def test_a_node_stays_taken_until_the_last_process_of_its_job_ends():
    # Slot 0: job 1 on both nodes. Slot 1: jobs 2 and 3, without a turn until job 1 ends. Job 2
    # makes node 0 lack 10 MB: rank 0 of job 1 faults, rank 1 is done after just 100 s. Job 4
    # gets node 1 only when job 1 has ended.
    history = History(
        job(2, demand_s=100, memory_mb=21),
        job(demand_s=1, memory_mb=21),
        job(demand_s=1),
        job(demand_s=1),
        nodes=2,
        quantum_s=10**6,
        page_bytes=2**16,
    )
    rank_1, rank_0 = history.finished[:2]
    assert rank_1 == (100, 1)
    assert rank_0[0] > 100
    assert history.ended[0] == rank_0
    assert history.places[4][0] == rank_0[0]


# --- any workload: rules, and a second scheduler that goes from second to second


@dataclass
class Ticking:
    """The spec's scheduler once more, in steps of a second: quanta of 5 s, switches of 1 s."""

    nodes: int
    slots: int
    jobs: list  # (submit, processes, demand) in order of submission
    quantum: int = 5
    pcs: int = 1
    place: dict = field(default_factory=dict)  # job -> (slot, set of nodes)
    ends: dict = field(default_factory=dict)
    left: dict = field(default_factory=dict)  # job -> s still to compute
    running: set = field(default_factory=set)
    turn: int = 0
    switches: int = 0
    quantum_end: int | None = None
    pcs_end: int | None = None

    def run(self):
        self.left = {number: job[2] for number, job in enumerate(self.jobs, start=1)}
        queue, now = [], 0
        while len(self.ends) < len(self.jobs):
            # ends; arrivals; end of quantum; end of switch: ends go first after each of them,
            # since a job that was switched out just when it was done ends when it is back
            self.end_jobs(queue, now)
            for number, (submit, _, _) in enumerate(self.jobs, start=1):
                if submit == now:
                    queue.append(number)
                    self.dispatch(queue)
                    self.settle(now)
                    self.end_jobs(queue, now)
            if self.quantum_end == now:
                self.quantum_end = None
                self.unify()
                if len(self.used_slots()) > 1:
                    self.switch(now)
                self.settle(now)
                self.end_jobs(queue, now)
            if self.pcs_end == now:
                self.pcs_end = None
                self.settle(now)
                self.end_jobs(queue, now)
            for number in self.running:
                self.left[number] -= 1
            now += 1
        return self.ends

    def end_jobs(self, queue, now):
        """Those that are done end one by one: a job with its highest node, the lower ones first."""
        while done := [number for number in self.running if not self.left[number]]:
            number = min(done, key=lambda number: max(self.place[number][1]))
            self.ends[number] = now
            del self.place[number]
            self.unify()
            if self.place and not self.in_slot(self.turn):
                self.switch(now)
            self.dispatch(queue)
            self.settle(now)

    def in_slot(self, slot):
        return [number for number, (at, _) in self.place.items() if at == slot]

    def taken(self, slot):
        return set().union(*(self.place[number][1] for number in self.in_slot(slot)))

    def used_slots(self):
        return sorted({slot for slot, _ in self.place.values()})

    def dispatch(self, queue):
        while queue:
            size = self.jobs[queue[0] - 1][1]
            free = {slot: sorted(set(range(self.nodes)) - self.taken(slot)) for slot in self.all()}
            fitting = [slot for slot in self.all() if len(free[slot]) >= size]
            if not fitting:
                return
            slot = sorted(fitting, key=lambda slot: len(free[slot]))[0]  # stable: the lower one
            if not self.place:
                self.turn = slot
            self.place[queue.pop(0)] = (slot, set(free[slot][:size]))

    def all(self):
        return range(self.slots)

    def unify(self):
        for low in self.all():
            for high in range(low + 1, self.slots):
                if self.in_slot(low) and self.in_slot(high):
                    if self.taken(low) & self.taken(high):
                        continue
                    for number in self.in_slot(high):
                        self.place[number] = (low, self.place[number][1])
                    self.turn = low if self.turn == high else self.turn

    def switch(self, now):
        later = [slot for slot in self.used_slots() if slot > self.turn]
        self.turn = later[0] if later else self.used_slots()[0]
        self.switches += 1
        self.quantum_end, self.pcs_end = None, now + self.pcs

    def settle(self, now):
        if not self.place:
            self.quantum_end = self.pcs_end = None
        elif self.pcs_end is None:
            if len(self.used_slots()) < 2:
                self.quantum_end = None
            elif self.quantum_end is None:
                self.quantum_end = now + self.quantum
        # during a switch nobody comes in
        self.running = self.running & self.allowed() if self.pcs_end else self.allowed()

    def allowed(self):
        """Who may run: the slot's jobs; others, the lower slots first, as far as nodes idle."""
        busy, allowed = self.taken(self.turn), set(self.in_slot(self.turn))
        for slot in self.used_slots():
            for number in self.in_slot(slot):
                if slot != self.turn and not busy & self.place[number][1]:
                    busy |= self.place[number][1]
                    allowed.add(number)
        return allowed


WORKLOAD = st.lists(
    st.tuples(st.integers(0, 40), st.integers(1, 4), st.integers(1, 30)), min_size=1, max_size=9
)
SMALL_CLUSTER = {"nodes": st.integers(4, 6), "slots": st.integers(1, 3), "workload": WORKLOAD}


def scheduled(nodes, slots, workload, readers=()):
    """A run of (submit s, processes, demand s) with quanta of 5 s and switches of 1 s."""
    first = min(submit_s for submit_s, _, _ in workload)
    jobs = sorted((submit_s - first, size, demand) for submit_s, size, demand in workload)
    scenario = make_scenario(
        job=[job(size, demand, submit_s) for submit_s, size, demand in jobs],
        nodes=nodes,
        mpl=slots,
        quantum_s=5,
        pcs_ms=1000,
        **PLAIN,
    )
    return jobs, Cluster(scenario, "DP", readers)


@given(**SMALL_CLUSTER)
@settings(max_examples=75)
def test_jobs_end_when_a_scheduler_that_goes_from_second_to_second_says(nodes, slots, workload):
    jobs, cluster = scheduled(nodes, slots, workload)
    cluster.run()
    second = Ticking(nodes, slots, jobs)
    ends = {job.number: job.end_ns / 10**9 for job in cluster.jobs}
    assert ends == second.run()
    assert cluster.scheduler.switches == second.switches


@given(**SMALL_CLUSTER)
def test_no_node_ever_runs_two_jobs_and_each_job_is_placed_once_and_ends_once(
    nodes, slots, workload
):
    journal = []
    jobs, cluster = scheduled(nodes, slots, workload, (journal.append,))
    cluster.run()
    held = {job.number: job.nodes for job in cluster.jobs}
    on_node = {}  # node -> the job that runs there
    since, ran_ns = {}, defaultdict(int)
    in_switch = False
    for record in journal:
        number = record.job
        match record.kind:
            case "switch":
                in_switch = True
            case "switched":
                in_switch = False
            case "resumed":
                assert not in_switch
                assert not on_node.keys() & set(held[number])
                on_node |= dict.fromkeys(held[number], number)
                since[number] = record.time_ns
            case "suspended" | "ended":
                ran_ns[number] += record.time_ns - since.pop(number)
                for node in held[number]:
                    assert on_node.pop(node) == number
    assert not on_node
    for kind in ("submitted", "placed", "ended"):
        numbers = [record.job for record in journal if record.kind == kind]
        assert sorted(numbers) == list(range(1, len(jobs) + 1))
        if kind == "placed":
            assert numbers == sorted(numbers)  # first come, first served
    # without memory to wait for, a job runs just as long as it computes
    for number, (_, size, demand_s) in enumerate(jobs, start=1):
        assert ran_ns[number] == demand_s * 10**9
        assert len(set(held[number])) == size


# --- stalls


def deaf(*specs, to, slots, design="DP", node=1, **parameters):
    """A cluster of two nodes, one of which overhears all messages of one kind."""
    scenario = make_scenario(job=[job()], nodes=2, mpl=slots, **parameters)
    workload = [
        JobSpec(number, 0, processes, MB, demand_s * 10**9) for number, processes, demand_s in specs
    ]
    cluster = emulation_of(scenario, design, workload, plane="actors")
    takes, hears = cluster.nodes[node].takes, cluster.nodes[node].takes[to.hears]
    takes[to.hears] = lambda said: None if isinstance(said.content, to) else hears(said)
    return cluster


def stall_of(cluster):
    with pytest.raises(Stalled) as stalled:
        cluster.run()
    return str(stalled.value)


def test_a_stall_in_one_slot_names_the_jobs_and_what_each_waits_for():
    # Rank 1 never hears that the barrier at 1 s is passed; rank 0 goes on to the one at 2 s.
    story = stall_of(deaf((1, 2, 5), (7, 1, 5), to=BarrierRelease, slots=1))
    assert story.startswith("DP stalled at 2")
    assert "2 jobs are not done" in story
    assert (
        "job 1 (running): rank 0 on node 0: waiting at a barrier, "
        "rank 1 on node 1: waiting at a barrier" in story
    )
    assert "job 7 waits for a free node" in story


def test_a_stall_in_two_slots_is_found_although_quanta_go_on():
    cluster = deaf((1, 2, 5), (2, 2, 5), (3, 2, 5), to=BarrierRelease, slots=2)
    story = stall_of(cluster)
    assert "3 jobs are not done" in story
    for number, state in ((1, "running"), (2, "suspended")):
        both = "rank 0 on node 0: waiting at a barrier, rank 1 on node 1: waiting at a barrier"
        other = {"running": "suspended", "suspended": "running"}[state]
        stories = [f"job {number} ({name}): {both}" for name in (state, other)]
        assert any(each in story for each in stories)
    assert story.count("(running)") == story.count("(suspended)") == 1
    assert "job 3 waits for 2 free nodes" in story
    # both were stuck when the second quantum ended, at 120.004 s; a turn of all slots later at last
    assert cluster.clock.now_ns <= (4 * 60 + 4) * 10**9


@pytest.mark.parametrize(("jobs", "rest"), [(11, "1 more job"), (12, "2 more jobs")])
def test_a_long_list_of_stalled_jobs_is_cut_after_ten(jobs, rest):
    specs = [(number, 2, 5) for number in range(1, jobs + 1)]
    story = stall_of(deaf(*specs, to=BarrierRelease, slots=1))
    assert f"{jobs} jobs are not done" in story
    assert "job 10 waits" in story
    assert "job 11" not in story
    assert story.endswith(f"and {rest}")


def test_slots_that_wait_for_a_slow_disk_for_many_quanta_are_no_stall():
    # half a page is missing, of which each job needs its part; a page takes 1,000 s: 16 quanta
    jobs = [job(demand_s=1, memory_mb=16 + 1024 / MB)] * 2
    history = History(*jobs, nodes=1, seek_ms=10**6)
    assert {number for _, number in history.ended} == {1, 2}
    assert history.switches > 16
