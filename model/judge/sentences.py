"""What is known of a question, in sentences."""

from collections.abc import Iterator, Sequence

from model.judge.costs import costs
from model.judge.judging import NO_FAULT, Judgement
from model.judge.tuning import DEFAULT, DRAWN
from model.judge.verdicts import EQUAL, FAILED, FASTER, FEWEST, MARGIN, OPEN, SLOWER, Verdict
from model.pnr.measures import PAGING

_COLLAPSED = 1.25  # times as slow as disk paging


def sentences(judgement: Judgement) -> list[str]:
    """Three on each design, and what puts them into doubt."""
    names = judgement.question.designs
    if judgement.tuned:  # many designs: what they cost, and what faults do, is in the tables
        told = [*_tuned(judgement), *(next(in_three(judgement, name)) for name in names)]
        return [*told, *_remarks(judgement)]
    told = [line for name in names for line in in_three(judgement, name)]
    return [*told, *_remarks(judgement)]


def _tuned(judgement: Judgement) -> Iterator[str]:
    """What a search of parameters has found, as far as other windows confirm it."""
    question, ways = judgement.question, {by for by, _ in judgement.tuned}
    if ways == {DEFAULT}:
        yield "No setting that was tried is better than the default."
        return
    default = next(iter(question.bases))
    says = {name: judgement.verdict(name, default).says for name in question.designs}
    faster = [name for name in says if says[name] == FASTER]
    found = (
        f"{_listed(faster)} {'is' if len(faster) == 1 else 'are'}" if faster else "No setting is"
    )
    unseen = "on windows that the search has not seen"
    yield f"{found} surely faster than the default, {default}, {unseen}."
    if DRAWN not in ways:
        yield "No time was left for as many runs of random draws (--minutes)."
    messages = {row["design"]: row["messages_per_job"] for row in costs(judgement)}
    fewer = {name: messages[name] for name in says if name in messages and says[name] != SLOWER}
    least = min(fewer, key=fewer.__getitem__, default=default)
    if messages and fewer[least] < messages[default]:
        yield (
            f"The fewest messages, without being surely slower: {least}, {fewer[least]:,.1f} a job "
            f"({default} {messages[default]:,.1f})."
        )


def in_three(judgement: Judgement, design: str) -> Iterator[str]:
    """Whether it is faster, what it costs, and what faults do to it."""
    kinds = {FASTER: "faster than {}", SLOWER: "slower than {}"}
    kinds |= {EQUAL: f"equal to {{}} within {100 * MARGIN:g} %", OPEN: "not decided against {}"}
    kinds |= {FAILED: "not comparable with {}"}
    bases: dict[str, list[str]] = {says: [] for says in kinds}
    for base in judgement.question.bases:
        it = judgement.verdict(design, base)
        bases[it.says].append(_with_ratio(base, it))
    parts = [kinds[says].format(_listed(own)) for says, own in bases.items() if own]
    yield f"{design} is {_listed(parts)}."
    rows = {row["design"]: row for row in costs(judgement)}
    if design in rows:
        own = rows.pop(design)
        others = ", ".join(f"{name} {row['messages_per_job']:,.1f}" for name, row in rows.items())
        unused = "" if own["not_used_pct"] is None else f", {own['not_used_pct']:.0f} % of no use"
        yield f"It sends {own['messages_per_job']:,.1f} messages a job ({others}){unused}."
    if told := "; ".join(_faults(judgement, design)):
        yield f"{told[0].upper()}{told[1:]}."


def _faults(judgement: Judgement, design: str) -> Iterator[str]:
    for it in judgement.damages:
        if it.design == design and it.why:
            yield f"with lost messages and a crash it fails: {it.why}"
        elif it.design == design:
            times = it.slowdown
            slower = "" if times is None else f", and others take {times:.2f} times as long"
            yield (
                f"with lost messages and a crash {it.stuck} of {it.jobs} jobs never end, "
                f"{it.leaked_mb:,.1f} MB stay lent{slower}"
            )
    own = [it for it in judgement.searches if it.design == design]
    broken = [it for it in own if it.is_broken]
    if broken:
        complaint = broken[0].said.partition(", after")[0]
        faults = [it.fault for it in broken if it.fault != NO_FAULT]
        what = f"one {_listed(faults, 'or')}" if broken[0].fault != NO_FAULT else "no fault at all"
        yield f"it takes {what} to break it: {complaint}"
    elif own:
        yield "no loss, duplicate or crash broke it in what was searched"


def _with_ratio(base: str, it: Verdict) -> str:
    if it.says == FAILED or it.windows < FEWEST:
        return base
    return f"{base} ({it.ratio:.3f} times its response time)"


def _listed(parts: Sequence[str], conjunction: str = "and") -> str:
    *most, last = parts
    return f"{', '.join(most)} {conjunction} {last}" if most else last


def _remarks(judgement: Judgement) -> Iterator[str]:
    """Why a pair is not decided, and what puts verdicts into doubt."""
    bases: dict[tuple[str, str], list[str]] = {}  # by design, and why it is not decided
    failed: dict[str, None] = {}
    for (design, base), it in judgement.verdicts.items():
        if it.says == FAILED:
            failed[f"{it.why}."] = None
        elif it.says == OPEN:
            why = _needed(judgement, it) if it.windows >= FEWEST else _too_few(judgement, design)
            bases.setdefault((design, why), []).append(base)
        elif it.same:
            yield (
                f"{design} and {base} did the very same in {it.windows} windows, message by "
                "message: on these jobs they are one design."
            )
    for (design, why), own in bases.items():
        yield f"{design} against {_listed(own)}: {why}."
    yield from failed
    for found in judgement.searches:
        if found.is_broken:
            declared = judgement.question.designs[found.design]
            yield f"run.py explore {declared} {found.options} tells how {found.design} breaks."
            break
    yield from _collapse(judgement)


def _needed(judgement: Judgement, it: Verdict) -> str:
    there = len(judgement.question.windows.scarce)
    if it.needed is None:
        return "no number of windows like these would decide it"
    if it.needed > there:
        return f"some {it.needed:,} windows would decide it, but the log has {there:,}"
    return f"some {it.needed:,} of the log's {there:,} windows would decide it (--minutes)"


def _too_few(judgement: Judgement, design: str) -> str:
    ended = {name: len(judgement.windows_with(name)) for name in judgement.question.declared}
    own = ended.pop(design)
    others = ", ".join(f"{name} {count}" for name, count in ended.items())
    return f"{own} windows have ended, and a verdict needs {FEWEST} (--minutes); {others}"


def _collapse(judgement: Judgement) -> Iterator[str]:
    """Whether every design that lends is far slower than disk paging."""
    means = {row["design"]: row["mean_response_s"] for row in costs(judgement)}
    paging_s = means.pop(PAGING, None)
    if paging_s and means and min(means.values()) >= _COLLAPSED * paging_s:
        least = min(means.values()) / paging_s
        yield (
            f"On this network lending collapses: every design takes at least {least:.2f} times as "
            "long as disk paging, so a difference between designs says little; give it a larger "
            "--bandwidth-mbps, or another --topology."
        )
