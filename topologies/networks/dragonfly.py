"""Dragonfly: groups of switches that are all linked to each other, as the groups are (Kim, Dally,
Scott, Abts: Technology-Driven, Highly-Scalable Dragonfly Topology, ISCA 2008).
"""

from itertools import combinations, count

import networkx as nx


def dragonfly(nodes: int, bandwidth_mbps: float, latency_ns: int, switch_ns: int) -> nx.Graph:
    """The smallest balanced dragonfly that holds `nodes`: 2h (2h² + 1) h of them, h = 1, 2, …

    A group has 2h switches, each with h nodes, a link to every other switch of its group and h
    links to other groups, of which any two share one. Groups without a node are left out, and so
    are links to them. Messages take shortest paths, not the detours over a random group that the
    paper adds against congestion.
    """
    h = next(h for h in count(1) if 2 * h * (2 * h * h + 1) * h >= nodes)
    switches = 2 * h  # in a group
    ports = switches * h  # of a group, to as many other groups
    groups = -(-nodes // ports)  # a group has as many nodes as ports
    link = {"bandwidth_mbps": bandwidth_mbps, "latency_ns": latency_ns}
    graph = nx.Graph(name="dragonfly")
    graph.add_nodes_from(range(nodes))
    for group in range(groups):
        own = [f"switch {group}.{number}" for number in range(switches)]
        graph.add_nodes_from(own, switch_ns=switch_ns)
        graph.add_edges_from(combinations(own, 2), **link)
    for node in range(nodes):
        group, place = divmod(node, ports)
        graph.add_edge(node, f"switch {group}.{place // h}", **link)
    for one, other in combinations(range(groups), 2):
        port = other - one - 1  # of the first group; the other way round, of the second
        ends = f"switch {one}.{port // h}", f"switch {other}.{(ports - 1 - port) // h}"
        graph.add_edge(*ends, **link)
    return graph
