"""Messages pass their receiver's link ahead of time, and requests are answered so."""

import pytest

from model.pnr.scenario import make_scenario
from model.systems import emulation_of
from tests.model.pnr.compiled.equality import assert_equal

#: One process lacks 16 MB, which one node lends: all of its pages come from there.
ONE = [{"processes": 1, "memory_mb": 48, "demand_s": 20}]


@pytest.mark.parametrize("duplex", ["half", "full"])
def test_a_page_of_an_idle_lender_takes_two_turns(duplex):
    scenario = make_scenario(job=ONE, nodes=4, barrier_s=100, duplex=duplex)
    cluster = emulation_of(scenario, "CEN", engine="compiled")
    cluster.run()
    pages = sum(node.faults_network for node in cluster.nodes)
    assert pages > 1000
    # One when the request is at the switch, one when the reply is; the few others are the start,
    # the protocol's messages and the turns of time slots.
    assert 2 * pages <= int(cluster.arrays.run["turn"]) < 2.2 * pages


@pytest.mark.parametrize("duplex", ["half", "full"])
@pytest.mark.parametrize("latency_ns", [50, 10**6])
def test_lenders_that_page_and_wait_at_barriers_answer_in_order(duplex, latency_ns):
    """Borrowers share lenders, which run processes of their own with masters among them."""
    jobs = [
        {"processes": 4, "memory_mb": 200, "demand_s": 0.3},
        {"processes": 6, "memory_mb": 60, "demand_s": 0.3},
        {"processes": 3, "memory_mb": 120, "demand_s": 0.2, "submit_s": 0.01},
    ]
    few = {"nodes": 6, "minimum_demand_s": 0.001, "barrier_s": 0.01, "quantum_s": 0.05}
    scenario = make_scenario(job=jobs, duplex=duplex, latency_ns=latency_ns, **few)
    assert_equal(scenario, "MAN", "protocol")
