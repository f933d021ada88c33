"""What the names of networks and designs name, and the numbers that stand in them.

A name is that of a bundled one or of a file of the user's; what its function takes besides may
stand behind it in parentheses, and so may, before that, the design that it is put around:
`BB16`, `mine.py:auction(d=8, deadline_ms=5)`, `RELIABLE(mine.py:auction(d=8), sends=4)`.
"""

import importlib
import pkgutil
import re
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass, replace
from itertools import product
from pathlib import Path

from model.ground.errors import InputError, shown

#: Where bundled ones are looked for.
PACKAGES = {
    "networks": ("topologies.networks",),
    "managers": ("topologies.managers", "agents.pnr.protocols"),
    "wrappers": ("agents.pnr.wrappers",),
}
#: Files with a graph, as other programs write them; some are refused with what to do instead.
GRAPH_FILES = (".graphml", ".gml", ".json", ".xml", ".dot", ".gv")
_GIVEN = re.compile(r"([A-Za-z_]\w*)\s*=\s*(.*)", re.DOTALL)


@dataclass(frozen=True)
class Name:
    """A name by its parts; as a text, it is written in one way only."""

    called: str  # what stands before the parentheses
    given: tuple[tuple[str, str], ...] = ()  # its parameters with their values, as texts
    inner: "Name | None" = None  # the design that it is put around

    def __str__(self) -> str:
        parts = [] if self.inner is None else [str(self.inner)]
        parts += [f"{name}={value}" for name, value in self.given]
        return f"{self.called}({', '.join(parts)})" if parts else self.called

    @property
    def innermost(self) -> "Name":
        """The design itself, around which all others are put."""
        return self if self.inner is None else self.inner.innermost

    def changed(self, change: Callable[[str], str]) -> "Name":
        """The same name with the design itself called otherwise."""
        if self.inner is None:
            return replace(self, called=change(self.called))
        return replace(self, inner=self.inner.changed(change))


def read_name(text: str) -> Name:
    """The parts of a name; raises InputError for several designs in one pair of parentheses."""
    called, opening, inside = text.strip().partition("(")
    if not opening or not inside.endswith(")"):
        return Name(text.strip())
    given: dict[str, str] = {}
    inner: list[str] = []
    for part in filter(None, listed(inside[:-1])):
        found = _GIVEN.fullmatch(part)
        if found is None:
            inner.append(part)
        elif found[1] in given:
            raise InputError(f"{text}: {found[1]} is given twice")
        else:
            given[found[1]] = found[2]
    if len(inner) > 1:
        raise InputError(
            f"{text}: {called}(…) goes around one design (not {' and '.join(inner)}); "
            "give numbers by name, as PROBE(d=4)"
        )
    return Name(called.rstrip(), tuple(given.items()), read_name(inner[0]) if inner else None)


def listed(text: str) -> list[str]:
    """What stands between commas, of which those in parentheses do not count."""
    parts, depth = [""], 0
    for letter in text:
        depth += (letter == "(") - (letter == ")")
        if letter == "," and not depth:
            parts.append("")
        else:
            parts[-1] += letter
    return [part.strip() for part in parts]


def split_names(value: object) -> object:
    """Names with commas between as a list, in which tables are names, too; all else unchanged.

    A table names a design and its parameters, as `{ design = "mine.py:auction", d = [2, 4] }`; of
    lists it means each combination. Those of a design around it are in a table of its name:
    `{ design = "RELIABLE(MAN)", RELIABLE.sends = [4, 8] }`. Raises InputError.
    """
    if isinstance(value, str):
        return listed(value)
    if not isinstance(value, list | tuple | Mapping):
        return value
    names: list[object] = []
    for entry in [value] if isinstance(value, Mapping) else value:
        if isinstance(entry, Mapping) and isinstance(entry.get("design"), str):
            names += map(str, _with_values(read_name(entry["design"]), entry))
        else:
            names.append(entry)
    return names


def _with_values(name: Name, table: Mapping[str, object]) -> Iterator[Name]:
    """The name with each combination of a table's values; those of the design itself by name."""
    own = {key: value for key, value in table.items() if key != "design"}
    around = own.pop(name.called, {}) if name.inner is not None else own
    if not isinstance(around, Mapping):
        raise InputError(f"{name}: {name.called} is a table of what it takes (not {shown(around)})")
    if both := around.keys() & dict(name.given):
        raise InputError(f"{name}: {min(both)} is given twice")
    inner = [None] if name.inner is None else _with_values(name.inner, own)
    choices = [
        [(key, text_of(each)) for each in (value if isinstance(value, list | tuple) else [value])]
        for key, value in around.items()
    ]
    combinations = list(product(*choices))
    for within in inner:
        for values in combinations:
            yield Name(name.called, (*name.given, *values), within)


def text_of(value: object) -> str:
    """A parameter's value as it stands in a name."""
    if value is None or isinstance(value, bool):
        return str(value).lower()
    return repr(value).removesuffix(".0") if isinstance(value, float) else str(value)


def with_file(name: str, change: Callable[[str], str]) -> str:
    """The name with that of the design itself, without what is around it, changed."""
    return str(read_name(name).changed(change))


def is_file_name(name: str) -> bool:
    """Whether a topology's name names a file of the user's."""
    called = read_name(name).innermost.called
    return ":" in called or Path(called).suffix in (".py", *GRAPH_FILES)


def has_another_name(name: str) -> bool:
    """Whether results may call it otherwise: what is in a file, or has parameters."""
    return is_file_name(name) or "=" in name


def file_of(name: str) -> Path:
    """The file that a topology's name names."""
    called = read_name(name).innermost.called
    return Path(called.rpartition(":")[0] or called)


def known(kind: str) -> list[str]:
    """The names of the bundled topologies of a kind."""
    packages = map(importlib.import_module, PACKAGES[kind])
    return sorted(
        module.name for package in packages for module in pkgutil.iter_modules(package.__path__)
    )
