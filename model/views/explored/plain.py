"""What roles keep and messages say, in words, whatever their classes.

Times are left out: in a search only their order counts, and that differs from one way to a state to
another. Bytes are shown in MB; a number is taken for bytes if it is a multiple of 64 KB.
"""

from array import array
from collections.abc import Collection, Iterator, Mapping, Set
from dataclasses import fields, is_dataclass
from types import FunctionType

from agents.messages import Content
from agents.pnr.beliefs import LEFT_OUT
from agents.pnr.messages import LoadReport, Placed, Request
from model.core.journal import words
from model.ground.errors import cut, shown
from model.ground.randomness import Stream
from model.pnr.explore.instants import Instant
from model.pnr.explore.numbers import plain

_GRAIN = 2**16  # of numbers that are bytes
_MOST = 300  # letters of a value
_PRESENT = "✓"  # what is there, and has nothing else to say
_USUAL = {"incarnation": 0, "attempt": 1}  # not worth a word


def rows_of(kept: Mapping[str, object]) -> list[tuple[str, str]]:
    """What a role keeps: a row for each attribute, and for each key of one that is a dict."""
    rows = []
    for name, value in kept.items():
        label = _label(name)
        if isinstance(value, Mapping):
            rows += [(f"{label}: {text(key)}", text(it) or _PRESENT) for key, it in value.items()]
        elif not isinstance(value, Instant):
            rows.append((label, text(value, name) or "nothing"))
    return rows


def text(value: object, name: str = "") -> str:
    """A value in words; empty for what has nothing to say. `name` is that of its attribute."""
    return cut(plain(_text(value, name)), _MOST)


def message(content: Content, header: object) -> str:
    """What a message says, without its kind."""
    parts = [*_parts(content)]
    if header is not None:
        parts.append(f"header ({_text(header)})")
    return cut(plain(", ".join(parts)), _MOST)


def _text(value: object, name: str = "") -> str:
    if value is None or isinstance(value, Instant):
        return ""
    if isinstance(value, bool):
        return "yes" if value else "no"
    if isinstance(value, int):
        return _PRESENT if value == LEFT_OUT else _number(value, name)
    if isinstance(value, float | str):
        return str(value)
    known = _known(value)
    return _composed(value) if known is None else known


def _known(value: object) -> str | None:
    """Values that occur everywhere, as people call them."""
    if isinstance(value, Request):
        again = f" after restart {value.incarnation}" if value.incarnation else ""
        return f"{value.role} {value.node}’s request {value.count}{again}"
    if isinstance(value, Placed):
        return f"rank {value.rank} of job {value.job}"
    if isinstance(value, LoadReport):
        return f"{'has' if value.load >= 0 else 'lacks'} {words.amount(abs(value.load))}"
    if isinstance(value, Stream):
        return f"stream {value.state % 10_000:04}"
    if isinstance(value, range):
        return f"{value.start} to {value.stop - 1}" if len(value) else ""
    return None


def _composed(value: object) -> str:
    """Values with parts."""
    if isinstance(value, Mapping):
        return "; ".join(f"{_text(key)}: {_text(it) or _PRESENT}" for key, it in value.items())
    if isinstance(value, Content):
        return f"{type(value).__name__} ({', '.join(_parts(value))})"
    if isinstance(value, array):  # of a number for each node: those that say something
        return ", ".join(f"node {node} {_text(it)}" for node, it in enumerate(value) if it)
    if isinstance(value, type | FunctionType):
        return value.__name__
    if isinstance(value, Collection) and not (is_dataclass(value) or hasattr(value, "_fields")):
        listed = [_text(it) for it in value]
        listed = sorted(listed) if isinstance(value, Set) else listed
        return ", ".join(f"({it})" if ", " in it else it for it in listed)
    return ", ".join(_parts(value)) or shown(value)


def _parts(value: object) -> Iterator[str]:
    """The fields of an object, by name, without those that say nothing."""
    if is_dataclass(value):
        names = [it.name for it in fields(value)]
    else:
        names = [*getattr(value, "_fields", getattr(value, "__dict__", ()))]
    for name in names:
        part = getattr(value, name)
        if isinstance(part, bool):
            if part:
                yield _label(name)
        elif _USUAL.get(name, ...) != part and (told := _text(part, name)):
            yield f"{_label(name)} {told}"


def _number(value: int, name: str) -> str:
    if name.endswith("_ns"):
        return words.span(value)
    return words.amount(value) if value and value % _GRAIN == 0 else str(value)


def _label(name: str) -> str:
    return name.removesuffix("_ns").replace("_", " ").strip()
