"""Where nodes and links stand in the picture of a network, and what messages pass there."""

import pytest

from agents.pnr.messages import BarrierRelease
from model.pnr.scenario import make_scenario
from model.systems import comparison_of
from model.views.page.layout import Layout
from model.views.wiring import nearest

JOB = {"processes": 1, "memory_mb": 1, "demand_s": 1, "submit_s": 0}


@pytest.mark.parametrize(
    "topology", ["star", "bus", "connected", "two-level", "fat-tree", "ring", "torus"]
)
@pytest.mark.parametrize("duplex", ["full", "half"])
def test_a_message_goes_from_its_sender_to_its_receiver_without_a_gap(topology, duplex):
    scenario = make_scenario(nodes=16, job=[JOB], topology=topology, duplex=duplex)
    layout, hops = Layout(scenario, comparison_of(scenario).loaded.graph), []
    emulation = comparison_of(scenario).emulation(
        "DP", (lambda it: hops.append(it) if it.kind == "hop" else None,), "all", "actors"
    )
    for target in (1, 7, 15):
        emulation.nodes[0].send(target, BarrierRelease(1, 1))
        stations = emulation.network.stations_between(0, target)
        vertices = [0]
        for station in stations:
            line = layout.line(0, target, station.name)
            assert layout.vertices[line[0]] == layout.vertices[vertices[-1]]
            vertices += line[1:] if len(line) > 1 else []
        assert vertices[-1] == target
    drawn = layout.drawn()
    names = {name for _, _, stations in drawn["wires"] for name in stations}
    names |= {name for _, name in drawn["switches"]}
    real = {station.name for station in emulation.network.stations()}
    assert real <= names
    assert {stations[0] for _, _, stations in drawn["wires"]} <= real  # what an idle wire is called
    assert hops


@pytest.mark.parametrize("nodes", [1, 4, 128])
@pytest.mark.parametrize("topology", ["star", "bus", "fat-tree", "torus", "dragonfly"])
def test_no_node_or_switch_covers_another(nodes, topology):
    scenario = make_scenario(nodes=nodes, job=[JOB], topology=topology)
    drawn = Layout(scenario, comparison_of(scenario).loaded.graph).drawn()
    assert all(max(map(abs, place)) <= 1000 for place in drawn["points"])
    assert nearest(drawn["points"][: nodes + len(drawn["switches"])]) > 10 or nodes == 1
