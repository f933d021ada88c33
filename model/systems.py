"""The systems by name, and how a scenario of any of them is made, compared and run.

They are Parallel Network RAM and those of load sharing. All that knows several stands here or in
rooms after this one.
"""

from collections.abc import Mapping, Sequence
from functools import cache
from pathlib import Path
from typing import TYPE_CHECKING, Any
from warnings import warn

from model.core.names import has_another_name
from model.core.scenario import BaseScenario, beside, checked, read_toml
from model.ground.errors import InputError
from model.pnr.scenario import Scenario, make_scenario

if TYPE_CHECKING:
    from model.core.comparison import Comparison
    from model.core.emulation import Emulation
    from model.core.result import RunResult


#: A scenario that names no system belongs to Parallel Network RAM.
PNR = "pnr"


@cache
def scenarios() -> dict[str, type[BaseScenario]]:
    """The class of scenarios of each system, by its name."""
    from model.sharing.scenarios import SHARING  # takes a while to import

    return {PNR: Scenario, **SHARING}


@cache
def parameter_names() -> list[str]:
    """The parameters of all systems."""
    return [*dict.fromkeys(name for kind in scenarios().values() for name in kind.model_fields)]


def kind_of(values: Mapping[str, object]) -> type[BaseScenario]:
    """The class of scenarios with these values; raises KeyError for an unknown system."""
    system = str(values.get("system", PNR))
    return Scenario if system == PNR else scenarios()[system]


def scenario_of(values: Mapping[str, object]) -> BaseScenario:
    """The scenario that was saved as these values.

    Raises KeyError for an unknown system, and pydantic's ValidationError for invalid values.
    """
    return kind_of(values).model_validate(values)


def declared_kind(file: Path, values: Mapping[str, object]) -> type[BaseScenario]:
    """The class of a scenario in a file; raises InputError for an unknown system."""
    system = values.get("system", PNR)
    if system not in [*scenarios()]:
        others = ", ".join(name for name in scenarios() if name != PNR)
        raise InputError(f"{file}: system: give one of {others} (not {system!r})")
    return kind_of(values)


def declared_scenario(file: Path, values: Mapping[str, object]) -> BaseScenario:
    """A scenario with all its values from a file, as in a sweep; raises InputError if invalid.

    Paths from there are absolute, since a worker may run in another folder.
    """
    kind = declared_kind(file, values)
    located = beside(file.resolve(), values, kind.compares)
    return checked(kind, located, file, located.keys())


def make_any_scenario(file: Path | None = None, **parameters: object) -> BaseScenario:
    """A scenario of the system that the parameters or the file name; without one, of PNR.

    Raises InputError.
    """
    named = parameters.get("system") or (read_toml(file).get("system") if file else None)
    if named is not None and named != PNR:
        from model.sharing.scenarios import make_sharing_scenario

        return make_sharing_scenario(file, **parameters)
    known = {name: value for name, value in parameters.items() if name != "system"}
    for name in known:
        if name in parameter_names() and name not in Scenario.model_fields:
            raise InputError(
                f"--{name.replace('_', '-')} is a parameter of load sharing; give --system, too"
            )
    return make_scenario(file, **known)


def of_a_log(file: Path | None = None, **parameters: object) -> Scenario:
    """The scenario; of its log all records, unless it takes some. Raises InputError."""
    scenario = make_scenario(file, **parameters)
    if scenario.job is not None:
        raise InputError(f"{file}: lists its jobs; name a log that has windows (--trace)")
    return scenario if scenario.jobs else scenario.model_copy(update={"first": scenario.first or 1})


def comparison_of(
    scenario: BaseScenario, workload: Sequence[object] | None = None
) -> "Comparison[object]":
    """The comparison that a scenario declares; `workload` replaces its jobs."""
    # Emulations take a while to import.
    if isinstance(scenario, Scenario):
        from model.pnr.comparison import DesignComparison

        return DesignComparison(scenario, workload)
    from model.sharing.comparison import PolicyComparison

    return PolicyComparison(scenario, workload)


def name_in_results(scenario: BaseScenario, declared: str) -> str:
    """What results call a design or policy that is declared so."""
    (name,) = comparison_of(scenario.comparing(declared)).contestants
    return name


def declared_as(scenario: BaseScenario, name: str) -> str:
    """What a scenario declares under the name that results have for it; or else the name itself."""
    from model.core.topology import are_alike  # slow to import

    for declared in filter(has_another_name, scenario.compared):
        if are_alike(name_in_results(scenario, declared), name):
            return declared
    return name


def run(
    scenario: BaseScenario, name: str, workload: Sequence[object] | None = None, **options: Any
) -> "Emulation":
    """Run one design or policy on the scenario to its end; options as in `Comparison.run`."""
    comparison = comparison_of(scenario.comparing(name), workload)
    (known_as,) = comparison.contestants
    return comparison.run(known_as, **_renamed(options))


def emulation_of(
    scenario: BaseScenario, name: str, workload: Sequence[object] | None = None, **options: Any
) -> "Emulation":
    """One design or policy on the scenario, ready to run; options as in `Comparison.emulation`."""
    comparison = comparison_of(scenario.comparing(name), workload)
    (known_as,) = comparison.contestants
    return comparison.emulation(known_as, **_renamed(options))


def compare(scenario: BaseScenario, **options: Any) -> "list[RunResult]":
    """Run all that the scenario compares; options as in `Comparison.results`."""
    comparison = comparison_of(scenario)
    comparison.validate()
    return comparison.compared([*comparison.results(**_renamed(options))])


def _renamed(options: dict[str, Any]) -> dict[str, Any]:
    """The options under their names of today: `engine` is read for one release."""
    if "engine" not in options:
        return options
    warn("engine= is called plane= now", FutureWarning, stacklevel=3)
    return {"plane" if name == "engine" else name: value for name, value in options.items()}


def measure(emulation: "Emulation") -> "RunResult":
    """The tables of a run that has ended."""
    return comparison_of(emulation.parameters).measure(emulation)
