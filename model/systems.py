"""The systems by name: Parallel Network RAM, and those of load sharing."""

from collections.abc import Mapping
from pathlib import Path
from typing import Any

from model.core.scenario import BaseScenario, beside, checked, read_toml
from model.ground.errors import InputError
from model.pnr.scenario import Scenario, make_scenario
from model.sharing.scenarios import SHARING, make_sharing_scenario

#: A scenario that names no system belongs to Parallel Network RAM.
PNR = "pnr"
SCENARIOS: dict[str, type[BaseScenario]] = {PNR: Scenario, **SHARING}

#: The parameters of all systems.
PARAMETERS = [*dict.fromkeys(name for kind in SCENARIOS.values() for name in kind.model_fields)]


def kind_of(values: Mapping[str, Any]) -> type[BaseScenario]:
    """The class of scenarios with these values; raises KeyError for an unknown system."""
    return SCENARIOS[values.get("system", PNR)]


def scenario_of(values: Mapping[str, Any]) -> BaseScenario:
    """The scenario that was saved as these values.

    Raises KeyError for an unknown system, and pydantic's ValidationError for invalid values.
    """
    return kind_of(values)(**values)


def declared_kind(file: Path, values: Mapping[str, Any]) -> type[BaseScenario]:
    """The class of a scenario in a file; raises InputError for an unknown system."""
    system = values.get("system", PNR)
    if not isinstance(system, str) or system not in SCENARIOS:
        raise InputError(f"{file}: system: give one of {', '.join(SHARING)} (not {system!r})")
    return SCENARIOS[system]


def declared_scenario(file: Path, values: Mapping[str, Any]) -> BaseScenario:
    """A scenario with all its values from a file, as in a sweep; raises InputError if invalid."""
    kind = declared_kind(file, values)
    located = beside(file, values, kind.compares)
    return checked(kind, located, file, located.keys())


def make_any_scenario(file: Path | None = None, **parameters: Any) -> BaseScenario:
    """A scenario of the system that the parameters or the file name; without one, of PNR.

    Raises InputError.
    """
    named = parameters.get("system") or (read_toml(file).get("system") if file else None)
    if named is not None and named != PNR:
        return make_sharing_scenario(file, **parameters)
    known = {name: value for name, value in parameters.items() if name != "system"}
    for name in known:
        if name not in Scenario.model_fields:
            raise InputError(
                f"--{name.replace('_', '-')} is a parameter of load sharing; give --system, too"
            )
    return make_scenario(file, **known)
