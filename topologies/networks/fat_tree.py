"""Fat tree: three levels of equal switches, with as much bandwidth up as down (Leiserson 1985;
Al-Fares, Loukissas, Vahdat: A Scalable, Commodity Data Center Network Architecture, 2008).
"""

from itertools import count

import networkx as nx


def fat_tree(nodes: int, bandwidth_mbps: float, latency_ns: int, switch_ns: int) -> nx.Graph:
    """The smallest fat tree that holds `nodes`; with k ports at each switch, k^3/4 nodes fit.

    A pod has k/2 edge switches with k/2 nodes each, and k/2 aggregation switches; number a of each
    pod is linked to the k/2 core switches of group a. Pods without a node are left out.

    Links are added in an order that differs from switch to switch, so that by single routes edge
    switches take different ways up, but all nodes of one edge switch the same way.
    """
    half = next(half for half in count(1) if 2 * half**3 >= nodes)
    link = {"bandwidth_mbps": bandwidth_mbps, "latency_ns": latency_ns}
    graph = nx.Graph(name="fat-tree")
    graph.add_nodes_from(range(nodes))
    pods = -(-nodes // half**2)
    switches = [f"core {number}" for number in range(half**2)]
    for pod in range(pods):
        switches += [f"aggregation {pod}.{number}" for number in range(half)]
        switches += [f"edge {pod}.{number}" for number in range(half)]
    graph.add_nodes_from(switches, switch_ns=switch_ns)
    for node in range(nodes):
        pod, place = divmod(node, half**2)
        graph.add_edge(node, f"edge {pod}.{place // half}", **link)
    for pod in range(pods):
        for one in range(half):
            for step in range(half):
                other = (one + step) % half
                graph.add_edge(f"edge {pod}.{one}", f"aggregation {pod}.{other}", **link)
                core = one * half + (pod + step) % half
                graph.add_edge(f"aggregation {pod}.{one}", f"core {core}", **link)
    return graph
