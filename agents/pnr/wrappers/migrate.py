"""MIGRATE(…), around any design: processes move away from nodes that page to disk.

It is decided when a job is suspended (`model/pnr/migration.py`). Whole processes go over the
network, where the design within moves memory; with MIGRATE(DP) they move and nothing is lent.

Source: the thesis, section 5.3 (future work), would like a system that may choose between the
migration of jobs and network RAM; these rules are ours.
"""

import networkx as nx


def migrate(design: nx.DiGraph) -> nx.DiGraph:
    """The design, with processes that move; raises ValueError for one that moves them already."""
    if design.graph.get("migrates"):
        raise ValueError(f"{design.name} moves processes already")
    graph = design.copy()
    graph.graph |= {"name": f"MIGRATE({design.name})", "migrates": True}
    return graph
