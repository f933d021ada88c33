"""Times of which only the order counts, and that notice when more than that is asked of them.

In a search time passes only until a timer fires; else there is the order of its steps. A role that
only compares an earlier time of a node with a later time of the same node, as those of the thesis
do, behaves alike in all states in which the times of each node have the same order. So states that
differ in anything else about times that are over are one state, and what a role did in one of them
is known for all. A role that compares times of different nodes, or calculates with times, is
noticed. Then all times are in one order, and what it did is known only where all its times are as
far ahead of the present; but states that differ in how far are one state still.
"""

from collections.abc import Callable
from dataclasses import replace
from typing import Any

from model.pnr.explore.alike import MOST_ALIKE, Alike, Distinguished
from model.pnr.explore.numbers import CALCULATIONS, CODES, COMPARISONS, Number, Numbers

STEP_BITS = 20  # of a moment, those that count steps, below those of the time, ns
ORIGIN_BITS = 60 + STEP_BITS  # of a stamp, the bits below those of the origin
LATEST = (1 << ORIGIN_BITS) - 1  # a moment that is later than all others


class Watch:
    """What roles have done with times, and with `numbers`.

    If the times of each node are taken apart, they are not to be compared with those of others.
    """

    def __init__(self, alike: Alike = MOST_ALIKE) -> None:
        self.alike = alike
        self.numbers = Numbers(alike)
        self.compared = False  # times of different nodes, ever
        self.calculated = False  # with times, since the last `reset`
        self.absolute = False  # with the time since the beginning, since then

    def of_stamp(self, stamp: int) -> "Instant | Number":
        """The instant of this stamp, or the number with this code."""
        if stamp >= CODES:
            return self.numbers.of_code(stamp)
        return Instant(stamp & (1 << ORIGIN_BITS) - 1, self, stamp >> ORIGIN_BITS)

    def reset(self) -> None:
        """Forget what roles have done since."""
        self.calculated = self.absolute = False
        self.numbers.reset()

    def check(self) -> None:
        """Raise Distinguished if roles have looked at what was to make no difference."""
        if self.alike.apart and (self.compared or self.calculated):
            raise Distinguished(replace(self.alike, apart=False))
        self.numbers.check()


class Duration(int):
    """The time between two instants; whoever looks at it has calculated with times."""

    watch: Watch

    def __new__(cls, value_ns: int, watch: Watch) -> "Duration":
        made = super().__new__(cls, value_ns)
        made.watch = watch
        return made

    def __deepcopy__(self, _: object) -> "Duration":
        return self  # with the same watch


class Instant(int):
    """A moment, and the node of which it was the present (`origin`).

    Its number is that of its time, in ns, and then of the step that was taken then, since steps
    take no time. So moments are in order, and who calculates with them calculates with times.
    """

    watch: Watch
    origin: int

    def __new__(cls, moment: int, watch: Watch, origin: int) -> "Instant":
        made = super().__new__(cls, moment)
        made.watch = watch
        made.origin = origin
        return made

    def __deepcopy__(self, _: object) -> "Instant":
        return self  # with the same watch

    @property
    def stamp(self) -> int:
        """A number by which instants of one origin are in order."""
        return self.origin << ORIGIN_BITS | int.__int__(self)

    @property
    def time_ns(self) -> int:
        return int.__rshift__(self, STEP_BITS)

    def __add__(self, other: int) -> "Instant":
        self.watch.calculated = True
        if not other:
            return self
        time_ns = self.time_ns + int(other)  # of equal times that were calculated none is earlier
        return Instant(time_ns << STEP_BITS, self.watch, self.origin)

    __radd__ = __add__

    def __sub__(self, other: int) -> int:
        if isinstance(other, Instant):
            return Duration(self.time_ns - other.time_ns, self.watch)
        return self + -int(other)

    __hash__ = int.__hash__


def _noticed(name: str) -> Callable[..., Any]:
    """int's method of this name, of a time in ns, which is noticed."""
    plain = getattr(int, name)

    def method(self: Any, *others: object) -> Any:
        self.watch.calculated = True
        self.watch.absolute |= Instant in (type(self), *map(type, others))
        time_ns = self.time_ns if type(self) is Instant else int.__int__(self)
        others_ns = [one.time_ns if type(one) is Instant else one for one in others]
        return plain(time_ns, *others_ns)

    return method


def _compared(name: str) -> Callable[..., Any]:
    """int's comparison of this name, which is free between instants of one origin."""
    plain = getattr(int, name)

    def method(self: Any, other: Any) -> Any:
        if type(other) is Instant:
            if other.origin != self.origin:
                self.watch.compared = True
        elif isinstance(other, int) and other > 0:  # all instants are later than 0
            self.watch.calculated = True
            self.watch.absolute |= type(self) is Instant
            return plain(self, int(other) << STEP_BITS)
        return plain(self, other)

    return method


_TEXTS = ("__repr__", "__format__")  # as a timer's name, that differs from time to time
for _name in (*CALCULATIONS, "__bool__", *_TEXTS):
    setattr(Instant, _name, _noticed(_name))
    setattr(Duration, _name, _noticed(_name))
for _name in COMPARISONS:
    setattr(Instant, _name, _compared(_name))
    setattr(Duration, _name, _noticed(_name))
for _name in ("__add__", "__radd__", "__sub__"):
    setattr(Duration, _name, _noticed(_name))
