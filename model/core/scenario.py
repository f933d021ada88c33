"""What the scenarios of all systems have in common, and how they are read from files."""

import tomllib
from collections.abc import Set
from pathlib import Path
from typing import Any

from pydantic import Field, ValidationError

from model.ground.errors import InputError


def split_names(value: Any) -> Any:
    """A text of names with commas between them as a list; anything else as it is."""
    return [name.strip() for name in value.split(",")] if isinstance(value, str) else value


def parameter(default: Any, help: str, group: str, **limits: Any) -> Any:
    """A field of the scenario; `group` is the heading it stands under in the help."""
    return Field(default, description=help, json_schema_extra={"group": group}, **limits)


def beside(file: Path, values: dict[str, Any], compared: str = "designs") -> dict[str, Any]:
    """Parameters that stand in a file, with the paths among them from where we are.

    `compared` is the one that lists what is compared, each of which may be a file's function.
    """
    values = dict(values)
    for key in ("trace", "topology"):
        if isinstance(values.get(key), str):
            values[key] = _beside(file, values[key])
    names = split_names(values.get(compared))
    if isinstance(names, list):
        values[compared] = [
            _beside(file, name) if isinstance(name, str) else name for name in names
        ]
    return values


def read_toml(file: Path) -> dict[str, Any]:
    """What a TOML file says; raises InputError."""
    try:
        with open(file, "rb") as stream:
            return tomllib.load(stream)
    except OSError as error:
        raise InputError(f"{file}: {error.strerror}; give a readable scenario file") from None
    except (tomllib.TOMLDecodeError, UnicodeDecodeError) as error:
        raise InputError(f"{file}: not a TOML file: {error}") from None


def _beside(file: Path, name: str) -> str:
    """A path that a scenario file names, from where we are; other names as they are."""
    path = file.parent / name.partition(":")[0]
    return str(file.parent / name) if path.is_file() else name


def one_line(error: ValidationError, file: Path | None, from_file: Set[str]) -> str:
    """What is wrong with the values of a scenario; of those `from_file` it names the file."""
    complaints = []
    for problem in error.errors():
        where = [str(part) for part in problem["loc"]]
        message = problem["msg"].removeprefix("Value error, ")
        if not where:
            complaints.append(message)
            continue
        if where[0] in from_file:
            name = f"{file}: {'.'.join(where)}"
        else:
            name = "--" + where[0].replace("_", "-")
        given = "" if problem["type"] == "missing" else f" (not {problem['input']!r})"
        complaints.append(f"{name}: {message[0].lower()}{message[1:]}{given}")
    return "; ".join(complaints)
