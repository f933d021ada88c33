"""Who sends to whom, as a graph for programs that analyse networks."""

from pathlib import Path

import networkx as nx

from model.views.recording import Recording, Selection, over_network


def traffic_graph(recording: Recording, selection: Selection) -> nx.DiGraph:
    """The graph of who sends to whom over the network, with messages, bytes and kinds.

    Nodes have the attributes `manager`, `sent` and `received` (messages).
    """
    sent = over_network(selection.of(recording))
    managers = set(recording.managers)
    graph = nx.DiGraph(design=recording.design)
    for node in range(recording.scenario.nodes):
        graph.add_node(
            node,
            manager=node in managers,
            sent=int((sent["node"] == node).sum()),
            received=int((sent["peer"] == node).sum()),
        )
    for (source, target), between in sent.groupby(["node", "peer"]):
        kinds = between["what"].astype(str).value_counts().sort_index()
        of_all = {"messages": len(between), "bytes": int(between["size_bytes"].sum())}
        of_kinds = {
            f"{kind} (kind)" if kind in of_all else kind: int(count)
            for kind, count in kinds.items()
        }
        graph.add_edges_from([(int(source), int(target), of_all | of_kinds)])
    return graph


def graphml(recording: Recording, selection: Selection, path: Path) -> None:
    """Write the graph of the traffic as GraphML."""
    nx.write_graphml(traffic_graph(recording, selection), path)
