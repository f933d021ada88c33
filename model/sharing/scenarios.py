"""The load sharing systems' scenarios by name, and how one is made from a file and options."""

from pathlib import Path

from model.core.scenario import beside, checked, read_toml
from model.ground.errors import InputError
from model.sharing.cmgs.scenario import CmgsScenario
from model.sharing.memory.scenario import MemoryScenario
from model.sharing.scenario import SharingScenario
from model.sharing.unknown.scenario import UnknownScenario
from model.sharing.wal_fc.scenario import WalFcScenario

SHARING: dict[str, type[SharingScenario]] = {
    "memory": MemoryScenario,
    "unknown": UnknownScenario,
    "wal-fc": WalFcScenario,
    "cmgs": CmgsScenario,
}


def make_sharing_scenario(file: Path | None = None, **parameters: object) -> SharingScenario:
    """A scenario of one system from a TOML file (if any) and parameters, which override the file.

    Paths in the file are relative to it. Raises InputError with the file, parameter and limit.
    """
    values = {} if file is None else beside(file, read_toml(file), SharingScenario.compares)
    system = parameters.get("system", values.get("system", "memory"))
    if not isinstance(system, str) or system not in SHARING:
        raise InputError(f"--system: {system!r} is none of {', '.join(SHARING)}")
    kind = SHARING[system]
    for name in [*values, *parameters]:
        if name not in kind.model_fields and any(
            name in other.model_fields for other in SHARING.values()
        ):
            raise InputError(f"--{name.replace('_', '-')} is no parameter of --system {system}")
    return checked(kind, {**values, **parameters}, file, values.keys() - parameters.keys())
