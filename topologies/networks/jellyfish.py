"""Jellyfish: switches that are linked at random, each to equally many (Singla, Hong, Popa, Godfrey:
Jellyfish: Networking Data Centers Randomly, NSDI 2012).
"""

from itertools import count

import networkx as nx


def jellyfish(
    nodes: int,
    bandwidth_mbps: float,
    latency_ns: int,
    switch_ns: int,
    per_switch: int | None = None,
) -> nx.Graph:
    """A random regular graph of switches with `per_switch` nodes each (4 for `jellyfish4`).

    Three quarters of a switch's ports lead to other switches: so many nodes, a quarter more than in
    a fat tree of the same switches, have full bandwidth in the paper. By default the switches have
    the ports of a fat tree of `nodes`: 2 of 8 lead to nodes up to 64 nodes, 3 of 12 up to 216. It
    is always the same graph for as many nodes. Raises ValueError if there is no room for a node on
    a switch.
    """
    if per_switch is None:
        per_switch = next(number for number in count(1) if 8 * number**3 >= nodes)
    if per_switch < 1:
        raise ValueError("a switch has at least 1 node")
    switches = -(-nodes // per_switch)
    degree = min(3 * per_switch, switches - 1)
    if degree % 2 and switches % 2:  # but the ends of links are even in number
        degree += 1
    drawn = (nx.random_regular_graph(degree, switches, seed) for seed in count())
    links = sorted(map(sorted, next(filter(nx.is_connected, drawn)).edges))
    link = {"bandwidth_mbps": bandwidth_mbps, "latency_ns": latency_ns}
    graph = nx.Graph(name="jellyfish")
    graph.add_nodes_from(range(nodes))
    graph.add_nodes_from((f"switch {number}" for number in range(switches)), switch_ns=switch_ns)
    graph.add_edges_from(((node, f"switch {node // per_switch}") for node in range(nodes)), **link)
    graph.add_edges_from(((f"switch {one}", f"switch {other}") for one, other in links), **link)
    return graph
