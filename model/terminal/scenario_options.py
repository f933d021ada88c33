"""An option for every parameter of a scenario."""

from collections.abc import Callable, Collection, Iterable
from inspect import Parameter
from pathlib import Path
from typing import Any

import typer
from pydantic.fields import FieldInfo

from model.core.files import same_file
from model.core.output import places
from model.core.scenario import (
    COMMON,
    OTHER_NAMES,
    SCENARIO,
    BaseScenario,
    beside,
    files_in,
    read_toml,
)
from model.ground.errors import InputError, shown
from model.terminal.command import Several, parameter
from model.terminal.fields import choices, help_of, metavar
from model.terminal.help import HELP_SCENARIO, show_scenario_help

_OUTPUTS = ("out", "report", "journal", "calibrate")  # options that name what is written


class ScenarioOptions(Several):
    """Annotates a command's scenario, which `make` makes of a file and of the options given.

    There is an option for each parameter of these kinds of scenario; their classes alone check
    values. The command's help shows those that are `common`. `instead` is the command's argument
    for a journal that is read instead.
    """

    def __init__(
        self,
        make: Callable[..., BaseScenario],
        *kinds: type[BaseScenario],
        common: Collection[str] = COMMON,
        instead: str = "",
    ) -> None:
        self._make = make
        self._kinds = kinds
        self._common = common
        self._instead = instead
        self._names: set[str] = set()

    def parameters(self, others: set[str]) -> list[Parameter]:
        """The options, those first that say what is compared, and one for a file."""
        known = dict.fromkeys(name for kind in self._kinds for name in kind.model_fields)
        for name in ("job", "node", "fault", *others):  # the first three are tables of a file
            known.pop(name, None)
        self._names = {*known}
        file = typer.Option(
            help="A scenario file (TOML); options override it.", rich_help_panel=SCENARIO
        )
        more = typer.Option(
            "--set",
            metavar="<name=value>",
            help="Set any scenario parameter; may be repeated.",
            rich_help_panel=SCENARIO,
        )
        listed = typer.Option(
            HELP_SCENARIO,
            is_eager=True,
            callback=show_scenario_help,
            help="List all other scenario parameters.",
            rich_help_panel=SCENARIO,
        )
        common = [name for name in self._common if name in known]
        return [
            *(self._parameter(name) for name in dict.fromkeys([*common, *known])),
            parameter("scenario", Path | None, file),
            parameter("set_", list[str] | None, more),
            parameter("help_scenario", bool, listed, False),
        ]

    def value(self, options: dict[str, object]) -> BaseScenario:
        """The scenario; raises InputError if a journal is read instead and it has options.

        And if the command would write over a file that is read.
        """
        file = options.pop("scenario")
        options.pop("help_scenario")
        texts = options.pop("set_")
        values = {name: options.pop(name) for name in self._names}
        given = {name: value for name, value in values.items() if value is not None}
        for name, value in _set(texts if isinstance(texts, list) else []).items():
            if name in given:
                option = name.replace("_", "-")
                raise InputError(f"--{option} and --set {name}=…: give one of them")
            given[name] = value
        journal = options.get(self._instead)
        if journal is not None and (file or given):
            name = "scenario" if file else next(iter(given)).replace("_", "-")
            raise InputError(f"--{name}: {journal} has its own scenario; leave --{name} out")
        stated = read_toml(file) if isinstance(file, Path) else {}
        if "system" in stated and "system" not in self._names:
            raise InputError(f"{file}: system: it is of load sharing, which run.py share compares")
        made = self._make(file, **given)
        inputs = files_in(given, made.compares)
        if isinstance(file, Path):
            located = beside(file, stated, made.compares)
            inputs = [file, *files_in({**located, **given}, made.compares)]
        self._check_outputs(options, inputs)
        return made

    def _check_outputs(self, options: dict[str, object], inputs: list[Path]) -> None:
        """Raise InputError if what the command writes is a file that it reads."""
        outputs = [name for name in _OUTPUTS if name != self._instead]
        paths = {name: path for name, path in options.items() if isinstance(path, Path)}
        inputs += [path for name, path in paths.items() if name not in outputs]
        for name in (name for name in outputs if name in paths):
            refuse_to_replace(name, paths[name], inputs)

    def _parameter(self, name: str) -> Parameter:
        fields = [kind.model_fields[name] for kind in self._kinds if name in kind.model_fields]
        also = [old for old, new in OTHER_NAMES.items() if new == name]
        extra: Any = fields[0].json_schema_extra
        annotations = [field.annotation for field in fields]
        option = typer.Option(
            *(f"--{each.replace('_', '-')}" for each in (name, *also) if also),
            help=_help(fields),
            show_default=False,
            metavar=metavar(name, *annotations),
            rich_help_panel=SCENARIO if name in self._common else str(extra["group"]),
        )
        return parameter(name, (bool if annotations[0] is bool else str) | None, option)


def _set(texts: Iterable[str]) -> dict[str, str]:
    """The parameters that texts as name=value give, by name; raises InputError."""
    given: dict[str, str] = {}
    for text in texts:
        name, equals, value = text.partition("=")
        name = name.strip().replace("-", "_")
        name = OTHER_NAMES.get(name, name)
        if not (name and equals):
            raise InputError(f"--set {shown(text)}: give name=value, such as quantum_s=30")
        if name in given:
            raise InputError(f"--set {name}=…: it is given twice")
        given[name] = value.strip()
    return given


def _help(fields: list[FieldInfo]) -> str:
    """The help for the fields of one name in several systems, with the first one's default."""
    default = fields[0].default
    if isinstance(default, tuple):
        default = ", ".join(map(str, default))
    differ = len({*map(str, (choices(field.annotation) for field in fields))}) > 1
    sentences = [help_of(field) for field in (fields if differ else fields[:1])]
    return " ".join([*sentences, *([] if default is None else [f"Default: {default}."])])


def refuse_to_replace(option: str, place: Path, inputs: Iterable[Path]) -> None:
    """Raise InputError if a place, or what is written into that folder, is a file that is read."""
    written = places(place) if place.is_dir() else [place]
    for read in inputs:
        if any(same_file(file, read) for file in written):
            raise InputError(
                f"--{option} {place}: replaces {read}, which is read; give another place"
            )
