"""Findings of a paper beside what was measured: statements, their claims in numbers, verdicts.

A claim says in which range a number should be. It holds or fails if the 95 % interval over the
seeds lies inside the range or outside; else it is open. `thesis_findings.py` has the thesis's,
`model/sharing/*/findings.py` those of the load sharing papers.
"""

from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass
from itertools import groupby
from math import inf
from typing import Any, NamedTuple

from model.sweeps.statistics import Estimate

REPRODUCED = "reproduced"
PARTLY = "partly reproduced"
NOT_REPRODUCED = "not reproduced"
OPEN = "cannot be told"
VERDICTS = (REPRODUCED, PARTLY, NOT_REPRODUCED, OPEN)
_MARKS = {True: "yes", False: "no", None: "open"}


class Part(NamedTuple):
    """One measured quantity of a claim, whose it is, and whether it lies in the claim's range."""

    name: str
    value: Estimate | None  # None: no runs
    holds: bool | None


@dataclass(frozen=True)
class Claim:
    """That a quantity lies in a range, for all of its parts or, if so said, for most."""

    says: str
    parts: list[Part]
    most: bool = False

    @property
    def answers(self) -> list[bool | None]:
        """Whether it holds: for each part, or once for most of them; None where it is open."""
        found = [part.holds for part in self.parts]
        if not self.most:
            return found
        half = len(found) / 2
        return [True if found.count(True) > half else False if found.count(False) >= half else None]


#: Makes claims of measurements.
Claims = Callable[[Any], Iterable[Claim]]


@dataclass(frozen=True)
class Finding:
    """A statement of a paper, in which section, its claims, and what explains a difference."""

    topic: str
    section: str
    statement: str
    claims: tuple[Claims, ...]
    why: str = ""

    def judge(self, measurements: Any) -> "Judged":
        """Hold the claims against what was measured."""
        return Judged(self, [claim for claims in self.claims for claim in claims(measurements)])


@dataclass(frozen=True)
class Judged:
    """A finding with its claims as measured."""

    finding: Finding
    claims: list[Claim]

    @property
    def verdict(self) -> str:
        """Reproduced if all claims hold, partly if some hold and some fail."""
        answers = [answer for claim in self.claims for answer in claim.answers]
        if False in answers:
            return PARTLY if True in answers else NOT_REPRODUCED
        return OPEN if None in answers else REPRODUCED

    @property
    def missing(self) -> bool:
        """Whether runs that it needs are not stored."""
        return any(part.value is None for part in self._parts)

    @property
    def single(self) -> bool:
        """Whether it is open for want of further seeds."""
        return any(part.holds is None and part.value.n == 1 for part in self._parts if part.value)

    @property
    def _parts(self) -> list[Part]:
        return [part for claim in self.claims for part in claim.parts]


def inside(value: Estimate | None, low: float, high: float) -> bool | None:
    """Whether a value is surely in [low, high], or surely not; None if that is open.

    It is of a value without an interval.
    """
    if value is None:
        return None
    if low <= value.low and value.high <= high:
        return True
    return False if value.high < low or high < value.low else None


def claim(
    says: str,
    parts: list[tuple[str, Estimate | None]],
    low: float,
    high: float,
    most: bool = False,
) -> Claim:
    """That a quantity of each part, by name, lies from `low` to `high`; see `inside`."""
    judged = [Part(name, value, inside(value, low, high)) for name, value in parts]
    return Claim(says, judged, most)


def in_range(low: float, high: float, unit: str) -> str:
    """The range in words."""
    if high == inf:
        return f"above {low:,.4g}{unit}"
    if low == -inf:
        return f"below {high:,.4g}{unit}"
    return f"{low:,.4g} to {high:,.4g}{unit}"


def near(value: float, percent: float) -> tuple[float, float]:
    """The range around a number that is so many percent of it wide to each side."""
    return value * (1 - percent / 100), value * (1 + percent / 100)


def table(headings: Sequence[str], rows: Iterable[Sequence[str]]) -> Iterator[str]:
    """The lines of a table in Markdown, and an empty one."""
    yield _row(headings)
    yield "|---" * len(headings) + "|"
    for row in rows:
        yield _row(row)
    yield ""


def _row(cells: Sequence[str]) -> str:
    return "".join(f"| {cell} " if cell else "| " for cell in cells) + "|"


def summary(judged: list[Judged]) -> Iterator[str]:
    """The lines of a table with a row a finding."""
    rows = [
        (str(number), f"{one.finding.topic}. {one.finding.statement}", _verdict(one))
        for number, one in enumerate(judged, start=1)
    ]
    yield from table(("", "Finding", "Verdict"), rows)


def details(judged: list[Judged]) -> Iterator[str]:
    """The lines that say of each finding which numbers decide it."""
    numbered = enumerate(judged, start=1)
    for topic, group in groupby(numbered, key=lambda item: item[1].finding.topic):
        yield f"## {topic}"
        yield ""
        for number, one in group:
            finding = one.finding
            yield f"**{number}. {finding.statement}** (§ {finding.section}) {_verdict(one)}."
            yield ""
            for claim in one.claims:
                told = ", ".join(
                    f"{part.name} {_number(part.value)} {_MARKS[part.holds]}"
                    for part in claim.parts
                    if part.value is not None
                )
                lost = [part.name for part in claim.parts if part.value is None]
                missing = f"no runs of {', '.join(lost)}" if lost else ""
                yield f"- {claim.says}: {'; '.join(part for part in (told, missing) if part)}"
            if finding.why:
                yield f"- *Why:* {finding.why}"
            yield ""


def _verdict(one: Judged) -> str:
    if one.verdict != OPEN:
        return one.verdict
    lacks = "runs are missing" if one.missing else "single runs" if one.single else "too close"
    return f"{OPEN}: {lacks}"


def _number(value: Estimate) -> str:
    digits = 0 if abs(value.mean) >= 1000 else 2
    text, half = f"{value.mean:,.{digits}f}", f"± {value.half_width:,.{digits}f}"
    if value.n > 1:
        return f"{text} {half}"
    return f"{text} ({half})" if value.half_width > 0 else text
