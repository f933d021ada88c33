"""How often a server is asked for memory on one path: a search tries nothing that needs more."""

from math import inf
from typing import TYPE_CHECKING

from model.pnr.explore.steps import DELIVER

if TYPE_CHECKING:
    from model.pnr.explore.search import Search

MOST_STATES = 100_000  # that are gone through


def most_asked(search: "Search") -> float:
    """How many requests one server hears on a path, at most; inf if a path goes round some.

    All states must have been seen. A request is a message to a server, of the phase "start".
    """
    import networkx as nx

    world, follows = search.world, nx.MultiDiGraph()
    follows.add_nodes_from(range(len(search.states)))
    for number, state in enumerate(search.states):
        for step, end in zip(world.steps(state), search.ends_of(number), strict=False):
            asked = None
            if step.kind == DELIVER:
                content, _ = world.content(state, state.messages(step.a, step.b)[step.c])
                if content.hears == "server" and content.phase == "start":
                    asked = step.b
            follows.add_edge(number, end, asked=asked)
    parts = nx.condensation(follows)  # of states from each of which each can be reached
    part_of = parts.graph["mapping"]
    for begin, end, asked in follows.edges(data="asked"):
        if asked is None:
            continue
        if part_of[begin] == part_of[end]:
            return inf
        parts[part_of[begin]][part_of[end]][asked] = 1
    servers = range(world.setting.scenario.nodes)
    lengths = (nx.dag_longest_path_length(parts, it, default_weight=0) for it in servers)
    return float(max(lengths))
