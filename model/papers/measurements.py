"""What the runs of a paper's cases measured: means over seeds, and comparisons of means.

Replications are seeds; or, where several seeds share a workload, workloads, each with the mean of
its seeds. Two designs, or two cases, are compared in pairs over the seeds that both have, since
they share their jobs. Where they were run with other arrivals, too, intervals have the chance of
arrivals (`over_arrivals`).
"""

from collections import defaultdict
from collections.abc import Callable, Mapping, Sequence
from copy import copy
from math import exp, inf, isfinite, isinf, log, nan, prod
from statistics import fmean
from types import MappingProxyType
from typing import Any

import pandas as pd

from model.ground.errors import InputError
from model.papers.cases import Case, base_case, declared_values, plain
from model.pnr.measures import PAGING
from model.sweeps.statistics import Estimate, around, estimate, reduction_pct

_RESPONSE = "mean_response_s"  # of a run that was given up, all that is known is that it is longer
_LIMIT = "give_up_response_s"  # than this
_AT_LEAST = "how long jobs took at least"
_IDLE = frozenset({_LIMIT})  # parameters that do not tell cases apart
# Disk paging sends no page over the network, and what else it sends there fits into one frame.
_IDLE_OF: dict[str | None, frozenset[str]] = {PAGING: _IDLE | {"page_exchange", "frame_bytes"}}
Compared = tuple[Case, str]  # a case, and a design or policy


class Measurements:
    """What the runs of one paper measured.

    How long a run may take until it is given up is no part of its case: a run that was waited for
    is the same, and tells more. Nor is it, under disk paging, how a page is sent over the network.
    """

    def __init__(
        self,
        name: str,
        results: pd.DataFrame,
        measure: str,
        workloads: Mapping[int, int] = MappingProxyType({}),
        aliases: Mapping[str, tuple[str, Mapping[str, object]]] = MappingProxyType({}),
        arrivals: Mapping[str, object] = MappingProxyType({}),
    ) -> None:
        """Take a table with one row per run, as `Study.condense` makes it.

        `runs` leaves out those that the paper's sweep does not declare. `measure` is the default
        measure, `workloads` are by seed, if seeds are no replications of their own. `aliases` are
        designs that are called otherwise in the results, and what is varied in their runs;
        `arrivals` is what is varied where a seed draws arrivals, too. Raises InputError if there is
        no run of the paper.
        """
        self.measure = measure
        self._workloads = workloads
        self._aliases = {
            name: (design, {key: plain(value) for key, value in varied.items()})
            for name, (design, varied) in aliases.items()
        }
        allowed = declared_values(name)
        columns = {str(name): column.to_numpy().tolist() for name, column in results.items()}
        self._columns: dict[str, list[Any]] = columns
        known = [name for name in allowed if name in columns and name != _LIMIT]
        varied = {name for name, values in allowed.items() if len(values) > 1} - {_LIMIT}
        self._base = {key: value for key, value in base_case(name).items() if key in known}
        self._places = defaultdict[Any, dict[int, int]](dict)  # of a design in a case, by seed
        declared = []
        if varied.issubset(known):
            rows = zip(*(_plain(columns[parameter]) for parameter in known), strict=True)
            for place, (design, row) in enumerate(zip(columns["design"], rows, strict=True)):
                if all(v in allowed[key] for key, v in zip(known, row, strict=True)):
                    varied_row = self._varied(dict(zip(known, row, strict=True)), design)
                    self._add(self._places[design, varied_row], place)
                    declared.append(place)
        if not self._places:
            raise InputError(
                f"no run of the experiments of {name} there; `run.py sweep {name}` does them"
            )
        self.runs = results.iloc[declared]
        self._moved: dict[str, Any] = {}
        self.read: set[int] = set()  # the places of the runs that were asked for
        self._disk: dict[str, Any] = {}  # of disk paging that stands for every design
        self.home = self  # those of the cases as they are, over seeds alone
        self._arrivals: Mapping[str, object] = {}
        if arrivals:
            self.home = copy(self)
            self._arrivals = arrivals

    def _add(self, by_seed: dict[int, int], place: int) -> None:
        """Add the place of a run, unless another with its seed was waited for longer."""
        seed = self._columns["seed"][place]
        other = by_seed.get(seed, place)
        by_seed[seed] = max(other, place, key=self._waited_s)

    def _waited_s(self, place: int) -> float:
        """For how long a response time a run was waited for, s; without end if it ended."""
        limits_s = self._columns.get(_LIMIT)
        ended = not isinf(self._columns[_RESPONSE][place]) if _RESPONSE in self._columns else True
        return inf if ended or limits_s is None else limits_s[place]

    def elsewhere(self, **moved: object) -> "Measurements":
        """The same measurements, where every case has these values of parameters.

        A case that is about one of these parameters itself (`Case.but`) has none there.
        """
        other = self.unread()
        other._moved = {**self._moved, **{key: plain(value) for key, value in moved.items()}}
        return other

    def all_paging(self, **disk: object) -> "Measurements":
        """The same measurements, where every design is disk paging from another disk."""
        other = self.unread()
        other._disk = {key: plain(value) for key, value in disk.items()}
        return other

    def unread(self) -> "Measurements":
        """The same measurements, which note anew of which runs they are asked: `read`."""
        other = copy(self)
        other.read = set()
        return other

    def run_at(self, place: int) -> dict[str, Any]:
        """What is stored of a run: its parameters and its measures."""
        return {name: column[place] for name, column in self._columns.items()}

    def where(self, runs: Mapping[int, Mapping[str, object]]) -> "Measurements":
        """The same measurements, where the runs at these places have other measures."""
        other = copy(self)
        other._columns = {name: [*column] for name, column in self._columns.items()}
        for place, run in runs.items():
            for name, value in run.items():
                if name in other._columns:
                    other._columns[name][place] = value
        return other

    def same(self, case: Case, other: Case) -> bool:
        """Whether two cases are the same one, as they may be elsewhere."""
        own, another = (self._varied(self._parameters(one)) for one in (case, other))
        return own == another

    def of(self, case: Case, design: str, measure: str | None = None) -> Estimate | None:
        """The mean over the seeds; None if there are no runs.

        Where runs were given up, the mean response time is infinite, and all else not known.
        """
        found = [*self.by_seed(case, design, measure).values()]
        if self._is_unknown(found, measure):
            return Bounded(nan, -inf, inf, len(found))
        own = estimate(found) if found else None
        return self._with_arrivals(own, lambda there: there.of(case, design, measure))

    def reduction_pct(
        self, own: Compared, than: Compared, measure: str | None = None
    ) -> Estimate | None:
        """By how many percent of another mean a mean is below it; None without a common seed.

        For response times, and DP in the same case as the other, it is the optimization ratio.
        """
        one, other = self.in_common([own, than], measure)
        if (inf in one and inf in other) or self._is_unknown([*one, *other], measure):
            return Bounded(nan, -inf, 100, len(one))
        if inf in one or inf in other:
            return self._at_least(own, than)
        found = reduction_pct(other, one) if one else None
        return self._with_arrivals(found, lambda there: there.reduction_pct(own, than, measure))

    def _is_unknown(self, values: Sequence[float], measure: str | None) -> bool:
        """Whether nothing is known of a value, since its run was given up."""
        return inf in values and (measure or self.measure) != _RESPONSE

    def _at_least(self, own: Compared, than: Compared) -> "Bounded":
        """What is known of a reduction of response times if runs of one side were given up."""
        one, other = self.in_common([own, than], _AT_LEAST)
        found = reduction_pct(other, one)
        low, high = found[1:3] if found.n > 1 else (found.mean, found.mean)
        given_up = inf in self.in_common([own, than])[0]
        low, high = (-inf, min(high, 100)) if given_up else (low, 100)
        return Bounded(found.mean, low, high, found.n)

    def ratio(
        self, own: Compared, than: Compared, *more: Compared, measure: str | None = None
    ) -> Estimate | None:
        """A measure in multiples of another's: the geometric mean over the seeds that all have.

        With `more` pairs it is the product: `ratio(a, b, c, d)` is a/b times c/d. None if there is
        no such seed, or if a value is not positive.
        """
        columns = self.in_common([own, than, *more], measure)
        if not columns[0] or any(min(column) <= 0 for column in columns):
            return None
        if any(inf in column for column in columns):
            return Bounded(nan, 0, inf, len(columns[0]))
        by_seed = zip(*columns, strict=True)
        found = geometric_mean([prod(row[::2]) / prod(row[1::2]) for row in by_seed])
        return self._with_arrivals(
            found, lambda there: there.ratio(own, than, *more, measure=measure)
        )

    def _with_arrivals(
        self, found: Estimate | None, number: "Callable[[Measurements], Estimate | None]"
    ) -> Estimate | None:
        """A number with the chance of arrivals, if it was measured with others, too."""
        if found is None or not self._arrivals or self._arrivals.keys() & self._moved.keys():
            return found
        there = self.elsewhere(**self._arrivals)
        others = number(there)
        return found if others is None or others.n < 2 else over_arrivals(found, others)

    def by_seed(self, case: Case, design: str, measure: str | None = None) -> dict[int, float]:
        """The values that are known, by seed (or workload); empty if there are no runs."""
        parameters = self._parameters(case)
        if design in self._aliases:
            design, varied = self._aliases[design]
            parameters = {**parameters, **varied}
        if self._disk and design != PAGING:
            design, parameters = PAGING, {**parameters, **self._disk}
        places = self._places.get((design, self._varied(parameters, design)), {})
        of = measure or self.measure
        column = self._columns.get(_RESPONSE if of is _AT_LEAST else of)
        if column is None or not self._moved.keys().isdisjoint(case.varied):
            return {}
        self.read.update(places.values())
        found = {seed: column[at] for seed, at in places.items() if column[at] == column[at]}
        if of is _AT_LEAST:
            found = {seed: min(s, self._waited_s(places[seed])) for seed, s in found.items()}
        return self._by_workload(found) if self._workloads else found

    def values(self, case: Case, design: str, measure: str | None = None) -> pd.Series:
        """The same as a series."""
        return pd.Series(self.by_seed(case, design, measure), dtype=float)

    def _by_workload(self, by_seed: Mapping[int, float]) -> dict[int, float]:
        """The means over the seeds of each workload."""
        found: dict[int, list[float]] = defaultdict(list)
        for seed, value in by_seed.items():
            found[self._workloads[seed]].append(value)
        return {workload: fmean(values) for workload, values in found.items()}

    def _parameters(self, case: Case) -> dict[str, object]:
        """The parameters that a case names, as the results have them."""
        return {**case.stored, **self._moved}

    def _varied(
        self, parameters: Mapping[str, object], design: str | None = None
    ) -> frozenset[tuple[str, object]]:
        """What distinguishes parameters, of a design or of any, from those in the base case."""
        idle = _IDLE_OF.get(design, _IDLE)
        base = self._base
        return frozenset(
            (key, v)
            for key, v in parameters.items()
            if key not in idle and (key not in base or v != base[key])
        )

    def in_common(
        self, compared: Sequence[Compared], measure: str | None = None
    ) -> list[list[float]]:
        """The values of each one, for the seeds that all have."""
        columns = [self.by_seed(*one, measure) for one in compared]
        seeds = [seed for seed in columns[0] if all(seed in column for column in columns)]
        return [[column[seed] for seed in seeds] for column in columns]


def _plain(values: list[object]) -> list[object]:
    """The values of a parameter in a form that can be compared; all are alike in most columns."""
    if (
        values
        and isinstance(values[0], str | int | float)
        and values.count(values[0]) == len(values)
    ):
        return [plain(values[0])] * len(values)
    return [*map(plain, values)]


class Bounded(Estimate):
    """A number of which one end is known, since runs of one side were given up: `mean`.

    It is that or further, where the interval is open (a percentage to -inf or 100); nan if nothing
    is known of it, since runs of both sides were given up, or since it is no response time.
    """


class GeometricMean(Estimate):
    """A mean whose interval is symmetric in logarithms, not in itself."""


def geometric_mean(values: Sequence[float]) -> GeometricMean:
    """The geometric mean of positive values; its interval comes from that of their logarithms."""
    return GeometricMean(*transformed(estimate([log(value) for value in values]), exp))


def transformed(value: Estimate, by: Callable[[float], float]) -> Estimate:
    """What a rising function gives of a mean and of the ends of its interval."""
    return Estimate(by(value.mean), by(value.low), by(value.high), value.n)


def over_arrivals(own: Estimate, others: Estimate) -> Estimate:
    """A number for one draw of arrivals whose interval is that for any, from others with n draws.

    Each of these has another seed, too, so their deviation s has both variances, of arrivals and of
    seeds. The number is off by that of arrivals and by a part of the other: at most t(n - 1) · s.
    """
    if isinstance(own, GeometricMean):
        logs = over_arrivals(*(Estimate(*transformed(one, log)) for one in (own, others)))
        return GeometricMean(*transformed(logs, exp))
    half = max(own.half_width, others.half_width_of_one)
    return around(own.mean, half, others.n) if isfinite(half) else own


def mean_of(values: pd.Series) -> Estimate | None:
    """The mean of the values that are known; None without any."""
    known = values.dropna()
    return None if known.empty else estimate(known.tolist())


#: Gives what is shown for a design (or policy) in a case; None if its runs are not stored.
Value = Callable[[Measurements, Case, str], Estimate | None]


def shows(measure: str | None = None, times: float = 1) -> Value:
    """A function that gives the mean of a measure, multiplied by `times`."""

    def value(measured: Measurements, case: Case, design: str) -> Estimate | None:
        found = measured.of(case, design, measure)
        return found and transformed(found, lambda part: times * part)

    return value


def geometric(measure: str | None = None) -> Value:
    """A function that gives the geometric mean of a measure: no seed's value decides it alone."""

    def value(measured: Measurements, case: Case, design: str) -> Estimate | None:
        found = [*measured.by_seed(case, design, measure).values()]
        return geometric_mean(found) if found else None

    return value
