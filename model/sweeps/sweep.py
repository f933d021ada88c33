"""A sweep: a declared set of runs, each a scenario with one design or load sharing policy.

A declaration is a TOML file (`README.md` has an example):

- keys at the top are parameters of every run, as in a scenario file; `observer` there names a class
  that takes further measures from the runs' journals;
- `[runs.NAME]` declares runs: the product of its parameters' lists. Each entry of `designs` (of
  load sharing: `policies`) is a separate run. `seed` may be "21 to 300", and `window` lists pairs
  of `first` and `jobs`;
- `[choice.WHAT]` names alternatives: tables of parameters that belong together and may hold lists.
  `across = ["WHAT"]` in `[runs.NAME]` multiplies its runs by them, "WHAT.light" picks one.

Runs are in the order of the file, where the first name in `across` changes slowest; a run that is
declared twice is done once. Parameters in `[runs.NAME]` override those of a choice, and a choice
overrides the top.
"""

import re
from collections.abc import Hashable, Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field
from functools import cache, cached_property
from itertools import product
from math import prod
from pathlib import Path
from typing import Any

from model.core.names import has_another_name, is_file_name, listed, split_names
from model.core.scenario import OTHER_NAMES, BaseScenario, read_toml
from model.core.users_code import UsersCodeError
from model.ground.errors import InputError, shown
from model.sweeps.identity import identity, key_of
from model.sweeps.observing import observer_in
from model.systems import comparison_of, declared_kind, declared_scenario, name_in_results

MOST_RUNS = 100_000
_SEEDS = re.compile(r"(\d+) to (\d+)")
RUNS_FILE = "runs.toml"  # the sweep of a folder, by whose name it is called


def sweep_name(file: Path) -> str:
    """What a sweep's file is called: by its own name, or as the folder whose runs it declares."""
    return file.parent.name.replace("_", "-") if file.name == RUNS_FILE else file.stem


def sweeps_in(folder: Path) -> list[Path]:
    """The sweeps' files in a folder of `papers`."""
    return sorted(file for file in folder.glob("*.toml") if file.name != "claims.toml")


BUNDLED = {
    sweep_name(file): file
    for folder in sorted((Path(__file__).parents[1] / "papers").rglob("*/"))
    for file in sweeps_in(folder)
}

Lists = dict[str, Sequence[Any]]  # the values of each parameter
Choices = dict[str, dict[str, dict[str, Any]]]  # the alternatives of each


@dataclass(frozen=True)
class Run:
    """One run; `scenario` has a single design or policy, and absolute paths."""

    scenario: BaseScenario
    observer: str | None = None  # what measures more of it: see `observing.py`

    @cached_property
    def design(self) -> str:
        """The design's or policy's name: as results call it."""
        (name,) = self.scenario.compared
        if not has_another_name(name):
            return name
        if is_file_name(name):
            return name_in_results(self.scenario, name)
        return _bundled_name(type(self.scenario), self.scenario.nodes, name)

    @cached_property
    def key(self) -> str:
        return key_of(identity(self.scenario, self.observer))

    @cached_property
    def parameters(self) -> dict[str, Any]:
        """Its design (or policy) and the scenario's other parameters, by name."""
        exclude = {"designs", "policies", "job"}
        values = self.scenario.model_dump(mode="json", exclude=exclude)
        return {"design": self.design, **values}


@cache
def _bundled_name(kind: type[BaseScenario], nodes: int, name: str) -> str:
    """What results call a bundled design with parameters, whose graph is made to know it."""
    return name_in_results(kind.model_validate({"nodes": nodes, kind.compares: [name]}), name)


@dataclass
class Sweep:
    """The runs that a file declares, in order."""

    file: Path
    runs: dict[str, Run] = field(default_factory=dict)  # the distinct ones, by key
    parts: dict[str, list[str]] = field(default_factory=dict)  # keys of each part, with repetitions
    #: By key of a run: the scenarios, each with all that it compares, of which the run is one.
    scenarios: dict[str, list[BaseScenario]] = field(default_factory=dict)

    @property
    def name(self) -> str:
        return sweep_name(self.file)

    def check(self, runs: Iterable[Run]) -> None:
        """Raise InputError if a design, network or workload of these runs is invalid.

        What is compared with them is loaded, too.
        """
        scenarios = {id(one): one for run in runs for one in self.scenarios[run.key]}
        known_good = set[Hashable]()  # few parts are distinct
        for scenario in scenarios.values():
            for what, load in comparison_of(scenario).parts():
                if what not in known_good:
                    with _said_of(self.file):
                        load()
                    known_good.add(what)

    def select(self, parts: list[str], conditions: list[str]) -> list[Run]:
        """The runs of these parts (if any are named) that meet conditions like "ram=50,65".

        Raises InputError if there are none.
        """
        for part in parts:
            if part not in self.parts:
                known = ", ".join(self.parts)
                raise InputError(f"--part {part}: not in {self.name}, which has {known}")
        some = {name: None for run in self.runs.values() for name in run.parameters}
        wanted = [parse_condition(condition, some) for condition in conditions]
        keys = dict.fromkeys(key for part in parts or self.parts for key in self.parts[part])
        runs = [
            self.runs[key]
            for key in keys
            if all(meets(self.runs[key].parameters, *want) for want in wanted)
        ]
        if not runs:
            raise InputError(
                f"--where {' '.join(conditions)}: no run of {self.name} has these values"
            )
        return runs


@contextmanager
def _said_of(file: Path) -> Iterator[None]:
    """Let a person's mistake say in which sweep's file it is; one in code of theirs says where."""
    try:
        yield
    except UsersCodeError:
        raise
    except InputError as error:
        raise InputError(f"{file}: {error}") from None


def load_sweep(name: str) -> Sweep:
    """The sweep that a TOML file declares, or a bundled one ("thesis"); raises InputError.

    Whether its designs, networks and workloads are valid is not looked at (`Sweep.check`).
    """
    sweep = Sweep(sweep_file(name))
    for part, scenario, observer in _declared(sweep.file):
        for run in _runs_of(scenario, observer):
            with _said_of(sweep.file):
                key = run.key
            sweep.parts.setdefault(part, []).append(key)
            sweep.runs.setdefault(key, run)
            sweep.scenarios.setdefault(key, []).append(scenario)
    return sweep


def declared_runs(file: Path) -> Iterator[tuple[str, Run]]:
    """Each part's name and run in a sweep's file, with repetitions; raises InputError.

    Keys, which take most of the time, are not made yet.
    """
    for part, scenario, observer in _declared(file):
        for run in _runs_of(scenario, observer):
            yield part, run


def _runs_of(scenario: BaseScenario, observer: str | None) -> Iterator[Run]:
    for name in scenario.compared:
        yield Run(scenario.comparing(name), observer)


def _declared(file: Path) -> Iterator[tuple[str, BaseScenario, str | None]]:
    """Each part's name and scenario, with all that it compares, and what observes its runs."""
    values = read_toml(file, "file of a sweep")
    observer = observer_in(file, values)
    choices = {
        what: _tables(file, f"choice.{what}", alternatives)
        for what, alternatives in _tables(file, "choice", values.pop("choice", {})).items()
    }
    parts = _tables(file, "runs", values.pop("runs", {}))
    if not parts:
        raise InputError(f"{file}: declares no runs; add a table [runs.NAME]")
    declared: list[tuple[str, Lists]] = []
    for part, own in parts.items():
        place = f"{file}: runs.{part}"
        for chosen in _chosen(place, own.pop("across", []), choices):
            settings = _merged(place, values, chosen, own)
            declared.append((part, _lists(place, declared_kind(file, settings), settings)))
    runs = sum(prod(map(len, lists.values())) for _, lists in declared)
    if runs > MOST_RUNS:
        raise InputError(f"{file}: declares {runs:,} runs; a sweep has at most {MOST_RUNS:,}")
    for part, lists in declared:
        for settings in _product(f"{file}: runs.{part}", lists):
            yield part, declared_scenario(file, settings), observer


def sweep_file(name: str) -> Path:
    """The TOML file with this path, or that of a bundled sweep; raises InputError."""
    file = Path(name)
    if not file.is_file() and name in BUNDLED:
        return BUNDLED[name]
    if not file.exists() and not file.suffix:
        known = ", ".join(sorted(BUNDLED))
        raise InputError(f"{name}: no such file; give a sweep's TOML file, or one of {known}")
    return file


def _merged(place: str, *layers: dict[str, object]) -> dict[str, object]:
    """The settings of all layers, where later ones override; a window is `first` and `jobs`."""
    merged: dict[str, Any] = {}
    for layer in layers:
        merged |= layer
        if "window" in merged and layer.keys() & {"first", "jobs"}:
            raise InputError(f"{place}.window: sets first and jobs; leave those out")
    return merged


def parse_condition(condition: str, parameters: Mapping[str, object]) -> tuple[str, list[str]]:
    """The name and the accepted values of a condition such as "ram=50,65"; raises InputError."""
    name, equals, values = condition.partition("=")
    name = name.strip().replace("-", "_")
    name = OTHER_NAMES.get(name, name)
    if not equals or name not in parameters:
        raise InputError(
            f"--where {condition}: give a parameter and its values, such as ram=50,65; "
            f"parameters are {', '.join(parameters)}"
        )
    return name, listed(values)


def meets(parameters: Mapping[str, object], name: str, values: list[str]) -> bool:
    """Whether the parameter has one of the values; numbers are compared as numbers."""
    return name in parameters and any(_is(parameters[name], value) for value in values)


def _is(actual: Any, wanted: str) -> bool:
    try:
        return float(actual) == float(wanted)
    except (TypeError, ValueError):
        return str(actual).lower() == wanted.lower()


def _tables(file: Path, kind: str, given: object) -> dict[str, dict[str, Any]]:
    tables: dict[str, Any] = given if isinstance(given, dict) else {"": given}
    for name, table in tables.items():
        if not isinstance(table, dict):
            raise InputError(f"{file}: {kind}.{name}: must be a table, as [{kind}.NAME]")
    return tables


def _chosen(place: str, across: Any, choices: Choices) -> Iterator[dict[str, Any]]:
    """The parameters of each combination of alternatives."""
    names = across if isinstance(across, list) else [across]
    for combination in product(*(_alternatives(place, name, choices) for name in names)):
        chosen: dict[str, Any] = {}
        for name, table in zip(names, combination, strict=True):
            if twice := [key for key in table if key in chosen]:
                raise InputError(
                    f"{place}: {twice[0]} is set by choice.{name} and by another choice of across; "
                    "set it in one of them"
                )
            chosen |= table
        yield chosen


def _alternatives(place: str, name: object, choices: Choices) -> list[dict[str, Any]]:
    """The alternatives of a choice in `across`, or the one that "WHAT.NAME" picks."""
    what, _, picked = str(name).partition(".")
    tables = choices.get(what, {})
    if not tables or (picked and picked not in tables):
        known = "; ".join(f"{what} ({', '.join(tables)})" for what, tables in choices.items())
        raise InputError(f"{place}.across: {shown(name)} is no choice; give {known or 'none'}")
    return [tables[picked]] if picked else [*tables.values()]


def _lists(place: str, kind: type[BaseScenario], settings: dict[str, object]) -> Lists:
    """The values of each parameter; designs (or policies) are the last."""
    what = kind.compares
    names = settings.pop(what, None)
    if names is None:
        field = kind.model_fields[what]
        names = [""] if field.is_required() else list(field.default)
    try:
        settings[what] = split_names(names)
    except InputError as error:
        raise InputError(f"{place}.{what}: {error}") from None
    if ends := _SEEDS.fullmatch(str(settings.get("seed"))):
        settings["seed"] = range(int(ends[1]), int(ends[2]) + 1)
    if "job" in settings:  # one workload, not a choice of jobs
        settings = {"job": [settings.pop("job")], **settings}
    lists: Lists = {key: v if isinstance(v, list | range) else [v] for key, v in settings.items()}
    for key, values in lists.items():
        if not values:
            raise InputError(f"{place}: {key}: the list is empty; give at least one value")
    return lists


def _product(place: str, lists: Lists) -> Iterator[dict[str, object]]:
    """All combinations of the parameters' values, each with all designs (or policies).

    A scenario takes as long to check with one of them as with all.
    """
    what = next(reversed(lists))
    for values in product(*(lists[name] for name in lists if name != what)):
        setting: dict[str, object] = dict(zip(lists, values, strict=False)) | {what: lists[what]}
        if "window" in setting:
            window = setting.pop("window")
            if not (isinstance(window, list) and len(window) == 2):
                raise InputError(
                    f"{place}: window: give pairs of the first record and how many, "
                    f"as [[1, 1000], [1001, 1000]] (not {shown(window)})"
                )
            setting["first"], setting["jobs"] = window
        yield setting
