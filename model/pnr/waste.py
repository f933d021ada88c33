"""What messages were good for, and what managers believed: measured from a journal alone.

Each protocol message is of the first class that fits:

- refused: it answers a need above 0 with 0 (its kind declares `refused`);
- about nothing: its `amount` is 0, and it says nothing of other nodes' loads;
- superseded: it is only words (`words`, and no `amount`), of which none was used: it was no newer
  than what its receiver had heard, or was overwritten, or the run was over, before a decision there
  had that node as a candidate;
- used: all others.

Messages that were lost are of no class; those to oneself are not counted.
"""

import json
from collections import Counter
from collections.abc import Iterable
from functools import partial
from typing import Any

import numpy as np

from agents.messages import DATA_PHASES
from model.core.journal.kinds import Record
from model.core.measures import COUNT, Measure, measured, spread
from model.ground.errors import InputError
from model.ground.units import megabytes, seconds

REFUSED, ABOUT_NOTHING, SUPERSEDED, USED = USES = ("refused", "about nothing", "superseded", "used")
#: The measure that counts the messages of a use by kind.
MEASURE_OF_USE = {use: f"messages_{use.replace(' ', '_')}" for use in USES}
_LEDGER = {  # kind of a loan's record -> what it changes, and how
    "lent": ("_lent", 1),
    "returned": ("_lent", -1),
    "borrowed": ("_borrowed", 1),
    "given back": ("_borrowed", -1),
}
_AGENT = (1 << 24) - 1  # of an id, who has made it (`identity` in `model/core/journal/kinds.py`)
_Subject = tuple[int, bool]  # a node, or the group of nodes for which it stands
_Words = list[tuple[_Subject, int]]  # whose loads, and when they were stated


class Waste:
    """A reader of a run's journal, of either level, for its use of messages and of memory.

    `use_of` says of each message, by its id, of which class it is.
    """

    def __init__(self, nodes: int, ram: int, threshold: int) -> None:
        """`ram` and `threshold`, which a server never lends, are a node's, in bytes."""
        self.use_of: dict[int, str] = {}
        self._ram = ram
        self._threshold = threshold
        self._kinds: dict[int, str] = {}  # of messages over the network
        self._parsed: tuple[Any, dict[str, Any]] = (None, {})  # the last payload, and what it says
        self._says: dict[int, _Words] = {}  # of messages under way that say anything of loads
        #: By node and role: of whom it has heard when, and the id of the words if they are only so.
        self._heard: dict[tuple[int, str], dict[_Subject, tuple[int, int | None]]] = {}
        self._believed: dict[tuple[int, str], tuple[Any, dict[str, Any]]] = {}
        #: By search: how much it was to find, how much its candidates had, how much they lent.
        self._searches: dict[tuple[Any, ...], tuple[int, int, int]] = {}
        self._asking: dict[tuple[int, int], tuple[Any, ...]] = {}  # who chose whom -> the search
        self._asked: dict[int, tuple[Any, ...]] = {}  # the request to the one chosen -> the search
        #: Who chose whom for a job -> the search, for requests that are sent again.
        self._chosen: dict[tuple[int, int, int | None], tuple[Any, ...]] = {}
        self._down: dict[int, bool] = {}  # nodes that have crashed, and have no memory
        self.ages_ns: list[int] = []  # of words about the servers chosen, when they are chosen
        self.word_errors: list[int] = []
        self.prior_errors: list[int] = []  # of servers chosen that were never heard of
        self._own = [0] * nodes
        self._lent = [0] * nodes
        self._borrowed = [0] * nodes
        self._at_node = [(0, max(0, ram - threshold))] * nodes  # what is unmet, and what is idle
        self._unmet, self._idle = 0, nodes * max(0, ram - threshold)
        self._sizes: dict[int, dict[int, int]] = {}  # job -> node -> bytes of its process
        self._since_ns = 0
        self.unmet_while_idle = 0  # byte ns

    def read(self, record: Record) -> None:
        """Take in the next record."""
        match record.kind:
            case "sent":
                if record.phase not in DATA_PHASES:
                    self._sent(record)
            case "delivered":
                if record.id in self._says:
                    self._delivered(record)
            case "lost":
                self._says.pop(record.id, None)
                self.use_of.pop(record.id, None)
            case "decided":
                self._decided(record)
            case "crashed":
                for role in ("client", "server", "manager"):
                    self._heard.pop((record.node, role), None)
                if record.what == "node":
                    self._down[record.node] = True
                    self._change(record, record.node, "_own", 0)
            case "restarted":
                if record.what == "node":
                    self._down[record.node] = False
                    self._change(record, record.node, "_own", 0)
            case "placed":
                nodes = json.loads(record.payload)["nodes"]
                self._sizes[record.job] = dict.fromkeys(nodes, record.amount_bytes)
                for node in nodes:
                    self._change(record, node, "_own", record.amount_bytes)
            case "resized":
                change = record.amount_bytes - self._sizes[record.job][record.node]
                self._sizes[record.job][record.node] += change
                self._change(record, record.node, "_own", change)
            case "departed":
                self._sizes[record.job][record.peer] = record.amount_bytes
                self._change(record, record.peer, "_own", record.amount_bytes)
            case "arrived":
                size = self._sizes[record.job].pop(record.peer)
                self._change(record, record.peer, "_own", -size)
            case "finished":
                size = self._sizes[record.job].pop(record.node)
                self._change(record, record.node, "_own", -size)
            case "killed":
                for node, size in self._sizes.pop(record.job).items():
                    self._change(record, node, "_own", -size)
            case "lent" | "returned" | "borrowed" | "given back":
                what, sign = _LEDGER[record.kind]
                self._change(record, record.node, what, sign * record.amount_bytes)
                if record.kind == "lent":
                    self._granted(record)

    def measures(self, end_ns: int) -> dict[str, object]:
        """The measures of a run that has ended then, for `summary.json`.

        `messages_refused`, `messages_about_nothing`, `messages_superseded` and `messages_used` are
        counts by kind. `servers_chosen` counts the choices of a node, `servers_chosen_unheard`
        those of a node that had never been heard of. Of the others, a word has an age and an error
        (stated less true load); the prior's error is that of the belief that a node never heard of
        is idle. The regret of a search is by how much it found less than its candidates had in
        truth when it began, beyond the threshold and up to the need. These four are means and 95th
        percentiles, or None of nothing. What nodes lacked while as much was idle elsewhere is an
        integral over time.
        """
        self._integrate(end_ns)
        return measured(OBSERVED, self)

    def messages(self, use: str) -> dict[str, int]:
        """How many messages over the network were of this use, by kind."""
        kinds = (self._kinds.get(message) for message, its in self.use_of.items() if its == use)
        return dict(Counter(kind for kind in kinds if kind is not None))

    @property
    def regrets(self) -> list[int]:
        """By how many bytes each search found less than its candidates had."""
        return [max(0, min(need, had) - granted) for need, had, granted in self._searches.values()]

    def _payload(self, record: Record) -> dict[str, Any]:
        """What a record says; those of a broadcast share one text."""
        if record.payload != self._parsed[0]:
            self._parsed = record.payload, json.loads(record.payload) if record.payload else {}
        return self._parsed[1]

    def _sent(self, record: Record) -> None:
        says = self._payload(record)
        search = self._asking.pop((record.node, record.peer), None)
        if search is not None:
            self._asked[record.id] = search
        words, only_words = self._words(record, says), False
        if says.get("refused"):
            use = REFUSED
        elif record.amount_bytes == 0 and all(about == (record.node, False) for about, _ in words):
            use = ABOUT_NOTHING
        else:
            only_words = record.amount_bytes is None and bool(says.get("words"))
            use = SUPERSEDED if only_words else USED  # until a word of it is used
        self.use_of[record.id] = use
        if record.node != record.peer:
            self._kinds[record.id] = record.what
        if words:
            self._says[record.id] = words

    def _words(self, record: Record, says: dict[str, Any]) -> _Words:
        """Of whom a message says something, and when that was stated."""
        sender = record.node
        words = [((sender, False), says["word"][1])] if says.get("word") else []
        try:
            for about, (_, stated_ns) in says.get("words", ()):
                group = about == "group"
                words.append(((sender if group or about is None else about, group), stated_ns))
        except (TypeError, ValueError):
            raise InputError(
                f"{record.what}.words: give pairs of a node (None: the sender) and a Word"
            ) from None
        return words

    def _delivered(self, record: Record) -> None:
        """A role hears words: they stand until newer ones come."""
        heard = self._heard.setdefault((record.node, record.hears), {})
        message = record.id if self.use_of[record.id] == SUPERSEDED else None
        for about, stated_ns in self._says.pop(record.id):
            known = heard.get(about)
            if known is None or known[0] < stated_ns:
                heard[about] = stated_ns, message

    def _decided(self, record: Record) -> None:
        """A role turns to a node or to nobody: what it has heard of its candidates is used."""
        says = self._payload(record)
        place, group = (record.node, record.hears), says.get("groups", False)
        heard, told = self._heard.get(place, {}), says["candidates"]
        for node in told:
            _, message = heard.get((int(node), group), (0, None))
            if message is not None:
                self.use_of[message] = USED
        search, known = self._believed.get(place, (None, {}))
        known = known | told if search == says["search"] else told
        self._believed[place] = says["search"], known
        if group:
            return
        key = (*place, *says["search"])
        if key not in self._searches:
            had = sum(max(0, true - self._threshold) for _, _, true in told.values())
            self._searches[key] = says["missing"], had, 0
        if record.peer is not None:
            self._asking[record.node, record.peer] = key
            self._chosen[record.node, record.peer, record.job] = key
            believed, stated_ns, true = known[str(record.peer)]
            if believed is None:
                self.prior_errors.append(self._ram - true)
            else:
                self.ages_ns.append(record.time_ns - stated_ns)
                self.word_errors.append(believed - true)

    def _granted(self, record: Record) -> None:
        """A node lends what it was asked for in a search, by the request or its repetition."""
        sender = record.cause >> 36 & _AGENT
        again = self._chosen.get((sender, record.node, record.job))
        search = self._asked.pop(record.cause, again)
        if search is not None:
            need, had, granted = self._searches[search]
            self._searches[search] = need, had, granted + record.amount_bytes

    def _change(self, record: Record, node: int, what: str, amount: int) -> None:
        """A node's ledger changes: so may what is unmet and idle from now on."""
        self._integrate(record.time_ns)
        getattr(self, what)[node] += amount
        load = self._ram - self._own[node] - self._lent[node]
        unmet, idle = max(0, -load - self._borrowed[node]), max(0, load - self._threshold)
        if self._down.get(node):
            unmet = idle = 0
        before = self._at_node[node]
        self._at_node[node] = unmet, idle
        self._unmet += unmet - before[0]
        self._idle += idle - before[1]

    def _integrate(self, now_ns: int) -> None:
        self.unmet_while_idle += min(self._unmet, self._idle) * (now_ns - self._since_ns)
        self._since_ns = now_ns


def _distribution(values: Iterable[float]) -> dict[str, float] | None:
    """The mean and the 95th percentile; None of nothing."""
    array = np.fromiter(values, float)
    if not len(array):
        return None
    return {"mean": float(array.mean()), "p95": float(np.percentile(array, 95))}


#: What the measures are about, as tables are headed.
USE, BELIEFS, MISSED = "use", "beliefs", "missed"

# fmt: off
OBSERVED: tuple[Measure, ...] = (
    *(Measure(MEASURE_OF_USE[use], f"Messages {use}", of=partial(Waste.messages, use=use), topic=USE) for use in USES),
    Measure("servers_chosen", "Servers chosen", "", COUNT, lambda waste: len(waste.ages_ns) + len(waste.prior_errors), BELIEFS, "chosen"),
    Measure("servers_chosen_unheard", "Of these, never heard of", "", COUNT, lambda waste: len(waste.prior_errors), BELIEFS, "never heard of"),
    *spread(Measure("word_age_s", "Age of the word about a server chosen", "s", "{:,.2f}", lambda waste: _distribution(map(seconds, waste.ages_ns)), BELIEFS, "age, s")),
    *spread(Measure("word_error_mb", "Error of this word, stated less true load", "MB", "{:,.2f}", lambda waste: _distribution(map(megabytes, waste.word_errors)), BELIEFS, "error, MB")),
    *spread(Measure("prior_error_mb", "Error of believing idle a server never heard of", "MB", "{:,.2f}", lambda waste: _distribution(map(megabytes, waste.prior_errors)), BELIEFS, "unheard: error, MB")),
    *spread(Measure("regret_mb", "Regret of a search", "MB", "{:,.2f}", lambda waste: _distribution(map(megabytes, waste.regrets)), MISSED, "regret, MB")),
    Measure("unmet_while_idle_mb_s", "Need unmet while idle", "MB·s", "{:,.1f}", lambda waste: seconds(megabytes(waste.unmet_while_idle)), MISSED, "unmet while idle, MB s"),
)
# fmt: on
