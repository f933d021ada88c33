"""A node and its servent during one step: roles are called, and rules checked, as in an emulation.

`agents/pnr/servent.py` says in which order roles are called; here it is the same, without a clock,
a network and processes that compute.
"""

from collections.abc import Callable
from typing import Any, NamedTuple

from agents.messages import Carried, Untold, carried_by
from agents.pnr.client import Client
from agents.pnr.messages import Placed
from agents.pnr.role import (
    CancelTimer,
    Note,
    Role,
    Send,
    SetTimer,
    StartProcess,
    held_by,
    mistake_in,
)
from model.ground.errors import CheckFailed, InputError, cut, shown
from model.ground.memory import Memory
from model.pnr.explore.freezing import Freezer, Frozen
from model.pnr.explore.setting import Setting

#: What roles only count or remember for metrics, which decides nothing.
_METRICS = {"ignored": 0, "given_up": 0}
#: What every role has of its site.
_OF_SITE = ("site", "node", "nodes", "memory", "seed", "parameters")


class Broken(Exception):
    """A rule is broken; says by whom and how."""


class Summary(NamedTuple):
    """What a search must know about a node again and again."""

    demand: int
    lent: int
    loans: tuple[tuple[int, int], ...]  # server, bytes borrowed from it
    running: tuple[int, ...]  # jobs whose process here may end
    resident: tuple[int, ...]  # jobs whose process here has not ended
    waits: str  # who waits here, and for what; "" if nobody does
    is_down: bool
    #: What it lends, less (below 0) what it borrows and its roles hold, by server; None: not known.
    balance: tuple[tuple[int, int], ...] | None


class Host:
    """One node: its ledger, its processes, and the roles of its servent.

    `sends`, `timers` (role, name, ns from now on or None), `notes` and `answers` (need, granted)
    are what came of the step.
    """

    journal: Any = None  # what hears of its effects as they happen

    def __init__(self, setting: Setting, node: int) -> None:
        self.setting = setting
        self.node = node
        self.memory = Memory(setting.constants.ram)
        self.incarnation = 0
        self.is_down = False
        self.residents: dict[int, tuple[Placed, bool]] = {}  # job -> process, whether it runs
        self.missed: list[Placed] = []  # processes that ended while the servent was down
        self.roles: dict[str, Role] = {}
        self.now_ns = 0
        self.sends: list[Send] = []
        self.timers: list[tuple[str, str, int | None]] = []
        self.answers: list[tuple[int, int]] = []
        self.held: dict[str, Carried | None] = {}  # by role, when one has handled something

    # Bytes

    def freeze(self, freezer: Freezer) -> Frozen:
        """All that it holds, as bytes."""
        memory = vars(self.memory).copy()
        del memory["ram"], memory["on_loan"]
        loans = memory.pop("loans_for")  # the oldest loan of a server is given back first
        memory["loans_for"] = [(one, list(loans[one].items())) for one in sorted(loans)]
        content = (
            *(self.node, self.incarnation, self.is_down, self.residents, self.missed, memory),
            {name: self._own(role) for name, role in self.roles.items()},
        )
        return freezer.freeze(content, self._known())

    @classmethod
    def thaw(cls, setting: Setting, freezer: Freezer, frozen: Frozen) -> "Host":
        """The node that was frozen."""
        host = cls.__new__(cls)
        memory = Memory(setting.constants.ram)
        site = setting.site_of(0, memory, 0)
        known = {"memory": memory, "parameters": site.parameters}
        node, incarnation, is_down, residents, missed, ledger, roles = freezer.thaw(frozen, known)
        host.__init__(setting, node)  # type: ignore[misc]
        host.incarnation, host.is_down = incarnation, is_down
        host.residents, host.missed, host.memory = residents, missed, memory
        loans = ledger.pop("loans_for")
        vars(memory).update(ledger, loans_for={server: dict(items) for server, items in loans})
        site = setting.site_of(node, memory, incarnation)
        for name, own in roles.items():
            role = object.__new__(setting.roles_of(node)[name])
            of_site = {one: site if one == "site" else getattr(site, one) for one in _OF_SITE}
            vars(role).update(of_site, **_METRICS, **own)
            if name == "client":
                vars(role).setdefault("answers", [])
            host.roles[name] = role
        return host

    def _known(self) -> dict[int, str]:
        parameters = self.setting.design.parameters
        return {id(self.memory): "memory", id(parameters): "parameters"}

    def _own(self, role: Role) -> dict[str, Any]:
        """What a role itself keeps, as far as it can decide anything."""
        own = {k: v for k, v in vars(role).items() if k not in _OF_SITE and k not in _METRICS}
        if "answers" in own:
            if type(role).answered is Client.answered:  # type: ignore[attr-defined]
                del own["answers"]
            else:  # it may look at them
                own["answers"] = [answer._replace(waited_ns=0) for answer in own["answers"]]
        return own

    def summary(self) -> Summary:
        """What a search must know about it."""
        manager = self.roles.get("manager")
        waits = [f"job {job} to start" for job, (_, runs) in self.residents.items() if not runs]
        waits += ["the client for an answer"] * bool(self.memory.asked)
        waits += ["the manager to end an allocation"] * bool(getattr(manager, "allocations", ()))
        waits += ["the manager to end a release"] * bool(getattr(manager, "releases", ()))
        return Summary(
            self.memory.demand,
            self.memory.lent,
            tuple(sorted(self.memory.loans.items())),
            tuple(sorted(job for job, (_, runs) in self.residents.items() if runs)),
            tuple(sorted(self.residents)),
            ", ".join(waits),
            self.is_down,
            self._balance(),
        )

    def _balance(self) -> tuple[tuple[int, int], ...] | None:
        held = [self.held.get(name) for name in self.roles]
        if None in held:
            return None
        less = [*self.memory.loans.items(), *(pair for pairs in held for pair in pairs)]
        lent = (self.node, self.memory.lent)
        return tuple(pair for pair in (lent, *((one, -size) for one, size in less)) if pair[1])

    # What happens

    def start(self) -> None:
        """The servent starts, for the first time or again."""
        site = self.setting.site_of(self.node, self.memory, self.incarnation)
        classes = self.setting.roles_of(self.node)
        self.roles = {name: role(site) for name, role in classes.items()}
        for role in self.roles.values():
            self._handle(role, role.start)

    def place(self, placed: Placed, size: int) -> None:
        """A process is placed here, and its memory allocated."""
        self.memory.allocate(placed.job, size)
        self.residents[placed.job] = (placed, False)
        if not self.is_down:
            self._process("process_placed", placed)

    def end(self, job: int) -> None:
        """The process of a job ends."""
        placed, _ = self.residents.pop(job)
        self.memory.free(job)
        if self.is_down:
            self.missed.append(placed)
        else:
            self._process("process_ended", placed)

    def receive(self, sender: int, content: Any, header: Any) -> None:
        """A message arrives; if the servent is down, nobody hears it."""
        if self.is_down:
            return
        role = self.roles[content.hears]
        if header is None:
            self._happens(role, role.receive, sender, content)
        else:
            self._happens(role, role.receive_with_header, sender, content, header)

    def fire(self, role: str, name: str) -> None:
        """A timer of a role fires."""
        self._happens(self.roles[role], self.roles[role].timer, name)

    def crash(self) -> None:
        """The servent loses the state of its roles; what the node holds stays."""
        self.is_down = True
        self.roles = {}
        self.memory.asked.clear()

    def restart(self) -> None:
        """The servent begins anew, and learns what has happened meanwhile."""
        self.is_down = False
        self.incarnation += 1
        self.start()
        missed, self.missed = self.missed, []
        for placed, runs in list(self.residents.values()):
            if not runs:
                self._process("process_placed", placed)
        for placed in missed:
            self._process("process_ended", placed)

    def _process(self, handler: str, placed: Placed) -> None:
        client, server = self.roles["client"], self.roles["server"]
        self._handle(server, server.memory_changed)
        self._handle(client, getattr(client, handler), placed)
        self._handle(client, client.memory_changed)

    def _happens(self, role: Role, handler: Callable[..., Any], *arguments: Any) -> None:
        demand = self.memory.demand
        self._handle(role, handler, *arguments)
        if self.memory.demand != demand:
            for name in ("server", "client"):
                self._handle(self.roles[name], self.roles[name].memory_changed)

    def _handle(self, role: Role, handler: Callable[..., Any], *arguments: Any) -> None:
        """Let a role handle something, carry out its answer, and check what a step must keep."""
        memory, lent = self.memory, self.memory.lent
        answers = getattr(role, "answers", ())
        known = len(answers)
        whose = role
        try:
            effects = handler(*arguments, self.now_ns)
            for whose in self.roles.values():
                whose.validate()
                self.held[whose.name] = held_by(whose)
        except CheckFailed as failed:
            raise Broken(str(failed)) from None
        except InputError as error:
            raise Broken(f"the {whose.name} of node {self.node} fails: {error}") from None
        except Exception as error:
            told = cut(f"{type(error).__name__}: {error}", 200)
            raise Broken(f"the {whose.name} of node {self.node} raises {told}") from error
        self.answers += [(answer.need, answer.granted) for answer in answers[known:]]
        most = memory.ram - self.setting.constants.threshold
        if memory.lent > lent and memory.demand > most:
            raise Broken(f"node {self.node} lends memory that is not free")
        if not isinstance(effects, list):
            raise Broken(f"the {role.name} of node {self.node} answers {shown(effects)}, no list")
        for effect in effects:
            self._carry_out(role, effect)

    def _carry_out(self, role: Role, effect: Any) -> None:
        nodes, managers = self.setting.scenario.nodes, self.setting.design.manages
        if (told := mistake_in(effect, nodes, managers)) is not None:
            raise Broken(f"the {role.name} of node {self.node} {told}")
        match effect:
            case Send(target, content):
                try:
                    content.size_of(self.setting.constants.sizes)
                    carried_by(content, self.node, target, nodes)
                except Untold as error:
                    raise Broken(f"the {role.name} of node {self.node} {error}") from None
                self.sends.append(effect)
                if self.journal is not None:
                    self.journal.sends(effect)
            case StartProcess(job, attempt):
                placed, runs = self.residents.get(job, (None, False))
                if placed is None or placed.attempt != attempt:
                    return
                if runs:
                    raise Broken(f"node {self.node} starts the process of job {job} twice")
                self.residents[job] = (placed, True)
                if self.journal is not None:
                    self.journal.started(placed)
            case SetTimer(name, after_ns):
                self.timers.append((role.name, name, int(after_ns)))
                if self.journal is not None:
                    self.journal.sets(role.name, name)
            case CancelTimer(name):
                self.timers.append((role.name, name, None))
            case Note(name, value):
                if self.journal is not None:
                    self.journal.noted(role.name, name, value)
