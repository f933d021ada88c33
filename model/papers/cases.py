"""The cases of a paper: what its sweep declares, and what distinguishes cases."""

from collections.abc import Collection, Iterable, Mapping
from functools import cache, cached_property
from itertools import product
from pathlib import Path
from typing import Any

from model.core.scenario import read_toml
from model.pnr.scenario import NAMED
from model.sweeps.results import as_cell, parameters_of
from model.sweeps.sweep import BUNDLED, sweeps_in
from model.systems import scenario_of

# How a page states a parameter; all others are stated as "name value".
_WORDS = {
    "ram": "{:,} % RAM",
    "bandwidth_mbps": "{:,} Mbps",
    "topology": "{}",
    "scheduler": "{} sharing",
}
FILES = ("trace", "page_costs")  # parameters that name a file
# What a sweep says about its runs that does not distinguish cases.
_NO_CASE = ("across", "designs", "policies", "seed", "job", "observer")


class Case:
    """Parameters that some runs share; the others are those of the base case.

    Its runs differ in design (or policy) and seed. A page calls `Case(mean_mb=4, fault_pct=50)` by
    its parameters; some may have a common name instead, as in
    `Case("64 nodes, light", {"nodes": 64, "jobs": 4000}).but(ram=50)`.
    """

    def __init__(
        self, name: str = "", named: Mapping[str, Any] | None = None, /, **others: object
    ) -> None:
        self.name = name
        self._named = named or {}
        self._others = others

    @property
    def parameters(self) -> dict[str, Any]:
        """All its parameters, by name."""
        return {**self._named, **self._others}

    @cached_property
    def stored(self) -> Mapping[str, object]:
        """All its parameters, as results have them."""
        return {key: plain(value) for key, value in self.parameters.items()}

    @property
    def varied(self) -> set[str]:
        """The parameters in which it differs from the case with its name."""
        return {*self._others} if self.name else set()

    def but(self, **varied: object) -> "Case":
        """The same case with other values of these parameters."""
        return Case(self.name, self._named, **{**self._others, **varied})

    @property
    def unvaried(self) -> "Case":
        """The case with its name, of which it is a variation."""
        return Case(self.name, self._named)

    def __str__(self) -> str:
        """The case in words."""
        others = [
            _WORDS.get(name, name + " {}").format(value) for name, value in self._others.items()
        ]
        return ", ".join([self.name, *others] if self.name else others) or "defaults"


def over(cases: Case | Iterable[Case], **values: object) -> tuple[Case, ...]:
    """Each of the cases with each combination of these values, a parameter's single one or several.

    The last parameter varies fastest.
    """
    lists = [value if isinstance(value, tuple | list) else [value] for value in values.values()]
    return tuple(
        case.but(**dict(zip(values, chosen, strict=True)))
        for case in ([cases] if isinstance(cases, Case) else cases)
        for chosen in product(*lists)
    )


@cache
def declared(name: str) -> dict[str, Any]:
    """The content of a paper's sweep file, so that nothing repeats its numbers."""
    return read_toml(BUNDLED[name])


@cache
def base_case(name: str) -> dict[str, Any]:
    """Every parameter at the value that the top of a paper's sweep gives it, or its default.

    `jobs` is left out if the sweep takes all of a trace, since results say how many those are.
    """
    fixed = {
        key: value
        for key, value in declared(name).items()
        if not isinstance(value, dict | list) and key not in _NO_CASE
    }
    scenario = scenario_of(fixed)
    base = scenario.model_dump(mode="json", exclude={"seed", "job", scenario.compares})
    return {key: plain(v) for key, v in base.items() if (key, v) != ("jobs", None)}


@cache
def declared_values(name: str) -> dict[str, set[Any]]:
    """The values that a parameter has in the base case and in the sweeps of a paper's folder."""
    tables = []
    for sweep in map(read_toml, sweeps_in(BUNDLED[name].parent)):
        choices = sweep.pop("choice", {}).values()
        runs = sweep.pop("runs").values()
        tables += [sweep, *runs, *(one for choice in choices for one in choice.values())]
    found = {key: {value} for key, value in base_case(name).items()}
    for table in tables:
        for key, given in table.items():
            values = given if isinstance(given, list) else [given]
            if key == "window":
                found["first"] |= {first for first, _ in values}
                found.setdefault("jobs", set()).update(jobs for _, jobs in values)
            elif key in ("fault", "node"):
                found[key] |= {tables_of(key, value) for value in values}
            elif key in NAMED:
                for one in values:
                    scenario = scenario_of({key: one})
                    for name in read_toml(NAMED[key][one]):
                        found[name].add(plain(getattr(scenario, name)))
            elif key not in _NO_CASE:
                found.setdefault(key, set()).update(stated(key, value) for value in values)
    return found


def tables_of(parameter: str, tables: list[dict[str, Any]]) -> str:
    """The value of a case's parameter that is a list of tables: `fault` or `node`."""
    parameters = parameters_of(scenario_of({parameter: tables}).model_dump(mode="json"))
    return str(parameters[parameter])


def stated(name: str, value: Any) -> Any:
    """A parameter's value as a paper's results have it: a file by its name, wherever it was."""
    value = plain(value)
    return Path(value).name if name in FILES and value is not None else value


def plain(value: Any) -> Any:
    """A parameter's value in a form that can be compared: lists as in results, and None for nan."""
    if type(value) in (str, int, bool):  # as most are
        return value
    if isinstance(value, Collection) and not isinstance(value, str):
        return as_cell([*value])
    return None if value != value else value
