"""Observers: what takes further measures of a sweep's runs from their journals.

A sweep names one as `observer = "module:class"`. It is made with the scenario of a run, and is an
`Observer` (`model/core/comparison.py`): it reads the journal, and its measures join the summary.
What it measures is part of a run's key by its code, and no part of the model's version: to measure
more repeats one sweep's runs, and leaves all other results valid.
"""

from collections.abc import Callable
from functools import cache
from importlib import import_module
from pathlib import Path

from model.core.comparison import Observer
from model.core.scenario import BaseScenario
from model.core.version import version_of_file
from model.ground.errors import InputError, shown


def observer_in(file: Path, values: dict[str, object]) -> str | None:
    """Take what names the observer out of a sweep's values; raises InputError for no class."""
    name = values.pop("observer", None)
    if name is None:
        return None
    try:
        observer_class(str(name))
    except (ImportError, ValueError, AttributeError):
        raise InputError(
            f'{file}: observer: give "module:class" of ours (not {shown(name)})'
        ) from None
    return str(name)


@cache
def version_of_observer(name: str) -> str:
    """Its name and the version of its code."""
    file = import_module(name.partition(":")[0]).__file__
    assert file is not None  # it is no package without code, since it has the class
    return f"{name} {version_of_file(Path(file))}"


def observer_class(name: str) -> Callable[[BaseScenario], Observer]:
    module, _, of_it = name.partition(":")
    found: Callable[[BaseScenario], Observer] = getattr(import_module(module), of_it)
    return found
