"""Where two runs differ, from outcome to cause: what the interactive page goes through.

It answers: where do two designs diverge, and what did it cost? Job by job, those first whose times
differ most: its end, what its processes lacked, other nodes, other lenders or amounts, refusals,
other choices, messages, and all other records that one run alone has. What one run has many of,
close in time, is one difference. Each attempt is compared with the same attempt in the other run.
"""

from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from itertools import zip_longest
from math import inf
from typing import NamedTuple

import numpy as np
import pandas as pd
from numpy.typing import NDArray

from agents.messages import DATA_PHASES
from model.core.journal import words
from model.core.journal.file import rows
from model.core.journal.kinds import (
    DETAILS,
    ECHO,
    OF_MESSAGES,
    Borrowed,
    Decided,
    Killed,
    Queued,
    Record,
    Sent,
)
from model.core.measures import CHANCE
from model.ground.units import NS_PER_S
from model.pnr.waste import REFUSED
from model.views.attempts import Attempt, rank_of
from model.views.outcomes import Outcome, spent
from model.views.recording import Recording

#: Sorts of differences, in this order.
END, UNMET, PLACE, LENDER, REFUSAL, CHOICE, MESSAGES, RECORDS = range(8)
#: Those that may be why a job ends otherwise.
CAUSES = (UNMET, PLACE, LENDER, REFUSAL)
_BURST_NS = NS_PER_S  # what comes later than so long after the last is another burst
_FEW = 3  # lenders that are named
_FEW_NODES = 8


Parting = tuple[Record | None, Record | None]


@dataclass(frozen=True)
class Run:
    """A run to compare: its items, with a number for each that its partner in the other has."""

    recording: Recording
    items: pd.DataFrame
    alike: NDArray[np.int64]  # of partners the same
    outcomes: Mapping[int, Outcome]
    use_of: Mapping[int, str]  # what messages were good for, by their ids

    @property
    def design(self) -> str:
        """The design's name."""
        return self.recording.design

    @property
    def last_ns(self) -> int:
        """When its journal ends."""
        return int(self.items["time_ns"].iloc[-1])

    @cached_property
    def item_of(self) -> Mapping[int, int]:
        """The item with which a record is shown, by its id: the first one."""
        firsts = self.items["id"].drop_duplicates()
        return dict(zip(firsts, firsts.index, strict=True))

    def difference(self, sort: int, job: int, record: Record, turn: int, text: str) -> "Difference":
        """One that a record of it shows."""
        return Difference(sort, job, turn, self.item_of[record.id], text, record.time_ns)


class Difference(NamedTuple):
    """One difference: of which sort, of which job, in words, and an item of a run to look at."""

    sort: int
    job: int | None
    run: int  # 0 or 1
    item: int
    text: str
    time_ns: int


def items_of(records: pd.DataFrame) -> pd.DataFrame:
    """The first record of each message, and every other record, by the numbers of the items.

    What stations have served is no item.
    """
    records = records[records["kind"] != Queued.name]
    is_message = records["kind"].isin(OF_MESSAGES)
    items = records[~(is_message & records["id"].where(is_message).duplicated())]
    return items.reset_index(drop=True)


def cost(one: Outcome | None, other: Outcome | None) -> float:
    """By how many ns the responses of a job differ; infinite if it ended in one run alone."""
    ends = [None if it is None else it.response_ns for it in (one, other)]
    if ends[0] is None or ends[1] is None:
        return 0.0 if ends[0] == ends[1] else inf
    return abs(ends[0] - ends[1])


def hang(both: Sequence[Outcome]) -> tuple[int, Attempt] | None:
    """The first attempt that waits in vain in one of two runs alone, and in which of them."""
    for attempts in zip_longest(*(it.attempts for it in both)):
        doomed = [it is not None and it.doomed_by is not None for it in attempts]
        if doomed[0] != doomed[1]:
            turn = doomed.index(True)
            attempt = attempts[turn]
            assert attempt is not None
            return turn, attempt
    return None


def _fate(both: Sequence[Outcome]) -> tuple[int, Record] | None:
    """The record with which an attempt goes another way in one of two runs, and in which of them.

    It is killed, placed or ended there, and not in the other.
    """
    for one, other in zip_longest(*(it.attempts for it in both)):
        if one is None or other is None:
            there = one or other
            return (int(one is None), there.placed) if there is not None and there.placed else None
        overs = [one.over, other.over]
        kinds = [None if it is None else it.kind for it in overs]
        if kinds[0] != kinds[1]:
            turn = int(overs[0] is None or (overs[1] is not None and kinds[1] == Killed.name))
            over = overs[turn]
            assert over is not None
            return turn, over
    return None


def is_apart(one: Outcome, other: Outcome) -> bool:
    """Whether a job ends otherwise in two runs by more than chance: when, or in which attempt."""
    spans = [it.response_ns for it in (one, other) if it.response_ns is not None]
    if len(spans) == 2 and not is_chance(*spans):
        return True
    return _fate((one, other)) is not None or hang((one, other)) is not None


def divergence(one: Run, other: Run, found: Sequence[Difference]) -> Difference | None:
    """Where two runs diverge: the earliest of their differences, `found`, that differ in substance.

    Of jobs that end otherwise, that is the record since which one waits in vain in one run alone,
    or else the first of what may be its cause; one without either suffers from other jobs. If all
    jobs end alike, it is the earliest difference of the first sort that there is.
    """
    apart = {
        job
        for job, outcome in one.outcomes.items()
        if job in other.outcomes and is_apart(outcome, other.outcomes[job])
    }
    hung = {job for job in apart if hang((one.outcomes[job], other.outcomes[job]))}
    of_jobs = [
        it
        for it in found
        if it.job in apart and (it.sort == END if it.job in hung else it.sort in CAUSES)
    ]
    of_jobs = of_jobs or [it for it in found if it.job in apart and it.sort == END]
    others = [it for it in found if it.sort != END] or found
    first = min((it.sort for it in others), default=END)
    found = of_jobs or [it for it in others if it.sort == first]
    return min(found, key=lambda it: it.time_ns, default=None)


def weight(one: Run, other: Run) -> tuple[float, float]:
    """How much two runs differ: in how many jobs that end in one alone, and by how many ns."""
    theirs = other.outcomes
    costs = [cost(it, theirs[job]) for job, it in one.outcomes.items() if job in theirs]
    return costs.count(inf), sum(it for it in costs if it < inf)


def differences(one: Run, other: Run) -> list[Difference]:
    """All of them, in the order in which one wants to see them: first of the job that diverges."""
    found = [*_records(one, other)]
    for job in dict.fromkeys([*one.outcomes, *other.outcomes]):
        both = [run.outcomes.get(job) for run in (one, other)]
        if both[0] is not None and both[1] is not None:
            found += _of_job((one, other), job, both[0], both[1])
    apart = divergence(one, other, found)
    first = None if apart is None else apart.job

    def order(difference: Difference) -> tuple[object, ...]:
        job = difference.job
        most = cost(one.outcomes.get(job), other.outcomes.get(job)) if job is not None else -1.0
        return job != first, -most, -1 if job is None else job, difference.sort, difference.time_ns

    return sorted(found, key=order)


def parting(one: Recording, other: Recording, job: int) -> Parting | None:
    """The first records of the job that differ in time, place or content; None if there is none.

    Where one of the two has ended, the other's next record stands alone.
    """
    tables = [run.records[run.records["job"] == job] for run in (one, other)]
    levels = [table[table["kind"] != Decided.name] for table in tables]
    if not (one.every_hop and other.every_hop):
        levels = [table[~table["kind"].isin(DETAILS)] for table in levels]
    for a, b in zip_longest(*map(rows, levels)):
        seen = [it and it._replace(id=0, cause=0, payload=None) for it in (a, b)]
        if seen[0] != seen[1]:
            return a, b
    return None


def _of_job(runs: tuple[Run, Run], job: int, *both: Outcome) -> Iterator[Difference]:
    yield from _ends(runs, job, both)
    for number, attempts in enumerate(zip(*(it.attempts for it in both), strict=False), 1):
        which = f" in attempt {number}" if max(len(it.attempts) for it in both) > 1 else ""
        yield from _of_attempts(runs, f"job {job}{which}", job, attempts)


def _ends(runs: tuple[Run, Run], job: int, both: Sequence[Outcome]) -> Iterator[Difference]:
    hung, fate, designs = hang(both), _fate(both), [run.design for run in runs]
    if hung is not None and (record := hung[1].doomed_by) is not None:
        turn, attempt = hung
        hangs = " ".join(attempt.hangs(has_ended=True) or ())
        text = f"{end(designs, both)}; under {runs[turn].design} it {hangs}"
        found = runs[turn].difference(END, job, record, turn, text)
        yield found._replace(time_ns=attempt.doomed_ns or record.time_ns)
    elif cost(*both) or fate is not None:
        slower = int((both[1].response_ns or inf) > (both[0].response_ns or inf))
        turn, record = fate or (slower, both[slower].attempt.over)
        assert record is not None
        yield runs[turn].difference(END, job, record, turn, end(designs, both))


def _of_attempts(
    runs: tuple[Run, Run], name: str, job: int, attempts: tuple[Attempt, Attempt]
) -> Iterator[Difference]:
    for placements in zip_longest(*(it.placements for it in attempts)):
        places = [{} if it is None else rank_of(it) for it in placements]
        if places[0] != places[1]:
            text = " and ".join(
                f"on {_nodes(ours, theirs)} under {run.design}"
                for ours, theirs, run in zip(places, places[::-1], runs, strict=True)
            )
            record, turn = _first((it, turn) for turn, it in enumerate(placements) if it)
            yield runs[turn].difference(PLACE, job, record, turn, f"{name} runs {text}")
            break
    yield from _unmet(runs, name, job, attempts)
    loans = [it.loans_of for it in attempts]
    for borrower in dict.fromkeys(node for it in loans for node in it):
        ours, theirs = (it.get(borrower, {}) for it in loans)
        if ours == theirs:
            continue
        record, turn = _first(
            (loan, turn)
            for turn, attempt in enumerate(attempts)
            for loan in attempt.loans
            if loan.node == borrower
            and ours.get(Borrowed.of(loan).peer) != theirs.get(Borrowed.of(loan).peer)
        )
        text = " and ".join(
            f"{_lenders(*loans)} under {of.design}"
            for loans, of in zip(((ours, theirs), (theirs, ours)), runs, strict=True)
        )
        text = f"node {borrower} borrows {text}, for {name}"
        yield runs[turn].difference(LENDER, job, record, turn, text)


def _first(found: Iterable[tuple[Record, int]]) -> tuple[Record, int]:
    """The earliest record, and in which run it is."""
    return min(found, key=lambda it: it[0].time_ns)


def _unmet(
    runs: tuple[Run, Run], name: str, job: int, attempts: tuple[Attempt, Attempt]
) -> Iterator[Difference]:
    """What processes lacked as they started, if both have asked for memory."""
    unmet = [it.unmet for it in attempts]
    nodes = [it for it in dict.fromkeys([*unmet[0], *unmet[1]]) if all(unmet)]
    lacks = {it: [of.get(it, 0) for of in unmet] for it in nodes}
    starts = [
        (attempt.started[node], turn)
        for node, sizes in lacks.items()
        for turn, attempt in enumerate(attempts)
        if sizes[turn] > sizes[1 - turn] and node in attempt.started
    ]
    if not starts:
        return
    record, turn = _first(starts)
    node = record.node
    assert node is not None
    of_all = [sum(it.values()) for it in unmet]
    text = f"node {node} lacks {_under(runs, lacks[node])}"
    if of_all != lacks[node]:
        text += f", all processes {_under(runs, of_all)}"
    yield runs[turn].difference(UNMET, job, record, turn, f"{text}, for {name}")


def _under(runs: Sequence[Run], sizes: Sequence[int]) -> str:
    texts = [words.amount(size) if size else "nothing" for size in sizes]
    if texts[0] == texts[1]:
        return f"{texts[0]} under both"
    return " and ".join(f"{it} under {run.design}" for it, run in zip(texts, runs, strict=True))


def is_chance(one: float, other: float) -> bool:
    """Whether two times are so close that chance alone may have made the difference."""
    return abs(one - other) <= CHANCE * min(one, other)


def _takes(outcome: Outcome) -> str:
    if outcome.response_ns is not None:
        return f"takes {words.span(outcome.response_ns)}"
    return "is given up" if outcome.is_given_up else "never ends"


def end(designs: Sequence[str], both: Sequence[Outcome]) -> str:
    """How long a job took under two designs, and what made the difference, unless chance did."""
    one, other = both
    job = f"job {one.job}"
    if one.response_ns is None or other.response_ns is None:
        takes = [_takes(it) for it in both]
        if takes[0] == takes[1]:
            return f"{job} {takes[0]} under both"
        return f"{job} " + " and ".join(
            f"{text} under {design}" for text, design in zip(takes, designs, strict=True)
        )
    apart = words.span(cost(one, other))
    times = [words.span(it_ns) for it_ns in (one.response_ns, other.response_ns)]
    text = f"{job} takes {times[0]} under {designs[0]} and {times[1]} under {designs[1]}"
    if times[0] == times[1]:
        slower = designs[int(other.response_ns > one.response_ns)]
        text = f"{job} takes {times[0]} under both, {apart} more under {slower}"
    if is_chance(one.response_ns, other.response_ns):
        return f"{text}, a difference that chance alone can make"
    changes = one.cost_ns(other)
    changes.pop(words.SPENT[ECHO], None)
    longer = 1 if other.response_ns > one.response_ns else -1
    by_size = sorted(changes, key=lambda what: -longer * changes[what])
    least = 0.1 * cost(one, other)
    causes = [it for it in by_size[:2] if longer * changes[it] > least]
    if causes:
        parts = " and ".join(spent(it, abs(changes[it])) for it in causes)
        text += f"; of this difference of {apart}, {parts}"
        if longer * changes[by_size[-1]] < -least:
            text += f", less {spent(by_size[-1], abs(changes[by_size[-1]]))}"
    return text


def _records(one: Run, other: Run) -> Iterator[Difference]:
    """What one run alone has: refusals, choices, messages and other records, by bursts."""
    for turn, (run, theirs) in enumerate(((one, other), (other, one))):
        items = run.items
        is_left_out = (
            np.isin(run.alike, theirs.alike)
            | items["kind"].isin((*DETAILS, Borrowed.name)).to_numpy()
            | items["phase"].isin(DATA_PHASES).to_numpy()
            | ((items["kind"] == Sent.name) & (items["node"] == items["peer"])).to_numpy(bool)
        )
        alone = items[~is_left_out]
        bursts: list[tuple[int, int, Record]] = []  # of each: its sort, first item and record
        counts = Counter[int]()  # by burst
        latest: dict[tuple[object, ...], tuple[int, int]] = {}  # the burst, and when it last grew
        for item, record in zip(alone.index, rows(alone), strict=True):
            sort = MESSAGES if record.kind == Sent.name else RECORDS
            if record.kind == Decided.name or run.use_of.get(record.id) == REFUSED:
                sort = CHOICE if record.kind == Decided.name else REFUSAL
            like = sort, record.job, record.kind, record.what, record.phase
            burst, last_ns = latest.get(like, (-1, 0))
            if burst < 0 or (sort != RECORDS and record.time_ns - last_ns > _BURST_NS):
                burst = len(bursts)
                bursts.append((sort, item, record))
            counts[burst] += 1
            latest[like] = burst, record.time_ns
        for burst, (sort, item, record) in enumerate(bursts):
            text = f"{_burst(record, sort, counts[burst])}, only under {run.design}"
            yield Difference(sort, record.job, turn, item, text, record.time_ns)


def _burst(record: Record, sort: int, count: int) -> str:
    if count == 1:
        return "a refusal: " * (sort == REFUSAL) + words.sentence(record)
    about = "" if record.job is None else f" about job {record.job}"
    if sort == CHOICE:
        return f"{count:,} choices{about}, first {words.sentence(record)}"
    if record.kind != Sent.name:
        return f"{count:,} records “{record.kind}”{about}"
    refused = "refusals: " if sort == REFUSAL else ""
    return f"{count:,} {refused}{record.what} messages{about}"


def _nodes(rank_of: dict[int, int], other: dict[int, int]) -> str:
    """Where a job is, and what of it is not so in the other run, if a few nodes do not show it."""
    if not rank_of:
        return "no node"
    nodes = sorted(rank_of)
    text = f"node{'s' * (len(nodes) > 1)} {_few(nodes)}"
    alone = [node for node in nodes if node not in other]
    if alone:
        return text if len(nodes) <= _FEW_NODES else f"{text} ({_few(alone)} only there)"
    if len(nodes) < len(other):
        return text
    node = next(node for node, rank in rank_of.items() if other[node] != rank)
    return f"{text} (rank {rank_of[node]} on node {node})"


def _few(nodes: Sequence[int]) -> str:
    return ", ".join(map(str, nodes[:_FEW_NODES])) + (", …" if len(nodes) > _FEW_NODES else "")


def _lenders(loans: dict[int, int], other: dict[int, int]) -> str:
    """Who lends how much to a node; first those that lend otherwise in the other run."""
    if not loans:
        return "nothing"
    order = sorted(loans, key=lambda lender: loans[lender] == other.get(lender))
    few = [f"{words.amount(loans[lender])} from node {lender}" for lender in order[:_FEW]]
    more = len(loans) - len(few)
    return ", ".join(few) + (f" and {more} more" if more else "")
