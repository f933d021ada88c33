"""Events that a run is expected to have: beside those that it has, and by theory."""

import pytest

from model.pnr.estimate import EVENT_US, expected_events
from model.pnr.scenario import make_scenario
from model.systems import comparison_of, measure, run

ALONE = {"processes": 1, "memory_mb": 48, "demand_s": 600}  # 16 MB more than a node's RAM
PAIR = [{"processes": 2, "memory_mb": 60, "demand_s": 900} for _ in range(2)]  # 56 of 32 MB


def expected(design, **given):
    comparison = comparison_of(make_scenario(designs=[design], **given))
    return expected_events(comparison.scenario, comparison.loaded, comparison.contestants[design])


@pytest.mark.parametrize(
    "given",
    [
        {"job": [ALONE], "nodes": 1},
        {"job": [ALONE], "nodes": 1, "relocality": False},
        {"job": [ALONE], "nodes": 1, "relocality_unit": "page"},
        {"job": [ALONE], "nodes": 4, "memory_limit": 0.5},
        {"job": PAIR, "nodes": 8, "locality": "drifting"},
        {"job": PAIR, "nodes": 2},
        {"job": PAIR, "nodes": 8, "topology": "bus"},
        {"job": PAIR, "nodes": 8, "scheduler": "space"},
        {"first": 4601, "jobs": 40, "ram": 65},
        {"first": 4501, "jobs": 60, "reading": "ethernet", "load_factor": 1.5},
    ],
)
@pytest.mark.parametrize("design", ["DP", "MAN"])
def test_a_run_has_about_the_events_that_are_expected_of_it(design, given):
    found, scenario = expected(design, **given), make_scenario(designs=[design], **given)
    summary = measure(run(scenario, design)).summary
    hops = 2 if scenario.topology == "bus" else 6  # there and back: a link, the switch, a link
    faults = found["disk fault"] + found["hop"] / hops
    assert faults == pytest.approx(
        summary["faults_disk"] + summary["faults_network"], rel=0.4, abs=10
    )
    assert found["turn"] == pytest.approx(summary["pcs"], rel=0.4, abs=12)
    assert found.get("barrier", 0) + found.get("busy barrier", 0) == pytest.approx(
        sum(job.processes * job.demand_ns for job in comparison_of(scenario).loaded.workload) / 1e9
    )
    assert found.keys() <= EVENT_US.keys()


def test_pages_without_relocality_are_loaded_once():
    # n (1 - e^(-c / wn)) of n = 4,096 pages in c = 600 s, where wn = 4.06 s: all of them
    found = expected("DP", job=[ALONE], nodes=1, relocality=False)
    assert found["disk fault"] == pytest.approx(16 * 256)
    # and in 4.06 s all but 1 / e of them
    short = expected("DP", job=[{**ALONE, "demand_s": 4.0602}], nodes=1, relocality=False)
    assert short["disk fault"] == pytest.approx(4096 * 0.632, rel=0.002)


def test_of_a_long_log_four_parts_stand_for_all():
    jobs = [{**ALONE, "submit_s": 4000 * place} for place in range(3000)]
    whole, part = (expected("DP", job=jobs[:count], nodes=1) for count in (3000, 1000))
    assert whole == pytest.approx({kind: 3 * count for kind, count in part.items()})


def test_messages_are_of_those_who_ask_and_of_managers_that_tell_each_other():
    # Each of two clients asks and gives back in three messages; both lack memory, so that servers
    # are asked and tell, and are told and tell at the end: two times four; a manager tells 15.
    asking = {"job": [{**PAIR[0], "memory_mb": 80}], "nodes": 16}
    counts = [expected(name, **asking).get("message", 0) for name in ("DP", "CLI", "CEN", "MAN")]
    assert counts == [0, 8, 14, 44]
