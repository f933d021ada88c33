"""A coordination design: a manager topology and its protocol, read and checked."""

import operator
import sys
from bisect import bisect_left
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import fields
from functools import lru_cache
from types import MappingProxyType
from typing import Any, overload

import networkx as nx

from agents.messages import kinds_in
from agents.pnr.beliefs import Shares
from agents.pnr.protocol import Protocol
from agents.pnr.surroundings import PnrConstants
from model.core.names import file_of, is_file_name, read_name
from model.core.topology import load_topology
from model.core.users_code import guarded
from model.ground.errors import (
    Beyond,
    CheckFailed,
    InputError,
    ProtocolMistake,
    Stalled,
    failure_in_words,
    shown,
)
from model.ground.randomness import MANAGER_CHOICE, draws
from model.pnr.scenario import Scenario

#: A user's own rule: (job, its nodes, node, managers, draw) -> the manager that the node asks.
Rule = Callable[[int, list[int], int, list[int], float], int]

_LONGEST_NAME = 1000


class Others(Sequence[int]):
    """All managers but one, in their order; it holds nothing but those that it is a part of."""

    def __init__(self, managers: Sequence[int], one: int) -> None:
        self._managers = managers
        self._place = bisect_left(managers, one)  # of the one that is left out

    def __len__(self) -> int:
        return len(self._managers) - 1

    def __iter__(self) -> Iterator[int]:
        yield from self._managers[: self._place]
        yield from self._managers[self._place + 1 :]

    @overload
    def __getitem__(self, place: int) -> int: ...

    @overload
    def __getitem__(self, place: slice) -> tuple[int, ...]: ...

    def __getitem__(self, place: int | slice) -> int | tuple[int, ...]:
        return tuple(self)[place]


class Design:
    """Who manages, whom a job's clients ask, who gets broadcasts, and with which protocol.

    `protocol` has the classes of the roles. `parameters` are the attributes of the graph, which
    roles see. `label` is its name for people, with the file (of `declared`) that it is from.
    """

    def __init__(
        self,
        name: str,
        graph: nx.DiGraph,
        nodes: int,
        seed: int,
        protocol: Protocol,
        asks: "str | Rule",
        declared: str = "",
    ) -> None:
        self.name = name
        file = read_name(declared).innermost.called
        self.label = f"{name} of {file}" if is_file_name(file) else name
        self.graph = graph
        self.nodes = nodes
        self.seed = seed
        self.protocol = protocol
        self.asks: str | Rule = asks
        self.parameters = MappingProxyType(graph.graph)
        self.managers: list[int] = sorted(
            node for node, manager in graph.nodes(data="manager", default=False) if manager
        )
        #: The same, to look one up.
        self.manages = frozenset(self.managers)
        self._asked: dict[tuple[int, ...], dict[int, int]] = {}  # for a rule: by job and its nodes
        self._latest: tuple[tuple[int, ...], int] = (), 0  # a job and its nodes, and their manager
        self.coordinated = self.asks != "own"
        self.tells_all = graph.graph.get("tells") == "all"
        self.migrates = bool(graph.graph.get("migrates"))  # whether processes move between nodes

    @property
    def has_own_protocol(self) -> bool:
        return self.protocol != Protocol()

    @property
    def has_users_roles(self) -> bool:
        """Whether a class of its protocol stands in a user's file, whose roles are guarded."""
        return self.has_own_protocol and self.label != self.name

    def message_kinds(self) -> tuple[type, ...]:
        """The kinds of messages that stand in the files of its roles."""
        modules = {
            part.__module__: None
            for role in fields(Protocol)
            for part in getattr(self.protocol, role.name).__mro__
        }
        return tuple(
            kind for name in modules if name in sys.modules for kind in kinds_in(sys.modules[name])
        )

    def manager_of(self, job: int, job_nodes: list[int], node: int) -> int | None:
        """The manager that the client on `node` asks for `job`; None if nobody manages.

        Raises InputError if a user's rule gives a node that does not manage.
        """
        if not self.managers:
            return None
        if self.asks == "own":
            return node
        if callable(self.asks):
            return self._by_rule(self.asks, job, job_nodes)[node]
        whose = job, *job_nodes
        if whose != self._latest[0]:  # all clients of a job ask in turn, and get the same answer
            candidates = self.managers
            if self.asks == "member":
                candidates = [n for n in job_nodes if n in self.manages] or self.managers
            self._latest = whose, candidates[int(self._draw(job) * len(candidates))]
        return self._latest[1]

    def clients_of(self, job: int, job_nodes: list[int], node: int) -> int:
        """How many of the job's clients ask the same manager as the one on `node`."""
        if self.asks == "own":
            return 1
        if self.managers and callable(self.asks):
            asked = self._by_rule(self.asks, job, job_nodes)
            return [asked[one] for one in job_nodes].count(asked[node])
        return len(job_nodes)

    def tells(self, manager: int) -> Sequence[int]:
        """To whom a manager broadcasts, in node order."""
        if self.tells_all:
            return Others(self.managers, manager)
        return tuple(sorted(self.graph.successors(manager)))

    def shares(self, constants: PnrConstants) -> Shares | None:
        """By which managers compare loads of these nodes; None: by bytes."""
        if self.parameters.get("load") != "share":
            return None
        return Shares(constants.rams, constants.skip_below)

    def _draw(self, job: int) -> float:
        return next(draws(self.seed, MANAGER_CHOICE, job, 0))

    def _by_rule(self, rule: Rule, job: int, job_nodes: list[int]) -> dict[int, int]:
        """The manager that each of the job's nodes asks, decided once per job."""
        where = job, *job_nodes  # a job that begins again has others
        if where not in self._asked:
            asked, draw = {}, self._draw(job)
            for node in job_nodes:
                manager = rule(job, list(job_nodes), node, list(self.managers), draw)
                if not hasattr(manager, "__index__") or manager not in self.manages:
                    raise InputError(
                        f"{self.name}: asks gives {shown(manager)} for node {node} of job {job}; "
                        "give one of the managers"
                    )
                asked[node] = operator.index(manager)
            self._asked[where] = asked
        return self._asked[where]


@contextmanager
def blamed_on_roles(design: Design) -> Iterator[None]:
    """Where a user's roles take part, what fails is a mistake of theirs, as far as anybody knows.

    They could have changed anything. What failed stands in the line, and is the error's cause.
    """
    try:
        yield
    except CheckFailed as failed:
        failed.is_users = design.has_users_roles
        raise
    except (InputError, Stalled, Beyond, OSError, MemoryError):
        raise
    except Exception as error:
        if not design.has_users_roles:
            raise
        raise ProtocolMistake(
            f"{design.label}: the emulation fails: {failure_in_words(error)}; either a role "
            "changes what is not its own, or this is a bug of the emulation"
        ) from error


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
    tells = graph.graph.get("tells", "edges")
    if tells not in ("all", "edges"):
        raise InputError(f'{name}: tells is {shown(tells)}; take "all" or edges')
    if tells == "all" and graph.number_of_edges():
        raise InputError(
            f'{name}: tells is "all", so the graph needs no edges; leave one of them out'
        )
    design = Design(
        _called(name, graph),
        graph,
        scenario.nodes,
        scenario.seed,
        _protocol(name, graph),
        _asks(name, graph),
        name,
    )
    if design.migrates and scenario.has_faults:
        raise InputError(
            f"{name}: a process that is lost on its way to another node cannot be restored; take "
            "the design without MIGRATE(…), or no faults and nodes that stay"
        )
    managers = set(design.managers)
    if managers and design.asks == "own" and len(managers) < scenario.nodes:
        raise InputError(f'{name}: asks is "own", so every node must be a manager')
    for source, target in graph.edges:
        if source == target or source not in managers or target not in managers:
            raise InputError(
                f"{name}: the edge {source} -> {target} is no broadcast from a manager to another"
            )
    return design


def _called(name: str, graph: nx.DiGraph) -> str:
    """What results call a design, which is its graph's name."""
    called = graph.graph["name"]
    if not isinstance(called, str) or not called.isprintable() or len(called) > _LONGEST_NAME:
        right = f"a text of one line, of at most {_LONGEST_NAME} characters"
        raise InputError(f"{name}: the graph's name is {right} (not {shown(called)})")
    own = "protocol" in graph.graph or callable(graph.graph.get("asks"))
    if is_file_name(name) and own and _is_ours(called, len(graph)):
        raise InputError(
            f'{name}: its graph has the name of a bundled design, {called}; set graph.graph["name"]'
        )
    return called


@lru_cache(256)  # to know it, a graph is made
def _is_ours(called: str, nodes: int) -> bool:
    try:
        return not is_file_name(called) and bool(load_topology("managers", called, nodes))
    except InputError:
        return False


def _protocol(name: str, graph: nx.DiGraph) -> Protocol:
    """The protocol that the graph names; failures in a user's roles are reported as mistakes."""
    protocol = graph.graph.get("protocol", Protocol())
    if not isinstance(protocol, Protocol):
        raise InputError(f"{name}: protocol is a Protocol of roles (not {shown(protocol)})")
    roles: dict[str, Any] = {}
    for role in fields(Protocol):
        made: object = getattr(protocol, role.name)
        base: Any = role.default
        if not (isinstance(made, type) and issubclass(made, base)):
            raise InputError(
                f"{name}: the {role.name} of its protocol is a class derived from "
                f"{base.__name__} (not {shown(made)})"
            )
        own = is_file_name(name) and made is not base
        roles[role.name] = guarded(made, file_of(name)) if own else made
    return Protocol(**roles)


def _asks(name: str, graph: nx.DiGraph) -> str | Rule:
    asks = graph.graph.get("asks", "any")
    if callable(asks):
        rule: Rule = guarded(asks, file_of(name)) if is_file_name(name) else asks
        return rule
    if asks not in ("own", "any", "member"):
        raise InputError(
            f'{name}: asks is {shown(asks)}; take "own", "any", "member" or a function'
        )
    return str(asks)
