"""Workstations that run ahead of the clock do what those do that go event by event."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from agents.sharing.job import KILLED, PAGING, Resize, SequentialSpec
from agents.sharing.policy import Kill, Move, Policy
from agents.sharing.workstation import Workstation
from model.sharing import cluster as clusters
from model.sharing.ahead import AheadWorkstation
from model.sharing.metrics import measure
from model.sharing.scenarios import make_sharing_scenario
from model.sharing.unknown.policies import POLICIES
from model.systems import run

MB, MS, S = 2**20, 10**6, 10**9


class Restless(Policy):
    """Moves at every report a job that waits for a page, and kills one now and then."""

    def reported(self, view):
        waiting = [job for job in view.jobs if job.state == PAGING]
        if not waiting:
            return None
        job = waiting[-1]
        return Kill(job) if job.faults % 5 == 4 else Move(job, (view.node + 1) % 3)


@pytest.fixture(autouse=True)
def _restless(monkeypatch):
    monkeypatch.setitem(POLICIES, "RESTLESS", Restless)


def both(scenario, policy, specs=None):
    """A run ahead of the clock, and one event by event."""
    ahead = run(scenario, policy, workload=specs)
    assert isinstance(ahead.nodes[0], AheadWorkstation)
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(clusters, "AheadWorkstation", Workstation)
        stepwise = run(scenario, policy, workload=specs)
    assert not isinstance(stepwise.nodes[0], AheadWorkstation)
    return ahead, stepwise


def accounts(cluster):
    """All that jobs and stations know of themselves at the end, in ns."""
    jobs = [
        (job.number, job.state, job.end_ns, job.cpu_ns, job.faults, job.migrations, job.spent_ns)
        for job in cluster.jobs
    ]
    disks = [
        (disk.served, disk.bytes, disk.busy_ns, disk.wait_ns, disk.max_wait_ns)
        for disk in cluster.disks
    ]
    return jobs, disks, [node.faults_disk for node in cluster.nodes]


TIMES = st.one_of(st.integers(1, 60).map(lambda n: n * 10 * MS), st.integers(1, S))
JOBS = st.lists(
    st.tuples(
        TIMES,
        st.integers(1, 200),
        st.integers(0, 2),
        st.one_of(st.just(0), TIMES),
        st.lists(st.tuples(st.sampled_from([0.2, 0.5, 0.9]), st.integers(1, 200)), max_size=2),
        st.sampled_from([0, 3000, 9000]),
        st.sampled_from([1, 24, 4615]),
    ),
    min_size=1,
    max_size=10,
)


@given(
    JOBS,
    st.sampled_from(["NO_LS", "NO_LS_BLOCKING", "AGE", "WORKSIZE", "RESTLESS"]),
    st.sampled_from([0, 0.1, 2.5]),
    st.sampled_from([10, 3.7]),
    st.sampled_from([0, 0.1]),
    st.sampled_from([0.3, 1]),
)
def test_accounts_are_the_same(jobs, policy, switch_ms, slice_ms, remote_s, period_s):
    specs = [
        SequentialSpec(
            number,
            submit_ns,
            home,
            demand_ns,
            memory_mb * MB,
            tuple(
                Resize(max(1, round(at * demand_ns)), mb * MB)
                for at, mb in sorted(dict(events).items())
            ),
            ios=ios,
            fault_weight=weight,
        )
        for number, (demand_ns, memory_mb, home, submit_ns, events, ios, weight) in enumerate(
            jobs, 1
        )
    ]
    specs.sort(key=lambda spec: spec.submit_ns)
    scenario = make_sharing_scenario(
        system="unknown",
        nodes=3,
        bandwidth_mbps=10_000,
        context_switch_ms=switch_ms,
        slice_ms=slice_ms,
        remote_s=remote_s,
        report_period_s=period_s,
    )
    ahead, stepwise = both(scenario, policy, specs)
    assert accounts(ahead) == accounts(stepwise)


def test_who_comes_back_from_the_disk_first_needs_no_context_switch():
    short = [SequentialSpec(n, 0, 0, 10 * MS, MB) for n in range(1, 5)]
    grows = SequentialSpec(6, 0, 0, 130 * MS, MB, (Resize(26 * MS, 99 * MB),))
    specs = [*short, SequentialSpec(5, 0, 0, 130 * MS, 95 * MB), grows]
    scenario = make_sharing_scenario(
        system="unknown", nodes=2, bandwidth_mbps=10_000, remote_s=0, report_period_s=0.3
    )
    ahead, stepwise = both(scenario, "AGE", specs)
    assert sum(job.migrations for job in ahead.jobs) == 1
    assert accounts(ahead) == accounts(stepwise)


def test_jobs_are_killed_and_leave_while_they_wait_for_a_page():
    specs = [SequentialSpec(n, 0, n % 3, 20 * S, 100 * MB, ios=9000) for n in range(1, 10)]
    scenario = make_sharing_scenario(system="unknown", nodes=3, bandwidth_mbps=1000)
    ahead, stepwise = both(scenario, "RESTLESS", specs)
    assert accounts(ahead) == accounts(stepwise)
    assert any(job.state == KILLED for job in ahead.jobs)
    assert any(job.migrations for job in ahead.jobs)


@pytest.mark.parametrize(
    ("system", "policy", "parameters"),
    [
        ("memory", "NO_LS", {"fault_rate": 3.0, "mean_mb": 4}),
        ("memory", "CPU_MEM_HP_PM", {"fault_rate": 3.0, "mean_mb": 4}),
        ("memory", "CPU_MEM_HT_PM", {"fault_rate": 0.2, "fault_rate_of": "node", "mean_mb": 4}),
        ("cmgs", "CPU_MEM", {"load": "memory"}),
        ("unknown", "COMBINED", {"trace": "3", "jobs": 40}),
    ],
)
def test_whole_traces_measure_the_same(system, policy, parameters):
    scenario = make_sharing_scenario(**{"system": system, "jobs": 60, **parameters})
    ahead, stepwise = both(scenario, policy)
    a, b = (measure(cluster) for cluster in (ahead, stepwise))
    for cost in ("wall_s", "events"):
        del a.summary[cost], b.summary[cost]
    assert a.summary == b.summary
    assert a.jobs.equals(b.jobs)
    assert a.stations.equals(b.stations)
