"""What roles and messages hold, as bytes that are equal where the contents are.

The bytes depend on content alone: not on addresses, the hash seed, or the order of a dict's keys,
as `==` does not either. (A dict is thawed with its keys in order. What must keep the order in which
it grew is a list.) Instants are taken out of the bytes, which hold only their order.
"""

import copyreg
import marshal
from collections.abc import Iterable, Mapping
from dataclasses import fields, is_dataclass
from functools import cache
from typing import Any

from model.ground.errors import InputError, shown
from model.pnr.explore.instants import Duration, Instant, Watch

_TUPLE, _LIST, _DICT, _INSTANT, _NAMED, _DATACLASS, _RANGE, _SET, _FROZENSET = range(9)
_REDUCED, _AGAIN, _KNOWN, _GLOBAL = range(9, 13)
_PLAIN = {int, str, type(None), bool, float, bytes}

Frozen = tuple[bytes, tuple[int, ...]]  # the shape of a content, and the stamps of its instants


class Freezer:
    """Freezes contents to bytes, and thaws them; knows the classes that it has met."""

    def __init__(self, watch: Watch) -> None:
        self.watch = watch
        self._globals: dict[str, Any] = {}  # classes and functions by their full names

    def freeze(self, content: Any, known: Mapping[int, str] | None = None) -> Frozen:
        """The content as bytes; objects that are `known` by their id() only by their names.

        Raises InputError for what has no content that could be compared, such as a generator.
        """
        freezing = _Freezing(self, known or {})
        tree = freezing.freeze(content)
        instants = sorted(set(freezing.instants))
        rank = {value: place for place, value in enumerate(instants)}
        ranks = bytes(rank[value] for value in freezing.instants)
        origins = bytes(self.watch.of_stamp(stamp).origin for stamp in instants)
        return marshal.dumps((tree, ranks, origins), 0), tuple(instants)

    def thaw(self, frozen: Frozen, known: Mapping[str, Any] | None = None) -> Any:
        """A new content, equal to the one that was frozen; `known` are objects by their names."""
        shape, instants = frozen
        tree, ranks, _ = marshal.loads(shape)
        times = iter([self.watch.of_stamp(instants[rank]) for rank in ranks])
        return _Thawing(self._globals, times, known or {}).thaw(tree)

    def name(self, thing: Any) -> str:
        """The full name of a class or function, by which it is found again."""
        name = f"{thing.__module__}.{thing.__qualname__}"
        if self._globals.setdefault(name, thing) is not thing:
            raise InputError(f"{name} is the name of two things; give each its own")
        return name


class _Freezing:
    """One content on its way to bytes."""

    def __init__(self, freezer: Freezer, known: Mapping[int, str]) -> None:
        self.freezer = freezer
        self.known = known
        self.instants: list[int] = []  # their stamps, in the order in which they are met
        self.met: dict[int, int] = {}  # id() of what can change -> its number
        self.kept: list[Any] = []  # so that no id() is given twice

    def freeze(self, value: Any) -> Any:
        kind: Any = type(value)
        if kind in _PLAIN:
            return value
        if kind is Instant:
            self.instants.append(value.stamp)
            return (_INSTANT,)
        if kind is tuple:
            return (_TUPLE, *self._all(value))
        if id(value) in self.known:
            return (_KNOWN, self.known[id(value)])
        if kind is Duration:
            value.watch.calculated = True
            return int(value)
        if isinstance(value, tuple) and hasattr(kind, "_fields"):
            return (_NAMED, self.freezer.name(kind), *self._all(value))
        if kind is range:
            return (_RANGE, value.start, value.stop, value.step)
        if isinstance(value, type) or kind.__name__ == "function":
            if "<" in value.__qualname__:
                raise _incomparable(value)
            return (_GLOBAL, self.freezer.name(value))
        names = _fields_of(kind)
        if names is not None and kind.__dataclass_params__.frozen:
            return self._dataclass(value, names)
        if id(value) in self.met:
            return (_AGAIN, self.met[id(value)])
        self.met[id(value)] = len(self.met)
        self.kept.append(value)
        if kind is list:
            return (_LIST, *self._all(value))
        if kind is dict:
            return (_DICT, *self._items(value))
        if kind in (set, frozenset):
            tag = _SET if kind is set else _FROZENSET
            return (tag, *self._all(_in_order(value)))
        if names is not None:
            return self._dataclass(value, names)
        return self._reduced(value)

    def _all(self, values: Iterable[object]) -> list[object]:
        # most are plain: to call `freeze` for each of them took a third of the time
        return [value if type(value) in _PLAIN else self.freeze(value) for value in values]

    def _items(self, value: Mapping[object, object]) -> list[object]:
        return self._all(part for key in _in_order(value) for part in (key, value[key]))

    def _dataclass(self, value: object, names: Iterable[str]) -> object:
        parts = self._all(getattr(value, name) for name in names)
        return (_DATACLASS, self.freezer.name(type(value)), *parts)

    def _reduced(self, value: object) -> object:
        """Any other object, by the way in which it would be copied."""
        try:
            reduced = value.__reduce_ex__(2)
        except TypeError:
            raise _incomparable(value) from None
        if isinstance(reduced, str):
            raise _incomparable(value)
        make, arguments, state, items, pairs = (*reduced, *[None] * (5 - len(reduced)))[:5]
        is_new = make is copyreg.__newobj__  # type: ignore[attr-defined]  # not in typeshed
        if is_new:
            make, *arguments = arguments
        parts = (
            self.freeze(tuple(arguments)),
            self.freeze(state),
            self.freeze(None if items is None else tuple(items)),
            self.freeze(None if pairs is None else dict(pairs)),
        )
        made = (_GLOBAL, self.freezer.name(make))
        return (_REDUCED, is_new, made, *parts)


@cache
def _fields_of(kind: type[object]) -> tuple[str, ...] | None:
    """The names of the fields of a dataclass; None of another class."""
    return tuple(field.name for field in fields(kind)) if is_dataclass(kind) else None


def _in_order(values: Any) -> list[Any]:
    """Keys or members in their own order, or if they have none in that of their texts."""
    try:
        return sorted(values)
    except TypeError:
        for value in values:
            of_class: object = type(value).__repr__
            if of_class is object.__repr__:  # its text is its address
                raise _incomparable(value) from None
        return sorted(values, key=repr)


def _incomparable(value: object) -> InputError:
    return InputError(
        f"a role or message keeps {shown(value)}, whose content cannot be compared with "
        "another's; keep numbers, texts, tuples, lists, dicts or dataclasses"
    )


class _Thawing:
    """One content on its way from bytes."""

    def __init__(self, names: Mapping[str, Any], times: Any, known: Mapping[str, Any]) -> None:
        self.names = names
        self.times = times
        self.known = known
        self.made: list[Any] = []  # what can change, by its number

    def thaw(self, tree: Any) -> Any:
        if type(tree) is not tuple:
            return tree
        tag, *parts = tree
        match tag:
            case 0:  # _TUPLE
                return tuple(self._all(parts))
            case 3:  # _INSTANT
                return next(self.times)
            case 4:  # _NAMED
                kind = self.names[parts[0]]
                return tuple.__new__(kind, self._all(parts[1:]))
            case 1:  # _LIST
                found: Any = self._made([])
                found.extend(self._all(parts))
                return found
            case 2:  # _DICT
                found = self._made({})
                thawed = self._all(parts)
                found.update(zip(thawed[::2], thawed[1::2], strict=True))
                return found
            case 5:  # _DATACLASS
                return self._dataclass(self.names[parts[0]], parts[1:])
            case 6:  # _RANGE
                return range(*parts)
            case 7:  # _SET
                found = self._made(set())
                found.update(self._all(parts))
                return found
            case 8:  # _FROZENSET
                place = len(self.made)
                self.made.append(None)
                self.made[place] = found = frozenset(self._all(parts))
                return found
            case 9:  # _REDUCED
                return self._reduced(*parts)
            case 10:  # _AGAIN
                return self.made[parts[0]]
            case 11:  # _KNOWN
                return self.known[parts[0]]
        return self.names[parts[0]]  # _GLOBAL

    def _all(self, trees: Iterable[object]) -> list[object]:
        return [self.thaw(tree) if type(tree) is tuple else tree for tree in trees]

    def _made(self, thing: object) -> object:
        self.made.append(thing)
        return thing

    def _dataclass(self, kind: Any, parts: list[Any]) -> Any:
        found = object.__new__(kind)
        if not kind.__dataclass_params__.frozen:
            self._made(found)
        for name, part in zip(_fields_of(kind) or (), self._all(parts), strict=True):
            object.__setattr__(found, name, part)
        return found

    def _reduced(self, is_new: bool, made: Any, *parts: object) -> Any:
        place = len(self.made)
        self.made.append(None)
        make = self.thaw(made)
        arguments = self.thaw(parts[0])
        found = make.__new__(make, *arguments) if is_new else make(*arguments)
        self.made[place] = found
        state, items, pairs = map(self.thaw, parts[1:])
        if state is not None:
            if hasattr(found, "__setstate__"):
                found.__setstate__(state)
            else:
                plain, slots = state if isinstance(state, tuple) else (state, None)
                for names in (plain, slots):
                    for name, value in (names or {}).items():
                        object.__setattr__(found, name, value)
        if items is not None:
            found.extend(items)
        if pairs is not None:
            found.update(pairs)
        return found
