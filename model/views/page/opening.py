"""What the page opens on: sentences about what matters most, and the burst that they are about.

There is a story of each design and of each two. The page opens on the two that differ most, in the
job in which they do; of one design it is about the job that lost most.
"""

from collections import Counter
from collections.abc import Mapping, Sequence
from itertools import combinations

import numpy as np

from model.core.journal import kinds, words
from model.core.journal.file import rows
from model.core.journal.over_time import Outage
from model.core.journal.past import GRANT
from model.core.measures import CHANCE_IN_WORDS
from model.ground.text import in_a_row
from model.views.differences import (
    CAUSES,
    END,
    Difference,
    Run,
    cost,
    differences,
    divergence,
    end,
    is_chance,
    weight,
)
from model.views.flow import intervals
from model.views.outcomes import Outcome, in_a_line, spent

_MOST, _MOST_OF_ALL = 400, 1_200  # differences of two runs, and of all pairs, that the page has
#: Where messages got lost, by the reason that their records give.
_REASONS = {
    **{"loss": "under way", "partition": "to nodes beyond a partition"},
    **{"crash": "to what was down", "away": "to nodes that were not there"},
}
_MOST_NAMED = 3  # outages, or jobs of a fate
_HANG = "waiting for a grant in vain"
#: How things that failed are told of.
_FAILED = {
    kinds.Paused.name: "was paused",
    kinds.Absent.name: "was absent",
    kinds.Gone.name: "left",
}
_FAILED |= {kinds.Failed.name: "given up"}
_MOST_LOST = 3  # parts of a job's time that are named
_COMPUTING, _SWITCHED_OUT = words.SPENT["computing"], words.SPENT[kinds.ECHO]
_Broken = Mapping[str, Sequence[str]]  # what broke in each run, in sentences
_NOT_LOST = (_COMPUTING, _SWITCHED_OUT, words.SPENT["waiting"])


def opening(runs: Sequence[Run], shown: Sequence[str], job: int | None) -> dict[str, object]:
    """The runs to open on, and a story of each run and of each two, by their names.

    A story has its job, sentences, and of two runs their differences. `shown` names the one or two
    runs to open on, and `job` is the job that is asked for, if any.
    """
    broken = {run.design: _broken(run) for run in runs}
    stories = {run.design: _of_one(run, job, broken) for run in runs}
    pairs = {f"{one.design}|{other.design}": (one, other) for one, other in combinations(runs, 2)}
    most = min(_MOST, _MOST_OF_ALL // max(1, len(pairs)))
    stories |= {names: _of_two(pair, job, broken, most) for names, pair in pairs.items()}
    first = shown or [
        run.design for run in max(pairs.values(), key=lambda it: weight(*it), default=runs)
    ]
    return {"runs": [*first], "stories": stories}


def _of_two(
    pair: tuple[Run, Run], job: int | None, broken: _Broken, most: int
) -> dict[str, object]:
    found = differences(*pair)
    apart = divergence(*pair, found) if job is None else None
    job = job if apart is None else apart.job
    names = " and ".join(run.design for run in pair)
    texts = [] if found else [f"This journal shows no difference between {names}."]
    if found and job is not None and all(job in run.outcomes for run in pair):
        texts = _apart(pair, job, found, broken)
    return {
        "job": job,
        "sentences": texts,
        "differences": {"all": len(found), "some": [list(it) for it in found[:most]]},
    }


def _apart(
    pair: tuple[Run, Run], job: int, found: Sequence[Difference], broken: _Broken
) -> list[str]:
    """Where they diverge, what that cost the job, and what others lost by it."""
    one, other = pair
    both = [run.outcomes[job] for run in pair]
    names = f"{one.design} and {other.design}"
    texts = []
    first = divergence(one, other, [it for it in found if it.job == job])
    if first is not None:
        is_first = first == divergence(one, other, found)
        verb = "diverge" if is_first else f"first differ in job {job}"
        texts.append(f"{names} {verb} at {words.time(first.time_ns)}: {first.text}.")
        others = [it for it in found if it.sort in CAUSES and it.time_ns < first.time_ns]
        if first.sort != END and cost(*both):
            texts.append(f"At the end {end([run.design for run in pair], both)}.")
        if is_first and others:
            before = min(others, key=lambda it: it.time_ns)
            texts.append(f"Already at {words.time(before.time_ns)} {before.text}.")
    texts += [_stuck(f"Under {run.design} it", run.outcomes[job]) for run in pair]
    texts.append(_whole(pair))
    texts += [text for run in pair for text in broken[run.design]]
    return [text for text in texts if text]


def _whole(pair: tuple[Run, Run]) -> str:
    """What the difference comes to over all jobs; empty of less than two that end under both."""
    one, other = (run.outcomes for run in pair)
    both = [(it.response_ns, other[job].response_ns) for job, it in one.items() if job in other]
    ended = [(a, b) for a, b in both if a is not None and b is not None]
    if len(ended) < 2:
        return ""
    means = [float(mean) for mean in np.mean(ended, axis=0)]
    of_each = [f"{words.span(mean)} ({run.design})" for mean, run in zip(means, pair, strict=True)]
    count = len({*one, *other})
    which = f"all {count} jobs"
    if len(ended) < count:
        which = f"the {len(ended)} of {count} jobs that end under both"
    return f"Mean response time over {which}: {', '.join(of_each)}: {_apart_by(pair, means)}."


def _apart_by(pair: tuple[Run, Run], means: Sequence[float]) -> str:
    """By how much means differ, and whether chance may make that."""
    share = abs(means[0] - means[1]) / min(means)
    if share == 0:
        return "no difference"
    sweep = "Compare several seeds, as a sweep (run.py sweep)"
    if is_chance(*means):
        percent = f"{100 * share:.2g}" if share > 1e-4 else "less than 0.01"
        return f"{percent} % apart, which chance alone may make (up to {CHANCE_IN_WORDS}). {sweep}"
    longer = f"{100 * share:.0f} % longer" if share < 1 else f"{1 + share:.3g} times as long"
    text = f"{longer} under {pair[int(means[1] > means[0])].design}"
    if any(len(run.recording.of_kinds(kinds.Lost, kinds.Crashed)) for run in pair):
        by_chance = f"up to {CHANCE_IN_WORDS} without them"
        return f"{text}. Faults add to what chance makes ({by_chance}). {sweep}"
    return f"{text}; chance alone makes up to {CHANCE_IN_WORDS}"


def _lost_most(run: Run) -> int | None:
    """The job that never ended, or else whose time went most to other things than computing."""

    def lost(job: int) -> tuple[bool, float, float]:
        outcome = run.outcomes[job]
        parts = outcome.spent_ns
        lost_ns = sum(part for name, part in parts.items() if name not in _NOT_LOST)
        return outcome.end_ns is None, lost_ns, sum(parts.values())

    return max(run.outcomes, key=lost, default=None)


def _of_one(run: Run, job: int | None, broken: _Broken) -> dict[str, object]:
    job = _lost_most(run) if job is None else job
    known = None if job is None else run.outcomes.get(job)
    return {"job": job, "sentences": [] if known is None else _alone(run, known, broken)}


def _alone(run: Run, outcome: Outcome, broken: _Broken) -> list[str]:
    """What its time went to, what it asked for, and what was in vain."""
    job, texts = outcome.job, []
    parts = dict(sorted(outcome.spent_ns.items(), key=lambda part: -part[1]))
    computing, switched_out = (parts.pop(it, 0.0) for it in (_COMPUTING, _SWITCHED_OUT))
    if outcome.response_ns is not None and parts:
        named = [spent(name, part) for name, part in [*parts.items()][:_MOST_LOST]]
        most = " lost most" if job == _lost_most(run) else ""
        texts.append(
            f"Job {job}{most}: of the {words.span(outcome.response_ns)} from its submission to its "
            f"end, {', '.join(named)}; it computed for {words.span(computing)}"
            + (f" and was switched out for {words.span(switched_out)}." if switched_out else ".")
        )
    elif outcome.is_given_up:
        texts.append(
            f"Job {job} was given up at {words.time(outcome.first_ns[kinds.Failed.name])}."
        )
    elif outcome.end_ns is None and kinds.Submitted.name in outcome.first_ns:
        started = "has started" if kinds.Started.name in outcome.first_ns else "never started"
        texts.append(f"Job {job} {started} and never ended.")
        if outcome.unended is not None and outcome.unended.attempt is None:
            texts.append(f"It has been {outcome.unended}.")
    if run.recording.scenario.lends_memory:
        for number, attempt in enumerate(outcome.attempts, 1):
            told = in_a_line(attempt.told(run.last_ns, has_ended=True))
            texts.append(f"Attempt {number}: {told}.")
    texts += broken[run.design]
    if (finding := run.recording.finding) is not None:  # of a path, whose steps take a second each
        texts.insert(0, f"In the end {finding}.")
    return texts


def _stuck(subject: str, outcome: Outcome) -> str:
    """What a job that never ends waits for, since when, and in which attempt; else empty."""
    if outcome.unended is None:
        return ""
    number = len(outcome.attempts)
    which = f" is in attempt {number}, and" if number > 1 and outcome.unended.attempt else ""
    return f"{subject}{which} has been {outcome.unended}."


def _broken(run: Run) -> list[str]:
    """What was lost in a run, what crashed, and which jobs never end; empty if nothing failed."""
    lost = run.recording.of_kinds(kinds.Lost)
    why = Counter(str(kinds.Lost.words(record).get("by", "unknown")) for record in rows(lost))
    failed = []
    if why:
        of_each = [f"{number:,} {_REASONS.get(by, by)}" for by, number in why.items()]
        [only, *others] = why
        reasons = ", ".join(of_each) if others else _REASONS.get(only, only)
        verb = "was" if len(lost) == 1 else "were"
        noun = "message" if run.recording.in_detail else "protocol message"
        failed.append(f"{words.count(len(lost), noun)} {verb} lost ({reasons})")
    outages = sorted(run.recording.outages, key=lambda it: (it.start_ns, it.node))
    failed += _few([(it.node, _outage(it)) for it in outages], "outage", "node")
    if not failed:
        return []
    left = [it for it in run.outcomes.values() if it.end_ns is None]
    if not left:
        return [f"Under {run.design} {in_a_row([*failed, 'all jobs end'])}."]
    verb = "end" if len(left) > 1 else "ends"
    never = f"{len(left)} of {words.count(len(run.outcomes), 'job')} never {verb}"
    return [
        f"Under {run.design} {in_a_row(failed)}.",
        f"Under {run.design} {never}: {in_a_row(_fates(left))}.",
    ]


def _outage(it: Outage) -> str:
    """Which node, or servent of which node, was down, and from when to when."""
    whose = f"node {it.node}" if it.what == "node" else f"the servent of node {it.node}"
    until = "to the end" if it.lasts else f"until {words.time(it.end_ns)}"
    return f"{whose} {_FAILED.get(it.how, it.how)} at {words.time(it.start_ns)} ({until})"


def _fates(left: Sequence[Outcome]) -> list[str]:
    """What jobs do that have no end: how many of each kind, and since when the first of them."""
    fates: dict[str, list[tuple[int, str]]] = {}
    for it in left:
        now, (fate, since_ns) = it.unended, next(reversed(it.first_ns.items()))
        if now is not None:
            doom_ns = None if now.attempt is None else now.attempt.doomed_ns
            fate = _HANG if now.state == GRANT else now.state  # as under a Gantt chart
            since_ns = now.since_ns if doom_ns is None else doom_ns
        which = f" in attempt {len(it.attempts)}" if len(it.attempts) > 1 else ""
        text = f"job {it.job} since {words.time(since_ns)}{which}"
        fates.setdefault(_FAILED.get(fate, fate), []).append((it.job, text))
    found = []
    for fate, its in fates.items():
        which = in_a_row(_few(its, "job", "job"))
        found.append(f"{len(its)} {'is' if len(its) == 1 else 'are'} {fate} ({which})")
    return found


def _few(told: Sequence[tuple[int, str]], what: str, whose: str) -> list[str]:
    """Texts about nodes or jobs; of many only the first, and then the numbers of the others."""
    if len(told) <= _MOST_NAMED + 1:
        return [text for _, text in told]
    rest = told[_MOST_NAMED:]
    others = intervals(sorted({number for number, _ in rest}))
    plural = "s" * (len(rest) > 1 and others != [str(rest[0][0])])
    more = f"{words.count(len(rest), f'more {what}')} ({whose}{plural} {', '.join(others)})"
    return [*(text for _, text in told[:_MOST_NAMED]), more]
