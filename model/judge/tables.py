"""What is known of a question, in tables and in sentences, for terminal, page and Python."""

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from html import escape
from math import inf
from statistics import fmean
from typing import Any, NamedTuple

import pandas as pd

from model.core.measures import is_beyond
from model.ground.units import BYTES_PER_KB
from model.judge.judging import Judgement
from model.judge.verdicts import EQUAL, FAILED, MARGIN, OPEN, Verdict
from model.pnr.faults import DATA_KINDS
from model.pnr.measures import PAGING, protocol_messages
from model.pnr.waste import MEASURE_OF_USE, WASTED
from model.sweeps.execution import Failure
from model.sweeps.store import Result

_COLLAPSED = 1.25  # times as slow as disk paging


@dataclass(frozen=True)
class Judged:
    """A judgement as tables of pandas, with units in the names of their columns."""

    judgement: Judgement

    @property
    def verdicts(self) -> pd.DataFrame:
        """A row for each pair; ratios are of mean response times, design to base."""
        return verdicts(self.judgement)

    @property
    def costs(self) -> pd.DataFrame:
        """A row for each design: means over the windows that all of them have run in."""
        return pd.DataFrame(_costs(self.judgement))

    @property
    def windows(self) -> pd.DataFrame:
        """A row for each window, in the order of the rule, with mean response times by design."""
        return windows(self.judgement)

    def __repr__(self) -> str:
        return "\n".join(sentences(self.judgement))

    def _repr_html_(self) -> str:
        told = "".join(f"<p>{escape(sentence)}</p>" for sentence in sentences(self.judgement))
        shown = [
            f"<p>{escape(it.title)}</p>{pd.DataFrame(it.lines, columns=it.headings).to_html()}"
            for it in tables(self.judgement)
        ]
        return told + "".join(shown)


@dataclass(frozen=True)
class Shown:
    """A table as people see it: the first `names` of its headings are of columns of words."""

    title: str
    headings: Sequence[str]
    lines: Sequence[Sequence[str]]
    names: int = 1


class Cost(NamedTuple):
    """What is measured of a run, besides time; None where there is nothing to measure."""

    name: str
    heading: str
    form: str
    of: Callable[[Result], float | None]


def _a_job(number: float, result: Result) -> float:
    jobs: int = result["summary"]["jobs"]
    return number / max(1, jobs)


def _messages(result: Result) -> float:
    messages = protocol_messages(result["summary"])
    assert isinstance(messages, int)
    return _a_job(messages, result)


def _kb(result: Result) -> float:
    sizes = result["summary"]["bytes"]
    sent = sum(size for kind, size in sizes.items() if kind not in DATA_KINDS)
    return _a_job(sent, result) / BYTES_PER_KB


def _not_used_pct(result: Result) -> float | None:
    """Of messages that arrived, those that were refusals, about nothing or outdated."""
    summary = result["summary"]
    of_use = {use: sum(summary[name].values()) for use, name in MEASURE_OF_USE.items()}
    total = sum(of_use.values())
    return 100 * sum(of_use[use] for use in WASTED) / total if total else None


def _at_a_manager(result: Result) -> float:
    return _a_job(result["summary"]["busiest_manager_messages"], result)


def _busiest_pct(result: Result) -> float:
    shares: list[float] = [kind["utilization_max"] for kind in result["stations"].values()]
    return 100 * max(shares, default=0)


def _regret_mb(result: Result) -> float | None:
    regret = result["summary"]["regret_mb"]
    return None if regret is None else float(regret["mean"])


COSTS = (
    Cost("mean_response_s", "response, s", "{:,.0f}", lambda it: it["summary"]["mean_response_s"]),
    Cost("messages_per_job", "messages a job", "{:,.1f}", _messages),
    Cost("kb_per_job", "KB a job", "{:,.1f}", _kb),
    Cost("not_used_pct", "not used, %", "{:.0f}", _not_used_pct),
    Cost("busiest_manager_per_job", "busiest manager hears a job", "{:,.1f}", _at_a_manager),
    Cost("busiest_station_pct", "busiest station, %", "{:.1f}", _busiest_pct),
    Cost("regret_mb", "regret, MB", "{:,.2f}", _regret_mb),
)


def verdicts(judgement: Judgement) -> pd.DataFrame:
    rows = [
        {
            "design": design,
            "against": base,
            "verdict": it.says,
            "response_ratio": it.ratio,
            "ratio_low": it.low,
            "ratio_high": it.high,
            "windows": it.windows,
            "windows_needed": it.needed,
        }
        for (design, base), it in judgement.verdicts.items()
    ]
    return pd.DataFrame(rows).astype({"windows_needed": "Int64"})


def _costs(judgement: Judgement) -> Iterator[dict[str, Any]]:
    names = [name for name in judgement.question.declared if _results(judgement, name)]
    common = judgement.windows_with(*names)
    for name in names:
        results = [it for it in _results(judgement, name) if it[0] in common]
        measured = {cost.name: _mean([cost.of(result) for _, result in results]) for cost in COSTS}
        if results:
            yield {"design": name, "windows": len(results), **measured}


def _results(judgement: Judgement, design: str) -> list[tuple[int, Result]]:
    return [
        (window, outcome)
        for window in judgement.windows_with(design)
        if not isinstance(outcome := judgement.outcomes[window, design], Failure)
        and not is_beyond(outcome["summary"])
    ]


def _mean(values: Sequence[float | None]) -> float | None:
    known = [value for value in values if value is not None]
    return fmean(known) if known else None


def windows(judgement: Judgement) -> pd.DataFrame:
    question = judgement.question
    rows = []
    for place, window in enumerate(question.windows.scarce):
        own: dict[str, float | None] = {
            "first": window.first,
            "jobs": window.placed.jobs,
            "seed": window.of(question.scenario).seed,
            "span_h": window.placed.span_s / 3600,
            "short_jobs": window.placed.short,
            "ram_wanted": window.placed.wanted,
            "estimate_s": window.expected_s,
        }
        for name in question.declared:
            outcome = judgement.outcomes.get((place, name))
            summary = outcome["summary"] if isinstance(outcome, dict) else {}
            own[f"response_s.{name}"] = summary.get("mean_response_s")
        rows.append(own)
    return pd.DataFrame(rows)


def tables(judgement: Judgement) -> list[Shown]:
    """What the terminal and the page show."""
    headings = ("design", "against", "verdict", "response", "95 % interval", "windows", "needed")
    title = "response: mean response time, in multiples of the other design's"
    lines = [
        (design, base, it.says, *_numbers(it), _needed(it))
        for (design, base), it in judgement.verdicts.items()
    ]
    found = [Shown(title, headings, lines, names=3)]
    rows = [*_costs(judgement)]
    if rows:
        title = f"cost: means over the {rows[0]['windows']} windows in which all of these ran"
        measured = ["design", *(cost.heading for cost in COSTS)]
        texts = [[row["design"], *(_text(row[it.name], it.form) for it in COSTS)] for row in rows]
        found.append(Shown(title, measured, texts))
    return found


def _numbers(verdict: Verdict) -> tuple[str, str, str]:
    if verdict.says == FAILED or not verdict.windows:
        return "-", "-", str(verdict.windows)
    interval = f"{verdict.low:.3f} to {verdict.high:.3f}" if verdict.high < inf else "-"
    return f"{verdict.ratio:.3f}", interval, str(verdict.windows)


def _needed(verdict: Verdict) -> str:
    if verdict.says != OPEN or verdict.windows < 2:
        return "-"
    return "no number" if verdict.needed is None else f"{verdict.needed:,}"


def _text(value: float | None, form: str) -> str:
    return "-" if value is None else form.format(value)


def sentences(judgement: Judgement) -> list[str]:
    """The verdict on each pair, and what puts the question into doubt."""
    told = [_sentence(judgement, *pair, it) for pair, it in judgement.verdicts.items()]
    return [*told, *_doubts(judgement)]


def _sentence(judgement: Judgement, design: str, base: str, it: Verdict) -> str:
    if it.says == FAILED:
        return f"{design} is not judged against {base}: {it.why}."
    if it.windows < 2:
        return f"{design} is not judged against {base}: both ended in {it.windows} windows."
    interval = f"({it.low:.3f} to {it.high:.3f})"
    times = f"jobs take {it.ratio:.3f} {interval} times as long, in {it.windows} windows"
    if it.same:
        return (
            f"{design} and {base} did the very same in {it.windows} windows, message by message: "
            "on these jobs they are one design."
        )
    if it.says == EQUAL:
        return f"{design} and {base} are equal within {100 * MARGIN:g} %: {times}."
    if it.says != OPEN:
        return f"{design} is {it.says} than {base}: {times}."
    there = len(judgement.question.windows.scarce)
    if it.needed is None:
        more = "no number of windows like these would decide it"
    elif it.needed > there:
        more = f"some {it.needed:,} would decide it, but the log has {there:,}"
    else:
        more = f"some {it.needed:,} would decide it (--minutes), and the log has {there:,}"
    return f"{design} against {base} is open: {times}; {more}."


def _doubts(judgement: Judgement) -> Iterator[str]:
    """Whether lending collapses: every design that lends is far slower than disk paging."""
    names = [name for name in judgement.question.declared if name != PAGING]
    if PAGING not in judgement.question.bases or not judgement.windows_with(PAGING, *names):
        return
    means = {row["design"]: row["mean_response_s"] for row in _costs(judgement)}
    if not {PAGING, *names} <= means.keys():
        return
    least = min(means[name] for name in names) / means[PAGING]
    if least >= _COLLAPSED:
        yield (
            f"On this network lending collapses: every design takes at least {least:.2f} times as "
            "long as disk paging, so a difference between designs says little; give it a larger "
            "--bandwidth-mbps, or another --topology."
        )
