"""Routes in the arrays: the stations that the network gives, kept once for all at a switch."""

from itertools import permutations

import pytest

from model.pnr.compiled.records import DOWN, NOBODY, UP
from model.pnr.scenario import make_scenario
from model.systems import emulation_of

NODES = 16


def emulation(topology, routing):
    job = [{"processes": 1, "memory_mb": 1, "demand_s": 1}]
    given = make_scenario(nodes=NODES, topology=topology, routing=routing, job=job)
    return emulation_of(given, "CEN", plane="compiled")


def stations_of(arrays, source, target):
    """The stations that a message from one node to another passes, as the arrays have them."""
    place, stations = arrays.route(source, target), []
    while (station := int(arrays.hops[place])) != NOBODY:
        if station == UP:
            station = int(arrays.nodes[source]["uplink"])
        elif station == DOWN:
            station = int(arrays.nodes[target]["downlink"])
        stations.append(arrays.forwarders[station])
        place += 1
    return stations


@pytest.mark.parametrize("routing", ["single", "ecmp"])
@pytest.mark.parametrize("topology", ["star", "fat-tree", "torus", "dragonfly", "connected", "bus"])
def test_a_route_has_the_stations_that_the_network_gives(topology, routing):
    cluster = emulation(topology, routing)
    for ends in permutations(range(NODES), 2):
        assert stations_of(cluster.arrays, *ends) == cluster.network.stations_between(*ends)
