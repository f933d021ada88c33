"""A node during one step: its host's state as bytes, what a search must know of it, its rules.

`agents/pnr/hosting.py` decides in which order roles are asked; here what they want is carried out
without a clock, a network and processes that compute.
"""

from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field
from typing import Any, NamedTuple

from agents.messages import Carried
from agents.pnr.hosting import Host, Input, Turn
from agents.pnr.messages import Request
from agents.pnr.role import (
    CancelTimer,
    Effect,
    Metrics,
    Note,
    Role,
    Send,
    SetTimer,
    StartProcess,
)
from model.ground.errors import CheckFailed, InputError, ProtocolMistake, cut
from model.ground.memory import Memory
from model.pnr.explore.freezing import Freezer, Frozen
from model.pnr.explore.setting import Setting

#: Amounts in bytes by server, each of which takes so many bits: balances are added as numbers are.
Balance = int
_BITS = 80
_HALF = 1 << _BITS - 1


class Broken(Exception):
    """A rule is broken; the message is by whom and how."""


class Summary(NamedTuple):
    """What a search must know about a node again and again."""

    lent: int
    loans: tuple[tuple[int, int], ...]  # server, bytes borrowed from it
    #: Jobs with a process here that may end, and which of theirs it is, from 0 on.
    running: tuple[tuple[int, int], ...]
    resident: tuple[int, ...]  # jobs with a process here that has not ended
    waiting: tuple[str, ...]  # who waits here, and for what
    is_down: bool
    is_leaving: bool  # or gone
    is_gone: bool
    #: What it lends, less what it borrows and its roles hold; None: not known.
    balance: Balance | None


@dataclass
class Doing:
    """What a node does on one input: `timers` are (role, name, ns from now on or None)."""

    sends: list[Send] = field(default_factory=list)
    timers: list[tuple[str, str, int | None]] = field(default_factory=list)
    held: list[Carried | None] | None = None  # by the roles in the end; None: something is broken
    broken: str | None = None


def frozen(host: Host, freezer: Freezer, memories: Iterable[object]) -> tuple[Frozen, set[int]]:
    """The state of a host as bytes, and the stamps that are not only in the roles' `memories`."""
    site = host.site
    known = {id(site.memory): "memory", id(site.parameters): "parameters"}
    known[id(site.metrics)] = "metrics"
    content = host.node, *host.state()
    roles: Any = content[-1]
    own = {name: it.view() for name, it in host.roles.items() if type(it).view is not Role.view}
    seen = content if own.items() <= roles.items() else (*content[:-1], roles | own)
    return freezer.freeze_seen(seen, content, known, {*map(id, memories)})


def thawed(setting: Setting, freezer: Freezer, content: Frozen) -> Host:
    """A host that goes on from where the frozen host stopped; no role has counted yet."""
    memory: Memory[Request] = Memory(0)
    metrics = Metrics()
    known = {"memory": memory, "metrics": metrics, "parameters": setting.design.parameters}
    node, *state = freezer.thaw(content, known)
    memory.ram = setting.constants.rams[node]
    return setting.host(node, memory, metrics, tuple(state))


def summary_of(host: Host, held: list[Carried | None] | None) -> Summary:
    """What a search must know about a node, whose roles hold `held`."""
    memory, manager = host.memory, host.roles.get("manager")
    processes = sorted(host.residents.items())
    waits = [f"job {job} to start" for (job, _), (_, has_started) in processes if not has_started]
    ready = [job for (job, _), (_, has_started) in processes if has_started]
    waits += ["the client for an answer"] * bool(memory.asked)
    waits += ["the manager to end an allocation"] * bool(getattr(manager, "allocations", ()))
    waits += ["the manager to end a release"] * bool(getattr(manager, "releases", ()))
    return Summary(
        memory.lent,
        tuple(sorted(memory.loans.items())),
        tuple((job, ready[:place].count(job)) for place, job in enumerate(ready)),
        tuple(dict.fromkeys(job for (job, _), _ in processes)),
        tuple(waits),
        host.is_down,
        host.leaving is not None,
        host.for_ever,
        _balance(host, held),
    )


def _balance(host: Host, held: list[Carried | None] | None) -> Balance | None:
    if held is None or None in held:
        return None
    less = [*host.memory.loans.items(), *(pair for pairs in held for pair in pairs or ())]
    return balance_of([(host.node, host.memory.lent)]) - balance_of(less)


def balance_of(amounts: Iterable[tuple[int, int]]) -> Balance:
    return sum(amount << _BITS * server for server, amount in amounts)


def amounts_of(balance: Balance) -> dict[int, int]:
    """What is not 0 of a balance, by server."""
    amounts, server = {}, 0
    while balance:
        amount = (balance + _HALF) % (2 * _HALF) - _HALF
        if amount:
            amounts[server] = amount
        balance, server = (balance - amount) >> _BITS, server + 1
    return amounts


def act(
    setting: Setting, host: Host, what: Input | None, now_ns: int, narrator: Any = None
) -> Doing:
    """Let something happen on a node, carry out what its roles want, and check what a step keeps.

    If nothing happens of which it hears, only its ledger has changed. `narrator` hears of effects
    as they happen.
    """
    doing, memory = Doing(), host.memory
    most = memory.ram - setting.constants.threshold
    lent = memory.lent
    try:
        for turn in () if what is None else _turns(host, what, now_ns):
            if memory.lent > lent and host.leaving is not None:
                raise Broken(f"node {host.node} lends memory, and is leaving")
            if memory.lent > lent and memory.demand > most:
                raise Broken(f"node {host.node} lends memory that is not free")
            lent = memory.lent
            for effect in turn.effects:
                _carry_out(host, turn, effect, doing, narrator)
            if narrator is not None:
                for gauge in host.metrics.gauged:
                    narrator.noted(*gauge)
                host.metrics.gauged.clear()
        doing.held = [role.holds() for role in host.roles.values()]
    except (Broken, CheckFailed) as broken:
        doing.broken = str(broken)
    return doing


def _turns(host: Host, what: Input, now_ns: int) -> Iterator[Turn]:
    """The turns of what happens; whatever a role raises breaks a rule."""
    try:
        yield from host.happens(what, now_ns)
    except CheckFailed as failed:
        raise Broken(str(failed)) from None
    except Exception as error:
        if host.asked is None:  # new roles could not be made
            raise
        whose = f"the {host.asked[0].name} of node {host.node}"
        if isinstance(error, ProtocolMistake):
            place = host.place_of(error)
            raise Broken(f"{whose} {error}" + (f" ({place})" if place else "")) from None
        if isinstance(error, InputError):
            raise Broken(f"{whose} fails: {error}") from None
        raised = cut(f"{type(error).__name__}: {error}", 200)
        raise Broken(f"{whose} raises {raised}") from error


def _carry_out(host: Host, turn: Turn, effect: Effect, doing: Doing, narrator: Any) -> None:
    role = turn.role.name if turn.role is not None else ""
    match effect:
        case Send():
            doing.sends.append(effect)
            if narrator is not None:
                narrator.sends(effect)
        case StartProcess():
            if narrator is not None:
                narrator.started(host.meant(effect))
        case SetTimer(name, after_ns):
            doing.timers.append((role, name, int(after_ns)))
            if narrator is not None:
                narrator.sets(role, name)
        case CancelTimer(name):
            doing.timers.append((role, name, None))
        case Note(name, value):
            if narrator is not None:
                narrator.noted(role, name, value)
