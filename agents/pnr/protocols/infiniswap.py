"""INFINISWAP: memory in slabs, bound where and when pages are busy; nobody manages.

- A node's over-allocated memory O is its swap space, cut into slabs. A process starts at once, and
  pages to disk. Every second the client averages the pages a second that its node misses, as long
  as there is over-allocation, beginning from 0. When those of a slab pass `hot_slab`, it is bound.
- To bind a slab, the client asks two servers how much they have, and the one with more for a slab.
  They are drawn among those that lend it none so far; if fewer than two are left, among all.
  Slabs are bound one after another; what nobody has, stays on disk until the next second.
- A server lends a slab if a share of its RAM, the headroom, stays free, by an average of what its
  own processes use. When that falls below, it evicts as many slabs as it takes: it draws so many
  and `extra` more, asks their borrowers how busy these are, and takes the least busy ones back.
  Infiniswap has written every page to the disk, too, so nothing has to be moved.
- A slab that a client does not need any more it gives back (`Done`), the last one first.

How busy is a slab? In this model a process misses each byte of O with the same probability. So of
the pages a second that the node misses, one slab has slab / O; all slabs of a node are as busy, and
become hot together. Mind the scale: a disk of 13.2 ms serves 75 pages a second, so on the thesis's
nodes a slab passes 20 a second only while O is below four slabs. Take a `hot_slab` of 1 there.

Where no page faults are counted, as in a search, each slab is hot. What is not answered for two
seconds is given up: a client draws again, a server begins another eviction. A slab whose borrower
does not know of it, since the reply was lost or its servent has crashed, is found by evictions.
Until then it stays lent: with a loss or a crash a slab may stay lent for ever. Without faults, or
with a duplicate, searches have found no rule broken, but have not seen all states.

Source: Gu et al., Efficient Memory Disaggregation with Infiniswap (NSDI 2017): sections 4.2 to 4.4
and the appendix, whose eight kinds of messages these are. Since pages are alike here, its slabs of
an address space are just so many bytes.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from functools import partial
from math import ceil, floor
from typing import Annotated, TypeVar

import networkx as nx
from pydantic import Field

from agents.messages import Content
from agents.pnr.messages import (
    LoadReport,
    LoadStated,
    LoanAnswer,
    LoanReturned,
    MessageSizes,
    Placed,
    Request,
)
from agents.pnr.parameters import Seconds, Several, Times
from agents.pnr.protocol import (
    Client,
    Decided,
    Effect,
    Protocol,
    Send,
    Server,
    SetTimer,
    Site,
    StartProcess,
    message,
)
from model.ground.randomness import Stream
from model.ground.units import BYTES_PER_MB

T = TypeVar("T")

RATES, USE = "page rates", "use of memory"


@message("binding", hears="server", size_bytes="protocol", hidden=("slab",))
class FreeQuery(Content):
    """Client -> server: how much memory do you have?"""

    slab: Request


@message("binding", hears="client", size_bytes="protocol", hidden=("slab",))
class FreeReply(LoadStated):
    """Server -> client: this is my load, of which I lend up to `offer` bytes, for the headroom."""

    word: LoadReport
    offer: int
    slab: Request


@message("binding", hears="server", size_bytes="protocol", hidden=("slab",))
class SlabRequest(Content):
    """Client -> server: lend me a slab of `amount` bytes."""

    amount: int
    slab: Request

    carries = Content.carries_nothing


@message("binding", hears="client", size_bytes="protocol", hidden=("slab",))
class SlabReply(LoanAnswer):
    """Server -> client: the slab is lent to you; or it is not, with an amount of 0."""

    amount: int
    slab: Request


def _with_slabs(content: "ActivityQuery | ActivityReply", sizes: MessageSizes) -> int:
    return sizes.protocol + sizes.entry * len(content.slabs)


@message("evicting", hears="client", size_bytes=_with_slabs, hidden=("slabs",))
class ActivityQuery(Content):
    """Server -> client: how busy are these slabs?"""

    slabs: tuple[Request, ...]


@message("evicting", hears="server", size_bytes=_with_slabs, hidden=("slabs",))
class ActivityReply(Content):
    """Client -> server: of each slab, the pages a second; None: it is none of mine."""

    rates: tuple[float | None, ...]
    slabs: tuple[Request, ...]


@message("evicting", hears="client", size_bytes="protocol", hidden=("slab",))
class Evict(Content):
    """Server -> client: I want this slab back."""

    slab: Request


@message("evicting", hears="server", size_bytes="protocol", hidden=("slab",))
class Done(LoanReturned):
    """Client -> server: I do not use this slab of `amount` bytes any more."""

    amount: int
    slab: Request


@dataclass
class Binding:
    """How far the search for a server of one slab has come."""

    slab: Request
    awaited: list[int]  # who has not said how much it has
    replies: dict[int, FreeReply] = field(default_factory=dict)
    asked: int | None = None  # for the slab
    old: bool = False  # whether a second has begun since


@dataclass
class Eviction:
    """How far a server has come that takes slabs back."""

    asked: dict[int, tuple[Request, ...]]  # who has not said how busy these slabs are
    rates: dict[Request, float] = field(default_factory=dict)
    evicted: list[Request] = field(default_factory=list)  # not given back so far
    old: bool = False


class SlabClient(Client):
    """Starts processes at once, and has busy slabs bound."""

    def __init__(self, site: Site) -> None:
        super().__init__(site)
        slab_mb = self.parameters["slab_mb"]
        ram = self.memory.ram
        self.slab = max(1, ram // 64) if slab_mb is None else max(1, round(slab_mb * BYTES_PER_MB))
        self.averages = False  # whether it averages page rates now
        self.missed = 0  # pages, when it last looked
        self.rate = 0.0  # pages a second that the node misses, on average
        self.binding: Binding | None = None
        self.unused: Request | None = None  # an id for which nobody has lent
        self.draws = 0

    def start(self, now_ns: int) -> list[Effect]:
        """Begin; after a crash it goes on with the slabs that the ledger has."""
        return self.memory_changed(now_ns)

    def process_placed(self, process: Placed, now_ns: int) -> list[Effect]:
        """Let the process start; what it lacks is on disk until it is busy."""
        return [StartProcess.of(process)]

    def release(self, process: Placed, now_ns: int) -> list[Effect]:
        """Nothing: see `memory_changed`, which comes next."""
        return []

    def memory_changed(self, now_ns: int) -> list[Effect]:
        """Give back slabs that are not needed any more, or begin to average page rates."""
        effects = self._give_slabs_back()
        if self.memory.over and not self.averages:
            self.averages, self.rate, self.missed = True, 0.0, self.page_faults() or 0
            effects.append(self._later())
        return effects

    def timer(self, name: str, now_ns: int) -> list[Effect]:
        faults = self.page_faults()
        if not self.memory.over:
            self.averages = False
            return []
        if faults is not None:
            seconds = self.parameters["period_s"]
            missed, self.missed = faults - self.missed, faults
            self.rate += self.parameters["weight"] * (missed / seconds - self.rate)
        if self.binding is not None and self.binding.old:
            self.binding = None
        if self.binding is not None:
            self.binding.old = True
        return [*self._bind(), self._later()]

    def receive(self, sender: int, content: Content, now_ns: int) -> list[Effect]:
        binding = self.binding
        match content:
            case FreeReply(report, _, slab) if (
                binding and slab == binding.slab and sender in binding.awaited
            ):
                self.hear(sender, report)
                binding.awaited.remove(sender)
                binding.replies[sender] = content
                return [] if binding.awaited else self._choose(binding)
            case SlabReply(amount, slab) if binding and self._is_asked(sender, slab):
                self.binding = None
                if not amount:
                    self.unused = slab
                    return []
                self.memory.borrow(sender, amount, slab)
                self.count("slabs bound")
                return [*self._give_slabs_back(), *self._bind()]
            case SlabReply(amount, slab) if amount and not self._borrows(sender, slab):
                return [Send(sender, Done(amount, slab))]
            case ActivityQuery(slabs):
                rates = tuple(self._rate_of(sender, slab) for slab in slabs)
                return [Send(sender, ActivityReply(rates, slabs))]
            case Evict(slab) if self._borrows(sender, slab):
                self.count("slabs evicted")
                return [Send(sender, Done(self.memory.drop(sender, slab), slab))]
        return self.ignore(content)

    @property
    def activity(self) -> float:
        """The pages a second that are missed of each slab."""
        if self.site.page_faults is None:
            return float(self.parameters["hot_slab"]) + 1
        return self.rate * self.slab / max(self.slab, self.memory.over)

    def _bind(self) -> list[Effect]:
        """Begin to bind a slab, if one is on disk and busy; not two at a time."""
        memory = self.memory
        is_hot = memory.over > memory.borrowed and self.activity > self.parameters["hot_slab"]
        drawn = self._draw() if is_hot and self.binding is None else []
        if not drawn:
            return []
        slab, self.unused = self.unused or self.new_request(), None
        self.binding = Binding(slab, drawn)
        return [Send(server, FreeQuery(slab)) for server in drawn]

    def _draw(self) -> list[int]:
        """Two servers, that lend it nothing if there are two; all of them if there are no more."""
        others = [node for node in range(self.nodes) if node != self.node]
        new = [node for node in others if node not in self.memory.loans]
        pool = new if len(new) > 1 else others
        if len(pool) <= 2:
            return pool
        self.draws += 1
        stream = self.stream("servers", self.site.incarnation, self.draws)
        return _drawn(pool, 2, stream)

    def _choose(self, binding: Binding) -> list[Effect]:
        """Ask the server that offers more for the slab, if it offers as much."""
        replies = sorted(binding.replies.items())
        believed = {server: reply.word for server, reply in replies}
        keeps = {server: reply.word.load - reply.offer for server, reply in replies}
        again = partial(self._best, keeps)
        server = binding.asked = again(believed)
        why: list[Effect] = []
        if self.site.explains:
            by = tuple(believed.items())
            why = [Decided(binding.slab, self.slab, server, by, again=again)]
        if server is None:
            self.binding, self.unused = None, binding.slab
            return why
        return [*why, Send(server, SlabRequest(self.slab, binding.slab))]

    def _best(
        self, keeps: Mapping[int, int], believed: Mapping[int, LoadReport | None]
    ) -> int | None:
        """Who offers the most, by loads less what each keeps of its own; None: nobody a slab."""
        loads = {
            node: report.load if report else self.memory.ram for node, report in believed.items()
        }
        offers = {node: load - keeps[node] for node, load in loads.items()}
        best = min(offers, key=lambda node: (-offers[node], node))
        return best if offers[best] >= self.slab else None

    def _give_slabs_back(self) -> list[Effect]:
        memory = self.memory
        slabs = [(slab, server) for server, slab in self.borrowed_for]
        effects: list[Effect] = []
        for slab, server in sorted(slabs, reverse=True):
            if memory.surplus < memory.loans_for[server][slab]:
                break
            effects.append(Send(server, Done(memory.drop(server, slab), slab)))
        return effects

    def _rate_of(self, server: int, slab: Request) -> float | None:
        knows = self._borrows(server, slab) or self._is_asked(server, slab)
        return round(self.activity, 3) if knows else None

    def _borrows(self, server: int, slab: Request) -> bool:
        return slab in self.memory.loans_for.get(server, {})

    def _is_asked(self, server: int, slab: Request) -> bool:
        binding = self.binding
        return binding is not None and (binding.asked, binding.slab) == (server, slab)

    def _later(self) -> SetTimer:
        return SetTimer(RATES, self.parameter_ns("period_s"))


class SlabServer(Server):
    """Lends slabs, and takes back the least busy ones when its own processes need more."""

    def __init__(self, site: Site) -> None:
        super().__init__(site)
        self.use = float(self._uses())  # by its own processes, on average, bytes
        self.averages = False  # whether that changes now
        self.eviction: Eviction | None = None
        self.draws = 0

    def start(self, now_ns: int) -> list[Effect]:
        return self._evict()

    def leaving(self, deadline_ns: int) -> list[Effect]:
        return self._evict()

    def memory_changed(self, now_ns: int) -> list[Effect]:
        return self._later() if self.use != self._uses() else []

    def timer(self, name: str, now_ns: int) -> list[Effect]:
        self.averages = False
        uses = self._uses()
        self.use += self.parameters["weight"] * (uses - self.use)
        if abs(uses - self.use) * 1000 < self.memory.ram:
            self.use = float(uses)
        if self.eviction is not None and self.eviction.old:
            self.eviction = None
        if self.eviction is not None:
            self.eviction.old = True
        effects = self._evict()
        goes_on = self.use != uses or self.eviction is not None
        return [*effects, *(self._later() if goes_on else [])]

    def receive(self, sender: int, content: Content, now_ns: int) -> list[Effect]:
        memory, eviction = self.memory, self.eviction
        match content:
            case FreeQuery(slab):
                return [Send(sender, FreeReply(self.own_report(now_ns), self._free(), slab))]
            case SlabRequest(amount, slab):
                if slab not in memory.lent_for and amount <= self._free():
                    memory.lend(amount, slab)
                return [Send(sender, SlabReply(memory.lent_for.get(slab, 0), slab))]
            case ActivityReply(rates, slabs) if eviction and eviction.asked.get(sender) == slabs:
                del eviction.asked[sender]
                for slab, rate in zip(slabs, rates, strict=True):
                    if rate is None:
                        memory.take_back(memory.lent_for.get(slab, 0), slab)
                    elif slab in memory.lent_for:
                        eviction.rates[slab] = rate
                return [] if eviction.asked else self._choose(eviction)
            case Done(amount, slab):
                memory.take_back(amount, slab)
                if eviction is None or slab not in eviction.evicted:
                    return []
                eviction.evicted.remove(slab)
                return [] if eviction.evicted else self._choose(eviction)
        return self.ignore(content)

    @property
    def short_of(self) -> float:
        """The bytes that it has to take back; below 0, what it may lend by its average."""
        memory = self.memory
        if memory.withdrawn:
            return memory.lent
        headroom: float = self.parameters["headroom"] * memory.ram
        return self.use + memory.lent + headroom - memory.ram

    def _uses(self) -> int:
        memory = self.memory
        return min(memory.ram, memory.demand - memory.lent)

    def _free(self) -> int:
        """What it may lend now, by its average and in fact."""
        return min(floor(-self.short_of), self.memory.load - self.threshold)

    def _evict(self) -> list[Effect]:
        """Ask how busy some slabs are, if it has to take any back; not twice at a time."""
        lent, short_of = self.memory.lent_for, self.short_of
        slabs = sorted(slab for slab in lent if slab is not None)
        if not slabs or short_of <= 0 or self.eviction is not None:
            return []
        drawn = ceil(short_of / min(lent.values())) + self.parameters["extra"]
        if drawn < len(slabs):
            self.draws += 1
            stream = self.stream("slabs", self.site.incarnation, self.draws)
            slabs = sorted(_drawn(slabs, drawn, stream))
        asked: dict[int, tuple[Request, ...]] = {}
        for slab in slabs:
            asked[slab.node] = (*asked.get(slab.node, ()), slab)
        self.eviction = Eviction(asked)
        queries = [Send(node, ActivityQuery(of_node)) for node, of_node in asked.items()]
        return [*queries, *self._later()]

    def _choose(self, eviction: Eviction) -> list[Effect]:
        """Evict the least busy slabs, as many as it takes; or begin anew, if these are back."""
        lent, short_of = self.memory.lent_for, self.short_of
        known = [(rate, slab) for slab, rate in eviction.rates.items() if slab in lent]
        eviction.rates = {}
        for _, slab in sorted(known):
            if short_of <= 0:
                break
            short_of -= lent[slab]
            eviction.evicted.append(slab)
        if eviction.evicted:
            return [Send(slab.node, Evict(slab)) for slab in eviction.evicted]
        self.eviction = None
        return self._evict()

    def _later(self) -> list[Effect]:
        if self.averages:
            return []
        self.averages = True
        return [SetTimer(USE, self.parameter_ns("period_s"))]


def _drawn(pool: Sequence[T], count: int, stream: Stream) -> list[T]:
    left = list(pool)
    return [left.pop(int(next(stream) * len(left))) for _ in range(count)]


def infiniswap(
    nodes: int,
    *,
    slab_mb: Annotated[float | None, Field(gt=0, le=10**9)] = None,
    hot_slab: Times = 20,
    headroom: Annotated[float, Field(ge=0, lt=1)] = 0.125,
    extra: Several = 10,
    weight: Annotated[float, Field(gt=0, le=1)] = 0.2,
    period_s: Seconds = 1,
) -> nx.DiGraph:
    """Nobody manages; clients bind slabs of `slab_mb`, by default 1/64 of their node's RAM.

    A slab is bound if more than `hot_slab` pages a second are missed of it; `headroom` is the share
    of RAM that servers keep free. Averages are taken every `period_s` s, and what is new has a
    `weight` in them. To evict some slabs, a server asks about `extra` more.
    """
    graph = nx.DiGraph(name="INFINISWAP", asks="own", protocol=Protocol(SlabClient, SlabServer))
    graph.add_nodes_from(range(nodes), manager=False)
    return graph
