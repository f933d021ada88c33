"""The systems, one package per paper, and what each of them adds to the shared model."""

from collections.abc import Callable, Mapping
from importlib import import_module
from pathlib import Path
from typing import Any, NamedTuple

from agents.sharing.job import SequentialSpec
from agents.sharing.node_memory import NodeMemory
from agents.sharing.policy import Policy
from model.core.names import is_file_name
from model.core.users_code import users_object
from model.ground.errors import InputError, shown
from model.sharing.constants import SharingConstants
from model.sharing.scenario import SharingScenario


class System(NamedTuple):
    """What the system of one paper adds to the shared model."""

    constants: Callable[[Any], SharingConstants]  # of a scenario
    workload: Callable[[Any], list[SequentialSpec]]  # of a scenario; raises InputError
    memory: Callable[[Any, int], NodeMemory]  # of the constants and a node
    policies: Mapping[str, type[Policy]]  # by name, in capitals


def system_of(scenario: SharingScenario) -> System:
    """The system of a scenario: `SYSTEM` in `system.py` next to the scenario's class."""
    package = type(scenario).__module__.rpartition(".")[0]
    system: System = import_module(f"{package}.system").SYSTEM
    return system


def load_policy(name: str, system: System) -> tuple[str, type[Policy]]:
    """The name in results, and the policy of this name or of a user's file.py:name.

    Raises InputError.
    """
    if is_file_name(name):
        path, _, attribute = name.partition(":")
        policy = users_object(Path(path), attribute, name)
        if not (isinstance(policy, type) and issubclass(policy, Policy)):
            raise InputError(
                f"{name}: is no policy; give a class derived from agents.sharing.policy.Policy"
            )
        return attribute, policy
    if name.upper() not in system.policies:
        raise InputError(
            f"{shown(name)} is no policy of this system; take one of {', '.join(system.policies)}, "
            "or file.py:name of your own"
        )
    return name.upper(), system.policies[name.upper()]
