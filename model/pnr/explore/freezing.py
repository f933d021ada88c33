"""What roles and messages hold, as bytes that are equal where the contents are.

To freeze a content, a tree of tuples and plain values is made of it, and bytes of that. The bytes
depend on content alone: not on addresses, the hash seed, or the order of a dict's keys, as `==`
does not either. (Freezing puts the keys of dicts in order, so what must keep the order in which it
grew is a list or an OrderedDict.) Instants are taken out of the bytes, which hold only their order.
To thaw it, one content of each such bytes is kept as a pickle.
"""

import marshal
from collections import OrderedDict
from collections.abc import Callable, Collection, Iterable, Mapping, Sequence, Set
from dataclasses import fields, is_dataclass
from functools import cache
from io import BytesIO
from pickle import Pickler, Unpickler
from types import FunctionType
from typing import Any

from model.ground.errors import InputError, shown
from model.pnr.explore.instants import Duration, Instant, Watch
from model.pnr.explore.numbers import MARK, Number, pieces, plain

#: What stands first in a tree, if that is not the name of a class.
_TUPLE, _LIST, _DICT, _SET, _FROZENSET, _AGAIN, _KNOWN, _GLOBAL = range(8)
_INSTANT, _NUMBER, _TEXT, _LAST = range(8, 12)
_TAGS: Mapping[type[object], int] = {tuple: _TUPLE, list: _LIST, set: _SET, frozenset: _FROZENSET}
_PLAIN = {int, str, type(None), bool, float, bytes}
_GLOBALS = (type, FunctionType)
_MARK = MARK.encode()

Frozen = tuple[bytes, tuple[int, ...]]  # the shape of a content, and the stamps of its instants


class Freezer:
    """Freezes contents to bytes, and thaws them; knows the classes and shapes that it has met."""

    def __init__(self, watch: Watch) -> None:
        self.watch = watch
        self._globals: dict[str, Any] = {}  # classes and functions by their full names
        self._pickled: dict[bytes, bytes] = {}  # a content of each shape

    def freeze(self, content: Any) -> Frozen:
        """The content as bytes.

        Raises InputError for what has no content that could be compared, such as a generator.
        """
        frozen, _ = self.freeze_seen(content, content, {})
        return frozen

    def freeze_seen(
        self,
        seen: Any,
        content: Any,
        known: Mapping[int, str],
        last: Collection[int] = (),
    ) -> tuple[Frozen, set[int]]:
        """The content as bytes of what is `seen` of it, since no more matters; and the stamps of
        the instants that are not only in the dicts that come `last`, which have these id()s.

        What can change and is `known` by its id() is frozen by its name.
        """
        freezing = _Freezing(self, known, last)
        shape = freezing.shape(seen)
        if _MARK in shape:  # seldom, and only then each text is looked at
            freezing = _Freezing(self, known, last, _PLAIN - {str})
            shape = freezing.shape(seen)
        if shape not in self._pickled:
            file = BytesIO()
            _Pickling(file, self, freezing.rank, known).dump(content)
            self._pickled[shape] = file.getvalue()
        return (shape, tuple(freezing.rank)), {*freezing.instants[: freezing.before_last]}

    def thaw(self, frozen: Frozen, known: Mapping[str, Any] | None = None) -> Any:
        """A new content, equal to the one that was frozen; `known` are objects by their names."""
        shape, stamps = frozen
        instants = [self.watch.of_stamp(stamp) for stamp in stamps]
        return _Thawing(self._pickled[shape], instants, known or {}, self._globals).load()

    def name(self, thing: Any) -> str:
        """The full name of a class or function, by which it is found again."""
        name = f"{thing.__module__}.{thing.__qualname__}"
        if self._globals.setdefault(name, thing) is not thing:
            raise InputError(f"{name} is the name of two things; give each its own")
        return name


class _Pickling(Pickler):
    """Pickles a content, but for its instants, what is known, and classes and functions."""

    def __init__(
        self, file: BytesIO, freezer: Freezer, rank: Mapping[int, int], known: Mapping[int, str]
    ) -> None:
        super().__init__(file)
        self.freezer = freezer
        self.rank = rank
        self.known = known

    def persistent_id(self, value: Any) -> tuple[int, Any] | None:
        kind = type(value)
        if kind is str and MARK in value:
            between, codes = pieces(value)
            if not self.rank.keys() >= {*codes}:
                return _NUMBER, plain(value)
            return _TEXT, (between, [self.rank[code] for code in codes])
        if kind in _PLAIN:
            return None
        if kind is Instant or kind is Number:
            place = self.rank.get(value.stamp)  # None: it does not matter, and is kept as it is
            return (_NUMBER, int.__int__(value)) if place is None else (_INSTANT, place)
        if kind is Duration:
            return _NUMBER, int.__int__(value)
        if isinstance(value, _GLOBALS):
            return _GLOBAL, self.freezer.name(value)
        return (_KNOWN, self.known[id(value)]) if id(value) in self.known else None


class _Thawing(Unpickler):
    """Makes a new content, with these instants, of one that was pickled."""

    def __init__(
        self,
        pickled: bytes,
        instants: Sequence[Instant | Number],
        known: Mapping[str, Any],
        names: Mapping[str, Any],
    ) -> None:
        super().__init__(BytesIO(pickled))
        self.left_out: dict[int, Any] = {_INSTANT: instants, _KNOWN: known, _GLOBAL: names}

    def persistent_load(self, what: tuple[int, Any]) -> object:
        kind, which = what
        if kind == _TEXT:
            first, *between = which[0]
            numbers = [self.left_out[_INSTANT][rank] for rank in which[1]]
            return first + "".join(f"{it}{text}" for it, text in zip(numbers, between, strict=True))
        return which if kind == _NUMBER else self.left_out[kind][which]


class _Freezing:
    """One content on its way to bytes."""

    def __init__(
        self,
        freezer: Freezer,
        known: Mapping[int, str],
        last: Collection[int],
        plain: Set[type[object]] = _PLAIN,
    ) -> None:
        self.freezer = freezer
        self.last = last
        self.plain = plain
        self.instants: list[int] = []  # their stamps, in the order in which they are met
        self.before_last = 0  # how many of these are met before the dicts that come last
        self.rank: dict[int, int] = {}  # of each stamp among them, in order
        self.put_off: list[dict[object, object]] = []  # such dicts
        self.met: dict[int, int | str] = {**known}  # id() of what can change -> number or name
        self.kept: list[object] = []  # what has a number, so that no id() is given twice

    def shape(self, content: object) -> bytes:
        """The content as bytes, with the order of its instants."""
        tree = self.freeze(content)
        self.before_last = len(self.instants)
        put_off: list[Any] = [self._entries(value) for value in self.put_off]
        self.rank = {stamp: place for place, stamp in enumerate(sorted({*self.instants}))}
        ranks = [self.rank[stamp] for stamp in self.instants]
        origins = [self.freezer.watch.of_stamp(stamp).origin for stamp in self.rank]
        return marshal.dumps((tree, ranks, origins, *put_off), 0)

    def freeze(self, value: object) -> Any:
        kind: Any = type(value)
        if kind in self.plain:
            return value
        can_change, freeze = _way_of(kind)
        if can_change:
            met = self.met.get(id(value))
            if met is not None:
                return (_KNOWN if isinstance(met, str) else _AGAIN, met)
            self.met[id(value)] = len(self.kept)
            self.kept.append(value)
        return freeze(self, value)

    def _row(self, value: Sequence[object]) -> object:
        return (self._tag(type(value)), *self._all(value))

    def _set(self, value: Set[object]) -> object:
        return (self._tag(type(value)), *self._all(self._in_order(value)))

    def _tag(self, kind: type[object]) -> int | str:
        tag = _TAGS.get(kind)
        return self.freezer.name(kind) if tag is None else tag

    def _instant(self, value: Instant | Number) -> object:
        self.instants.append(value.stamp)
        return (_INSTANT,)

    def _text(self, value: str) -> object:
        between, codes = pieces(value)
        self.instants += codes
        return (_TEXT, *between) if codes else value

    def _duration(self, value: Duration) -> object:
        value.watch.calculated = True
        return int(value)

    def _global(self, value: type[object] | FunctionType) -> object:
        if "<" in value.__qualname__:
            raise _incomparable(value)
        return (_GLOBAL, self.freezer.name(value))

    def _dict(self, value: dict[object, object]) -> object:
        if id(value) in self.last:
            self.put_off.append(value)
            return (_LAST, len(self.put_off))
        return self._entries(value)

    def _entries(self, value: dict[object, object]) -> Any:
        parts: list[object] = [_DICT]
        self._put_in_order(value)
        for key, part in value.items():
            parts += (
                key if type(key) in self.plain else self.freeze(key),
                part if type(part) in self.plain else self.freeze(part),
            )
        return tuple(parts)

    def _dataclass(self, value: object) -> object:
        kind: Any = type(value)
        names = _fields_of(kind)
        parts = [getattr(value, name) for name in names]
        held = getattr(value, "__dict__", {})
        for name in sorted(name for name in held if name not in names):  # what else it was given
            parts += (name, held[name])
        return (self.freezer.name(kind), *self._all(parts))

    def _all(self, values: Iterable[object]) -> list[object]:
        # most are plain: to call `freeze` for each of them took a third of the time
        return [value if type(value) in self.plain else self.freeze(value) for value in values]

    def _reduced(self, value: object) -> object:
        """Any other object, by what it would be copied from."""
        if isinstance(value, dict) and not isinstance(value, OrderedDict):
            self._put_in_order(value)
        try:
            reduced = value.__reduce_ex__(2)
        except TypeError:
            raise _incomparable(value) from None
        if isinstance(reduced, str):
            raise _incomparable(value)
        make, *parts = reduced  # arguments, state, items, pairs
        parts[2:] = [None if part is None else tuple(part) for part in parts[2:]]
        return (self.freezer.name(type(value)), self.freezer.name(make), *self._all(parts))

    def _put_in_order(self, values: dict[Any, Any]) -> None:
        if len(values) < 2:  # as most
            return
        keys = self._in_order(values)
        if keys != [*values]:
            items = [(key, values[key]) for key in keys]
            values.clear()
            values.update(items)

    def _in_order(self, values: Collection[Any]) -> list[Any]:
        """Keys or members in their own order, or if they have none in that of their texts; sets in
        that of their bytes, since of most no one is the smaller."""
        if any(map(_has_sets, values)):
            return sorted(values, key=self.freezer.freeze)
        try:
            return sorted(values)
        except TypeError:
            for value in values:
                of_class: object = type(value).__repr__
                if of_class is object.__repr__:  # its text is its address
                    raise _incomparable(value) from None
            return sorted(values, key=repr)


_Way = tuple[bool, Callable[[_Freezing, Any], object]]
_WAYS: Mapping[type[object], _Way] = {
    tuple: (False, _Freezing._row),
    list: (True, _Freezing._row),
    str: (False, _Freezing._text),
    Instant: (False, _Freezing._instant),
    Number: (False, _Freezing._instant),
    Duration: (False, _Freezing._duration),
    dict: (True, _Freezing._dict),
    set: (True, _Freezing._set),
    frozenset: (True, _Freezing._set),
}


@cache
def _way_of(kind: type[object]) -> _Way:
    """Whether what is of this class can change, and may be met again, and how it is frozen."""
    if kind in _WAYS:
        return _WAYS[kind]
    if issubclass(kind, tuple) and hasattr(kind, "_fields"):
        return False, _Freezing._row
    if issubclass(kind, type) or kind is FunctionType:
        return False, _Freezing._global
    if hasattr(kind, "__dataclass_params__"):
        return not kind.__dataclass_params__.frozen, _Freezing._dataclass
    return True, _Freezing._reduced


@cache
def _fields_of(kind: type[object]) -> tuple[str, ...]:
    """The names of the fields of a dataclass; another class has none."""
    return tuple(field.name for field in fields(kind)) if is_dataclass(kind) else ()


def _has_sets(value: object) -> bool:
    """Whether a key or member is a set, or a tuple of some."""
    if isinstance(value, tuple):
        return any(map(_has_sets, value))
    return isinstance(value, frozenset)


def _incomparable(value: object) -> InputError:
    return InputError(
        f"a role or message keeps {shown(value)}, whose content cannot be compared with "
        "another's; keep numbers, texts, tuples, lists, dicts or dataclasses"
    )
