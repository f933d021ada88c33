"""CMGS: speeds, faults and placements by hand, and what holds whatever the policy does."""

from fractions import Fraction

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from agents.sharing.job import MOVING, PAGING, SequentialJob, SequentialSpec
from model.core.checks import CheckFailed
from model.ground.errors import InputError
from model.sharing.cmgs.constants import CmgsConstants
from model.sharing.cmgs.policies import POLICIES
from model.sharing.cmgs.workload import REQUESTS_MB
from model.sharing.metrics import measure
from model.sharing.scenarios import make_sharing_scenario
from model.sharing.workload import load_jobs
from model.systems import run
from tests.journaled import journaled
from tests.model.sharing.conservation import lists_of_jobs, measured_whole

MS, MB = 10**6, 2**20


def job(demand_s, memory_mb=64, submit_s=0, home=0):
    return {"submit_s": submit_s, "home": home, "memory_mb": memory_mb, "demand_s": demand_s}


def scenario_of(jobs, **parameters):
    return make_sharing_scenario(system="cmgs", job=jobs, load_factor=1, **parameters)


def emulate(jobs, policy="CMGS", **parameters):
    return run(scenario_of(jobs, **parameters), policy, check=True)


def targets(records):
    """Where each job was placed."""
    return {r.job: int(r.payload[10:-2]) for r in records if r.kind == "placed"}


def placements(jobs, policy, **parameters):
    _, records = journaled(scenario_of(jobs, **parameters), policy, check=True)
    return targets(records)


def test_the_platforms_are_those_of_table_1():
    def of(platform):
        return CmgsConstants.of(make_sharing_scenario(system="cmgs", platform=platform))

    one, two = of("I"), of("II")
    assert [1000 * speed / one.reference_speed for speed in one.speeds] == [
        *(500, 1000, 2000, 500, 1500, 500)
    ]
    assert one.rams == (512 * MB,) * 6
    assert set(two.speeds) == {two.reference_speed}
    assert [ram / MB for ram in two.rams] == [512, 1024, 2048, 512, 1536, 384]
    # Ten million instructions take 20, 10, 5 and 6 2/3 ms.
    assert one.fault_every_ns[:3] == (20 * MS, 10 * MS, 5 * MS)
    assert one.fault_every_ns[4] == Fraction(20 * MS, 3)


@pytest.mark.parametrize(("home", "cpu_ms"), [(0, 200), (1, 100), (2, 50)])
def test_cpu_time_is_that_of_the_node(home, cpu_ms):
    (only,) = emulate([job(0.1, home=home)]).jobs
    assert only.cpu_ns == cpu_ms * MS
    assert only.end_ns == (cpu_ms + 0.1) * MS  # and one context switch


def test_cpu_time_that_is_no_whole_number_of_ns_is_rounded_up():
    cluster = emulate([job(0.1, home=4)])  # 2/3 of 100 ms
    assert cluster.jobs[0].cpu_ns == 66_666_667
    assert measure(cluster).summary["slowdown_of_sums"] == pytest.approx(66.766667 / 66.666667)


@given(
    st.integers(1, 10**6),
    st.lists(st.tuples(st.integers(1, 7), st.integers(0, 10**6)), max_size=8),
    st.integers(1, 7),
)
def test_work_is_exact_over_moves_between_speeds(demand_ns, stays, last):
    # The second computation: fractions of the work, node by node.
    one = SequentialJob(SequentialSpec(1, 0, 0, demand_ns, 1), 0, Fraction(1), 0.5, 3)
    left, cpu_ns = Fraction(demand_ns), 0
    for speed, stay_ns in stays:
        one.run_at(speed)
        one.begin_stint(None)
        stay_ns = min(stay_ns, one.cpu_left_ns - 1)
        one.until_stop_ns -= stay_ns
        one.settle()
        left -= Fraction(stay_ns * speed, 3)
        cpu_ns += stay_ns
    assert left > 0
    one.run_at(last)
    need = left * 3 / last
    assert one.cpu_left_ns == -(-need.numerator // need.denominator)
    assert one.age_ns == int(demand_ns - left)
    assert one.cpu_ns == cpu_ns


def test_a_job_that_does_more_than_its_work_is_found(monkeypatch):
    monkeypatch.setattr(SequentialJob, "work_done", property(lambda self: self.work + self.speed))
    with pytest.raises(CheckFailed, match="more than its work"):
        emulate([job(1, home=1)])  # whose speed is that of reference: its CPU time stays


def test_a_job_faults_by_the_share_of_its_request_that_is_allocated():
    # On node 1 (1,000 MIPS, 512 MB) one of 1,024 MB has half: a fault every 5 ms of CPU.
    (only,) = emulate([job(0.1, memory_mb=1024, home=1)], "CPU_MEM").jobs
    assert only.faults == 20  # the first within 5 ms
    assert only.spent_ns[PAGING] == 200 * MS
    assert only.end_ns == (100 + 200 + 0.1) * MS


@pytest.mark.parametrize(("other_mb", "faults"), [(392, False), (392.01, True)])
def test_who_has_less_than_its_working_set_available_faults(other_mb, faults):
    # 200 MB, working set 120: it needs 512 - 392.
    jobs = [job(1, other_mb, home=1), job(0.5, 200, submit_s=0.001, home=1)]
    assert bool(emulate(jobs, "CPU_MEM").jobs[1].faults) == faults


LONG = [job(60, 100, home=0), job(60, 50, home=1), job(60, 40, home=2)]
NEXT = {"submit_s": 1, "demand_s": 0.1, "memory_mb": 64}


def test_cmgs_sends_from_above_the_mean_to_the_shortest_queue_below_it():
    # Active, 60 %: 60, 12 + 12 (two jobs), 24 and 36.6 MB. The mean is 36.15 MB: nodes 1 and 2 are
    # below it, and node 2 has one job.
    jobs = [job(60, size, home=home) for home, size in enumerate((100, 20, 40, 61))]
    jobs += [job(60, 20, home=1, submit_s=0.5), NEXT | {"home": 0}]
    assert {placements(jobs, "CMGS", nodes=4, seed=seed)[6] for seed in range(1, 9)} == {2}


def test_cmgs_keeps_what_comes_at_or_below_the_mean():
    assert placements([*LONG, NEXT | {"home": 1}], "CMGS", nodes=3)[4] == 1
    equal = [job(60, 100, home=home) for home in range(3)]
    assert placements([*equal, NEXT | {"home": 0}], "CMGS", nodes=3)[4] == 0


def test_a_job_under_way_counts_in_the_queue_but_has_no_pages():
    # Nodes 1 and 2 are empty: two jobs from node 0 within 100 ms go to one each, and the third,
    # from node 1 while the first is under way to it or to node 2, stays: node 1 has no pages.
    jobs = [job(60, 500, home=0), *(NEXT | {"home": 0, "submit_s": s} for s in (1, 1.01))]
    jobs.append(NEXT | {"home": 1, "submit_s": 1.02})
    where = placements(jobs, "CMGS", nodes=3)
    assert {where[2], where[3]} == {1, 2}
    assert where[4] == 1


def test_others_hear_of_a_job_under_way():
    # Node 0 sends a job away, to node 2 or 3; node 1, over the mean too, sends its to the other.
    jobs = [job(60, 500, home=0), job(60, 500, home=1)]
    jobs += [NEXT | {"home": 0}, NEXT | {"home": 1, "submit_s": 1.05}]
    where = placements(jobs, "CMGS", nodes=4)
    assert {where[3], where[4]} == {2, 3}
    where = [
        placements(jobs, "CMGS", nodes=4, count_sent=False, seed=seed) for seed in range(1, 13)
    ]
    assert any(one[3] == one[4] for one in where)  # without, sometimes the same


def test_cpu_mem_keeps_jobs_below_ct_while_memory_is_left():
    jobs = [job(60, 64, home=0), NEXT | {"home": 0}]
    assert placements(jobs, "CPU_MEM", ct=2)[2] == 0
    assert placements(jobs, "CPU_MEM", ct=1)[2] != 0


def test_cpu_mem_sends_from_full_memory_to_the_shortest_queue_however_full():
    # Node 2 has one job of all its memory, node 1 two small ones: the queue decides.
    jobs = [
        *(job(60, 256, home=0) for _ in range(2)),
        *(job(60, 1, home=1) for _ in range(2)),
        job(60, 600, home=2),
        NEXT | {"home": 0},
    ]
    assert placements(jobs, "CPU_MEM", nodes=3, ct=9)[6] == 2


def test_nodes_report_when_their_state_changes_and_only_then():
    # Two jobs at home: two arrivals and two ends, each told to five others; none is sent.
    messages = measure(emulate([job(1, home=0), job(1, home=3)])).summary["messages"]
    assert messages == {"LoadReport": 4 * 5, "JobSent": 0, "JobTransfer": 0}


def test_one_that_leaves_is_announced_and_its_place_taken_is_reported():
    summary = measure(emulate([job(60, 500, home=0), NEXT | {"home": 0}])).summary
    # Three nodes' worth of news: job 1 comes and ends, job 2 is sent, comes and ends.
    assert summary["messages"] == {"LoadReport": 4 * 5, "JobSent": 5, "JobTransfer": 0}


def test_reports_do_not_contend_with_jobs():
    # Reports of 1 MB take 84 ms each on their network; the jobs' transfers of 128 bytes do not.
    jobs = [job(60, 500, home=0), NEXT | {"home": 0}]
    parameters = {"transfer": "messages", "topology": "bus", "latency_ns": 0, "nodes": 3}
    small, large = (
        emulate(jobs, report_bytes=size, **parameters).jobs[1].spent_ns[MOVING] for size in (64, MB)
    )
    assert small == large == 100 * MS + 128 * 8 * 10  # at 100 Mbps a bit takes 10 ns


def test_a_report_is_known_when_its_network_has_carried_it():
    # 1 MB at 100 Mbps takes 83.9 ms. Node 0 learns after that that node 1 has a job and node 2,
    # of the same size but with none, is the shorter queue.
    def went(submit_s):
        jobs = [
            job(60, 500, home=0),
            job(60, 0.001, home=1, submit_s=1),
            NEXT | {"home": 0, "submit_s": submit_s},
        ]
        parameters = {"nodes": 3, "report_bytes": MB, "topology": "connected"}
        return [placements(jobs, "CMGS", seed=seed, **parameters)[3] for seed in range(1, 13)]

    assert set(went(1.08)) == {1, 2}  # at random
    assert set(went(1.09)) == {2}


@given(
    lists_of_jobs(2000, (32, 256), homes=6),
    st.sampled_from(sorted(POLICIES)),
    st.sampled_from(["I", "II"]),
    st.sampled_from([0, 1e-6, 0.1]),
    st.sampled_from(["formula", "messages"]),
    st.sampled_from(["bus", "star"]),
)
def test_jobs_and_work_are_conserved(jobs, policy, platform, remote_s, transfer, topology):
    cluster = emulate(
        jobs, policy, platform=platform, remote_s=remote_s, transfer=transfer, topology=topology
    )
    assert not any(node.expected for node in cluster.nodes)
    measured_whole(cluster)
    assert cluster.reports.stations()


@pytest.mark.parametrize("load", ["mixed", "memory"])
def test_requests_follow_the_stated_law(load):
    sizes = np.array(
        [one.memory / MB for one in load_jobs(make_sharing_scenario(system="cmgs", load=load))]
    )
    k, alpha = {"mixed": (64, 1), "memory": (128, 5)}[load]
    assert k <= sizes.min()
    assert sizes.max() <= 256
    for x in (80, 140, 200):
        p = min(1, (x**-alpha - 256**-alpha) / (k**-alpha - 256**-alpha))
        assert abs(np.mean(sizes > x) - p) < 4 * (max(p, 1e-9) / len(sizes)) ** 0.5
    # By hand: 64 ln 4 / (1 - 1/4); 5/4 * 128 * (1 - 2^-4) / (1 - 2^-5).
    mean = {"mixed": 118.30, "memory": 154.84}[load]
    assert REQUESTS_MB[load].mean == pytest.approx(mean, abs=0.01)


def test_loads_and_platforms_have_arrivals_and_demands_in_common():
    def others(**parameters):
        jobs = load_jobs(make_sharing_scenario(system="cmgs", **parameters))
        return [(one.submit_ns, one.home, one.demand_ns) for one in jobs]

    assert others(load="mixed") == others(load="memory", platform="II")


@pytest.mark.parametrize(
    ("parameters", "told"),
    [
        ({"platform": "III"}, "--platform"),
        ({"mips": 5}, "--mips is for platform II"),
        ({"platform": "II", "ram_mb": 5}, "--ram-mb is for platform I"),
        ({"load": "heavy"}, "--load"),
        ({"mean_mb": 3}, "--mean-mb is no parameter of --system cmgs"),
    ],
)
def test_what_does_not_do_is_said_in_a_line(parameters, told):
    with pytest.raises(InputError, match=told) as error:
        make_sharing_scenario(system="cmgs", **parameters)
    assert "\n" not in str(error.value)
