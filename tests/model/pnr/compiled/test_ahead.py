"""Messages pass their receiver's link ahead of time, and requests are answered so."""

import pytest

from model.pnr.scenario import make_scenario
from model.systems import emulation_of

#: One process lacks 16 MB, which one node lends: all of its pages come from there.
ONE = [{"processes": 1, "memory_mb": 48, "demand_s": 20}]


@pytest.mark.parametrize("duplex", ["half", "full"])
def test_a_page_of_an_idle_lender_takes_two_turns(duplex):
    scenario = make_scenario(job=ONE, nodes=4, barrier_s=100, duplex=duplex)
    cluster = emulation_of(scenario, "CEN", plane="compiled")
    cluster.run()
    pages = sum(node.faults_network for node in cluster.nodes)
    assert pages > 1000
    # One when the request is at the switch, one when the reply is; the few others are the start,
    # the protocol's messages and the turns of time slots.
    assert 2 * pages <= int(cluster.arrays.run["turn"]) < 2.2 * pages
