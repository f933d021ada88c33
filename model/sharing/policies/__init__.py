"""Load sharing policies: small classes that say which job goes to which node, and when.

`interface.py` is what a policy is; every other file has the policies of one paper.
"""

from pathlib import Path

from model.scenario import InputError
from model.sharing.constants import SharingConstants
from model.sharing.policies.cpu_memory import POLICIES
from model.sharing.policies.interface import Policy
from model.topology import _function as from_file  # where a run's version must not change


def load_policy(name: str, constants: SharingConstants) -> Policy:
    """The policy of this name, or of a user's file.py:name, for one run; raises InputError."""
    if ":" in name or name.endswith(".py"):
        path, _, attribute = name.partition(":")
        policy = from_file(Path(path), attribute, name)
        if not (isinstance(policy, type) and issubclass(policy, Policy)):
            raise InputError(
                f"{name}: is no policy; give a class derived from "
                "model.sharing.policies.interface.Policy"
            )
        return policy(constants)
    if name.upper() not in POLICIES:
        raise InputError(
            f"{name!r} is no policy known here; take one of {', '.join(POLICIES)}, "
            "or file.py:name of your own"
        )
    return POLICIES[name.upper()](constants)
