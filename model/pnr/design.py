"""A coordination design: a manager topology, read and checked."""

import networkx as nx

from model.core.topology import is_file_name, load_topology
from model.ground.errors import InputError, shown
from model.ground.randomness import MANAGER_CHOICE, draws
from model.pnr.scenario import Scenario


class Design:
    """Who manages, whom a job's clients ask, who is told (spec: designs, as manager topologies)."""

    def __init__(self, name: str, graph: nx.DiGraph, nodes: int, seed: int) -> None:
        self.name = name
        self.graph = graph
        self.nodes = nodes
        self.seed = seed
        self.managers: list[int] = sorted(
            node for node, manager in graph.nodes(data="manager", default=False) if manager
        )
        self._manages = frozenset(self.managers)
        self.asks: str = graph.graph.get("asks", "any")
        self.coordinated = self.asks != "own"

    def manager_of(self, job: int, job_nodes: list[int], node: int) -> int | None:
        """The manager that the client on `node` asks for `job`; None if nobody manages."""
        if not self.managers:
            return None
        if self.asks == "own":
            return node
        candidates = self.managers
        if self.asks == "member":
            candidates = [n for n in job_nodes if n in self._manages] or self.managers
        draw = next(draws(self.seed, MANAGER_CHOICE, job, 0))
        return candidates[int(draw * len(candidates))]

    def tells(self, manager: int) -> list[int]:
        """To whom a manager broadcasts, in node order."""
        return sorted(self.graph.successors(manager))


def load_design(name: str, scenario: Scenario) -> Design:
    """The design of this name on the scenario's cluster, checked; raises InputError."""
    graph = load_topology("managers", name, scenario.nodes)
    if not graph.is_directed() or graph.is_multigraph():
        raise InputError(f"{name}: a manager topology is a directed graph (networkx.DiGraph)")
    if set(graph) != set(range(scenario.nodes)):
        raise InputError(
            f"{name}: its graph has {len(graph)} nodes, not just 0 to {scenario.nodes - 1}, "
            f"the {scenario.nodes} nodes of the cluster"
        )
    for node, manager in graph.nodes(data="manager", default=False):
        if manager not in (False, True):
            raise InputError(
                f"{name}: node {node}: manager is true or false (not {shown(manager)})"
            )
    label = name if is_file_name(name) else graph.name
    design = Design(label, graph, scenario.nodes, scenario.seed)
    if design.asks not in ("own", "any", "member"):
        raise InputError(f'{name}: asks is {shown(design.asks)}; take "own", "any" or "member"')
    managers = set(design.managers)
    if managers and design.asks == "own" and len(managers) < scenario.nodes:
        raise InputError(f'{name}: asks is "own", so every node must be a manager')
    for teller, told in graph.edges:
        if teller == told or teller not in managers or told not in managers:
            raise InputError(
                f"{name}: the edge {teller} -> {told} is no broadcast from a manager to another"
            )
    return design
