"""What messages were good for, and what managers believed: measured from a journal alone.

Each protocol message is of the first class that fits:

- decisive: without it, and all else as it was, a role would have chosen another candidate
  or none: it was asked again with what it would have believed then. Of each candidate of which the
  message had brought the newest word, that is the newest word of another message that had reached
  the role since its servent started, or else that it is idle. Without any one message of two that
  say the same, nothing would be otherwise, so neither is of this class;
- refused: it answers a need above 0 with 0 (its kind declares `refused`);
- unused: its `amount` is 0, and it says nothing of other nodes' loads;
- outdated: it is only words (`words`, and no `amount`), of which none was used: it was no newer
  than what its receiver had heard, or was overwritten, or the run was over, before a decision there
  had that node as a candidate;
- used: all others, of which many are more than words.

Roles that do not let themselves be asked again (`again` of `Decided`) have no choice changed. The
root of RACK looks at its own rack, as a manager does at its own node: it is not asked again without
the messages behind that.

Messages that were lost are of no class, nor are those of a node to itself.
"""

from collections import Counter
from collections.abc import Callable, Iterable, Mapping, Sequence
from functools import partial
from typing import Any

import numpy as np

from model.core.journal.kinds import Decided, Lent, Lost, Record, Sent, agent_of, is_detail
from model.core.journal.past import Changed, Past, PastJob, PastNode, PastProcess, words_in
from model.core.measures import COUNT, Measure, measured, spread
from model.ground.units import megabytes, seconds

#: From the least to the most.
REFUSED, UNUSED, OUTDATED, USED, DECISIVE = USES = (
    "refused",
    "unused",
    "outdated",
    "used",
    "decisive",
)
WASTED = (REFUSED, UNUSED, OUTDATED)
#: The measure that counts the messages of a use by kind; `summary.json` keeps its old names.
MEASURE_OF_USE = {
    REFUSED: "messages_refused",
    UNUSED: "messages_about_nothing",
    OUTDATED: "messages_superseded",
    USED: "messages_used",
    DECISIVE: "messages_changed_the_choice",
}
_Search = tuple[Any, ...]  # who searches, and the id of the search


class Waste:
    """A reader of a run's journal, of either level, for its use of messages and of memory.

    `use_of` says of each message, by its id, of which class it is.
    """

    def __init__(self, rams: Sequence[int], threshold: int, changed: Changed | None = None) -> None:
        """Of nodes with this RAM, in bytes, of which a server never lends `threshold`.

        `changed` hears of what may have changed in `past`, which is after all records read.
        """
        self.use_of: dict[int, str] = {}
        self._rams = rams
        self._threshold = threshold
        self.past = Past(len(rams), self._look_at)
        self._changed = changed
        self._kinds: dict[int, str] = {}  # of messages over the network
        #: By search: how much it was to find, how much its candidates had, how much they lent.
        self._searches: dict[_Search, tuple[int, int, int]] = {}
        self._asking: dict[tuple[int, int], _Search] = {}  # who chose whom -> the search
        self._asked: dict[int, _Search] = {}  # the request to the one chosen -> the search
        #: Who chose whom for a job -> the search, for requests that are sent again.
        self._chosen: dict[tuple[int, int, int | None], _Search] = {}
        self.ages_ns: list[int] = []  # of words about the servers chosen, when they are chosen
        self.word_errors: list[int] = []  # stated less true load
        self.prior_errors: list[int] = []  # of servers chosen that were never heard of
        #: What is unmet, and what is idle.
        self._at_node = [(0, max(0, ram - threshold)) for ram in rams]
        self._unmet, self._idle = 0, sum(idle for _, idle in self._at_node)
        self._since_ns = 0
        self.unmet_while_idle = 0  # byte ns

    def read(self, record: Record) -> None:
        if is_detail(record):
            return
        self.past.read(record)
        look = _LOOK.get(record.kind)
        if look is not None:
            look(self, record)

    def measures(self, end_ns: int) -> dict[str, object]:
        """The measures of a run that has ended then, for `summary.json`.

        Those of `MEASURE_OF_USE` are counts by kind. `servers_chosen` counts the choices of a
        node, `servers_chosen_unheard` those of a node that had never been heard of. Of the others,
        a word has an age and an absolute error, and all words together have a bias: the mean of
        stated less true load, in which errors cancel. Those of the prior are of the belief that a
        node never heard of is idle. The regret of a search is by how much it found less than its
        candidates had in truth when it began, beyond the threshold and up to the need. Ages, errors
        and regrets are means and 95th percentiles; all are None of nothing. What nodes lacked while
        as much was idle elsewhere is an integral over time, up to the last record: a run that hangs
        goes on for a while without any.
        """
        self._integrate(min(end_ns, self.past.now_ns))
        return measured(OBSERVED, self)

    def messages(self, use: str) -> dict[str, int]:
        """How many messages over the network were of this use, by kind."""
        return dict(Counter(self._kinds[it] for it, its in self.use_of.items() if its == use))

    @property
    def regrets(self) -> list[int]:
        """By how many bytes each search found less than its candidates had."""
        return [max(0, min(need, had) - granted) for need, had, granted in self._searches.values()]

    def _sent(self, written: Record) -> None:
        record = Sent.of(written)
        search = self._asking.pop((record.node, record.peer), None)
        if search is not None:
            self._asked[record.id] = search
        if record.node == record.peer:
            return
        stated = Sent.contents(record.payload) if record.payload else {}
        words, own = words_in(written), (record.node, False)
        if stated.get("refused"):
            use = REFUSED
        elif record.amount_bytes == 0 and all(word[:2] == own for word in words):
            use = UNUSED
        elif record.amount_bytes is None and stated.get("words"):
            use = OUTDATED  # until a word of it is used
        else:
            use = USED
        self.use_of[record.id] = use
        self._kinds[record.id] = record.what

    def _lost(self, record: Record) -> None:
        self.use_of.pop(record.id, None)

    def _decided(self, record: Decided) -> None:
        """A role turns to a node or to nobody: what it has heard of its candidates is used."""
        place = record.node, record.hears
        heard, decision = self.past.heard_by(*place), self.past.decisions[place]
        choice = Decided.contents(record.payload)
        new = choice.candidates
        for node in new:
            word = heard.get((node, decision.groups))
            if word is not None and self.use_of.get(word.message) == OUTDATED:
                self.use_of[word.message] = USED
        self.use_of |= {it: DECISIVE for it in choice.changed_by if it in self.use_of}
        if decision.groups:
            return
        search = place, decision.search
        if search not in self._searches:
            had = sum(max(0, belief.true - self._threshold) for belief in new.values())
            self._searches[search] = decision.missing, had, 0
        if record.peer is not None:
            self._asking[record.node, record.peer] = search
            self._chosen[record.node, record.peer, record.job] = search
            if (belief := decision.belief) is None:
                return  # in a part of a journal it may have been written before
            believed, stated_ns, true, ram = belief
            if believed is None or stated_ns is None:
                idle = self._rams[record.node] if ram is None else ram
                self.prior_errors.append(idle - true)
            else:
                self.ages_ns.append(record.time_ns - stated_ns)
                self.word_errors.append(believed - true)

    def _lent(self, record: Lent) -> None:
        """A node lends what it was asked for in a search, by the request or its repetition."""
        again = self._chosen.get((agent_of(record.cause), record.node, record.job))
        search = self._asked.pop(record.cause, again)
        if search is not None:
            need, had, granted = self._searches[search]
            self._searches[search] = need, had, granted + record.amount_bytes

    def _look_at(self, changed: PastNode | PastJob | PastProcess) -> None:
        if isinstance(changed, PastNode):
            self._account(changed)
        if self._changed is not None:
            self._changed(changed)

    def _account(self, node: PastNode) -> None:
        """A node's memory changes: so may what is unmet and idle from now on."""
        self._integrate(self.past.now_ns)
        load = node.load(self._rams[node.number])
        unmet = 0 if node.is_down else max(0, node.beyond + max(0, -load) - node.borrowed)
        idle = max(0, load - self._threshold)
        before = self._at_node[node.number]
        self._at_node[node.number] = unmet, idle
        self._unmet += unmet - before[0]
        self._idle += idle - before[1]

    def _integrate(self, now_ns: int) -> None:
        self.unmet_while_idle += min(self._unmet, self._idle) * (now_ns - self._since_ns)
        self._since_ns = now_ns


#: What is looked at besides what `Past` makes of a record, by the kind of the record.
_LOOK: Mapping[str, Callable[[Waste, Any], None]] = {
    Sent.name: Waste._sent,
    Lost.name: Waste._lost,
    Decided.name: Waste._decided,
    Lent.name: Waste._lent,
}


def _distribution(values: Iterable[float]) -> dict[str, float] | None:
    """The mean and the 95th percentile; None of nothing."""
    array = np.fromiter(values, float)
    if not len(array):
        return None
    return {"mean": float(array.mean()), "p95": float(np.percentile(array, 95))}


def _error_mb(errors: Sequence[int]) -> dict[str, float] | None:
    return _distribution(megabytes(abs(error)) for error in errors)


def _bias_mb(errors: Sequence[int]) -> float | None:
    """The mean error, in which errors of both signs cancel; None of nothing."""
    return megabytes(sum(errors) / len(errors)) if errors else None


#: What the measures are about, as tables are headed.
USE, BELIEFS, MISSED = "use", "beliefs", "missed"

# fmt: off
OBSERVED: tuple[Measure, ...] = (
    *(Measure(MEASURE_OF_USE[use], f"Messages {use}", of=partial(Waste.messages, use=use), topic=USE) for use in USES),
    Measure("servers_chosen", "Servers chosen", "", COUNT, lambda waste: len(waste.ages_ns) + len(waste.prior_errors), BELIEFS, "chosen"),
    Measure("servers_chosen_unheard", "Of these, never heard from", "", COUNT, lambda waste: len(waste.prior_errors), BELIEFS, "never heard from"),
    *spread(Measure("word_age_s", "Age of load reports about chosen servers", "s", "{:,.2f}", lambda waste: _distribution(map(seconds, waste.ages_ns)), BELIEFS, "age, s")),
    *spread(Measure("word_error_mb", "Absolute error of these reports", "MB", "{:,.2f}", lambda waste: _error_mb(waste.word_errors), BELIEFS, "error, MB")),
    Measure("word_bias_mb", "Bias of these reports (mean of stated minus true load)", "MB", "{:+,.2f}", lambda waste: _bias_mb(waste.word_errors), BELIEFS, "bias, MB"),
    *spread(Measure("prior_error_mb", "Absolute error of assuming servers idle that were never heard from", "MB", "{:,.2f}", lambda waste: _error_mb(waste.prior_errors), BELIEFS, "never heard from: error, MB")),
    Measure("prior_bias_mb", "Bias of this assumption", "MB", "{:+,.2f}", lambda waste: _bias_mb(waste.prior_errors), BELIEFS, "bias, MB"),
    *spread(Measure("regret_mb", "Regret of a search: idle memory that it did not find", "MB", "{:,.2f}", lambda waste: _distribution(map(megabytes, waste.regrets)), MISSED, "regret, MB")),
    Measure("unmet_while_idle_mb_s", "Need unmet while memory was idle", "MB·s", "{:,.1f}", lambda waste: seconds(megabytes(waste.unmet_while_idle)), MISSED, "unmet while idle, MB s"),
)
# fmt: on
