"""RECLAIM(…), around a design with managers: memory moves also while jobs run.

- A server whose node's demand exceeds its RAM recalls what it has lent, from the largest borrower
  first; what processes hold beyond limits of their own would not fit with more RAM either. So that
  the server knows its borrowers, managers name them, after a grant and with each release. Taking
  back is a conversation: the borrower gives back what it has and reports it, and only then does the
  server count it as its own. What the borrower needs still is then on its disk. Who gives back less
  than was recalled is taken to have returned all else by its manager, and is not asked again. So a
  recall that overtakes the grant, which is possible where their ways differ, gains nothing, and
  the server stays over-allocated until its processes need less or the borrower returns the loan.
- A client whose node keeps memory on its disk asks again, when its memory has changed and every
  `ask_again_s`, the manager of the job placed there last, but not while such a request is under
  way. At the same times it gives back what it does not need any more.

Source: the thesis, section 5.3 (future work), proposes to reallocate at additional times; these
rules are ours.
"""

from collections import Counter, defaultdict

import networkx as nx

from agents.messages import Carried, Content
from agents.pnr.client import Client
from agents.pnr.manager import Manager, Run
from agents.pnr.messages import (
    LoanReturned,
    MessageSizes,
    Placed,
    RamGrant,
    ReleaseAck,
    ReleaseNotice,
    Request,
    ServerRelease,
)
from agents.pnr.parameters import Seconds
from agents.pnr.protocol import (
    Effect,
    Protocol,
    Send,
    Server,
    SetTimer,
    Site,
    message,
)

ASK_AGAIN = "ask again"


def _with_holders(content: "Assigned | NamedRelease", sizes: MessageSizes) -> int:
    return sizes.protocol + sizes.pair * len(content.holders)


@message("start", hears="server", size_bytes=_with_holders)
class Assigned(Content):
    """Manager -> server: (borrower, bytes) of what you have just lent."""

    job: int
    holders: tuple[tuple[int, int], ...]

    @property
    def amount(self) -> int:
        return sum(amount for _, amount in self.holders)

    carries = Content.carries_nothing


@message("end", hears="server", size_bytes=_with_holders)
class NamedRelease(Content):
    """Manager -> server: a release, and (borrower, bytes) of those who give back."""

    release: ServerRelease
    holders: tuple[tuple[int, int], ...]

    @property
    def job(self) -> int | None:
        return self.release.job

    @property
    def amount(self) -> int:
        return self.release.amount

    def carries(self, sender: int, target: int) -> Carried:
        return self.release.carries(sender, target)


@message("reclaiming", hears="client", size_bytes="protocol", hidden=("request",))
class Recall(Content):
    """Server -> borrower: give back `amount` bytes, or all that you have."""

    amount: int
    request: Request

    carries = Content.carries_nothing


@message("reclaiming", hears="server", size_bytes="protocol", hidden=("parts", "request"))
class Recalled(LoanReturned):
    """Borrower -> server: `parts` are yours again, by loan; it costs no bytes."""

    parts: tuple[tuple[Request | None, int], ...]
    request: Request

    @property
    def amount(self) -> int:
        return sum(amount for _, amount in self.parts)


class ReclaimingManager(Manager):
    """Tells servers who borrows from them."""

    def __init__(self, site: Site) -> None:
        super().__init__(site)
        self.givers: dict[Run, dict[int, int]] = {}  # of open releases: rank -> node

    def receive(self, sender: int, content: Content, now_ns: int) -> list[Effect]:
        if isinstance(content, ReleaseNotice):
            givers = self.givers.setdefault(self.run_of(content), {})
            givers.setdefault(content.rank, sender)
        effects = [self._named(effect) for effect in super().receive(sender, content, now_ns)]
        self.givers = {run: nodes for run, nodes in self.givers.items() if run in self.releases}
        return effects + _assigned(effects)

    def _named(self, effect: Effect) -> Effect:
        """The effect; if it is a release, with the names of those who give back."""
        if not isinstance(effect, Send) or not isinstance(effect.content, ServerRelease):
            return effect
        request = effect.content.request
        assert request is not None
        run = self.releasing[request]
        holders = Counter[int]()
        for rank, notice in self.releases[run].notices.items():
            for part in notice.parts:
                if part.server == effect.target:
                    holders[self.givers[run][rank]] += part.amount
        return Send(effect.target, NamedRelease(effect.content, tuple(sorted(holders.items()))))


class ReclaimingServer(Server):
    """Keeps a balance for each borrower, and recalls memory when its RAM is over-allocated."""

    def __init__(self, site: Site) -> None:
        super().__init__(site)
        self.balances = Counter[int]()  # borrower -> bytes that it has not given back yet
        self.returning = Counter[int]()  # of these, what is taken to be on its way back
        self.recalls: dict[Request, tuple[int, int]] = {}  # open ones: borrower, bytes

    def receive(self, sender: int, content: Content, now_ns: int) -> list[Effect]:
        match content:
            case Assigned():
                self.balances.update(dict(content.holders))
                return self._recall()
            case NamedRelease():
                given_back = Counter(dict(content.holders))
                self.balances -= given_back
                self.returning -= given_back
                return super().receive(sender, content.release, now_ns)
            case Recalled():
                return self._recalled(sender, content, now_ns)
        return super().receive(sender, content, now_ns)

    def memory_changed(self, now_ns: int) -> list[Effect]:
        return super().memory_changed(now_ns) + self._recall()

    def validate(self) -> None:
        super().validate()
        asked = [amount for _, amount in self.recalls.values()]
        amounts = [*self.balances.values(), *self.returning.values(), *asked]
        self.require(min(amounts, default=1) > 0, f"keeps balances and recalls of {amounts}")

    def _recall(self) -> list[Effect]:
        """Recall what the RAM lacks, as far as it is lent and not recalled yet."""
        wanted = min(self.memory.lent, self.memory.beyond_ram)
        held = self.balances - self.returning
        for borrower, amount in self.recalls.values():
            wanted -= amount
            held[borrower] -= amount
        sends: list[Effect] = []
        for borrower in sorted(held, key=lambda node: (-held[node], node)):
            amount = min(wanted, held[borrower])
            if amount <= 0:
                break
            request = self.new_request()
            self.recalls[request] = borrower, amount
            sends.append(Send(borrower, Recall(amount, request)))
            wanted -= amount
        return sends

    def _recalled(self, sender: int, content: Recalled, now_ns: int) -> list[Effect]:
        """Take back; who gives back less than was recalled is taken to return the rest anyway."""
        if content.request not in self.recalls:
            return self.ignore(content)
        borrower, asked = self.recalls.pop(content.request)
        self.balances -= Counter({borrower: content.amount})
        if content.amount < asked and borrower in self.balances:
            self.returning[borrower] = self.balances[borrower]
        release = ServerRelease(None, content.amount, content.parts)
        effects = super().receive(sender, release, now_ns)
        return [effect for effect in effects if not _is_ack(effect)] + self._recall()


class ReclaimingClient(Client):
    """Gives back what is recalled; asks again while its node keeps memory on its disk."""

    def __init__(self, site: Site) -> None:
        super().__init__(site)
        self.last: Placed | None = None  # the process that was placed here last
        self.again: Request | None = None  # the open request for which no process waits
        self.waits = False  # whether the timer is set
        self.recalled: dict[Request, Recalled] = {}  # the answers that it has given

    def process_placed(self, process: Placed, now_ns: int) -> list[Effect]:
        self.last = process
        return super().process_placed(process, now_ns)

    def process_arrived(self, process: Placed, now_ns: int) -> list[Effect]:
        """Remember whom to ask again for what a process that has moved here may come to lack."""
        self.last = process
        return super().process_arrived(process, now_ns)

    def memory_changed(self, now_ns: int) -> list[Effect]:
        return super().memory_changed(now_ns) + self._settle(now_ns)

    def timer(self, name: str, now_ns: int) -> list[Effect]:
        if name != ASK_AGAIN:
            return super().timer(name, now_ns)
        self.waits = False
        return self._settle(now_ns)

    def receive(self, sender: int, content: Content, now_ns: int) -> list[Effect]:
        """Answer a recall; a repeated one gets the first answer. All else is the design's."""
        if isinstance(content, Recall):
            if content.request not in self.recalled:
                loan = self.memory.loans.get(sender, 0)
                parts = self.memory.give_back(sender, min(content.amount, loan)) if loan else []
                self.recalled[content.request] = Recalled(tuple(parts), content.request)
            return [Send(sender, self.recalled[content.request]), *self._wait(now_ns)]
        effects = super().receive(sender, content, now_ns)
        if isinstance(content, RamGrant) and content.request == self.again:
            self.again = None
            effects += self._give(now_ns)
        return effects + self._wait(now_ns)

    def _settle(self, now_ns: int) -> list[Effect]:
        return self._give(now_ns) + self._ask(now_ns) + self._wait(now_ns)

    def _give(self, now_ns: int) -> list[Effect]:
        if self.last is None or not self.memory.surplus:
            return []
        return self.release(self.by_itself(self.last), now_ns)

    def _ask(self, now_ns: int) -> list[Effect]:
        need = self.memory.missing
        if self.last is None or self.again is not None or not need:
            return []
        self.again, _ = self.await_answer(self.by_itself(self.last), need, now_ns)
        asking = self.asking[self.again]
        asking.started, asking.counts = True, False
        return self._ask_for(self.again, now_ns)

    def _wait(self, now_ns: int) -> list[Effect]:
        """Set the timer if there is reason to; it fires at fixed times, nodes in turn."""
        if self.waits or not (self.memory.missing or self.memory.surplus):
            return []
        self.waits = True
        period_ns = self.parameter_ns("ask_again_s")
        first_ns = period_ns * (self.node + 1) // self.nodes
        return [SetTimer(ASK_AGAIN, period_ns - (now_ns - first_ns) % period_ns)]


def _assigned(effects: list[Effect]) -> list[Effect]:
    """The messages by which servers learn of the grants among these effects."""
    holders: dict[int, Counter[int]] = defaultdict(Counter)  # by server: borrower -> bytes
    for effect in effects:
        if isinstance(effect, Send) and isinstance(effect.content, RamGrant):
            job = effect.content.job
            for loan in effect.content.loans:
                holders[loan.server][effect.target] += loan.amount
    return [
        Send(server, Assigned(job, tuple(sorted(borrowers.items()))))
        for server, borrowers in sorted(holders.items())
    ]


def _is_ack(effect: Effect) -> bool:
    return isinstance(effect, Send) and isinstance(effect.content, ReleaseAck)


def reclaim(design: nx.DiGraph, *, ask_again_s: Seconds = 60) -> nx.DiGraph:
    """The design, with memory that is recalled and asked for again while jobs run.

    Raises ValueError for a design without managers, or one that reclaims already or has headers.
    """
    inner = design.graph.get("protocol", Protocol())
    if not any(manager for _, manager in design.nodes(data="manager", default=False)):
        raise ValueError(f"{design.name} has no managers to ask again: take RECLAIM(MAN), say")
    if issubclass(inner.client, ReclaimingClient):
        raise ValueError(f"{design.name} reclaims already")
    if inner.has_headers:
        raise ValueError(f"{design.name} would not see its messages: take RELIABLE(RECLAIM(…))")
    graph = design.copy()
    graph.graph |= {
        "name": f"RECLAIM({design.name})",
        "protocol": inner.wrapped(ReclaimingClient, ReclaimingServer, ReclaimingManager),
        "ask_again_s": ask_again_s,
    }
    return graph
