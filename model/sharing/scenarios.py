"""The systems' scenarios by name, and how one is made of a file and options."""

from collections.abc import Set
from pathlib import Path
from typing import TYPE_CHECKING, Any

from pydantic import ValidationError

from model.core.scenario import beside, one_line, read_toml
from model.ground.errors import InputError
from model.pnr.scenario import Scenario
from model.sharing.cmgs.scenario import CmgsScenario
from model.sharing.memory.scenario import MemoryScenario
from model.sharing.scenario import SharingScenario
from model.sharing.unknown.scenario import UnknownScenario
from model.sharing.wal_fc.scenario import WalFcScenario

if TYPE_CHECKING:
    from model.pnr.constants import Constants
    from model.sharing.constants import SharingConstants

SCENARIOS: dict[str, type[SharingScenario]] = {
    "memory": MemoryScenario,
    "unknown": UnknownScenario,
    "wal-fc": WalFcScenario,
    "cmgs": CmgsScenario,
}


AnyScenario = Scenario | SharingScenario


def any_scenario(values: dict[str, Any]) -> AnyScenario:
    """The scenario that was written out as these values, of load sharing or not.

    Raises KeyError for a system and ValidationError for parameters that there are not.
    """
    return (SCENARIOS[values["system"]] if "system" in values else Scenario)(**values)


def constants_of(scenario: AnyScenario) -> "Constants | SharingConstants":
    """The constants of a scenario, of load sharing or not."""
    from model.pnr.constants import Constants  # they load what --help need not wait for
    from model.sharing.system import system_of

    if isinstance(scenario, SharingScenario):
        return system_of(scenario).constants(scenario)
    return Constants.of(scenario)


def make_sharing_scenario(file: Path | None = None, **parameters: Any) -> SharingScenario:
    """A scenario of one system from a TOML file (if any) and parameters, which win over the file's.

    Paths in the file are relative to it. Raises InputError naming the file, parameter and limit.
    """
    values = {} if file is None else _from_file(file)
    system = parameters.get("system", values.get("system", "memory"))
    if system not in SCENARIOS:
        raise InputError(f"--system: {system!r} is none of {', '.join(SCENARIOS)}")
    kind = SCENARIOS[system]
    own = kind.model_fields
    for name in [*values, *parameters]:
        if name not in own and any(name in other.model_fields for other in SCENARIOS.values()):
            raise InputError(f"--{name.replace('_', '-')} is no parameter of --system {system}")
    return _checked(kind, {**values, **parameters}, file, values.keys() - parameters.keys())


def declared_scenario(file: Path, values: dict[str, Any]) -> SharingScenario:
    """A scenario whose values all stand in a file, as a sweep's do; raises InputError."""
    values = beside(file, values, "policies")
    system = values["system"]
    if system not in SCENARIOS:
        raise InputError(f"{file}: system: {system!r} is none of {', '.join(SCENARIOS)}")
    return _checked(SCENARIOS[system], values, file, values.keys())


def parameter_names() -> list[str]:
    """Those of all systems."""
    return [*dict.fromkeys(name for kind in SCENARIOS.values() for name in kind.model_fields)]


def _checked(
    kind: type[SharingScenario], values: dict[str, Any], file: Path | None, from_file: Set[str]
) -> SharingScenario:
    try:
        return kind(**values)
    except ValidationError as error:
        raise InputError(one_line(error, file, from_file)) from None


def _from_file(file: Path) -> dict[str, Any]:
    return beside(file, read_toml(file), "policies")
