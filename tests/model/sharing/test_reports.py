"""Load tables: what nodes believe of each other, and that the shortcut gives the same beliefs."""

import pytest

from model.sharing.metrics import measure
from model.sharing.reports import SteadyReports
from model.sharing.scenarios import make_sharing_scenario
from model.systems import emulation_of, run
from tests.journaled import journaled


def totals(cluster):
    result = measure(cluster)
    summary = {k: v for k, v in result.summary.items() if k not in ("wall_s", "events")}
    stations = result.stations.drop(columns=["max_wait_s"])
    return summary, result.jobs.to_dict(), stations.to_dict()


@pytest.mark.parametrize("topology", ["bus", "star", "ring"])
@pytest.mark.parametrize("policy", ["CPU_RE", "CPU_MEM_HT_PM"])
def test_both_ways_of_reporting_give_the_same_run(policy, topology):
    # Slow reports: 30 of 3 ms on the bus, so that jobs arrive between the first and the last.
    parameters = {"topology": topology, "jobs": 400, "report_bytes": 3750, "ct": 2, "mean_mb": 4}
    short, long = (
        run(make_sharing_scenario(reports=reports, **parameters), policy)
        for reports in ("auto", "messages")
    )
    assert isinstance(short.reports, SteadyReports)
    assert not isinstance(long.reports, SteadyReports)
    assert short.clock.executed < long.clock.executed
    assert totals(short) == totals(long)


def test_rounds_that_take_longer_than_a_period_are_messages():
    parameters = {"jobs": 60, "report_bytes": 10**6, "ct": 2}  # 30 of 0.8 s, every second
    short, long = (
        run(make_sharing_scenario(reports=reports, **parameters), "CPU_RE")
        for reports in ("auto", "messages")
    )
    assert totals(short) == totals(long)


def test_a_table_is_the_state_at_the_last_report():
    jobs = [
        {"submit_s": 0.5, "home": 1, "memory_mb": 10, "demand_s": 1.0},
        {"submit_s": 2.5, "home": 0, "memory_mb": 1, "demand_s": 1.0},
    ]
    cluster = run_until(1.5, jobs)
    assert cluster.reports.table(0)[1].jobs == 1  # stated at 1 s
    cluster = run_until(0.9, jobs)
    assert cluster.reports.table(0)[1].jobs == 0
    cluster = run_until(2.4, jobs)
    assert cluster.reports.table(0)[1].jobs == 0  # it ended at 1.5 s, stated at 2 s


def run_until(time_s, jobs):
    cluster = emulation_of(make_sharing_scenario(nodes=2, job=jobs), "NO_LS")
    while cluster.clock.next_key()[0] <= time_s * 10**9:
        cluster.step()
    cluster.clock.now_ns = round(time_s * 10**9)
    return cluster


@pytest.mark.parametrize("count_sent", [True, False])
def test_a_node_remembers_what_it_has_sent(count_sent):
    # Two long jobs at home, then five at once that go to nodes 1 and 2, both believed empty.
    busy = [{"home": 0, "memory_mb": 1, "demand_s": 5} for _ in range(2)]
    quick = [{"submit_s": 0.1, "home": 0, "memory_mb": 1, "demand_s": 5} for _ in range(5)]
    scenario = make_sharing_scenario(
        nodes=3, job=[*busy, *quick], ct=2, count_sent=count_sent, report_period_s=10
    )
    _, records = journaled(scenario, "CPU_RE")
    moves = [record.payload for record in records if record.kind == "moved"]
    # Remembering, it sends two to each, and keeps the fifth: nobody has less than its own two.
    assert len(moves) == (4 if count_sent else 5)
    if count_sent:
        assert sorted(moves) == ['{"nodes":[0,1]}'] * 2 + ['{"nodes":[0,2]}'] * 2
