"""BBx, backbone: x well-known managers that tell each other (thesis, section 2.3.4)."""

import networkx as nx


def bb(nodes: int, managers: int) -> nx.DiGraph:
    """`managers` evenly spaced servents manage and broadcast among themselves.

    Raises ValueError if there are more managers than nodes, or none.
    """
    if not 1 <= managers <= nodes:
        raise ValueError(
            f"a backbone of {managers} managers does not fit a cluster of {nodes} nodes: "
            f"take BB1 to BB{nodes}"
        )
    backbone = [position * nodes // managers for position in range(managers)]
    graph = nx.DiGraph(name=f"BB{managers}", asks="any", tells="all")
    graph.add_nodes_from(range(nodes), manager=False)
    for node in backbone:
        graph.nodes[node]["manager"] = True
    return graph
