"""What the names of networks and designs name: a bundled one, or a file of the user's."""

import importlib
import pkgutil
import re
from collections.abc import Callable
from pathlib import Path

#: Where bundled ones are looked for.
PACKAGES = {
    "networks": ("topologies.networks",),
    "managers": ("topologies.managers", "agents.pnr.protocols"),
    "wrappers": ("agents.pnr.wrappers",),
}
_WRAPPED = re.compile(r"([A-Za-z]\w*)\((.*)\)", re.DOTALL)


def unwrapped(name: str) -> tuple[list[str], str]:
    """The names around a design's, from the outside in, and the design's own: RELIABLE(MAN)."""
    around = []
    while wrapped := _WRAPPED.fullmatch(name):
        around.append(wrapped.group(1))
        name = wrapped.group(2)
    return around, name


def with_file(name: str, change: Callable[[str], str]) -> str:
    """The name with its own part, without the names around it, changed."""
    around, inner = unwrapped(name)
    return "".join(f"{wrapper}(" for wrapper in around) + change(inner) + ")" * len(around)


def is_file_name(name: str) -> bool:
    """Whether a topology's name names a file of the user's."""
    _, name = unwrapped(name)
    return ":" in name or Path(name).suffix in (".py", ".graphml")


def file_of(name: str) -> Path:
    """The file that a topology's name names."""
    _, name = unwrapped(name)
    return Path(name.rpartition(":")[0] or name)


def known(kind: str) -> list[str]:
    """The names of the bundled topologies of a kind."""
    packages = map(importlib.import_module, PACKAGES[kind])
    return sorted(
        module.name for package in packages for module in pkgutil.iter_modules(package.__path__)
    )
