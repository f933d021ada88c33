"""GRAPH: manager topologies as points of one space, for whoever looks for a better one.

Its parameters say who manages, who tells whom what it has learned of loads, and whom a job's
clients ask. On n nodes these are points of it:

- CLI: `managers=n, tells=nobody, asks=own`;
- CEN: `managers=1, tells=nobody, asks=any`;
- BBx: `managers=x, tells=all, asks=any`;
- MAN: `managers=n, tells=all, asks=member`;
- TREEk: `managers=n, fanout=k, tells=tree, asks=member`;
- RACKk: `managers=n/k, tells=sums, asks=first`.

Source: the thesis's designs (section 2.3), `tree.py` and `rack.py`; the space is ours.
"""

from typing import Annotated, Literal

import networkx as nx

from agents.pnr.protocol import Protocol
from agents.pnr.protocols.rack import ROOT, Leader, leader_of_rank_0
from agents.pnr.protocols.tree import Branch, neighbours
from model.ground.ranges import Range


def graph(
    nodes: int,
    *,
    managers: Annotated[int, Range(1, 4096)] = 2,
    fanout: Annotated[int, Range(1, 64)] = 2,
    tells: Literal["nobody", "all", "next", "tree", "sums"] = "all",
    asks: Literal["own", "any", "member", "nearest", "first"] = "any",
) -> nx.DiGraph:
    """`managers` evenly spaced servents manage, or all if there are not so many.

    They tell `nobody`, `all` others, the `next` ones around a ring (as many as `fanout`), or
    neighbours in a `tree` of that fanout, who pass it on; or they lead racks and tell node 0 only
    `sums`, which has racks help each other. A client asks its `own` manager, one of `any` or of the
    job's nodes (`member`) drawn for the job, the last one not behind its node (`nearest`) or behind
    the job's `first`.

    Raises ValueError for what does not go together.
    """
    managers = min(managers, nodes)  # so that a search tries all of them often, as in MAN
    if asks == "own" and managers < nodes:
        raise ValueError(
            f"if each client asks its own manager, every node manages: managers={nodes}"
        )
    size = -(-nodes // managers)  # of a rack
    places = [place * nodes // managers for place in range(managers)]
    made = nx.DiGraph(name="GRAPH", tells="all" if tells == "all" else "edges", asks=_ASKS[asks])
    if tells == "sums":
        if asks != "first":
            raise ValueError("managers that tell sums lead racks, whom the first asks: asks=first")
        places = [*range(0, nodes, size)]
        if len(places) != managers:
            raise ValueError(
                f"{managers} racks of equal size do not fit {nodes} nodes: take {len(places)}"
            )
        made.graph |= {"protocol": Protocol(manager=Leader), "k": size}
    made.add_nodes_from((node, {"manager": node in places}) for node in range(nodes))
    if tells == "tree":
        made.graph["protocol"] = Protocol(manager=Branch)
        made.add_edges_from(
            (places[one], places[other]) for one, other in neighbours(managers, fanout)
        )
    elif tells == "sums":
        made.add_edges_from((place, ROOT) for place in places if place != ROOT)
    elif tells == "next":
        for step in range(1, min(fanout, managers - 1) + 1):
            made.add_edges_from(zip(places, places[step:] + places[:step], strict=True))
    return made


def _nearest(job: int, job_nodes: list[int], node: int, managers: list[int], draw: float) -> int:
    """The last manager that is not behind the node."""
    return max(manager for manager in managers if manager <= node)


_ASKS = {
    "own": "own",
    "any": "any",
    "member": "member",
    "nearest": _nearest,
    "first": leader_of_rank_0,
}
