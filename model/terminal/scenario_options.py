"""An option for every parameter of a scenario: the one reading of its class's fields."""

from collections.abc import Callable
from inspect import Parameter
from pathlib import Path
from types import NoneType
from typing import Annotated, Any, Literal, get_args, get_origin

import typer
from pydantic.fields import FieldInfo

from model.core.scenario import OTHER_NAMES, BaseScenario
from model.ground.errors import InputError
from model.terminal.command import Several, parameter
from model.terminal.completion import Complete, designs, one_of, policies, several_of, topologies


class ScenarioOptions(Several):
    """Annotates a command's scenario, which `make` makes of a file and of the options given.

    There is an option for each parameter of these kinds of scenario; their classes alone check
    values. `instead` is the command's argument for a journal that is read instead.
    """

    def __init__(
        self, make: Callable[..., BaseScenario], *kinds: type[BaseScenario], instead: str = ""
    ) -> None:
        self._make = make
        self._kinds = kinds
        self._instead = instead
        self._names: set[str] = set()

    def parameters(self, others: set[str]) -> list[Parameter]:
        """The options, those first that say what is compared, and one for a file."""
        known = dict.fromkeys(name for kind in self._kinds for name in kind.model_fields)
        for name in ("job", "fault", *others):  # the first two are tables of a file
            known.pop(name, None)
        first = {"system", *(kind.compares for kind in self._kinds)}
        self._names = {*known}
        file = typer.Option(help="A scenario file (TOML); options override it.", show_default=False)
        return [
            parameter("scenario", Annotated[Path | None, file]),
            *(self._parameter(name) for name in sorted(known, key=lambda name: name not in first)),
        ]

    def value(self, options: dict[str, Any]) -> BaseScenario:
        """The scenario; raises InputError if a journal is read instead and it has options."""
        file = options.pop("scenario")
        values = {name: options.pop(name) for name in self._names}
        given = {name: value for name, value in values.items() if value is not None}
        journal = options.get(self._instead)
        if journal is not None and (file or given):
            name = "scenario" if file else next(name for name in given).replace("_", "-")
            raise InputError(f"--{name}: {journal} has its own scenario; leave --{name} out")
        return self._make(file, **given)

    def _parameter(self, name: str) -> Parameter:
        fields = [kind.model_fields[name] for kind in self._kinds if name in kind.model_fields]
        also = [old for old, new in OTHER_NAMES.items() if new == name]
        extra = fields[0].json_schema_extra
        option = typer.Option(
            *(f"--{each.replace('_', '-')}" for each in (name, *also) if also),
            help=_help(fields),
            show_default=False,
            metavar=_metavar(name, [field.annotation for field in fields]),
            autocompletion=_completion(name, fields),
            rich_help_panel=extra["group"] if isinstance(extra, dict) else None,
        )
        kind = bool if fields[0].annotation is bool else str
        return parameter(name, Annotated[kind | None, option])


def _help(fields: list[FieldInfo]) -> str:
    """The help for the fields of one name in several systems, with the first one's default."""
    default = fields[0].default
    if isinstance(default, tuple):
        default = ", ".join(map(str, default))
    sentences = [fields[0].description or ""]
    if len({_choices(field.annotation) for field in fields}) > 1:  # each system has its own
        sentences = [field.description or "" for field in fields]
    return " ".join([*sentences, *([] if default is None else [f"Default: {default}."])])


def _metavar(name: str, annotations: list[Any]) -> str | None:
    """What a parameter takes, as the help shows it: <int>, <gang|space>; None for a flag."""
    if choices := [choice for annotation in annotations for choice in _choices(annotation)]:
        return f"<{'|'.join(map(str, dict.fromkeys(choices)))}>"
    kinds = [kind for kind in get_args(annotations[0]) if kind is not NoneType] or annotations
    if get_origin(annotations[0]) is tuple:
        if kinds[0] is str:
            return "<name,...>"
        return f"<{kinds[0].__name__ if isinstance(kinds[0], type) else 'float'},...>"
    if kinds[0] is str:
        return f"<{name.split('_')[-1]}>"  # a topology, trace or file
    return None if kinds[0] is bool else f"<{kinds[0].__name__.lower()}>"


def _completion(name: str, fields: list[FieldInfo]) -> Complete | None:
    """What a shell completes after a parameter's option."""
    by_name = {
        "designs": several_of(designs),
        "policies": several_of(policies),
        "topology": one_of(topologies),
    }
    choices = [str(choice) for field in fields for choice in _choices(field.annotation)]
    return by_name.get(name) or (one_of(lambda: dict.fromkeys(choices)) if choices else None)


def _choices(annotation: Any) -> tuple[Any, ...]:
    return get_args(annotation) if get_origin(annotation) is Literal else ()
