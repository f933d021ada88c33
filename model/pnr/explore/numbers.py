"""Numbers that roles count up, of which only the order or the differences matter.

A role that numbers its requests or messages, or counts terms or heartbeats, never comes to a state
a second time. So in a search it counts with a `Number`, which knows its *series*, and after each
step the numbers of a series become as small as they can: the ids of a role's requests keep only
their order, others only how they differ, and a 0 stays a 0 (`smallest`). If a role uses a number
for anything else, or compares it with one of another series, that is noticed.

Ids of requests are such numbers from the start; fields of roles are, once they are seen to grow.
"""

import re
from collections.abc import Callable, Collection, Iterator, Sequence
from dataclasses import replace
from hashlib import blake2b
from typing import Any

from agents.pnr.hosting import Host
from agents.pnr.role import Role
from model.pnr.explore.alike import Alike, Distinguished, Field

#: A number's code is that of its series, and then its value. It is larger than all numbers of
#: times (`clocks.py`), beside which it stands.
CODES = 1 << 200
_VALUE_BITS, _ZERO = 40, 1 << 39
#: A series' code is its kind, and then where it is: the node, the place in a collection, and how
#: often the servent has started again. Of series that are joined it is the smallest.
_PLACE_BITS, _STARTS_BITS = 32, 10
_WHERE_BITS = 8 + _PLACE_BITS + _STARTS_BITS
_ROLES = ("client", "server", "manager")  # the first kinds: the ids of their requests
#: In the series of a number that a rule sees after a step: it is not the same as before the step.
_AFTER = 1 << _WHERE_BITS + 8

MARK = "\ue000"  # in texts, before a number's code
_MARKED = re.compile(f"{MARK}(\\d+);")

Held = dict[Field, list[object]]  # by field, the keys of its numbers


class Numbers:
    """The numbers of one search, and what roles have done with them since the last `reset`."""

    def __init__(self, alike: Alike) -> None:
        self.alike = alike
        self._of_joined = {series: min(group) for group in alike.joined for series in group}
        self.reset()

    def reset(self) -> None:
        """Forget what roles have done."""
        self.used: list[int] = []  # series whose numbers were used for more
        self.met: list[tuple[int, int]] = []  # series that were compared

    def check(self) -> None:
        """Raise Distinguished if roles have done more with numbers than is alike."""
        for series in self.used:
            raise Distinguished(self._without(series))
        for one, other in self.met:
            is_id = _kind(other) is None
            if is_id or _kind(one) is None or (one ^ other) & _AFTER:
                raise Distinguished(self._without(other if is_id else one))
            raise Distinguished(self.alike.with_joined(one & ~_AFTER, other & ~_AFTER))

    def _without(self, series: int) -> Alike:
        """What is alike if the numbers of a series matter."""
        series &= ~_AFTER
        group = next((it for it in self.alike.joined if series in it), (series,))
        kinds = [_kind(one) for one in group]
        if None in kinds:
            return replace(self.alike, requests=False)
        return self.alike.without(self.alike.fields[kind] for kind in kinds if kind is not None)

    def of_code(self, code: int) -> "Number":
        series, value = divmod(code - CODES, 1 << _VALUE_BITS)
        return Number(value - _ZERO, series, self)

    def begin(self, role: Role) -> None:
        """Let a new role count its requests with numbers."""
        if self.alike.requests:
            series = _series(_ROLES.index(role.name), role, "requests")
            role.requests = Number(role.requests, series, self)

    def held(self, host: Host) -> Held:
        """Where the roles of a node have numbers in fields."""
        return {field: _counted(role, field.name)[1] for _, field, role in self._fields(host)}

    def take_over(self, host: Host, before: Held, at_first: bool) -> None:
        """Make numbers of what roles have put into fields.

        There may be something new where nothing was `before`; in joined series only `at_first`,
        when all servents start, or below 0. All else is noticed: a number that is gone, or one that
        begins again.
        """
        for kind, field, role in self._fields(host):
            holder, keys = _counted(role, field.name)
            were = before.get(field, [])
            for key in keys:
                if type(holder[key]) is int:
                    series = _series(kind + len(_ROLES), role, key)
                    fits = at_first or holder[key] < 0 or series not in self._of_joined
                    if key in were or not fits:
                        self.used.append(series)
                    series = self._of_joined.get(series, series)
                    holder[key] = Number(holder[key], series, self)
            if not all(key in keys for key in were):
                self.used.append(_series(kind + len(_ROLES), role, None))

    def _fields(self, host: Host) -> Iterator[tuple[int, Field, Role]]:
        for kind, field in enumerate(self.alike.fields):
            if field not in self.alike.exact and field.role in host.roles:
                yield kind, field, host.roles[field.role]


def _counted(role: Role, name: str) -> tuple[Any, list[Any]]:
    """What holds the numbers of a field, and by which keys."""
    value = vars(role).get(name)
    if type(value) in _PLAIN:
        return vars(role), [name]
    pairs: Collection[tuple[Any, Any]] = ()
    if type(value) is list:
        pairs = [*enumerate(value)]
    elif isinstance(value, dict):
        pairs = value.items()
    return value, [key for key, one in pairs if type(one) in _PLAIN and type(key) is not Number]


def _series(kind: int, role: Role, key: object) -> int:
    place = int.from_bytes(blake2b(repr(key).encode(), digest_size=_PLACE_BITS // 8).digest())
    where = (role.node << _PLACE_BITS | place) << _STARTS_BITS | role.site.incarnation
    return kind << _WHERE_BITS | where


def _kind(series: int) -> int | None:
    """The place of a series among those of fields; None if it is of ids of requests."""
    kind = ((series & ~_AFTER) >> _WHERE_BITS) - len(_ROLES)
    return None if kind < 0 else kind


def smallest(codes: frozenset[int]) -> tuple[tuple[int, int], ...]:
    """What the codes of all numbers in a state become, where they are to be others."""
    values: dict[int, list[int]] = {}  # by series
    for code in sorted(codes):
        series, value = divmod(code - CODES, 1 << _VALUE_BITS)
        values.setdefault(series, []).append(value - _ZERO)
    changes = []
    for series, its in values.items():
        new: Sequence[int] = [value - max(0, its[0] - 1) for value in its]
        if _kind(series) is None:
            new = range(its[0] > 0, len(its) + (its[0] > 0))
        pairs = zip(its, new, strict=True)
        changes += [(_code(series, old), _code(series, it)) for old, it in pairs if old != it]
    return tuple(changes)


def _code(series: int, value: int) -> int:
    return CODES + (series << _VALUE_BITS) + _ZERO + value


def as_after(stamp: int) -> int:
    """A stamp as a rule sees it after a step, if it is a number's code."""
    return stamp + (_AFTER << _VALUE_BITS) if stamp >= CODES else stamp


# Numbers in texts


def codes_in(text: str) -> list[int]:
    """The codes of the numbers that are part of a text."""
    return [int(code) for code in _MARKED.findall(text)] if MARK in text else []


def pieces(text: str) -> tuple[tuple[str, ...], list[int]]:
    """The pieces between the numbers in a text, and the codes of these."""
    parts = _MARKED.split(text)
    return tuple(parts[::2]), [int(code) for code in parts[1::2]]


def with_codes(text: str, changed: Callable[[int], int]) -> str:
    """A text in which numbers have other codes."""
    return _MARKED.sub(lambda match: f"{MARK}{changed(int(match[1]))};", text)


def plain(text: str) -> str:
    """A text for readers, with plain numbers."""
    return _MARKED.sub(lambda match: str((int(match[1]) - _ZERO) % (1 << _VALUE_BITS)), text)


class Number(int):
    """A number of a series: whoever only compares it, or adds to it, does not see how large it is.

    The difference of two is a plain number, but for ids of requests, which keep only their order.
    """

    origin: int  # its series
    numbers: Numbers

    def __new__(cls, value: int, origin: int, numbers: Numbers) -> "Number":
        made = super().__new__(cls, value)
        made.origin = origin
        made.numbers = numbers
        return made

    def __deepcopy__(self, _: object) -> "Number":
        return self  # with the same `numbers`

    @property
    def stamp(self) -> int:
        return _code(self.origin, int.__int__(self))

    def __add__(self, other: int) -> int:
        is_id = _kind(self.origin) is None
        if type(other) is Number or not isinstance(other, int) or (is_id and other != 1):
            self.numbers.used.append(self.origin)
            return int.__add__(self, other)
        value = int.__add__(self, other)
        if self and (value > 0) != (self > 0):  # it would see how far it was from 0
            self.numbers.used.append(self.origin)
        return Number(value, self.origin, self.numbers)

    __radd__ = __add__

    def __sub__(self, other: int) -> int:
        if _kind(self.origin) is None:
            self.numbers.used.append(self.origin)
            return int.__sub__(self, other)
        if type(other) is not Number:
            return self + -other
        if other.origin != self.origin:
            self.numbers.met.append((self.origin, other.origin))
        return int.__sub__(self, other)

    def __format__(self, spec: str) -> str:
        if spec:
            return str(_used("__format__")(self, spec))
        return f"{MARK}{self.stamp};"

    def __repr__(self) -> str:
        return format(self)

    __str__ = __repr__
    __hash__ = int.__hash__


_PLAIN = (int, Number)  # what may become a number, or is one


def _used(name: str) -> Callable[..., Any]:
    """int's method of this name, which is noticed."""
    of_int = getattr(int, name)

    def method(self: Number, *others: object) -> Any:
        self.numbers.used.append(self.origin)
        return of_int(self, *others)

    return method


def _compared(name: str) -> Callable[..., Any]:
    """int's comparison of this name, which is free in a series, and with 0 or less."""
    of_int = getattr(int, name)

    def method(self: Number, other: Any) -> Any:
        if type(other) is Number:
            if other.origin != self.origin:
                self.numbers.met.append((self.origin, other.origin))
        elif isinstance(other, int | float) and other > 0:
            self.numbers.used.append(self.origin)
        return of_int(self, other)

    return method


COMPARISONS = ("__lt__", "__le__", "__gt__", "__ge__", "__eq__", "__ne__")
CALCULATIONS = (
    *("__mul__", "__rmul__", "__floordiv__", "__rfloordiv__", "__truediv__", "__rtruediv__"),
    *("__mod__", "__rmod__", "__divmod__", "__rdivmod__", "__neg__", "__abs__", "__pow__"),
    *("__lshift__", "__rshift__", "__and__", "__or__", "__xor__", "__invert__", "__rsub__"),
    *("__rlshift__", "__rrshift__", "__rand__", "__ror__", "__rxor__", "__rpow__", "__pos__"),
    *("__int__", "__index__", "__float__", "__round__", "__floor__", "__ceil__", "__trunc__"),
    "bit_length",
)
for _name in CALCULATIONS:
    setattr(Number, _name, _used(_name))
for _name in COMPARISONS:
    setattr(Number, _name, _compared(_name))
