"""Search of a design's parameters: successive halving over windows that all candidates share.

Candidates are drawn from a space, and the design with its default values is one of them. All run on
two windows; the better half runs on four, and the better half of these on eight (Jamieson and
Talwalkar: Non-stochastic Best Arm Identification and Hyperparameter Optimization, 2016). What is
left is a front: nobody is better in all objectives. As many runs are spent on candidates that are
only drawn, each on eight windows. The search takes every second window; what it finds is judged on
the others, which it has not seen.
"""

import re
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass
from inspect import Parameter
from itertools import islice
from math import exp, floor, isfinite, log
from random import Random
from types import UnionType
from typing import Annotated, Any, Literal, NamedTuple, Union, get_args, get_origin

from annotated_types import Ge, GroupedMetadata, Le

from model.core.names import Name, read_name, text_of
from model.core.topology import parameters
from model.ground.errors import InputError

SIZES = (2, 4, 8)  # windows of each round
MOST = 8  # designs of a front
HALVING, DRAWN, DEFAULT = "halving", "random draws", "default"  # how a candidate was found
_TRIES = 50  # draws for each candidate that is wanted
_WIDE = 10  # a range is drawn by its logarithm if its ends are so many times apart
_RANGE = re.compile(r"(-?[\d.]+(?:e-?\d+)?)\.\.(-?[\d.]+(?:e-?\d+)?)")


@dataclass(frozen=True)
class Choice:
    """What values one parameter may have: some, or those of a range, whole ones or all."""

    name: str
    values: tuple[str, ...] = ()
    low: float = 0
    high: float = 0
    whole: bool = False

    def draw(self, random: Random) -> str:
        if self.values:
            return random.choice(self.values)
        end = self.high + self.whole  # whole numbers stand for all up to the next one
        if self.low > 0 and end / self.low >= _WIDE:
            value = exp(random.uniform(log(self.low), log(end)))
        else:
            value = random.uniform(self.low, end)
        return text_of(min(floor(value), floor(self.high)) if self.whole else value)


def space_of(declared: str, ranges: str = "") -> list[Choice]:
    """What may be searched of a design: the ranges, `size=2..32 asks=own|any`, or those annotated.

    Raises InputError for a design without any, and for ranges that it does not have.
    """
    takes = {
        name: parameter
        for name, parameter in parameters("managers", declared).items()
        if name not in dict(read_name(declared).given)
    }
    if ranges:
        return [_stated(part, declared, takes) for part in ranges.replace(",", " ").split()]
    found = [choice for name, of in takes.items() if (choice := _annotated(name, of.annotation))]
    if not found:
        raise InputError(
            f"--tune: {declared} has no parameters with ranges; give some, as "
            '--tune "size=2..32", or annotate them: size: Annotated[int, Range(2, 32)]'
        )
    return found


def _stated(part: str, declared: str, takes: dict[str, Parameter]) -> Choice:
    name, _, values = part.partition("=")
    if name not in takes:
        known = ", ".join(takes) or "none"
        raise InputError(f"--tune {part}: {declared} takes no {name}; its parameters are {known}")
    if found := _RANGE.fullmatch(values):
        low, high = float(found[1]), float(found[2])
        if low >= high:
            raise InputError(f"--tune {part}: give the lower end first")
        whole = "." not in found[1] + found[2] and takes[name].annotation is not float
        return Choice(name, low=low, high=high, whole=whole)
    several = tuple(filter(None, values.split("|")))
    if not several:
        raise InputError(f"--tune {part}: give a range, {name}=2..32, or values, {name}=a|b")
    return Choice(name, several)


def _annotated(name: str, annotation: Any) -> Choice | None:
    if get_origin(annotation) is Literal:
        return Choice(name, tuple(map(text_of, get_args(annotation))))
    if annotation is bool:
        return Choice(name, ("true", "false"))
    if isinstance(annotation, UnionType) or get_origin(annotation) is Union:  # … | None
        found = (_annotated(name, one) for one in get_args(annotation))
        return next(filter(None, found), None)
    if get_origin(annotation) is not Annotated:
        return None
    kind, *stated = get_args(annotation)
    limits = [limit for one in stated for limit in _limits(one)]
    low: list[Any] = [limit.ge for limit in limits if isinstance(limit, Ge)]
    high: list[Any] = [limit.le for limit in limits if isinstance(limit, Le)]
    if not (low and high):
        return None
    return Choice(name, low=max(low), high=min(high), whole=kind is int)


def _limits(one: object) -> Iterator[object]:
    if isinstance(one, GroupedMetadata):
        yield from one
    else:
        yield from getattr(one, "metadata", (one,))  # of pydantic's Field


def candidates(
    declared: str, space: Sequence[Choice], random: Random, is_valid: Callable[[str], bool]
) -> Iterator[str]:
    """Different designs drawn from a space, as they are declared, until hardly any is new."""
    name, seen, misses = read_name(declared), set[str](), 0
    while misses < _TRIES:
        drawn = tuple((choice.name, choice.draw(random)) for choice in space)
        text = str(Name(name.called, (*name.given, *drawn), name.inner))
        if text in seen or not is_valid(text):
            misses += 1
            seen.add(text)
            continue
        seen.add(text)
        misses = 0
        yield text


class Tried(NamedTuple):
    """A candidate, and means over some windows of what is to be small."""

    declared: str
    response: float  # in multiples of the default's
    messages: float  # a job
    windows: int


class Tuned(NamedTuple):
    """A candidate that is judged on other windows, and how it was found."""

    by: str
    tried: Tried


Evaluate = Callable[[Sequence[str], int], list[Tried]]  # on the first so many windows
Objectives = Callable[[Tried], tuple[float, ...]]
#: Responses that differ by less than a thousandth are the same.
OBJECTIVES: dict[str, Objectives] = {
    "response": lambda it: (round(it.response, 3),),
    "messages": lambda it: (it.messages,),
    "both": lambda it: (round(it.response, 3), it.messages),
}


def front(tried: Sequence[Tried], objectives: Objectives) -> list[Tried]:
    """Those to which no other is at least equal in all objectives, the best in the first first."""
    found: list[Tried] = []
    for one in sorted(tried, key=lambda it: (*objectives(it), it.declared)):
        values = objectives(one)
        if isfinite(values[0]) and not any(_covers(objectives(it), values) for it in found):
            found.append(one)
    return found


def _covers(one: Sequence[float], other: Sequence[float]) -> bool:
    return all(a <= b for a, b in zip(one, other, strict=True))


def halved(designs: Sequence[str], evaluate: Evaluate, objectives: Objectives) -> list[Tried]:
    """The front of what is left after all rounds; it may have more than `MOST`."""
    tried: list[Tried] = []
    for size in SIZES:
        found = evaluate(designs, size)
        if not found:  # time is over
            break
        tried = found
        designs = [it.declared for it in islice(_by_fronts(tried, objectives), len(tried) // 2 + 1)]
    return front(tried, objectives)


def _by_fronts(tried: Sequence[Tried], objectives: Objectives) -> Iterator[Tried]:
    """The front, then the front of the others, and so on."""
    left = [*tried]
    while left:
        best = front(left, objectives) or left
        yield from best
        left = [it for it in left if it not in best]


def spread(found: Iterable[Tried], most: int = MOST) -> list[Tried]:
    """At most so many of a front, both ends among them, evenly by place."""
    found = [*found]
    if len(found) <= most:
        return found
    return [found[place * (len(found) - 1) // (most - 1)] for place in range(most)]
