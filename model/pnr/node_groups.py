"""Nodes that differ: groups of equal nodes, as `[[node]]` tables of a scenario list them."""

from collections.abc import Iterable, Sequence
from itertools import chain, repeat
from typing import TYPE_CHECKING, Any, Self, TypeVar

from pydantic import AliasChoices, Field, model_validator

from model.core.scenario import Table
from model.ground.errors import InputError

if TYPE_CHECKING:
    import networkx as nx


class NodeGroup(Table):
    """So many nodes that are equal. What is left out is as the scenario has it for all nodes."""

    count: int = Field(default=1, ge=1, le=65_536)
    ram_mb: float | None = Field(default=None, gt=0, le=2**24)
    #: An instruction takes a cycle, so millions of instructions a second are the same.
    cpu_mhz: float | None = Field(
        default=None, ge=0.001, le=10**6, validation_alias=AliasChoices("cpu_mhz", "mips")
    )
    seats: bool = True  # whether jobs run there; if not, the nodes only lend
    cores: int | None = Field(default=None, ge=1, le=1024)
    seek_ms: float | None = Field(default=None, ge=0, le=10**6)
    rpm: float | None = Field(default=None, ge=0.001, le=10**9)
    rotation: bool | None = None
    disk_mb_per_s: float | None = Field(default=None, ge=10**-6, le=10**9)
    bandwidth_mbps: float | None = Field(default=None, ge=0.001, le=10**5)
    latency_ns: int | None = Field(default=None, ge=0, le=10**12)
    joins_s: float = Field(default=0, ge=0, le=10**9)  # from then on the nodes are there
    leaves_s: float | None = Field(default=None, ge=0, le=10**9)  # from then on they are leaving
    leave_grace_s: float = Field(default=0, ge=0, le=10**9)  # for so long at least they stay then

    @model_validator(mode="after")
    def _leaves_later(self) -> Self:
        if self.leaves_s is None:
            if self.leave_grace_s:
                raise ValueError("leave_grace_s: say when the nodes begin to leave (leaves_s)")
        elif self.leaves_s <= self.joins_s:
            raise ValueError(f"leaves_s {self.leaves_s:g} is not after joins_s {self.joins_s:g}")
        return self

    @property
    def comes_or_goes(self) -> bool:
        return self.joins_s > 0 or self.leaves_s is not None

    def stated(self) -> dict[str, Any]:
        """What it states of its nodes' hardware, by the names of the scenario's parameters."""
        others = {"count", "seats", "joins_s", "leaves_s", "leave_grace_s"}
        return self.model_dump(exclude=others, exclude_none=True)


T = TypeVar("T")


def for_each_node(groups: Sequence[NodeGroup], values: Iterable[T]) -> tuple[T, ...]:
    """The value of each node, of those that groups have in turn."""
    pairs = zip(groups, values, strict=True)
    return tuple(chain.from_iterable(repeat(value, group.count) for group, value in pairs))


def with_own_links(graph: "nx.Graph", groups: Sequence[NodeGroup], name: str) -> "nx.Graph":
    """A network on which nodes have the links that their groups state.

    A link between two nodes is as slow as that of either. Raises InputError where nodes share one.
    """
    group_of = for_each_node(groups, groups)
    graph = graph.copy()
    for one, other, link in graph.edges(data=True):
        of_ends = [group_of[end] for end in (one, other) if "switch_ns" not in graph.nodes[end]]
        for parameter, slower in (("bandwidth_mbps", min), ("latency_ns", max)):
            own = [getattr(group, parameter) for group in of_ends]
            if own == [None] * len(own):
                continue
            if link.get("station"):
                raise InputError(
                    f"node: {parameter}: nodes on {name} share {link['station']}, so none has its "
                    "own; leave it out"
                )
            link[parameter] = slower(link[parameter] if it is None else it for it in own)
    return graph
