"""The times in a state, by their numbers: only their order counts, so they are numbered in order.

Parts of a state hold no instants, but the numbers of some. The clock of the state knows for which
instant each number stands. After a step some times are new, and others are no longer held by
anybody; then they are numbered anew without gaps, so that states in which the times have the same
order are equal.
"""

from bisect import bisect_left
from collections.abc import Iterable
from dataclasses import dataclass
from functools import lru_cache

from model.pnr.explore.instants import LATEST, ORIGIN_BITS, STEP_BITS
from model.pnr.explore.numbers import CODES, smallest

PER_NODE = 1 << 20  # numbers of the times of one node, if those of each are taken apart
#: In the place of a number: the present of a step, and a moment that never comes. The times that a
#: role has calculated in a step have numbers from about CALCULATED on.
PRESENT, NEVER = PER_NODE - 2, PER_NODE - 1
CALCULATED = 1 << 100
_FAR = 1 << 99


@dataclass(frozen=True, eq=False)
class Renumbering:
    """What numbers of times become."""

    numbers: dict[int, int]


class Apart:
    """The clock of states in which nobody looks at the time: the times of each node are in order,
    and nothing else is known of them. Of such clocks all are alike."""

    passed = time_ns = 0
    moments: tuple[int, ...] = ()
    ahead: tuple[int, ...] = ()

    def present(self, node: int) -> int:
        return node * PER_NODE + PRESENT

    def never(self, node: int) -> int:
        """The number of a moment that never comes, as a node has heard of it."""
        return node * PER_NODE + NEVER

    def stamp(self, number: int) -> int:
        """The stamp of an instant that may have this number; what roles count is its own."""
        if number >= CODES:
            return number
        node, rank = divmod(number, PER_NODE)
        return node << ORIGIN_BITS | (LATEST if rank == NEVER else rank + 1 << STEP_BITS)

    def stamps(self, numbers: Iterable[int]) -> tuple[int, ...]:
        return tuple([self.stamp(number) for number in numbers])

    def distances(self, numbers: Iterable[int]) -> tuple[int, ...]:
        """How far times are ahead of the present, ns, which nobody knows."""
        return ()

    def later(self, after_ns: int) -> "Apart":
        return self

    def renumbered(self, used: frozenset[int]) -> tuple["Apart", Renumbering | None]:
        """The clock when only these numbers are used, and what they are then, if not the same."""
        return self, _without_gaps(used)


@lru_cache(1 << 16)
def _without_gaps(used: frozenset[int]) -> Renumbering | None:
    numbers: dict[int, int] = {}
    last = -1
    for number in sorted(used):
        if number % PER_NODE == NEVER:
            numbers[number] = number
        else:
            numbers[number] = last = max(number - number % PER_NODE, last + 1)
    return _renumbering(tuple(numbers.items()))


@lru_cache(1 << 16)
def _renumbering(pairs: tuple[tuple[int, int], ...]) -> Renumbering | None:
    """The renumbering from old to new, if any is another."""
    is_other = any(old != new for old, new in pairs)
    return Renumbering(dict(pairs)) if is_other else None


@lru_cache(1 << 16)
def _in_order(used: frozenset[int], passed: int) -> tuple[tuple[int, ...], Renumbering | None]:
    """The numbers in order, the present after all that have passed, and what they become; none was
    calculated."""
    place_of = {PRESENT: passed - 0.5}
    order = sorted(used - {NEVER}, key=lambda number: place_of.get(number, number))
    pairs = [(number, place) for place, number in enumerate(order)]
    return tuple(order), _renumbering(((NEVER, NEVER), *pairs))


@lru_cache(1 << 16)
def smaller(codes: frozenset[int]) -> Renumbering | None:
    """What the codes of all that roles count become, when they are as small as they can be."""
    return _renumbering(smallest(codes))


class Together(tuple[int, ...]):
    """The clock of states in which roles look at the time, so that all times are in one order.

    Those that are over count as no more than their order, those to come (which were calculated)
    also by how far they are ahead of the present: the clock is the tuple of that, in ns, and knows
    more than what makes it equal to another.
    """

    time_ns: int
    moments: tuple[int, ...]  # by number
    passed: int  # how many of these are over
    now: int  # a moment later than all those

    def __new__(cls, time_ns: int, moments: tuple[int, ...]) -> "Together":
        passed = bisect_left(moments, time_ns + 1 << STEP_BITS)
        ahead = [(moment >> STEP_BITS) - time_ns for moment in moments[passed:]]
        made = super().__new__(cls, ahead)
        made.time_ns, made.moments, made.passed = time_ns, moments, passed
        made.now = max(time_ns << STEP_BITS, moments[passed - 1] if passed else 0) + 1
        return made

    @property
    def ahead(self) -> tuple[int, ...]:
        return self

    def present(self, node: int) -> int:
        return PRESENT

    def never(self, node: int) -> int:
        return NEVER

    def stamp(self, number: int) -> int:
        if number >= CODES:
            return number
        if number < len(self.moments):
            return self.moments[number]
        if number == PRESENT:
            return self.now
        if number == NEVER:
            return LATEST
        return self.time_ns + number - CALCULATED << STEP_BITS

    def stamps(self, numbers: Iterable[int]) -> tuple[int, ...]:
        return tuple([self.stamp(number) for number in numbers])

    def distances(self, numbers: Iterable[int]) -> tuple[int, ...]:
        stamps, now_ns = self.stamps(it for it in numbers if it < CODES), self.time_ns
        return tuple([_FAR if it == LATEST else (it >> STEP_BITS) - now_ns for it in stamps])

    def later(self, after_ns: int) -> "Together":
        return Together(self.time_ns + after_ns, self.moments) if after_ns else self

    def renumbered(self, used: frozenset[int]) -> tuple["Together", Renumbering | None]:
        if max(used, default=0) < PER_NODE:
            order, renumbering = _in_order(used, self.passed)
            known, now = self.moments, self.now
            moments = tuple([now if number == PRESENT else known[number] for number in order])
        else:
            stamps = {number: self.stamp(number) for number in sorted(used - {NEVER})}
            moments = tuple(sorted(set(stamps.values())))
            rank = {moment: place for place, moment in enumerate(moments)}
            pairs = [(number, rank[stamp]) for number, stamp in stamps.items()]
            renumbering = _renumbering(((NEVER, NEVER), *pairs))
        if renumbering is None and len(moments) == len(self.moments):
            return self, None
        return Together(self.time_ns, moments), renumbering


Clock = Apart | Together
