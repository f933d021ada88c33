"""A measure is one line in its system's registry; whatever shows measures goes by these lines.

A line has what the measure is called in `summary.json`, what people call it, its unit, how it is
written, and how it is computed. The summary, tables at the terminal and in reports, and tables of
stored results follow from it.
"""

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any

import pandas as pd

SHORT = "short"  # the topic of what the comparison is about
COUNT = "{:,.0f}"  # the form of a whole number, which in a table of results may be a float
#: A run's summary, or a row of results: numbers, texts and groups of them, by name.
Summary = Mapping[str, Any]
#: By up to this share, chance alone (ties, page faults: what the seed draws) moves a design's mean
#: response time. Measured by `run.py sweep tests/benchmarks/chance.toml`, over ten seeds each of 50
#: runs like the README's: 99 of 100 pairs of seeds differ by less, most by less than 1 %; those of
#: CLI in the README's window by up to 17 %.
CHANCE = 0.1
CHANCE_IN_WORDS = f"{100 * CHANCE:.0f} %"
ABSENT = object()  # the value of a measure that a run does not have
BEYOND = "beyond"  # in tables, of a run that was given up, as its jobs take too long


@dataclass(frozen=True)
class Measure:
    """One measure of a run.

    `of` computes it from what the registry measures, a run that has ended or an observer of its
    journal; or else `over_jobs` does, from the table of the jobs that ended, or of those of them
    that are compared. Without either it is no entry of the summary, but a part of one, or `derived`
    from others.
    """

    name: str  # in the summary; a dot leads into a group, as in "faults.restarts"
    heading: str = ""  # in a report
    unit: str = ""  # in which people see it
    form: str = "{:,.2f}"
    of: Callable[[Any], Any] | None = None
    topic: str = ""  # the table to which it belongs; without one it is in none
    column: str = ""  # its heading at the terminal, with the unit; without one it is not there
    scale: float = 1  # what is shown is the value times this
    over_jobs: Callable[[pd.DataFrame], Any] | None = None
    only: Callable[[Any], bool] = lambda _: True  # of what `of` computes it
    derived: Callable[[Summary], Any] | None = None  # what is shown, from a summary

    @property
    def title(self) -> str:
        """The heading with the unit."""
        return f"{self.heading} ({self.unit})" if self.unit else self.heading

    def shown(self, summary: Summary) -> Any:
        """The value that people see, from a run's summary; None if there is none.

        A run that was given up has none.
        """
        if is_beyond(summary):
            return None
        value = value_of(summary, self.name) if self.derived is None else self.derived(summary)
        if value is None or value != value:  # nan: a row of results lacks it
            return None
        return value if self.scale == 1 else self.scale * value

    def text(self, summary: Summary, nothing: str = "-") -> str:
        """The value in words; `nothing` if there is none."""
        value = self.shown(summary)
        if value is None:
            return BEYOND if is_beyond(summary) else nothing
        return self.form.format(value)


@dataclass(frozen=True)
class Table:
    """Lines of cells: `names` head the columns of words, `headings` those of numbers."""

    names: Sequence[str]
    headings: Sequence[str]
    lines: Sequence[Sequence[str]]
    title: str | None = None

    @property
    def columns(self) -> list[str]:
        return [*self.names, *self.headings]


def value_of(summary: Summary, name: str, absent: object = None) -> Any:
    """A value in a summary, perhaps in its groups, or in a row of results, or `absent`."""
    if name in summary:
        return summary[name]
    group, _, rest = name.partition(".")
    if not rest or group not in summary:
        return absent
    inner = summary[group]
    return value_of(inner, rest, absent) if isinstance(inner, Mapping) else None


def is_beyond(summary: Summary) -> bool:
    """Whether a run was given up, as its jobs take too long; from its summary or its row."""
    limit_s = value_of(summary, "beyond.response_s")
    return limit_s is not None and limit_s == limit_s


def without_numbers(values: Mapping[str, object]) -> dict[str, object]:
    """Entries of a summary of a run that was given up: they would depend on when that was."""
    return {
        name: without_numbers(value) if isinstance(value, Mapping) else None
        for name, value in values.items()
    }


def measured(
    measures: Iterable[Measure], source: Any, jobs: pd.DataFrame | None = None
) -> dict[str, Any]:
    """The values that these measures have of a source, in their groups; `jobs` are those ended."""
    values: dict[str, Any] = {}
    for measure in measures:
        if measure.over_jobs is not None:
            value = measure.over_jobs(jobs)
        elif measure.of is not None and measure.only(source):
            value = measure.of(source)
        else:
            continue
        *groups, name = measure.name.split(".")
        place = values
        for group in groups:
            place = place.setdefault(group, {})
        if value is not ABSENT:
            place[name] = value
    return values


def means_over(measures: Iterable[Measure], jobs: pd.DataFrame) -> dict[str, object]:
    """The measures that are over jobs, over these."""
    return measured((measure for measure in measures if measure.over_jobs), None, jobs)


def names_of_means(measures: Iterable[Measure]) -> tuple[str, ...]:
    """The entries of a summary that are over jobs."""
    return tuple(dict.fromkeys(m.name.partition(".")[0] for m in measures if m.over_jobs))


def mean_of(column: str) -> Callable[[pd.DataFrame], object]:
    """The mean of a column of the jobs' table; None of no job, `ABSENT` without such a column."""

    def mean(jobs: pd.DataFrame) -> object:
        if column not in jobs:
            return ABSENT
        return float(jobs[column].mean()) if len(jobs) else None

    return mean


def spread(measure: Measure) -> Sequence[Measure]:
    """A measure whose value is a distribution: its mean and its 95th percentile are shown."""
    name, heading, column = measure.name, measure.heading, measure.column
    mean = replace(measure, name=f"{name}.mean", heading=f"{heading}, mean", of=None)
    p95 = replace(mean, name=f"{name}.p95", heading=f"{heading}, 95th percentile")
    return Measure(name, of=measure.of), mean, replace(p95, column=column and "95 %")


def where(only: Callable[[Any], bool], *measures: Measure) -> Sequence[Measure]:
    """Measures that are taken only where this holds."""
    return tuple(replace(measure, only=only) for measure in measures)


def of_topic(
    measures: Iterable[Measure], topic: str, summaries: Sequence[Mapping[str, object]]
) -> list[Measure]:
    """The measures of a topic that any of these runs has."""
    return [
        measure
        for measure in measures
        if measure.topic == topic and any(_has(summary, measure) for summary in summaries)
    ]


def _has(summary: Summary, measure: Measure) -> bool:
    """Whether a summary has the entry, perhaps without a value, or what is derived instead."""
    if measure.derived is not None and measure.of is None:
        return measure.shown(summary) is not None
    return value_of(summary, measure.name, ABSENT) is not ABSENT
