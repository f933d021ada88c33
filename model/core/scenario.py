"""What the scenarios of all systems have in common, and how they are read from files."""

import tomllib
from collections.abc import Iterable, Mapping, Sequence, Set
from difflib import get_close_matches
from functools import partial
from pathlib import Path
from types import MappingProxyType
from typing import TYPE_CHECKING, Annotated, Any, ClassVar, Literal, Self, TypeVar

from pydantic import (
    BaseModel,
    BeforeValidator,
    ConfigDict,
    Field,
    ValidationError,
    model_validator,
)
from pydantic_core import ErrorDetails

from model.core.names import file_of, split_names, with_file
from model.ground.errors import InputError, cut, shown

if TYPE_CHECKING:
    import networkx as nx


def parameter(default: object, group: str, **limits: Any) -> Any:
    """A field of the scenario; the text below it is its help, and `group` the heading there."""
    return Field(default, json_schema_extra={"group": group}, **limits)


def _none(value: object) -> object:
    """Nothing for the text "none"; anything else unchanged."""
    return None if isinstance(value, str) and value.strip().lower() == "none" else value


Kind = TypeVar("Kind", bound="BaseScenario")


class Table(BaseModel):
    """One of the tables of a scenario file."""

    model_config = ConfigDict(extra="forbid", frozen=True, allow_inf_nan=False)


#: Other names of parameters, which are understood as well. (Results have a measure "faults".)
OTHER_NAMES = {"network": "bandwidth_mbps", "faults": "fault_file"}

#: What most people set, and the heading of it; `parameter` says those of all other parameters.
COMMON = (
    *("system", "designs", "policies", "trace", "first", "jobs", "load_factor", "nodes", "ram"),
    *("topology", "bandwidth_mbps", "fault_file", "seed"),
)
SCENARIO = "Scenario"

_MOST_COMPLAINTS = 5  # that are listed at once
_TABLES = ("job", "node", "fault")  # parameters that are lists of tables
#: Parameters that name a file, or may; those that list what is compared may, too.
_FILES = (
    *("trace", "columns", "memory_profile", "topology"),
    *("faults", "fault_file", "node_groups", "page_costs"),
)


class BaseScenario(BaseModel):
    """One cluster, one workload, one seed: the parameters that every system has.

    A system derives its own.
    """

    model_config = ConfigDict(
        extra="forbid", frozen=True, allow_inf_nan=False, use_attribute_docstrings=True
    )

    compares: ClassVar[str]  # the field that lists what is compared: "designs", "policies"
    noun: ClassVar[str]  # one of them, as tables call it: "design", "policy"
    #: Fields whose values stand in a file that others name: their names.
    read_from: ClassVar[Mapping[str, tuple[str, ...]]] = MappingProxyType({})
    lends_memory: ClassVar[bool] = False  # between nodes; if not, jobs move
    has_planes: ClassVar[bool] = False  # whether there is a data plane to choose
    #: Parameters younger than stored results, which do not state them where they have the default.
    later: ClassVar[tuple[str, ...]] = ("frame_bytes",)

    if TYPE_CHECKING:  # as a field of this class it would change the order of all parameters
        nodes: int  # which each system declares, with its own default

    seed: int = parameter(1, "What to compare", ge=0, lt=2**63)
    """Seed of all random draws."""
    load_factor: float = parameter(1.0, "Workload", gt=0, le=10**6, ge=10**-6)
    """Factor on the rate of arrivals."""
    topology: str = parameter("star", "Network")
    """star, bus, connected, two-level, fat-tree, leaf-spine, dragonfly, jellyfish, hypercube, ring,
    torus; or your own: file.py:function, a GraphML file."""
    bandwidth_mbps: float = parameter(100, "Network", ge=0.001, le=10**5)
    """Bandwidth of a link, Mbps."""
    latency_ns: int = parameter(50, "Network", ge=0, le=10**12)
    """Latency of a link, ns."""
    switch_us: float = parameter(80, "Network", ge=0, le=10**9)
    """Delay of a switch per message, up to 100 Mbps, us."""
    switch_scaling: bool = parameter(True, "Network")
    """Whether the switch delay shrinks in proportion above 100 Mbps, as in the thesis. Otherwise it
    is always --switch-us."""
    frame_bytes: Annotated[int | None, BeforeValidator(_none)] = parameter(
        None, "Network", ge=64, le=2**30
    )
    """Bytes of a frame; a switch delays each frame of a message. With Ethernet's 1500, a page of
    4,160 B takes 3 x 80 us (section 3.1.2: "switches may only forward one message at a time").
    Links carry messages whole. none: each message is one frame. Default: none."""
    duplex: Literal["full", "half"] = parameter("full", "Network")
    """full: a link carries one message at a time in each direction. half: one in both directions
    together. A topology may set its own links."""
    routing: Literal["single", "ecmp"] = parameter("single", "Network")
    """Which of several shortest paths (by hops) messages take. single: the first in the graph's
    order. ecmp: each switch draws a next hop for each source and target, as equal-cost multi-path
    does by a hash (RFC 2992)."""

    @classmethod
    def __pydantic_init_subclass__(cls, **_: object) -> None:
        for field in cls.model_fields.values():
            field.description = " ".join((field.description or "").split())  # in one line

    @model_validator(mode="before")
    @classmethod
    def _by_todays_names(cls, values: object) -> object:
        if not isinstance(values, dict):
            return values
        for old, new in OTHER_NAMES.items():
            if old in values and new in values:
                raise ValueError(f"{old} is another name of {new}; give one of them")
        return {OTHER_NAMES.get(name, name): value for name, value in values.items()}

    @property
    def compared(self) -> tuple[str, ...]:
        """The names of what is compared: designs or policies."""
        names: tuple[str, ...] = getattr(self, self.compares)
        return names

    @property
    def has_faults(self) -> bool:
        """Whether anything is lost or crashes."""
        return False

    @property
    def system_in_words(self) -> str:
        """The system, for captions."""
        raise NotImplementedError

    @property
    def ram_in_words(self) -> str:
        """The RAM of a node, for captions."""
        raise NotImplementedError

    @property
    def origin_of_jobs(self) -> str:
        """What follows the number of jobs in captions: where they come from, if that is known."""
        return ""

    @property
    def peculiarities(self) -> list[str]:
        """What captions say of a run beyond its cluster, jobs and seed: here, of its network."""
        found = [] if self.routing == "single" else [f"routes by {self.routing}"]
        if self.frame_bytes is not None:
            found.append(f"frames of {self.frame_bytes:,} B")
        return found

    @property
    def trace_file(self) -> Path | None:
        """The log that its jobs come from; None if they are listed or generated."""
        return None

    @property
    def profile_file(self) -> Path | None:
        """The file of how its jobs' memory changes; None if none does."""
        return None

    def with_own_links(self, graph: "nx.Graph") -> "nx.Graph":
        """The network on which each node has its own links, if nodes differ in these."""
        return graph

    @classmethod
    def defaults_of_later(cls) -> dict[str, object]:
        """The parameters that stored results may not state, with the values that they had then."""
        return {name: cls.model_fields[name].default for name in cls.later}

    @classmethod
    def as_run(cls, values: dict[str, object]) -> dict[str, object]:
        """The parameters of a run: defaults that depend on others are filled in.

        Those that are `later` are left out where they have their defaults.
        """
        defaults = cls.defaults_of_later()
        return {
            name: value
            for name, value in values.items()
            if not (name in defaults and value == defaults[name])
        }

    def comparing(self, *names: str) -> Self:
        """The same scenario, comparing these designs or policies."""
        return self.model_copy(update={self.compares: names})


def beside(file: Path, values: Mapping[str, object], compares: str) -> dict[str, object]:
    """Parameters from a file, with the paths among them relative to the working folder.

    `compares` is the parameter that lists what is compared, perhaps as functions in files.
    """
    located = dict(values)
    for key in _FILES:
        if isinstance(path := values.get(key), str):
            located[key] = _beside(file, path)
    try:
        names = split_names(values.get(compares))
    except InputError as error:
        raise InputError(f"{file}: {compares}: {error}") from None
    if isinstance(names, list):
        located[compares] = [
            with_file(name, partial(_beside, file)) if isinstance(name, str) else name
            for name in names
        ]
    return located


def files_in(values: Mapping[str, object], compares: str) -> list[Path]:
    """The paths of all that these parameters name and that may be a file of the user's."""
    names = split_names(values.get(compares))
    compared = [name for name in names if isinstance(name, str)] if isinstance(names, list) else []
    others = [str(values[key]) for key in _FILES if values.get(key) is not None]
    paths = [part for text in others for part in (text, text.partition(":")[0])]
    return [*map(file_of, compared), *map(Path, paths)]


def read_toml(file: Path, wanted: str = "scenario file") -> dict[str, Any]:
    """The content of a TOML file; raises InputError, with what is wanted, if it is unreadable."""
    try:
        return tomllib.loads(file.read_text("utf-8"))
    except OSError as error:
        raise InputError(f"{file}: {error.strerror}; give a readable {wanted}") from None
    except ValueError as error:
        raise InputError(f"{file}: not a TOML file: {cut(str(error), 200)}") from None


def _beside(file: Path, name: str) -> str:
    """A path that a scenario file names, relative to the working folder; other names unchanged."""
    path = file.parent / name.partition(":")[0]
    return str(file.parent / name) if path.is_file() else name


def checked(
    kind: type[Kind], values: Mapping[str, object], file: Path | None, from_file: Set[str]
) -> Kind:
    """A scenario of these values; raises InputError, which names the file for keys from it."""
    try:
        return kind.model_validate(values)
    except ValidationError as error:
        read = kind.read_from.items()
        others: dict[str | int, object] = {
            key: values[name] for key, names in read for name in names if values.get(name)
        }
        known = (*kind.model_fields, *OTHER_NAMES)
        raise InputError(one_line(error, file, from_file, others, known)) from None


def _place(where: Sequence[str | int]) -> str:
    """Where in the values something is: "memory.unit", "job 2, processes"; people count from 1."""
    parts = [f" {part + 1}, " if isinstance(part, int) else f".{part}" for part in where]
    return cut("".join(parts).replace(", .", ", ").removeprefix(".").removesuffix(", "))


def one_line(
    error: ValidationError,
    file: Path | None,
    from_file: Set[str],
    other_files: Mapping[str | int, object] = MappingProxyType({}),
    known: Sequence[str] = (),
) -> str:
    """What is wrong with the values of a scenario.

    It names the file of those that are `from_file`, and of those that come from others. `known` are
    the names of parameters, of which the closest to an unknown name is suggested.
    """
    complaints = []
    problems = error.errors()
    # Pydantic leaves what is wrong out of a list, and then finds the list too short.
    problems = [it for it in problems if it["type"] != "too_short"] or problems
    for problem in problems[:_MOST_COMPLAINTS]:
        where = list(problem["loc"])
        message = _in_words(problem, known)
        if not where:
            complaints.append(message)
            continue
        place = _place(where)
        if where[0] in from_file:
            name = f"{file}: {place}"
        elif where[0] in other_files:
            name = f"{other_files[where[0]]}: {place}"
        else:
            name = "--" + place.replace("_", "-", str(where[0]).count("_"))
        given = "" if problem["type"] == "missing" else f" (not {shown(problem['input'])})"
        complaints.append(f"{name}: {message[0].lower()}{message[1:]}{given}")
    if (more := len(problems) - _MOST_COMPLAINTS) > 0:
        complaints.append(f"and {more} more")
    return "; ".join(complaints)


def _in_words(problem: ErrorDetails, known: Iterable[str]) -> str:
    """What is wrong, in the words of scenario files."""
    *tables, name = problem["loc"] or ("",)
    if problem["type"] in ("extra_forbidden", "unexpected_keyword_argument"):
        close = () if tables else get_close_matches(str(name).replace("-", "_"), known, 1)
        return f"there is no such parameter{''.join(f'; did you mean {name}?' for name in close)}"
    if problem["type"] == "tuple_type":
        return f"give a list, as of [[{name}]] tables" if name in _TABLES else "give a list"
    return problem["msg"].removeprefix("Value error, ")
