"""Where two runs differ, from outcome to cause: what the interactive page goes through.

It answers: where do two designs part, and what did it cost? Job by job, those first whose times
differ most: its end with what its processes lacked, other nodes, other lenders or amounts,
refusals, other choices, messages, and all other records that one run alone has. What one run has
many of, close in time, is one difference.
"""

from collections.abc import Iterator, Mapping, Sequence
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
    Ended,
    Placed,
    Record,
    Sent,
    Submitted,
)
from model.core.journal.past import GRANT
from model.core.measures import CHANCE
from model.ground.units import NS_PER_S
from model.pnr.waste import REFUSED
from model.views.outcomes import Outcome, spent
from model.views.recording import Recording

#: Sorts of differences, in this order.
END, PLACE, LENDER, REFUSAL, CHOICE, MESSAGES, RECORDS = range(7)
#: Of what is no item of both, what a burst has in common.
_ALIKE = ["job", "kind", "what", "phase"]
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

    @cached_property
    def first(self) -> Mapping[tuple[int, str], int]:
        """The first item of each job and kind."""
        known = self.items[self.items["job"].notna()].drop_duplicates(["job", "kind"])
        return dict(zip(zip(known["job"], known["kind"], strict=True), known.index, strict=True))

    @cached_property
    def loans(self) -> Mapping[tuple[int, int], Sequence[tuple[int, int]]]:
        """Items of loans and who lends, by job and borrower."""
        found: dict[tuple[int, int], list[tuple[int, int]]] = {}
        loans = self.items[self.items["kind"] == Borrowed.name]
        for job, borrower, lender, item in zip(
            loans["job"], loans["node"], loans["peer"], loans.index, strict=True
        ):
            found.setdefault((job, borrower), []).append((item, lender))
        return found


class Difference(NamedTuple):
    """One difference: of which sort, of which job, in words, and an item of a run to look at."""

    sort: int
    job: int | None
    run: int  # 0 or 1
    item: int
    text: str


def items_of(records: pd.DataFrame) -> pd.DataFrame:
    """The first record of each message, and every other record, by the numbers of the items."""
    is_message = records["kind"].isin(OF_MESSAGES)
    items = records[~(is_message & records["id"].where(is_message).duplicated())]
    return items.reset_index(drop=True)


def cost(one: Outcome | None, other: Outcome | None) -> float:
    """By how many ns the responses of a job differ; infinite if it ended in one run alone."""
    ends = [None if it is None else it.response_ns for it in (one, other)]
    if ends[0] is None or ends[1] is None:
        return 0.0 if ends[0] == ends[1] else inf
    return abs(ends[0] - ends[1])


def has_cause(one: Outcome, other: Outcome) -> bool:
    """Whether a job itself ran elsewhere, borrowed otherwise or never got its grant."""
    if one.loans != other.loans or one.rank_of != other.rank_of:
        return True
    return any(it.unended is not None and it.unended.state == GRANT for it in (one, other))


def weight(one: Outcome, other: Outcome) -> tuple[float, ...]:
    """How much two runs differ in a job: first if it has a cause of its own, then by its time.

    Of jobs that never end in one of them the one that was stopped first counts most, and it before
    those that only queue.
    """
    apart, stuck = cost(one, other), one.unended or other.unended
    stopped = (stuck.state == GRANT, -stuck.since_ns) if apart == inf and stuck else (False, 0)
    return float(has_cause(one, other) and apart > 0), apart, *stopped


def worst_job(one: Run, other: Run) -> int | None:
    """The job in which two runs differ most; None without jobs in both."""
    both = [job for job in one.outcomes if job in other.outcomes]
    return max(both, key=lambda job: weight(one.outcomes[job], other.outcomes[job]), default=None)


def differences(one: Run, other: Run) -> list[Difference]:
    """All of them, in the order in which one wants to see them."""
    first = worst_job(one, other)
    found = [*_records(one, other)]
    times = [run.items["time_ns"].tolist() for run in (one, other)]
    for job in dict.fromkeys([*one.outcomes, *other.outcomes]):
        both = [run.outcomes.get(job) for run in (one, other)]
        if both[0] is not None and both[1] is not None:
            found += _of_job((one, other), job, both[0], both[1])

    def order(difference: Difference) -> tuple[object, ...]:
        job = difference.job
        most = cost(one.outcomes.get(job), other.outcomes.get(job)) if job is not None else -1.0
        time_ns = times[difference.run][difference.item]
        return job != first, -most, -1 if job is None else job, difference.sort, time_ns

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
    """Its end, its nodes, and its loans."""
    if cost(*both):
        slower = int((both[1].response_ns or inf) > (both[0].response_ns or inf))
        lived = (kind.name for kind in (Ended, Placed, Submitted))
        last = next(name for name in lived if name in both[slower].first_ns)
        yield Difference(END, job, slower, runs[slower].first[job, last], end(runs, job))
    if both[0].rank_of != both[1].rank_of:
        places = both[0].rank_of, both[1].rank_of
        text = " and ".join(
            f"on {_nodes(ours, theirs)} under {run.design}"
            for ours, theirs, run in zip(places, places[::-1], runs, strict=True)
        )
        turn = int((job, Placed.name) not in runs[0].first)  # there it is queued for ever
        item = runs[turn].first[job, Placed.name]
        yield Difference(PLACE, job, turn, item, f"job {job} runs {text}")
    for borrower in dict.fromkeys(node for it in both for node, _ in it.loans):
        loans = [
            {lender: size for (node, lender), size in it.loans.items() if node == borrower}
            for it in both
        ]
        if loans[0] == loans[1]:
            continue
        run, item = min(
            (
                (turn, _loan(runs[turn], job, borrower, ours, theirs))
                for turn, (ours, theirs) in enumerate((loans, loans[::-1]))
            ),
            key=lambda place: inf if place[1] is None else _time(runs[place[0]], place[1]),
        )
        text = " and ".join(
            f"{_lenders(ours, theirs)} under {of.design}"
            for ours, theirs, of in zip(loans, loans[::-1], runs, strict=True)
        )
        text = f"node {borrower} borrows {text}, for job {job}"
        unmet = [it.unmet.get(borrower, 0) for it in both]
        if unmet[0] != unmet[1]:
            text += f"; it lacks {words.amount(unmet[0])} and {words.amount(unmet[1])}"
        yield Difference(LENDER, job, run, item or 0, text)


def is_chance(one: float, other: float) -> bool:
    """Whether two times are so close that chance alone may have made the difference."""
    return abs(one - other) <= CHANCE * min(one, other)


def end(runs: Sequence[Run], job: int) -> str:
    """How long a job took under two designs, and what made the difference, unless chance did."""
    one, other = (run.outcomes[job] for run in runs)
    if one.response_ns is None or other.response_ns is None:
        return f"job {job} " + " and ".join(
            f"never ends under {run.design}"
            if it.response_ns is None
            else f"takes {words.span(it.response_ns)} under {run.design}"
            for it, run in zip((one, other), runs, strict=True)
        )
    apart = words.span(cost(one, other))
    times = [words.span(it.response_ns) for it in (one, other)]
    text = (
        f"job {job} takes {times[0]} under {runs[0].design} and {times[1]} under {runs[1].design}"
    )
    if times[0] == times[1]:
        slower = runs[int(other.response_ns > one.response_ns)].design
        text = f"job {job} takes {times[0]} under both, {apart} more under {slower}"
    if is_chance(one.response_ns, other.response_ns):
        return f"{text}, which chance alone may make"
    changes = one.cost_ns(other)
    changes.pop(words.SPENT[ECHO], None)
    longer = 1 if other.response_ns > one.response_ns else -1
    by_size = sorted(changes, key=lambda what: -longer * changes[what])
    least = 0.1 * cost(one, other)
    causes = [it for it in by_size[:2] if longer * changes[it] > least]
    if causes:
        parts = " and ".join(spent(it, abs(changes[it])) for it in causes)
        text += f"; of the {apart} between them, {parts}"
        if longer * changes[by_size[-1]] < -least:
            text += f", less {spent(by_size[-1], abs(changes[by_size[-1]]))}"
    return text


def _records(one: Run, other: Run) -> Iterator[Difference]:
    """What one run alone has: refusals, choices, messages and other records, by bursts."""
    for turn, (run, theirs) in enumerate(((one, other), (other, one))):
        items = run.items
        alone = items[
            ~np.isin(run.alike, theirs.alike)
            & ~items["kind"].isin((*DETAILS, Borrowed.name)).to_numpy()
            & ~items["phase"].isin(DATA_PHASES).to_numpy()
            & ~((items["kind"] == Sent.name) & (items["node"] == items["peer"])).to_numpy(bool)
        ].astype(dict.fromkeys(_ALIKE, object))
        if alone.empty:
            continue
        alone["item"] = alone.index
        use = [run.use_of.get(number) for number in alone["id"]]
        alone["sort"] = np.select(
            [
                alone["kind"] == Decided.name,
                [it == REFUSED for it in use],
                alone["kind"] == Sent.name,
            ],
            [CHOICE, REFUSAL, MESSAGES],
            RECORDS,
        )
        keys = ["sort", *_ALIKE]
        later = alone.groupby(keys, sort=False, dropna=False)["time_ns"].diff() > _BURST_NS
        alone["later"] = (later.fillna(False) & (alone["sort"] != RECORDS)).astype(int)
        alone["burst"] = alone.groupby(keys, sort=False, dropna=False)["later"].cumsum()
        bursts = alone.groupby([*keys, "burst"], sort=False, dropna=False)["item"]
        table = bursts.agg(["first", "size"]).reset_index("sort")
        firsts = rows(items.loc[table["first"], list(Record._fields)])
        for (sort, item, count), record in zip(table.itertuples(index=False), firsts, strict=True):
            text = f"{_burst(record, sort, count)}, under {run.design} alone"
            yield Difference(sort, record.job, turn, item, text)


def _burst(record: Record, sort: int, count: int) -> str:
    """So many records like this one."""
    if count == 1:
        return words.sentence(record)
    about = "" if record.job is None else f" about job {record.job}"
    if sort == CHOICE:
        return f"{count:,} choices{about}, first {words.sentence(record)}"
    if record.kind != Sent.name:
        return f"{count:,} records “{record.kind}”{about}"
    refused = "refusals: " if sort == REFUSAL else ""
    return f"{count:,} {refused}{record.what} messages{about}"


def _loan(
    run: Run, job: int, borrower: int, ours: dict[int, int], theirs: dict[int, int]
) -> int | None:
    """The first loan of a lender that lends the borrower otherwise in the other run."""
    loans = run.loans.get((job, borrower), ())
    return next((item for item, lender in loans if theirs.get(lender) != ours.get(lender)), None)


def _time(run: Run, item: int) -> int:
    return int(run.items["time_ns"].iat[item])


def _nodes(rank_of: dict[int, int], other: dict[int, int]) -> str:
    """Where a job is, and what of it is not so in the other run, if a few nodes do not show it."""
    if not rank_of:
        return "no node"
    nodes = sorted(rank_of)
    text = f"node{'s' * (len(nodes) > 1)} {_few(nodes)}"
    alone = [node for node in nodes if node not in other]
    if alone:
        return text if len(nodes) <= _FEW_NODES else f"{text} ({_few(alone)} there alone)"
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
