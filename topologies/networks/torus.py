"""Torus: nodes in rows and columns, each with a switch linked to its four neighbours."""

from math import isqrt

import networkx as nx


def torus(nodes: int, bandwidth_mbps: float, latency_ns: int, switch_ns: int) -> nx.Graph:
    """The rectangle of `nodes` closest to a square: 8 x 8 for 64; a ring if `nodes` is prime."""
    rows = next(rows for rows in range(isqrt(nodes), 0, -1) if nodes % rows == 0)
    columns = nodes // rows
    grid = nx.grid_2d_graph(rows, columns, periodic=(rows > 2, columns > 2))
    switches = {(row, column): f"switch {row * columns + column}" for row, column in grid}
    link = {"bandwidth_mbps": bandwidth_mbps, "latency_ns": latency_ns}
    graph = nx.Graph(name="torus")
    graph.add_nodes_from(range(nodes))
    graph.add_nodes_from(switches.values(), switch_ns=switch_ns)
    graph.add_edges_from(enumerate(switches.values()), **link)
    graph.add_edges_from(((switches[one], switches[other]) for one, other in grid.edges), **link)
    for node, (row, column) in enumerate(grid):
        # rows and columns are bent, so that pictures show the links around the torus
        x = column - 0.3 * (2 * row / rows - 1) ** 2
        y = -row - 0.3 * (2 * column / columns - 1) ** 2
        graph.nodes[f"switch {node}"]["pos"] = [x, y]
        graph.nodes[node]["pos"] = [x + 0.35, y + 0.35]
    return graph
