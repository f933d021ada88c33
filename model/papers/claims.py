"""What a paper found, as its `claims.toml` states it, and the numbers that follow from its runs.

An entry of the file is a number, or several, and the range that it should be in:

- `runs`: which runs, by their parameters or by a name from `[named.runs]`, or both (`of`); each
  list of values stands for as many cases, each with numbers of its own. "=a/b" is a value of
  `runs.toml`;
- `design`: whose numbers, by name or by a group from `[named.designs]`;
- `measure`: what is measured, a column of the results or one of `[measures]`; default: the paper's;
- `to`: the design with which it is compared; `to_runs`: in which other runs, given in full or as
  what is varied in the named run;
- `as`: how it is compared, one of `WAYS`. Default: "times";
- `over`: how several runs make one number (`OVER`);
- `low` and `high`, `near` and `within_pct` or `within`, or `factor`: the range. `stated` is a range
  of the paper's, which is as unsure as a single run;
- `most`: whether most of the numbers suffice;
- `each`: stands for as many entries, one with each combination of its values;
- `kind`: makes claims in a way of the paper's own (`KINDS` in its `kinds.py`), with what else the
  entry states.
"""

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, fields
from itertools import product
from math import exp, inf, log, nan
from pathlib import Path
from statistics import fmean
from types import MappingProxyType
from typing import Any

from model.core.scenario import read_toml
from model.ground.errors import InputError
from model.papers.cases import Case, over, tables_of
from model.papers.measurements import Bounded, Measurements, geometric_mean, transformed
from model.papers.verdicts import Claim, Part, claim
from model.pnr.scenario import NAMED
from model.sweeps.statistics import Estimate, around
from model.sweeps.sweep import RUNS_FILE

CLAIMS_FILE = "claims.toml"
#: What may be varied in runs by lists of tables.
_TABLES = ("fault", "node")

Words = str | Sequence[str]
Table = Mapping[str, Any]  # of a TOML file, with any values
#: Gives a number of a design in a case; the other design is the one that it is compared with.
Value = Callable[[Measurements, Case, str], Estimate | None]


@dataclass(frozen=True)
class Entry:
    """A number of each design in each of some runs, and the range in which it should be."""

    cases: tuple[Case, ...] = (Case(),)
    design: Words = ()
    to: Words = ""
    to_runs: "Table | Case | None" = None
    measure: str | None = None
    as_: str = ""
    over: str = ""
    low: float = -inf
    high: float = inf
    stated: tuple[float, float] | None = None
    neutral: float | None = None  # no effect: a stated range that chance widens to it tells nothing
    most: bool = False
    kind: str = ""
    given: Table = field(default_factory=dict)  # what an entry of a kind states besides

    @property
    def way(self) -> str:
        """How it is compared; empty if it is not."""
        compared = self.to or self.to_runs is not None
        return (self.as_ or "times") if compared else ""

    def other_case(self, case: Case) -> Case:
        """The case with which one is compared."""
        if self.to_runs is None:
            return case
        if isinstance(self.to_runs, Case):
            return self.to_runs
        return case.unvaried.but(**self.to_runs)


_ALIKE = {"design", "to", "measure", "over", "most", "neutral"}
_RANGE = {"low", "high", "near", "within_pct", "within", "factor", "stated"}
KEYS = _ALIKE | _RANGE | {"runs", "to_runs", "as", "kind", "each"}


@dataclass(frozen=True)
class Finding:
    """A statement of a paper, with where it stands, and the numbers that it is judged by."""

    number: int
    kind: str  # its class, if the paper's findings have classes
    statement: str
    direction: tuple[Entry, ...] = ()  # who is ahead of whom, or all that it states
    magnitude: tuple[Entry, ...] = ()  # by how much
    untestable: str = ""  # why the paper's own runs cannot support it


class Statements:
    """All that a paper's `claims.toml` states; raises InputError for a mistake in it."""

    def __init__(self, folder: Path) -> None:
        self.file = folder / CLAIMS_FILE
        self._content = read_toml(self.file, "file of claims")
        self._sweep = read_toml(folder / RUNS_FILE, "file of a sweep")
        top = self._content
        self.title: str = top.pop("title", folder.name)
        self.measure: str = top.pop("measure")
        self.ours: bool = top.pop("ours", False)
        self.sums: dict[str, str] = top.pop("sums", {})
        self.measures: dict[str, str | dict[str, str]] = top.pop("measures", {})
        named = top.pop("named", {})
        self._runs: dict[str, Any] = named.get("runs", {})
        self._designs: dict[str, Any] = named.get("designs", {})
        self.null: dict[str, Any] = top.pop("null", {})
        self.arrivals: dict[str, Any] = top.pop("arrivals", {})
        self.workloads = {
            seed: int(number)
            for number, given in self._value(top.pop("replications", {})).items()
            for seed in given["seed"]
        }
        self._every = top.pop("every", {})
        self.readings = {
            name: self._parameters(own) for name, own in top.pop("readings", {}).items()
        }
        self.numbers = {name: self.entries([own]) for name, own in top.pop("number", {}).items()}
        self.judged_under: list[str] = top.pop("judged_under", [])  # other readings, in its table
        self.tables: dict[str, dict[str, Any]] = top.pop("table", {})
        self.classes = [kind for kind in top if kind != "finding"]
        self.findings = sorted(self._findings(top), key=lambda one: one.number)

    def _findings(self, top: Table) -> Iterator[Finding]:
        for kind, tables in top.items():
            for number, own in tables.items():
                try:
                    yield self._finding(int(number), kind, own)
                except (TypeError, KeyError, ValueError) as error:
                    raise InputError(f"{self.file}: {kind}.{number}: {error}") from None

    def _finding(self, number: int, kind: str, own: Table) -> Finding:
        known = {one.name for one in fields(Finding)} - {"number", "kind"}
        if others := own.keys() - known:
            raise InputError(f"{min(others)}: no such entry; give {', '.join(sorted(known))}")
        entries = {
            name: self.entries(own[name]) for name in ("direction", "magnitude") if name in own
        }
        return Finding(number, "" if kind == "finding" else kind, **{**own, **entries})

    def entries(self, several: Sequence[Table]) -> tuple[Entry, ...]:
        """The entries that tables give; raises InputError for a mistake in one."""
        found = []
        for given in several:
            each = given.get("each", {})
            for chosen in product(*each.values()):
                words = {**self._every, **given, **dict(zip(each, chosen, strict=True))}
                every, runs = self._every.get("runs"), words.get("runs")
                if isinstance(every, dict) and isinstance(runs, dict):
                    words["runs"] = {**every, **runs}
                found.append(self.entry(words))
        return tuple(found)

    def entry(self, given: Table) -> Entry:
        """The entry that a table gives; raises InputError."""
        own = given.keys() - KEYS
        if own and "kind" not in given:
            raise InputError(f"{min(own)}: no such entry; give {', '.join(sorted(KEYS))}")
        words: dict[str, Any] = {name: given[name] for name in _ALIKE & given.keys()}
        if "as" in given:
            if given["as"] not in WAYS:
                raise InputError(f"as = {given['as']!r}: give one of {', '.join(WAYS)}")
            words["as_"] = given["as"]
        if "runs" in given:
            words["cases"] = self.cases(given["runs"])
        if (than := given.get("to_runs")) is not None:
            words["to_runs"] = than if isinstance(than, dict) and "of" not in than else None
            if words["to_runs"] is None:
                (words["to_runs"],) = self.cases(than)
        words["low"], words["high"] = _range_of(given)
        if "stated" in given:
            stated = given["stated"]
            words["stated"] = tuple(stated) if isinstance(stated, list) else (stated, stated)
        if "kind" in given:
            words |= {"kind": given["kind"], "given": {name: given[name] for name in own}}
        return Entry(**words)

    # What names stand for.

    def cases(self, words: Any) -> tuple[Case, ...]:
        """The cases with a name, or with several, or with these parameters; raises InputError."""
        words = self._value(words)
        if isinstance(words, str):
            if words not in self._runs:
                known = ", ".join(self._runs)
                raise InputError(f"{words}: no such runs; [named.runs] has {known or 'none'}")
            own = self._runs[words]
            if isinstance(own, dict) and "of" not in own and "window" not in own:
                return (Case(words, self._parameters(own)),)
            return self.cases(own)
        if isinstance(words, Mapping):
            varied = {name: value for name, value in words.items() if name not in ("of", "window")}
            own = self.cases(words["of"]) if "of" in words else (Case(),)
            if "window" in words:
                own = tuple(
                    Case(f"records {first:,} on", {"first": first, "jobs": jobs})
                    for first, jobs in self._value(words["window"])
                )
            return over(own, **self._parameters(varied))
        return tuple(case for one in words for case in self.cases(one))

    def _parameters(self, given: Table) -> dict[str, Any]:
        found: dict[str, Any] = {}
        for name, value in given.items():
            value = self._value(value)
            if name in NAMED:
                named = read_toml(NAMED[name][value])
                found |= {key: self._sweep.get(key, one) for key, one in named.items()}
            elif name in _TABLES:
                several = [tables_of(name, one) for one in value]
                found[name] = several if len(several) > 1 else several[0]
            else:
                found[name] = value
        return found

    def _value(self, value: Any) -> Any:
        """A value, or that of `runs.toml` which it names."""
        if not (isinstance(value, str) and value.startswith("=")):
            return value
        found: Any = self._sweep
        for key in value[1:].split("/"):
            if key not in found:
                raise InputError(f"{self.file}: {value}: {RUNS_FILE} has no such value")
            found = found[key]
        return found

    def designs_in(self, words: Words, case: Case) -> list[str]:
        """The designs that are meant in a case: of a group, those for its number of nodes."""
        found: list[str] = []
        for name in [words] if isinstance(words, str) else words:
            own = self._designs.get(name, name)
            if isinstance(own, dict) and "design" not in own:
                own = own[str(case.parameters["nodes"])]
            found += own if isinstance(own, list) else [name]
        return found

    def aliases(self) -> dict[str, tuple[str, dict[str, Any]]]:
        """By the names of designs: the design that is run for it, and with which parameters."""
        return {
            name: (own["design"], self._parameters({k: v for k, v in own.items() if k != "design"}))
            for name, own in self._designs.items()
            if isinstance(own, dict) and "design" in own
        }


def _range_of(given: Table) -> tuple[float, float]:
    if "factor" in given:
        return 1 / given["factor"], given["factor"]
    if "near" not in given:
        return given.get("low", -inf), given.get("high", inf)
    near = given["near"]
    off = given["within"] if "within" in given else near * given["within_pct"] / 100
    return near - off, near + off


# How two numbers are compared: `own` and `other` are each a case and a design.

Pair = tuple[Case, str]


def _times(measured: Measurements, own: Pair, other: Pair, measure: str | None) -> Estimate | None:
    return measured.ratio(own, other, measure=measure)


def _times_of_means(
    measured: Measurements, own: Pair, other: Pair, measure: str | None
) -> Estimate | None:
    found = measured.reduction_pct(own, other, measure)
    if found is None:
        return None
    mean, low, high, n = found
    return type(found)(1 - mean / 100, 1 - high / 100, 1 - low / 100, n)


def _below(measured: Measurements, own: Pair, other: Pair, measure: str | None) -> Estimate | None:
    found = measured.ratio(other, own, measure=measure)
    return found and transformed(found, lambda part: 100 * (1 - 1 / part))


def _below_of_means(
    measured: Measurements, own: Pair, other: Pair, measure: str | None
) -> Estimate | None:
    return measured.reduction_pct(own, other, measure)


def _minus(measured: Measurements, own: Pair, other: Pair, measure: str | None) -> Estimate | None:
    return difference(measured.of(*own, measure), measured.of(*other, measure))


#: How a number is compared with another: by the geometric mean of the seeds' ratios, or by means.
WAYS: dict[str, Callable[[Measurements, Pair, Pair, str | None], Estimate | None]] = {
    "times": _times,
    "times, of means": _times_of_means,
    "% below": _below,
    "% below, of means": _below_of_means,
    "minus": _minus,
    # Two cases and two designs, each pair of which is compared as above: (own in runs to own in
    # to_runs) in multiples of the same of `to`; and percentages below `to`, minus those in to_runs.
    "change": _times,
    "points": _below_of_means,
}


def difference(one: Estimate | None, other: Estimate | None) -> Estimate | None:
    """One minus the other, as if they were measured apart; None if either is not there."""
    if one is None or other is None:
        return None
    n = min(one.n, other.n)
    if isinstance(one, Bounded) or isinstance(other, Bounded):
        return Bounded(nan, -inf, inf, n)
    half = (one.half_width**2 + other.half_width**2) ** 0.5
    return around(one.mean - other.mean, half, n)


#: A way in which a paper makes claims of its own, from measurements and an entry.
Kind = Callable[["Evaluator", Entry], Iterator[Claim]]
#: Judges a number by a range that a paper states, and that is as unsure as a single run.
Stated = Callable[["Evaluator", Entry, Case, str, Estimate | None], Part]


class Evaluator:
    """Gives the numbers of entries, by measurements."""

    def __init__(
        self,
        states: Statements,
        measured: Measurements,
        kinds: Mapping[str, Kind] = MappingProxyType({}),
        stated: "Stated | None" = None,
    ) -> None:
        """Take the paper's own kinds, and how it judges a number by a `stated` range."""
        self.states = states
        self.measured = measured
        self._kinds = kinds
        self._stated = stated

    def claims(self, entries: Sequence[Entry]) -> list[Claim]:
        """The claims that entries make: one for each case, with a part for each design."""
        return [claim for entry in entries for claim in self._claims(entry)]

    def _claims(self, entry: Entry) -> Iterator[Claim]:
        if entry.kind:
            if entry.kind not in self._kinds:
                known = ", ".join(self._kinds) or "none"
                raise InputError(f"kind = {entry.kind!r}: the paper's kinds.py has {known}")
            yield from self._kinds[entry.kind](self, entry)
        elif entry.over:
            yield self._over_all(entry)
        else:
            for case in entry.cases:
                pairs = self.pairs(entry, case)
                parts = (
                    self.part(entry, case, name, self.number(entry, case, own, other))
                    for name, own, other in pairs
                )
                yield Claim(self.words(entry, str(case)), tuple(parts), entry.most)

    def part(self, entry: Entry, case: Case, name: str, value: Estimate | None) -> Part:
        """A number with the range of its entry."""
        if entry.stated is None:
            return Part(name, value, entry.low, entry.high)
        assert self._stated is not None, "only a paper with a rule of its own has stated ranges"
        return self._stated(self, entry, case, name, value)

    def pairs(self, entry: Entry, case: Case) -> list[tuple[str, str, str]]:
        """By the name of a number, whose it is and with whose it is compared."""
        own = self.states.designs_in(entry.design, case)
        others = self.states.designs_in(entry.to, case) if entry.to else []
        if not others:
            return [(name, name, name) for name in own]
        if len(others) == 1:
            return [(name, name, others[0]) for name in own if name != others[0]]
        (one,) = own
        return [(name, one, name) for name in others if name != one]

    def number(self, entry: Entry, case: Case, own: str, other: str) -> Estimate | None:
        """The number of a design in a case, compared as its entry says."""
        measured, measure = self.measured, entry.measure
        if not entry.way:
            return measured.of(case, own, measure)
        there = entry.other_case(case)
        if entry.way == "change":
            pairs = (case, own), (there, own), (there, other), (case, other)
            return measured.ratio(*pairs, measure=measure)
        if entry.way == "points":
            if measured.same(case, there):
                return None
            both = (measured.reduction_pct((at, own), (at, other), measure) for at in (case, there))
            return difference(*both)
        if other == own and entry.to_runs is not None and measured.same(case, there):
            return None
        return WAYS[entry.way](measured, (case, own), (there, other), measure)

    def _over_all(self, entry: Entry) -> Claim:
        """One number of all cases, for each design."""
        pairs = self.pairs(entry, entry.cases[0])
        parts = []
        for name, own, other in pairs:
            sides = [((case, own), (entry.other_case(case), other)) for case in entry.cases]
            value = OVER[entry.over](self.measured, sides, entry.measure)
            parts.append(Part(name, value, entry.low, entry.high))
        first = entry.cases[0]
        alike = Case("", {name: first.parameters[name] for name in sorted(first.varied)})
        where = f"over {len(entry.cases)} runs ({alike})" if first.varied else entry.over
        return Claim(self.words(entry, where), tuple(parts), entry.most)

    def words(self, entry: Entry, where: str) -> str:
        """What a claim is about."""
        design = entry.design if isinstance(entry.design, str) else ", ".join(entry.design)
        to = entry.to if isinstance(entry.to, str) else ", ".join(entry.to)
        what = f"{design} {entry.way} {to}" if entry.way else design
        return f"{where}: {entry.measure or self.measured.measure}, {' '.join(what.split())}"


def ratios_where(
    evaluator: Evaluator, entry: Entry, whose: str, measure: str, wanted: Callable[[float], bool]
) -> Iterator[Claim]:
    """Ratios in the cases in which a design's measure is as wanted, and their geometric mean."""
    ratios = {}
    for case in entry.cases:
        found = evaluator.measured.of(case, whose, measure)
        ratio = evaluator.number(entry, case, str(entry.design), str(entry.to))
        if found and ratio and wanted(found.mean):
            ratios[str(case)] = ratio
    yield claim("each", ratios.items(), entry.low, entry.high)
    mean = geometric_mean([ratio.mean for ratio in ratios.values()]) if ratios else None
    yield claim("mean", [("mean", mean)], entry.low, entry.high)


def ratios_by_case(
    measured: Measurements, sides: Sequence[tuple[Pair, Pair]], measure: str | None
) -> list[dict[int, float]]:
    """In each case, a measure in multiples of another's by seed; empty unless all are positive."""
    found = []
    for own, other in sides:
        above, below = measured.by_seed(*own, measure), measured.by_seed(*other, measure)
        ratios = {
            seed: value / below[seed] if below[seed] else inf if value else nan
            for seed, value in above.items()
            if seed in below
        }
        ratios = {seed: ratio for seed, ratio in ratios.items() if ratio == ratio}
        if not ratios or not all(0 < ratio < inf for ratio in ratios.values()):
            return []
        found.append(ratios)
    return found


def _over_runs(
    measured: Measurements, sides: Sequence[tuple[Pair, Pair]], measure: str | None
) -> Estimate | None:
    """The geometric mean, with an interval over the runs: what holds for jobs like these."""
    by_case = ratios_by_case(measured, sides, measure)
    means = [exp(fmean(map(log, ratios.values()))) for ratios in by_case]
    return geometric_mean(means) if means else None


def _over_seeds(
    measured: Measurements, sides: Sequence[tuple[Pair, Pair]], measure: str | None
) -> Estimate | None:
    """The geometric mean, with an interval over seeds: what holds for exactly these jobs."""
    by_case = ratios_by_case(measured, sides, measure)
    seeds = [seed for seed in by_case[0] if all(seed in one for one in by_case)] if by_case else []
    by_seed = [exp(fmean(log(one[seed]) for one in by_case)) for seed in seeds]
    return geometric_mean(by_seed) if by_seed else None


def _highest(
    measured: Measurements, sides: Sequence[tuple[Pair, Pair]], measure: str | None
) -> Estimate | None:
    """The highest of the runs' numbers; None unless all are known."""
    found = [measured.ratio(*both, measure=measure) for both in sides]
    known = [one for one in found if one is not None]
    return max(known, key=lambda one: one.mean) if len(known) == len(found) else None


#: How several runs make one number, a design in multiples of another.
OVER: dict[str, Callable[..., Estimate | None]] = {
    "runs": _over_runs,
    "seeds": _over_seeds,
    "highest": _highest,
}
