"""What is known of a question as tables of pandas, and as texts for the terminal and the page."""

from collections.abc import Iterator
from dataclasses import asdict, dataclass
from html import escape
from math import inf

import pandas as pd

from model.core.measures import Table
from model.judge.costs import COSTS, costs
from model.judge.judging import Judgement
from model.judge.sentences import sentences
from model.judge.verdicts import FAILED, Verdict


@dataclass(frozen=True)
class Judged:
    """A judgement as tables of pandas, with units in the names of their columns."""

    judgement: Judgement

    @property
    def verdicts(self) -> pd.DataFrame:
        """A row for each pair; ratios are of mean response times, design to base."""
        verdicts = self.judgement.verdicts.items()
        rows = [{"design": it[0], "against": it[1], **asdict(found)} for it, found in verdicts]
        return pd.DataFrame(rows).astype({"needed": "Int64"})

    @property
    def tuned(self) -> pd.DataFrame:
        """A row for each setting that a search of parameters has found, from its own windows."""
        rows = [{"found_by": by, **of._asdict()} for by, of in self.judgement.tuned]
        return pd.DataFrame(rows)

    @property
    def costs(self) -> pd.DataFrame:
        """A row for each design: means over the windows that all of them have run in."""
        return pd.DataFrame(costs(self.judgement))

    @property
    def robustness(self) -> pd.DataFrame:
        """A row for each design: what came of faults in some windows."""
        return pd.DataFrame(map(asdict, self.judgement.damages))

    @property
    def searches(self) -> pd.DataFrame:
        """A row for each design that is judged, and each fault that was tried at any moment."""
        rows = [(it.design, it.fault, it.is_broken, it.said) for it in self.judgement.searches]
        return pd.DataFrame(rows, columns=["design", "fault", "is_broken", "said"])

    @property
    def windows(self) -> pd.DataFrame:
        """A row for each window, in the order of the rule, with mean response times by design."""
        question = self.judgement.question
        windows = question.windows.scarce
        table = pd.json_normalize([asdict(window) for window in windows])
        for name in question.declared:
            found = [self.judgement.result(place, name) for place in range(len(windows))]
            times_s = [it["summary"]["mean_response_s"] if it else None for it in found]
            table[f"mean_response_s.{name}"] = pd.Series(times_s, dtype=float)
        return table

    def __repr__(self) -> str:
        return "\n".join(sentences(self.judgement))

    def _repr_html_(self) -> str:
        told = "".join(f"<p>{escape(sentence)}</p>" for sentence in sentences(self.judgement))
        shown = [
            f"<p>{escape(it.title or '')}</p>{pd.DataFrame(it.lines, columns=it.columns).to_html()}"
            for it in tables(self.judgement)
        ]
        return told + "".join(shown)


def tables(judgement: Judgement) -> Iterator[Table]:
    """What the terminal and the page show."""
    if judgement.tuned:
        title = (
            "settings found on other windows than those below; response: mean response time, in "
            "multiples of the default's"
        )
        lines = [
            [of.declared, by, f"{of.response:.3f}", f"{of.messages:,.1f}", f"{of.windows}"]
            for by, of in judgement.tuned
        ]
        headings = ["response", "messages a job", "windows"]
        yield Table(["setting", "found by"], headings, lines, title)
    title = "verdicts; response: mean response time, in multiples of the other design's"
    headings = ["response", "95 % interval", "windows"]
    lines = [[*pair, it.says, *_numbers(it)] for pair, it in judgement.verdicts.items()]
    yield Table(["design", "against", "verdict"], headings, lines, title)
    if rows := costs(judgement):
        title = f"cost: means over {_windows(rows[0]['windows'])} in which all of these ran"
        known = [cost for cost in COSTS if any(row[cost.name] is not None for row in rows)]
        lines = [[row["design"], *(_text(row[it.name], it.form) for it in known)] for row in rows]
        yield Table(["design"], [cost.heading for cost in known], lines, title)
    if judgement.damages:
        ran = _windows(judgement.damages[0].windows)
        title = f"{ran} with 2 % of protocol messages lost and a crash of node 0's servent"
        headings = ["jobs stuck", "leaked, MB", "response, of that without faults"]
        lines = [
            [
                it.design,
                "failed" if it.why else f"{it.stuck} of {it.jobs}",
                _text(it.leaked_mb, "{:,.1f}"),
                _text(it.slowdown, "{:.3f}"),
            ]
            for it in judgement.damages
        ]
        yield Table(["design"], headings, lines, title)
    if judgement.searches:
        title = "one fault, at any moment, in all orders of messages"
        lines = [[it.design, it.fault, it.said] for it in judgement.searches]
        yield Table(["design", "fault", "what comes of it"], [], lines, title)


def _numbers(it: Verdict) -> tuple[str, str, str]:
    if it.says == FAILED or not it.windows:
        return "-", "-", f"{it.windows}"
    interval = f"{it.low:.3f} to {it.high:.3f}" if it.high < inf else "-"
    return f"{it.ratio:.3f}", interval, f"{it.windows}"


def _windows(count: int) -> str:
    return f"{count} window{'s' * (count > 1)}"


def _text(value: float | None, form: str) -> str:
    return "-" if value is None else form.format(value)
