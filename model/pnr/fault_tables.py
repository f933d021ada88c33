"""The kinds of faults: what a `[[fault]]` table may say, and what it does.

Times are in s, delays in ms. A new kind is one class here, and one row of the README's table: the
scenario, both planes, checks and pictures need no other line about it. What changes a link while
the run goes on must give a reason in `why_actors`.
"""

from collections.abc import Callable, Iterable
from functools import cached_property, reduce
from operator import or_
from typing import TYPE_CHECKING, Annotated, Any, ClassVar, Literal, Self, get_args

from pydantic import Field, model_validator

from agents.messages import Message
from model.ground.randomness import DELAY, DUPLICATE, LOSS
from model.ground.units import NS_PER_MS, exact, round_half_up
from model.pnr.faults import (
    LOST,
    Fault,
    FaultAtSending,
    FaultOfMessages,
    Faults,
    FaultyCluster,
    Nodes,
    Outage,
    Span,
    exponential_ns,
    ns,
)

if TYPE_CHECKING:
    import networkx as nx

    from agents.link import Link


class Loss(FaultAtSending):
    """Messages take all stations of their route and are then lost."""

    kind: Literal["loss"]
    purpose: ClassVar = LOSS

    def strike(self, message: Message, faults: Faults, draw: Callable[[int], float]) -> int:
        return LOST


class Duplicate(FaultAtSending):
    """Messages are sent twice."""

    kind: Literal["duplicate"]
    purpose: ClassVar = DUPLICATE

    def strike(self, message: Message, faults: Faults, draw: Callable[[int], float]) -> int:
        faults.send_again(message)
        return 0


class Delay(FaultAtSending):
    """Messages wait at the receiver's door: `delay_ms`, or so long on average.

    uniform: from nothing to twice the mean.
    """

    kind: Literal["delay"]
    delay_ms: float = Field(ge=0, le=10**9)
    distribution: Literal["constant", "uniform", "exponential"] = "constant"
    purpose: ClassVar = DELAY

    def strike(self, message: Message, faults: Faults, draw: Callable[[int], float]) -> int:
        mean_ns = round_half_up(exact(self.delay_ms) * NS_PER_MS)
        match self.distribution:
            case "constant":
                return mean_ns
            case "uniform":
                return int(draw(1) * (2 * mean_ns + 1))
            case "exponential":
                return exponential_ns(mean_ns, draw(1))


class Partition(FaultOfMessages):
    """Messages between nodes of different groups are lost; all nodes not named form one more group.

    `oneway`: only those from the first group to others are.
    """

    kind: Literal["partition"]
    groups: tuple[Nodes, ...] = Field(min_length=1)
    oneway: bool = False

    @model_validator(mode="after")
    def _disjoint(self) -> Self:
        named = self.named_nodes()
        for node in named:
            if named.count(node) > 1:
                raise ValueError(f"groups: node {node} is named twice")
        return self

    def named_nodes(self) -> list[int]:
        return [node for group in self.groups for node in group]

    @cached_property
    def _group_of(self) -> dict[int, int]:
        return {node: number for number, group in enumerate(self.groups) for node in group}

    def keeps_out(self, message: Message, cluster: FaultyCluster) -> bool:
        others = len(self.groups)
        here = self._group_of.get(message.source, others)
        there = self._group_of.get(message.target, others)
        return here != there and not (self.oneway and here) and self.concerns(message)


class Slow(Fault):
    """The links of nodes have `factor` of their bandwidth for what they begin to serve then.

    A medium that all share, as a bus, is a link of each of its nodes.
    """

    kind: Literal["slow"]
    nodes: Nodes
    factor: float = Field(ge=10**-6, le=1)

    def why_actors(self) -> str | None:
        return None if self.is_throughout else "links that are slow for a while"

    def changed(self, graph: "nx.Graph") -> "nx.Graph":
        if not self.is_throughout:
            return graph
        graph = graph.copy()
        own = list(graph.edges(self.nodes, data=True))
        shared = {link["station"]: None for *_, link in own if link.get("station")}  # as of a bus
        for one, other, link in graph.edges(data=True):
            if one in self.nodes or other in self.nodes or link.get("station") in shared:
                bandwidth = exact(link["bandwidth_mbps"]) * exact(self.factor)
                link["bandwidth_mbps"] = float(bandwidth)
        return graph

    def begin(self, faults: Faults, place: int) -> None:
        """Slow the links down at the beginning of the window, and let them be fast at its end."""
        if self.is_throughout:
            return
        links = self._links(faults.model)
        factor = exact(self.factor)
        first_ns, last_ns = self.window_ns
        faults.at(first_ns, 0, place, _multiply, (links, factor))
        if self.until_s is not None:
            faults.at(last_ns, 0, place, _multiply, (links, 1 / factor), ends=True)

    def _links(self, cluster: FaultyCluster) -> "list[Link]":
        """The links of the nodes, each once."""
        links = {
            link.name: link
            for ends, link in cluster.network.between.items()
            if any(node in self.nodes for node in ends)
        }
        return list(links.values())


def _multiply(change: "tuple[list[Link], Any]") -> None:
    links, factor = change
    for link in links:
        link.change_bandwidth(float(exact(link.bandwidth_mbps) * factor))


class Pause(Outage):
    """The servents of nodes handle nothing, and catch up afterwards."""

    kind: Literal["pause"]
    stops_servents: ClassVar = True

    @model_validator(mode="after")
    def _ends(self) -> Self:
        if self.mtbf_s is None and self.until_s is None:
            raise ValueError("until_s: say when the pause ends")
        return self

    def ends_ns(self, now_ns: int) -> int:
        return self.window_ns[1]

    def fail(self, cluster: FaultyCluster, node: int, for_ever: bool) -> None:
        cluster.servents[node].pause()

    def recover(self, cluster: FaultyCluster, node: int) -> None:
        cluster.servents[node].resume()


class Crash(Outage):
    """Something loses its state; `restart_s` later it begins anew (default: never)."""

    restart_s: Span | None = None
    stops_servents: ClassVar = True

    @model_validator(mode="after")
    def _once(self) -> Self:
        if self.mtbf_s is None and self.until_s is not None:
            raise ValueError("until_s: a crash happens at from_s; say restart_s")
        if self.mtbf_s is not None and self.restart_s is not None:
            raise ValueError("restart_s: with mtbf_s, give mttr_s for the mean time to its restart")
        return self

    def ends_ns(self, now_ns: int) -> int | None:
        return None if self.restart_s is None else now_ns + ns(self.restart_s)


class ServentCrash(Crash):
    """The servents of nodes lose their state; jobs, memory, disks and pages go on."""

    kind: Literal["servent"]

    def fail(self, cluster: FaultyCluster, node: int, for_ever: bool) -> None:
        cluster.servents[node].crash(for_ever)

    def recover(self, cluster: FaultyCluster, node: int) -> None:
        cluster.servents[node].restart()


class NodeCrash(Crash):
    """Nodes lose their memory and their servents; jobs that ran there begin again elsewhere."""

    kind: Literal["node"]
    stops_jobs: ClassVar = True

    def lost_for_ever(self) -> Iterable[int]:
        return self.named_nodes() if self.mtbf_s is None and self.restart_s is None else ()

    def fail(self, cluster: FaultyCluster, node: int, for_ever: bool) -> None:
        cluster.node_crashes.crash(node, for_ever)

    def recover(self, cluster: FaultyCluster, node: int) -> None:
        cluster.node_crashes.restart(node)


#: The kinds of faults by name: all classes of this file that have one.
KINDS: dict[str, type[Fault]] = {
    name: table
    for table in list(vars().values())
    if isinstance(table, type) and issubclass(table, Fault)
    for name in get_args(table.model_fields["kind"].annotation)
}
if TYPE_CHECKING:
    FaultTable = Fault
else:
    FaultTable = Annotated[reduce(or_, KINDS.values()), Field(discriminator="kind")]
