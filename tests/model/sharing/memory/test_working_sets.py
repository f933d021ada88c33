"""When the jobs of a node fault, by both readings of the paper's rate."""

from fractions import Fraction

import pytest

from agents.sharing.job import SequentialJob, SequentialSpec
from model.sharing.memory.system import SYSTEM
from model.sharing.memory.working_sets import WorkingSets
from model.sharing.metrics import measure
from model.sharing.scenarios import make_sharing_scenario
from model.systems import run

MB, S = 2**20, 10**9


def job(number, memory_mb):
    return SequentialJob(SequentialSpec(number, 0, 0, S, memory_mb * MB), 0, Fraction(2, 5), 0.5)


@pytest.mark.parametrize(("kind", "times"), [("job", (1, 1)), ("node", (2, 3))])
def test_where_thresholds_fill_the_ram_each_job_faults_at_the_rate(kind, times):
    # 2.5 faults in a million instructions at 100 MIPS: one in 4 ms of CPU time.
    scenario = make_sharing_scenario(fault_rate=2.5, fault_rate_of=kind)
    memory = WorkingSets(SYSTEM.constants(scenario), 0)
    first, *others = jobs = [job(1, 60), job(2, 60), job(3, 1)]  # thresholds 24, 24, 0.4 of 48 MB
    memory.hold(first)
    assert memory.fault_every_ns(first) is None
    for count, other in zip(times, others, strict=True):
        memory.hold(other)
        assert {memory.fault_every_ns(one) for one in jobs} == {4_000_000 // count}
    memory.release(first)
    assert memory.fault_every_ns(other) is None


def test_a_rate_of_the_node_makes_two_jobs_fault_twice_as_often():
    both = [{"memory_mb": 120, "demand_s": 1}] * 2
    faults = [
        measure(run(make_sharing_scenario(job=both, fault_rate=0.5, fault_rate_of=kind), "NO_LS"))
        for kind in ("job", "node")
    ]
    # Half a fault in a million of 100 million instructions: 50 each; twice as many while both run.
    assert [found.summary["faults"] for found in faults] == [100, 200]
