"""What the page opens on: sentences about what matters most, and the burst that they are about.

There is a story of each design and of each two. The page opens on the two that differ most, in the
job in which they do; of one design it is about the job that lost most.
"""

from collections import Counter
from collections.abc import Mapping, Sequence
from itertools import combinations

from model.core.journal import words
from model.core.journal.file import rows
from model.core.journal.kinds import ECHO, Crashed, Lost, Started, Submitted
from model.core.measures import CHANCE
from model.pnr.waste import REFUSED
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
from model.views.outcomes import Outcome, in_a_line, spent

_CHANCE = f"{100 * CHANCE:.0f} %"
_MOST = 400  # differences of two runs that the page has
#: Where messages got lost, by the reason that their records give.
_REASONS = {
    **{"loss": "under way", "partition": "to nodes beyond a partition"},
    **{"crash": "to what was down", "away": "to nodes that were not there"},
}
_MOST_NAMED = 6  # nodes that crashed, or jobs that never ended
_MOST_LOST = 3  # parts of a job's time that are named
_COMPUTING, _SWITCHED_OUT = words.SPENT["computing"], words.SPENT[ECHO]
_NOT_LOST = (_COMPUTING, _SWITCHED_OUT, words.SPENT["waiting"])


def opening(runs: Sequence[Run], shown: Sequence[str], job: int | None) -> dict[str, object]:
    """The runs to open on, and a story of each run and of each two, by their names.

    A story has its job, sentences, and of two runs their differences. `shown` names the one or two
    runs to open on, and `job` is the job that is asked for, if any.
    """
    broken = {run.design: _broken(run) for run in runs}
    stories = {run.design: _of_one(run, job, broken) for run in runs}
    pairs = {f"{one.design}|{other.design}": (one, other) for one, other in combinations(runs, 2)}
    stories |= {names: _of_two(pair, job, broken) for names, pair in pairs.items()}
    first = shown or [
        run.design for run in max(pairs.values(), key=lambda it: weight(*it), default=runs)
    ]
    return {"runs": [*first], "stories": stories}


def _of_two(pair: tuple[Run, Run], job: int | None, broken: Mapping[str, str]) -> dict[str, object]:
    """The story of two runs, about a job or the one in which they diverge."""
    found = differences(*pair)
    apart = divergence(*pair, found) if job is None else None
    job = job if apart is None else apart.job
    known = job is not None and all(job in run.outcomes for run in pair)
    return {
        "job": job,
        "sentences": _apart(pair, job, found, broken) if known else [],
        "differences": {"all": len(found), "some": [list(it) for it in found[:_MOST]]},
    }


def _apart(
    pair: tuple[Run, Run], job: int, found: Sequence[Difference], broken: Mapping[str, str]
) -> list[str]:
    """Where they diverge, what that cost the job, and what others lost by it."""
    one, other = pair
    names = f"{one.design} and {other.design}"
    if not found:
        return [f"{names} differ in nothing that this journal has."]
    texts = []
    first = divergence(one, other, [it for it in found if it.job == job])
    if first is not None:
        is_first = first == divergence(one, other, found)
        verb = "diverge" if is_first else f"first differ in job {job}"
        texts.append(f"{names} {verb} at {words.time(first.time_ns)}: {first.text}.")
        others = [it for it in found if it.sort in CAUSES and it.time_ns < first.time_ns]
        if first.sort == END and is_first and others:
            before = min(others, key=lambda it: it.time_ns)
            texts.append(f"Already at {words.time(before.time_ns)} {before.text}.")
        elif first.sort != END and cost(one.outcomes[job], other.outcomes[job]):
            texts.append(_capital(end(pair, job)) + ".")
    texts += [_stuck(f"Under {run.design} it", run.outcomes[job]) for run in pair]
    texts += _whole(pair, job)
    texts += [broken[run.design] for run in pair]
    return [text for text in texts if text]


def _whole(pair: tuple[Run, Run], job: int) -> list[str]:
    """What the difference comes to over all jobs, and which other job it costs most."""
    one, other = (run.outcomes for run in pair)
    ended = [
        number
        for number in one
        if number in other and None not in (one[number].response_ns, other[number].response_ns)
    ]
    if len(ended) < 2:
        return []
    means = [
        sum(of[number].response_ns or 0 for number in ended) / len(ended) for of in (one, other)
    ]
    of_each = [f"{words.span(mean)} ({run.design})" for mean, run in zip(means, pair, strict=True)]
    count = len({*one, *other})
    which = f"all {count} jobs"
    if len(ended) < count:
        which = f"the {len(ended)} of {count} jobs that end under both"
    texts = [f"Mean response time over {which}: {', '.join(of_each)}, {_apart_by(pair, means)}."]
    others = [number for number in ended if number != job]
    most = max(others, key=lambda number: cost(one[number], other[number]))
    if not is_chance(*means) and cost(one[most], other[most]) > 0.01 * cost(one[job], other[job]):
        texts.append(f"Of the others, {end(pair, most)}.")
    return texts


def _apart_by(pair: tuple[Run, Run], means: Sequence[float]) -> str:
    """By how much means differ, and whether chance may make that."""
    share = abs(means[0] - means[1]) / min(means)
    if share == 0:
        return "no difference"
    sweep = "compare several seeds, as a sweep (run.py sweep)"
    if is_chance(*means):
        percent = f"{100 * share:.2g}" if share > 1e-4 else "less than 0.01"
        return f"{percent} % apart: chance alone may make that (up to {_CHANCE}); {sweep}"
    longer = f"{100 * share:.0f} % longer" if share < 1 else f"{1 + share:.3g} times as long"
    text = f"{longer} under {pair[int(means[1] > means[0])].design}"
    if any(len(run.recording.of_kinds(Lost, Crashed)) for run in pair):
        return f"{text}: with faults, what is lost is chance, too; {sweep}"
    return f"{text}: chance alone makes up to {_CHANCE}"


def _lost_most(run: Run) -> int | None:
    """The job that never ended, or else whose time went most to other things than computing."""

    def lost(job: int) -> tuple[bool, float, float]:
        outcome = run.outcomes[job]
        parts = outcome.spent_ns
        lost_ns = sum(part for name, part in parts.items() if name not in _NOT_LOST)
        return outcome.end_ns is None, lost_ns, sum(parts.values())

    return max(run.outcomes, key=lost, default=None)


def _of_one(run: Run, job: int | None, broken: Mapping[str, str]) -> dict[str, object]:
    """The story of a run, about a job or the one that lost most."""
    job = _lost_most(run) if job is None else job
    texts = _alone(run, run.outcomes[job], broken) if job in run.outcomes else []
    return {"job": job, "sentences": texts}


def _alone(run: Run, outcome: Outcome, broken: Mapping[str, str]) -> list[str]:
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
    elif outcome.end_ns is None and Submitted.name in outcome.first_ns:
        started = "has started" if Started.name in outcome.first_ns else "never started"
        texts += [f"Job {job} {started} and never ended.", _stuck("It", outcome)]
    for attempt in outcome.attempts:
        if len(outcome.attempts) > 1:
            texts.append(f"It was {in_a_line(attempt.told(run.last_ns, has_ended=True))}.")
        elif attempt.asked:
            lenders = len(attempt.lenders)
            wanted, missing = sum(attempt.asked.values()), sum(attempt.unmet.values())
            texts.append(
                f"It asked for {words.amount(wanted)} at "
                f"{words.span(min(attempt.asked_ns.values()))}; "
                f"{words.count(lenders, 'node') if lenders else 'no nodes'} lent to it"
                + (f", and {words.amount(missing)} is missing." if missing else " all of that.")
            )
    sent = sum(count for count, _ in outcome.sizes.values())
    refused = outcome.uses(run.use_of)[REFUSED]
    if sent:
        verb = "was" if sent == 1 else "were"
        text = f"{words.count(sent, 'message')} {verb} sent about it"
        texts.append(
            text + (f", {words.count(refused, 'refusal')} among them." if refused else ".")
        )
    texts.append(broken[run.design])
    if (finding := run.recording.finding) is not None:  # of a path, whose steps take a second each
        texts.insert(0, f"In the end {finding}.")
    return [text for text in texts if text]


def _stuck(subject: str, outcome: Outcome) -> str:
    """What a job that never ends waits for, since when and since which record; else empty."""
    return "" if outcome.unended is None else f"{subject} has been {outcome.unended}."


def _broken(run: Run) -> str:
    """What was lost in a run, what crashed, and which jobs never end; empty if nothing failed."""
    lost = run.recording.of_kinds(Lost)
    why = Counter(Lost.words(record).get("by", "unknown") for record in rows(lost))
    crashed = run.recording.of_kinds(Crashed)
    failed = []
    if why:
        of_each = [f"{number:,} {_REASONS.get(by, by)}" for by, number in why.items()]
        reasons = _REASONS.get(*why, *why) if len(why) == 1 else ", ".join(of_each)
        verb = "was" if len(lost) == 1 else "were"
        failed.append(f"{words.count(len(lost), 'message')} {verb} lost ({reasons})")
    with_node = crashed.duplicated(["time_ns", "node"])  # a node takes its servent with it
    for what, its in crashed[~with_node].groupby("what", sort=False):
        nodes = its["node"].tolist()
        failed.append(f"{words.count(len(nodes), what)} crashed ({_few(nodes)})")
    if not failed:
        return ""
    never = [job for job, it in run.outcomes.items() if it.unended is not None]
    ends = f"{words.count(len(never), 'job')} never ended ({_few(never)})" if never else ""
    return f"Under {run.design} {_listed([*failed, ends or 'all jobs ended'])}."


def _few(numbers: Sequence[int]) -> str:
    few = ", ".join(map(str, dict.fromkeys(numbers)))
    return few if len(numbers) <= _MOST_NAMED else f"{', '.join(few.split(', ')[:_MOST_NAMED])}, …"


def _listed(texts: Sequence[str]) -> str:
    return " and ".join(filter(None, [", ".join(texts[:-1]), texts[-1]]))


def _capital(text: str) -> str:
    return text[:1].upper() + text[1:]
