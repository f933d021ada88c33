"""What the three roles of a servent share: their site, and the effects that they return."""

import json
from collections.abc import Callable, Collection, Mapping, Sequence
from copy import deepcopy
from dataclasses import dataclass, field
from hashlib import blake2b
from math import inf, isfinite
from types import MappingProxyType
from typing import Any, ClassVar, NamedTuple, Self

from agents.messages import ROLES, Carried, Content
from agents.pnr.beliefs import BeliefArrays, Beliefs, Shares
from agents.pnr.messages import LoadReport, Placed, Request
from model.ground.amounts import MOST_BYTES, amount_mistake
from model.ground.errors import CheckFailed, ProtocolMistake, shown
from model.ground.memory import Memory
from model.ground.randomness import OWN, Stream, stream_key
from model.ground.units import NS_PER_S


class Answer(NamedTuple):
    """How one request of a client ended."""

    need: int
    granted: int
    waited_ns: int


@dataclass
class Level:
    """What a gauge of a role has read so far."""

    value: float = 0
    since_ns: int = 0  # when it came to this value
    sum: float = 0  # of value times ns, until then
    most: float = -inf

    def becomes(self, value: float, now_ns: int) -> None:
        """Read another value from now on."""
        self.sum += self.value * (now_ns - self.since_ns)
        self.value, self.since_ns = value, now_ns
        self.most = max(self.most, value)

    def mean(self, now_ns: int) -> float:
        """The mean over the time until now."""
        return (self.sum + self.value * (now_ns - self.since_ns)) / now_ns if now_ns else self.value


@dataclass
class Metrics:
    """Counts of a servent's roles, for tables alone.

    Roles write here and never read, so these counts decide nothing. They outlive a crash.
    """

    ignored: int = 0  # messages that were not expected
    given_up: int = 0  # messages that nobody has acknowledged
    stored: int = 0  # values written on the node's disk
    answers: list[Answer] = field(default_factory=list)  # to the requests of processes
    #: What the table of jobs has of each besides what a protocol counts.
    columns: Collection[str] = ()
    # What a protocol counts and gauges of its own, by name:
    counts: dict[str, int] = field(default_factory=dict)
    job_counts: dict[tuple[str, int], int] = field(default_factory=dict)  # of these, by job
    #: Just now, by role and name: gauges in turn, and what counts have become.
    gauged: list[tuple[str, str, float]] = field(default_factory=list)
    counted: dict[tuple[str, str], int] = field(default_factory=dict)
    levels: dict[tuple[str, str], Level] = field(default_factory=dict)


@dataclass(frozen=True)
class Site:
    """The node that a role is on, and what the roles there know of the design and the scenario."""

    memory: Memory[Request]
    node: int = 0
    nodes: int = 1  # of the cluster
    seed: int = 1
    threshold: int = 0  # bytes that a server never lends
    skip_below: int | None = None  # managers skip servers believed to have no more; None: ask all
    coordinated: bool = True  # whether managers wait for all of a job's clients
    tells: Sequence[int] = ()  # to whom a manager here broadcasts, in order
    grant_timeout_ns: int | None = None  # a process starts without its grant; None: it waits
    absent: Sequence[int] = ()  # nodes that are not there from the beginning, but may join
    #: Of the servent: how often it has started again. It counts what happened to it, not what a
    #: role remembers, so it is there whatever was lost; requests have it in their ids.
    incarnation: int = 0
    explains: bool = True  # whether anybody wants to hear the reasons, which `Decided` carries
    beliefs: type[Beliefs] | type[BeliefArrays] = BeliefArrays  # what a manager's table is
    shares: Shares | None = None  # by which managers compare loads; None: by bytes
    page_faults: Callable[[], int] | None = None  # of the node so far; None: nobody counts them
    parameters: Mapping[str, Any] = field(default_factory=lambda: MappingProxyType({}))
    metrics: Metrics = field(default_factory=Metrics)
    stored: dict[str, dict[str, Any]] = field(default_factory=dict)  # by role: what is on its disk


class Send(NamedTuple):
    """An effect: send this content to the servent of node `target`, which may be the own node.

    A header is added by wrappers such as RELIABLE(…): see `Role.receive_with_header`.
    """

    target: int
    content: Content
    header: Any = None  # costs no bytes


class StartProcess(NamedTuple):
    """An effect of a client: start the process of this job on its node, if it is still there.

    The rank matters only if several processes of the job share the node's cores.
    """

    job: int
    attempt: int = 1
    rank: int = 0

    @classmethod
    def of(cls, process: Placed) -> Self:
        """The order to start this process."""
        return cls(process.job, process.attempt, process.rank)


class SetTimer(NamedTuple):
    """An effect: call the role's handler `timer` with this name after `after_ns` nanoseconds.

    A role has one timer of each name: setting it again moves it.
    """

    name: str
    after_ns: int  # at least 1


class CancelTimer(NamedTuple):
    """An effect: forget the role's timer of this name, if it is set."""

    name: str


class Note(NamedTuple):
    """An effect: write this name and value to the journal (as text, if JSON has no such value)."""

    name: str
    value: Any


_NO_MESSAGE = 0  # in the place of a message's id


@dataclass(frozen=True)
class ByLoad:
    """A choice among the candidates believed to have the most memory, and by nothing else."""

    idle: Callable[[int], int]  # what a candidate has of which nothing was heard, bytes
    pick: Callable[[float, Sequence[int]], int | None]  # whom, given the most and who has it
    shares: Shares | None = None  # by which loads are compared; None: by bytes

    def __call__(self, believed: Mapping[int, LoadReport | None]) -> int | None:
        """Whom it chooses if this is believed of the candidates, and of no others."""
        return self._among(self._loads(believed))

    def without(
        self,
        believed: Mapping[int, LoadReport | None],
        reports: Mapping[int, Mapping[int, tuple[int, int] | None]],
    ) -> dict[int, int | None]:
        """By message, whom it would choose if it believed otherwise of the candidates named.

        A message is left out, since it changes nothing, if those that have the most would still
        have it without that message, and no other would.
        """
        loads, chosen = self._loads(believed), {}
        most = max(loads.values())
        for message, instead in reports.items():
            others = self._loads(instead)
            if not others or any(
                loads[node] == most or load >= most for node, load in others.items()
            ):
                chosen[message] = self._among(loads | others)
        return chosen

    def _loads(self, believed: Mapping[int, tuple[int, int] | None]) -> dict[int, float]:
        idle, shares = self.idle, self.shares
        loads: dict[int, float] = {
            node: idle(node) if report is None else report[0] for node, report in believed.items()
        }
        if shares is None:
            return loads
        return {node: shares.of(node, load) for node, load in loads.items()}

    def _among(self, loads: dict[int, float]) -> int | None:
        most = max(loads.values(), default=None)
        if most is None:
            return None
        return self.pick(most, [node for node, load in loads.items() if load == most])


class Decided(NamedTuple):
    """An effect: tell the journal why a node, or nobody, was chosen; the truth is added there.

    `search` is the id of the search for memory, which still lacks `missing` bytes. `believed` has
    each candidate with the newest load report about it; None: the role has heard nothing, and
    believes the candidate idle. A candidate may stand for several nodes, as a rack's leader does:
    `groups` lists them by candidate, and its load is then the idle memory of them all.

    `again` is the function by which the role has chosen: given the beliefs by candidate, as a
    dict of `believed`, it returns a candidate or None. By it `compare --waste` finds messages
    without which the role would have chosen otherwise; None: it looks for none.

    `rams` is the RAM of each node in bytes, if the role compares shares of RAM, not bytes.
    """

    search: Request
    missing: int
    chosen: int | None
    believed: tuple[tuple[int, LoadReport | None], ...]
    groups: Mapping[int, Sequence[int]] = MappingProxyType({})
    again: Callable[[Mapping[int, LoadReport | None]], int | None] | None = None
    rams: Sequence[int] | None = None

    def changed_by(self, without: Mapping[int, Mapping[int, tuple[int, int] | None]]) -> list[int]:
        """The messages without which the role would have chosen otherwise.

        `without` has, by a message's id, the beliefs about some candidates without that message:
        loads in bytes with the times of their reports; None: no report. Raises ProtocolMistake if
        `again` differs from the choice although no message is missing.
        """
        if self.again is None or not without:
            return []
        again, believed = self.again, dict(self.believed)
        asked = {_NO_MESSAGE: {}, **without}
        if isinstance(again, ByLoad):
            others = again.without(believed, asked)
        else:
            others = {
                message: again(
                    believed
                    | {of: report and LoadReport(*report) for of, report in reports.items()}
                )
                for message, reports in asked.items()
            }
        if (other := others.pop(_NO_MESSAGE)) != self.chosen:
            same = f"decides for {self.chosen}, and for {shown(other)} by the same beliefs"
            raise ProtocolMistake(f"{same}; let `again` be the function by which it chooses")
        return [message for message, other in others.items() if other != self.chosen]

    def true(self, load: Callable[[int], int]) -> dict[int, int]:
        """The true load of each candidate, in bytes; `load` gives that of a node."""
        return {
            node: sum(max(0, load(member)) for member in self.groups[node])
            if node in self.groups
            else load(node)
            for node, _ in self.believed
        }


#: A timer fires after at most so long, which keeps time within 64 bits.
LATEST_NS = 10**18

Effect = Send | StartProcess | SetTimer | CancelTimer | Note | Decided


def readable(value: object) -> object:
    """A value of a role's as a note can have it: itself if JSON can express it, or else a text."""
    try:
        json.dumps(value, allow_nan=False)
    except (TypeError, ValueError):
        return shown(value, 400)
    return value


def check_effects(effects: object, nodes: int, managers: Collection[int]) -> None:
    """Raise ProtocolMistake for what cannot be done among so many nodes, of which these manage."""
    if not isinstance(effects, list):
        raise ProtocolMistake(f"answers {shown(effects)}; give a list of effects")
    for effect in effects:
        if isinstance(effect, Send):
            _check_sent(effect, nodes, managers)
        elif not isinstance(effect, Effect):
            raise ProtocolMistake(f"wants {shown(effect)}, which is no effect")
        elif isinstance(effect, SetTimer) and not (
            isinstance(effect.after_ns, int) and 1 <= effect.after_ns <= LATEST_NS
        ):
            right = f"give a whole number of ns from 1 to {LATEST_NS}"
            raise ProtocolMistake(f"sets {shown(effect)}; {right}")


def _check_sent(send: Send, nodes: int, managers: Collection[int]) -> None:
    target, content, _ = send
    hears = getattr(content, "hears", None)
    sends = f"sends {type(content).__name__}"
    if hears not in ROLES:
        raise ProtocolMistake(f"{sends}, which no role hears; make it with @message")
    if type(target) is not int or not 0 <= target < nodes:
        raise ProtocolMistake(f"{sends} to node {shown(target)}; nodes are 0 to {nodes - 1}")
    if hears == "manager" and target not in managers:
        raise ProtocolMistake(f"{sends} to node {target}, which has no manager to hear it")
    if content.amount is not None and (mistake := amount_mistake(content.amount)):
        raise ProtocolMistake(f"{sends} about {mistake}")
    report = getattr(content, "word", None)
    if isinstance(report, LoadReport) and (mistake := amount_mistake(report.load, -MOST_BYTES)):
        raise ProtocolMistake(f"{sends} with a load of {mistake}")


class OfSite:
    """An attribute that a role has from its site; once the role sets it, it is part of its state.

    A value that was read is kept among the role's attributes, where it is found sooner.
    """

    def __set_name__(self, owner: type, name: str) -> None:
        self.name = name

    def __get__(self, role: Any, owner: type) -> Any:
        if role is None:
            return self
        value = vars(role)[self.name] = getattr(role.site, self.name)
        return value


def of_site() -> Any:
    """An attribute of a role that is its site's of the same name."""
    return OfSite()


class Role:
    """A role of a servent: a pure state machine, whose effects depend on its inputs alone.

    A role sees its own node's ledger, the time as an argument and streams of draws; never the
    network, another node or the wall clock. `parameters` are the attributes of the design's graph.

    A role's attributes are its state, which can be copied and compared. Its site and the counts in
    `metrics` are no part of the state.
    """

    name: str  # "client", "server" or "manager": which messages it hears
    #: Attributes that are shown where people look at a node; the journal notes each change.
    shows: tuple[str, ...] = ()
    #: Dicts by request, which the role does no more with than look up a request that is repeated.
    #: So `explore` lets it forget requests that nobody can repeat any more.
    remembers: ClassVar[tuple[str, ...]] = ()
    node: int = of_site()
    nodes: int = of_site()
    memory: Memory[Request] = of_site()
    seed: int = of_site()
    parameters: Mapping[str, Any] = of_site()
    metrics: Metrics = of_site()

    def __init__(self, site: Site) -> None:
        self.site = site
        self.requests = 0  # requests made so far

    @classmethod
    def of(cls, site: Site, state: Mapping[str, object]) -> Self:
        """A role at this site that continues from this state."""
        role = object.__new__(cls)
        vars(role).update(state, site=site)
        return role

    def state(self) -> dict[str, object]:
        """The role's state by name of attribute, without what it has from its site."""
        kept = vars(self).items()
        return {name: value for name, value in kept if not self._is_sites(name, value)}

    def view(self) -> dict[str, object]:
        """What of its state matters to `explore`: states that differ in nothing else are one."""
        return self.state()

    def _is_sites(self, name: str, value: object) -> bool:
        if not isinstance(getattr(type(self), name, None), OfSite):
            return name == "site"
        return value is getattr(self.site, name)

    def start(self, now_ns: int) -> list[Effect]:
        """React to the start of the servent, at time 0 or after a crash."""
        return []

    def timer(self, name: str, now_ns: int) -> list[Effect]:
        """React to the timer of this name, which the role has set."""
        raise NotImplementedError(f"{type(self).__name__} sets a timer and has no `timer`")

    def memory_changed(self, now_ns: int) -> list[Effect]:
        """React to a change of the node's demand; called on the server, then on the client."""
        return []

    def leaving(self, deadline_ns: int) -> list[Effect]:
        """React to the node's leaving: it lends nothing new, and is gone at the deadline.

        It stays for longer if jobs are still there then.
        """
        return []

    def receive(self, sender: int, content: Content, now_ns: int) -> list[Effect]:
        """React to a message from the servent of node `sender`."""
        raise NotImplementedError

    def ignore(self, content: Content) -> list[Effect]:
        """Count an unexpected message, as after a loss or a crash, and do nothing."""
        self.metrics.ignored += 1
        return []

    def count(self, name: str, by: int = 1, job: int | None = None) -> None:
        """Add `by` to the protocol's own count `name`, also of a job, for tables of results.

        The journal notes the node's count so far. A count decides nothing, so it is no part of the
        role's state, and a crash does not clear it.
        """
        if job is not None and name in self.metrics.columns:
            already = "which jobs.csv has a column for already"
            raise ProtocolMistake(f"counts {name} of jobs, {already}; call it otherwise")
        counts, of_jobs = self.metrics.counts, self.metrics.job_counts
        counts[name] = self.metrics.counted[self.name, name] = counts.get(name, 0) + by
        if job is not None:
            of_jobs[name, job] = of_jobs.get((name, job), 0) + by

    def gauge(self, name: str, value: float) -> None:
        """Set the protocol's own gauge `name` to this value from now on.

        The journal notes the value; tables have its mean over time, and its maximum.
        """
        if not isfinite(value):
            raise ProtocolMistake(f"gauges {name} as {value}; give a number that is finite")
        self.metrics.gauged.append((self.name, name, value))

    def showing(self) -> dict[str, str]:
        """The attributes that `shows` names, as texts, by name."""
        return {name: repr(getattr(self, name, None)) for name in self.shows}

    def receive_with_header(
        self, sender: int, content: Content, header: Any, now_ns: int
    ) -> list[Effect]:
        """React to a message with a header, which a wrapper has added."""
        return self.receive(sender, content, now_ns)

    def holds(self) -> Carried | None:
        """Lent memory that this role holds and nobody borrows, as (server, bytes); None: unknown.

        If all roles state what they hold, and all messages what they carry, no byte is unaccounted.
        """
        return None

    def validate(self) -> None:
        """Raise CheckFailed if the role breaks its own rules; `--check` calls it often."""

    def require(self, holds: bool, rule: str) -> None:
        """Raise CheckFailed, with the text `rule`, unless the rule holds."""
        if not holds:
            raise CheckFailed(f"the {self.name} of node {self.node}: {rule}")

    def store(self, **values: Any) -> None:
        """Write these values to the node's disk, in no time and before the next message.

        They survive every crash of the servent and of the node. A value replaces the older value
        of the same name. The number of written values is counted.
        """
        self.metrics.stored += len(values)
        self.site.stored.setdefault(self.name, {}).update(deepcopy(values))

    @property
    def stored(self) -> dict[str, Any]:
        """A copy of what this role has stored, by name, also before crashes; read it in `start`."""
        return deepcopy(self.site.stored.get(self.name, {}))

    def stream(self, name: str, *words: int) -> Stream:
        """A stream of the role's own random draws, named `name`; `words` tell streams apart.

        No other role, node or name has the same draws. A stream can be kept as part of the state,
        and `next` gives its next draw from (0, 1).
        """
        named = blake2b(f"{self.name} {name}".encode(), digest_size=8).digest()
        return Stream(stream_key(self.seed, OWN, int.from_bytes(named), self.node, *words))

    def parameter_ns(self, name: str) -> int:
        """A parameter of the design in seconds, converted to nanoseconds."""
        time_ns: int = round(self.parameters[name] * NS_PER_S)
        return time_ns

    def own_report(self, now_ns: int) -> LoadReport:
        """A load report about the own node, as of now."""
        return LoadReport(self.memory.load, now_ns)

    def page_faults(self) -> int | None:
        """The number of page faults of the node's processes so far; None: nobody counts them.

        A page counts when its process asks for it, and once more if its lender turns out to have
        crashed, so that the disk is asked. In a search, where there is no time, nobody counts.
        """
        return None if self.site.page_faults is None else self.site.page_faults()

    def new_request(self) -> Request:
        """A new id for a request of this role."""
        self.requests += 1
        return Request(self.node, self.name, self.site.incarnation, self.requests)
