"""The cases of a paper: what its sweep declares, and what tells one case from another."""

from collections.abc import Mapping, Sized
from functools import cache
from typing import Any

from model.core.scenario import read_toml
from model.sweeps.sweep import BUNDLED
from model.systems import scenario_of

# How a page says what a parameter is; of all others, "name value".
_WORDS = {
    "ram": "{:,} % RAM",
    "bandwidth_mbps": "{:,} Mbps",
    "topology": "{}",
    "scheduler": "{} sharing",
}
# What a sweep says of its runs that does not tell cases apart.
_NO_CASE = ("across", "designs", "policies", "seed")


class Case:
    """Parameters of runs that differ in design (or policy) and seed; the others are the base's.

    `Case(mean_mb=4, fault_pct=50)` is called by its parameters on a page. Some may have a name in
    common instead: `Case("64 nodes, light", {"nodes": 64, "jobs": 4000}).but(ram=50)`.
    """

    def __init__(
        self, name: str = "", named: Mapping[str, Any] | None = None, /, **others: Any
    ) -> None:
        self.name = name
        self._named = named or {}
        self._others = others

    @property
    def parameters(self) -> dict[str, Any]:
        """All that it says, by name."""
        return {**self._named, **self._others}

    def but(self, **varied: Any) -> "Case":
        """The same with other values of these parameters."""
        return Case(self.name, self._named, **{**self._others, **varied})

    def __str__(self) -> str:
        """For a person."""
        others = [
            _WORDS.get(name, name + " {}").format(value) for name, value in self._others.items()
        ]
        return ", ".join([self.name, *others] if self.name else others) or "defaults"


@cache
def declared(name: str) -> dict[str, Any]:
    """The sweep of a paper as its file says it, so that nothing repeats its numbers."""
    return read_toml(BUNDLED[name])


@cache
def base_case(name: str) -> dict[str, Any]:
    """Every parameter at the value that the top of a paper's sweep gives it, or its default.

    Without `jobs` if they are all of the trace's: results say how many those are.
    """
    fixed = {key: v for key, v in declared(name).items() if not isinstance(v, dict | list)}
    scenario = scenario_of(fixed)
    base = scenario.model_dump(mode="json", exclude={"seed", "job", scenario.compares})
    return {key: plain(v) for key, v in base.items() if (key, v) != ("jobs", None)}


@cache
def declared_values(name: str) -> dict[str, set[Any]]:
    """The values that a parameter has in the base case and in the sweeps of a paper's folder."""
    tables = []
    for sweep in map(read_toml, sorted(BUNDLED[name].parent.glob("*.toml"))):
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
            elif key not in _NO_CASE:
                found.setdefault(key, set()).update(map(plain, values))
    return found


def plain(value: Any) -> Any:
    """A parameter's value as one that can be compared: lists as tuples, and None for nan."""
    if isinstance(value, Sized) and not isinstance(value, str):
        return tuple(value)
    return None if value != value else value
