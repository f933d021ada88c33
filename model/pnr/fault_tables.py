"""What a scenario says about faults: `[[fault]]` tables, checked; times in s, delays in ms."""

from collections.abc import Iterable
from typing import Annotated, Any, Literal, Self

from pydantic import BaseModel, ConfigDict, Field, model_validator

_LONGEST_S = 10**9
Seconds = Annotated[float, Field(ge=0, le=_LONGEST_S)]
Span = Annotated[float, Field(ge=10**-9, le=_LONGEST_S)]
Node = Annotated[int, Field(ge=0, le=65_535)]
Nodes = Annotated[tuple[Node, ...], Field(min_length=1)]


class _Table(BaseModel):
    """A fault, and the window in which it may happen: from `from_s` on, before `until_s`."""

    model_config = ConfigDict(extra="forbid", frozen=True, allow_inf_nan=False)

    kind: str
    from_s: Seconds = 0
    until_s: Seconds | None = None

    @model_validator(mode="after")
    def _window(self) -> Self:
        if self.until_s is not None and self.until_s <= self.from_s:
            raise ValueError(f"until_s {self.until_s:g} is not after from_s {self.from_s:g}")
        return self

    def names_nodes(self) -> Iterable[int]:
        """The nodes that the table names."""
        return getattr(self, "nodes", None) or ()


class _OfMessages(_Table):
    """A fault of messages: of these kinds or phases (default: all of the protocol).

    `nodes`: only of messages that one of them sends or receives.
    """

    messages: tuple[str, ...] | None = Field(None, min_length=1)
    nodes: Nodes | None = None
    rate: float = Field(1, ge=0, le=1)


class Loss(_OfMessages):
    """Messages take all stations of their route and are then lost."""

    kind: Literal["loss"]


class Duplicate(_OfMessages):
    """Messages are sent twice."""

    kind: Literal["duplicate"]


class Delay(_OfMessages):
    """Messages wait at the receiver's door: `delay_ms`, or so long on average.

    uniform: from nothing to twice the mean.
    """

    kind: Literal["delay"]
    delay_ms: float = Field(ge=0, le=10**9)
    distribution: Literal["constant", "uniform", "exponential"] = "constant"


class Partition(_Table):
    """Messages between nodes of different groups are lost; all nodes not named form one more group.

    `oneway`: only those from the first group to others are.
    """

    kind: Literal["partition"]
    groups: tuple[Nodes, ...] = Field(min_length=1)
    oneway: bool = False
    messages: tuple[str, ...] | None = Field(None, min_length=1)

    @model_validator(mode="after")
    def _disjoint(self) -> Self:
        named = list(self.names_nodes())
        for node in named:
            if named.count(node) > 1:
                raise ValueError(f"groups: node {node} is named twice")
        return self

    def names_nodes(self) -> Iterable[int]:
        """The nodes of all groups."""
        return [node for group in self.groups for node in group]


class Slow(_Table):
    """The links of nodes have `factor` of their bandwidth for what they begin to serve then."""

    kind: Literal["slow"]
    nodes: Nodes
    factor: float = Field(ge=10**-6, le=1)


class _Down(_Table):
    """Something stops working: once at `from_s`, or again and again within the window.

    `mtbf_s`, `mttr_s`: the mean times to the next failure and to its end, exponentially
    distributed.
    """

    nodes: Nodes | None = None
    mtbf_s: Span | None = None
    mttr_s: Span | None = None

    @model_validator(mode="after")
    def _repeats_or_not(self) -> Self:
        if (self.mtbf_s is None) != (self.mttr_s is None):
            raise ValueError("mtbf_s and mttr_s: give both or none")
        if self.mtbf_s is None and self.nodes is None:
            raise ValueError("nodes: say which, unless it happens by mtbf_s and mttr_s")
        return self


class Pause(_Down):
    """The servents of nodes handle nothing, and catch up afterwards."""

    kind: Literal["pause"]

    @model_validator(mode="after")
    def _ends(self) -> Self:
        if self.mtbf_s is None and self.until_s is None:
            raise ValueError("until_s: say when the pause ends")
        return self


class _Crash(_Down):
    """Something loses its state; `restart_s` later it begins anew (default: never)."""

    restart_s: Span | None = None

    @model_validator(mode="after")
    def _once(self) -> Self:
        if self.mtbf_s is None and self.until_s is not None:
            raise ValueError("until_s: a crash happens at from_s; say restart_s")
        if self.mtbf_s is not None and self.restart_s is not None:
            raise ValueError("restart_s: with mtbf_s, mttr_s says when it restarts")
        return self

    @property
    def is_for_ever(self) -> bool:
        """Whether what has crashed never restarts."""
        return self.mtbf_s is None and self.restart_s is None


class ServentCrash(_Crash):
    """The servents of nodes lose their state; jobs, memory, disks and pages go on."""

    kind: Literal["servent"]


class NodeCrash(_Crash):
    """Nodes lose their memory and their servents; jobs that ran there begin again elsewhere."""

    kind: Literal["node"]


FaultTable = Annotated[
    Loss | Duplicate | Delay | Partition | Slow | Pause | ServentCrash | NodeCrash,
    Field(discriminator="kind"),
]


def complaint(tables: Iterable[Any], nodes: int) -> str | None:
    """What is wrong with faults on a cluster of so many nodes; None if nothing is."""
    gone: dict[int, None] = {}  # nodes that crash for ever
    for place, table in enumerate(tables, start=1):
        for node in table.names_nodes():
            if node >= nodes:
                return f"fault {place} ({table.kind}) names node {node}; nodes are 0 to {nodes - 1}"
        if isinstance(table, NodeCrash) and table.is_for_ever:
            gone |= dict.fromkeys(table.names_nodes())
            if len(gone) == nodes:
                return f"fault {place} (node) leaves no node; give restart_s, or name fewer nodes"
    return None
