"""Rules that a user writes once: a monitor sees the records of a run and says what is wrong.

The same text is checked on runs, emulated and for real, on journals, and in a search of all orders.
A file of rules has classes derived from `Monitor`, and monitors under names.
"""

from collections.abc import Callable, Iterable
from copy import copy, deepcopy
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path
from types import ModuleType
from typing import Any

from model.core.journal import words
from model.core.journal.kinds import Record
from model.core.users_code import guarded, users_module
from model.ground.errors import InputError


class Monitor:
    """Sees the records of one run in their order. Its attributes are its state."""

    def sees(self, record: Record) -> str | None:
        """What is wrong with this record, or None."""
        return None

    def at_end(self) -> str | Iterable[str] | None:
        """What should have happened by the end and has not (a text, or several), or None."""
        return None


Condition = Callable[[Record], object]  # true or false


def leads_to(p: Condition, q: Condition, key: Condition = lambda record: None) -> Monitor:
    """After each record that satisfies p comes one that satisfies q and has the same key."""
    return _LeadsTo(p, q, key)


def until(p: Condition, q: Condition) -> Monitor:
    """All records satisfy p until one satisfies q, which some day one does."""
    return _Until(p, q)


def eventually(p: Condition) -> Monitor:
    """Some day a record satisfies p."""
    return _Until(lambda record: True, p)


class _LeadsTo(Monitor):
    def __init__(self, p: Condition, q: Condition, key: Condition) -> None:
        self.p, self.q, self.key = p, q, key
        self.open: dict[object, str] = {}  # by key, after what nothing has followed

    def sees(self, record: Record) -> None:
        if self.q(record):
            self.open.pop(self.key(record), None)
        if self.p(record):
            self.open.setdefault(self.key(record), words.sentence(record))

    def at_end(self) -> list[str]:
        return [f"what must follow never does: {text}" for text in self.open.values()]


class _Until(Monitor):
    def __init__(self, p: Condition, q: Condition) -> None:
        self.p, self.q = p, q
        self.is_over = False

    def sees(self, record: Record) -> str | None:
        if self.is_over:
            return None
        self.is_over = bool(self.q(record))
        if self.is_over or self.p(record):
            return None
        self.is_over = True
        return "it comes before what it must wait for"

    def at_end(self) -> str | None:
        return None if self.is_over else "what must happen never does"


@dataclass(frozen=True)
class Rule:
    """A monitor as it begins, by its name in a user's file."""

    name: str
    monitor: Monitor
    file: Path

    def begun(self) -> Monitor:
        """A monitor that has seen nothing."""
        return self.having(deepcopy(self.state_of(self.monitor)))

    def having(self, state: dict[str, Any]) -> Monitor:
        """A monitor with this state."""
        made = copy(self.monitor)
        for name, value in state.items():
            setattr(made, name, value)
        return made

    def state_of(self, monitor: Monitor) -> dict[str, Any]:
        """The attributes of a monitor, but for functions that it was made with."""
        state = monitor.__getstate__()
        parts = state if isinstance(state, tuple) else (state,)  # of a class with slots: two
        held = {name: value for part in parts for name, value in (part or {}).items()}
        fixed = [
            name
            for name, value in held.items()
            if callable(value) and value is getattr(self.monitor, name, None)
        ]
        return {name: value for name, value in held.items() if name not in fixed}

    @cached_property
    def _sees(self) -> Callable[[Monitor, Record], object]:
        return guarded(type(self.monitor).sees, self.file)

    def sees(self, monitor: Monitor, record: Record) -> str | None:
        said = self._sees(monitor, record)
        return str(said) if said else None

    def open_in(self, monitor: Monitor) -> tuple[str, ...]:
        """What should have happened if this is the end."""
        return tuple(guarded(_all_at_end, self.file)(monitor))


def _all_at_end(monitor: Monitor) -> list[str]:
    said = monitor.at_end()
    return [said] if isinstance(said, str) else [*map(str, said or ())]


def rules_in(module: ModuleType, file: Path) -> list[Rule]:
    """The monitors of a user's file, and one of each class there of which nothing is made."""
    own = vars(module).items()
    found = {name: it for name, it in own if isinstance(it, Monitor)}
    classes = {
        name: it
        for name, it in own
        if isinstance(it, type) and issubclass(it, Monitor) and it.__module__ == module.__name__
    }
    used = [*map(type, found.values()), *classes.values()]
    for name, kind in classes.items():
        if not any(issubclass(other, kind) and other is not kind for other in used) and not any(
            type(monitor) is kind for monitor in found.values()
        ):
            found[name] = guarded(kind, file)()
    return [Rule(name.replace("_", " "), monitor, file) for name, monitor in found.items()]


def rules_of(file: Path, option: str = "--check") -> list[Rule]:
    """The monitors of a file of rules, named by an option; raises InputError."""
    found = rules_in(users_module(file, option), file)
    if not found:
        raise InputError(f"{option} {file}: it has no rules; derive a class from model.Monitor")
    return found
