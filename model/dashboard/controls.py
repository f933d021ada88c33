"""The form of the page: every parameter of the scenario, and the scenario that a filled form means.

Files that are named in the page lie below the folder in which the dashboard was started; what was
named on the command line may lie anywhere.
"""

from collections.abc import Mapping
from pathlib import Path
from typing import Any, Literal, cast, get_args, get_origin

from pydantic.fields import FieldInfo

from model.core.names import file_of, known
from model.core.scenario import COMMON, SCENARIO, BaseScenario, checked
from model.ground.errors import InputError, shown

FAULTS = "fault"  # as scenarios have the tables of what goes wrong
_TABLES = ("job", "node", FAULTS)  # of scenario files: they stay as they are
_DESIGNS = ("DP", "CLI", "CEN", "MAN", "BB4", "BB8", "BB16", "BB32")


def form(scenario: BaseScenario) -> list[dict[str, object]]:
    """A field for each parameter, in the groups and the order of --help-scenario.

    Of one that has its default and is no choice the value is empty.
    """
    known = type(scenario).model_fields
    fields = []
    for name in dict.fromkeys([*(it for it in COMMON if it in known), *known]):
        if name in (*_TABLES, scenario.compares):
            continue
        field, value, choices = known[name], getattr(scenario, name), _choices(known[name])
        extra = cast(dict[str, object], field.json_schema_extra)
        fields.append(
            {
                "name": name,
                "group": SCENARIO if name in COMMON else extra["group"],
                "help": field.description,
                "default": _text(field.default),
                "value": "" if value == field.default and choices is None else _text(value),
                "choices": choices,
            }
        )
    return fields


def names_on_offer(scenario: BaseScenario) -> list[str]:
    """Designs or policies to choose from; any other may be named, too."""
    if not scenario.lends_memory:
        return [*scenario.compared]
    own = [name.upper() for name in known("managers") if name != "bb"]
    return [*dict.fromkeys([*scenario.compared, *_DESIGNS, *own])]


def filled(
    scenario: BaseScenario, values: Mapping[str, object], designs: list[str]
) -> BaseScenario:
    """The scenario with these values, texts all of them, and these designs or policies.

    Raises InputError for an unknown parameter, a value that is not allowed, or a file elsewhere.
    """
    known_values = {field["name"]: field["value"] for field in form(scenario)}
    changes: dict[str, Any] = {}
    for name, value in values.items():
        if name not in known_values or not isinstance(value, str):
            raise InputError(f"{shown(name)}: no parameter of this scenario")
        if value != known_values[name]:
            lies_here(value)
            changes[name] = _value(type(scenario).model_fields[name], value)
    for design in designs:
        if design not in scenario.compared:
            lies_here(str(file_of(design)))
    if {"trace", "first", "jobs"} & changes.keys():
        changes["job"] = None
    return _changed(scenario, {**changes, scenario.compares: designs})


def with_faults(scenario: BaseScenario, tables: object) -> BaseScenario:
    """The scenario in which just these faults happen; raises InputError for what is none."""
    return _changed(scenario, {FAULTS: tables})


def _changed(scenario: BaseScenario, changes: Mapping[str, object]) -> BaseScenario:
    """The scenario with other values; None is as if nothing had been given."""
    given = {name: getattr(scenario, name) for name in scenario.model_fields_set}
    known = {name: value for name, value in {**given, **changes}.items() if value is not None}
    return checked(type(scenario), known, None, set())


def lies_here(name: str) -> None:
    """Raise InputError if a name, perhaps with `:function` behind it, leads out of this folder."""
    here = Path.cwd().resolve()
    for part in name.split(","):
        path, _, _ = part.strip().rpartition(":")
        for file in (part.strip(), path):
            if "\0" in file or not (here / file).resolve().is_relative_to(here):
                raise InputError(
                    f"{shown(part)}: name a file below the folder in which the dashboard was "
                    "started; others are named on its command line"
                )


def _text(value: object) -> str:
    if value is None:
        return ""
    if isinstance(value, bool):
        return "true" if value else "false"
    if isinstance(value, tuple):
        return ",".join(map(str, value))
    return f"{value:.12g}" if isinstance(value, float) else str(value)


def _value(field: FieldInfo, text: str) -> object:
    """What a text stands for: nothing, one of the choices, or itself."""
    if text == "":
        return None
    choices = get_args(field.annotation) if get_origin(field.annotation) is Literal else ()
    return next((choice for choice in choices if str(choice) == text), text)


def _choices(field: FieldInfo) -> list[str] | None:
    """What there is to choose from; None for any text."""
    if get_origin(field.annotation) is Literal:
        return [str(choice) for choice in get_args(field.annotation)]
    return ["true", "false"] if field.annotation is bool else None
