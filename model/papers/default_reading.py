"""Which reading is the default: what is reproduced, and what is open, under each."""

from collections.abc import Mapping, Sequence
from typing import NamedTuple

from model.papers.findings import OPEN, REPRODUCED, Judged


class Standing(NamedTuple):
    """How findings stand under a reading, by their numbers.

    Directions are of those findings that tell designs apart. What surely fails, or cannot be
    tested, is left out.
    """

    reading: str
    reproduced: list[int]
    open: list[int]  # or not run whole; every mean is in its range
    outside: dict[int, int]  # the same, but so many means are not
    magnitudes: list[int]  # reproduced, of all findings

    @property
    def rank(self) -> tuple[int, int]:
        """What the rule compares: directions first, and if they are as many, magnitudes."""
        return len(self.reproduced), len(self.magnitudes)


def default_reading(judged: Mapping[str, Sequence[Judged]]) -> dict[str, object]:
    """How findings stand under each reading, and which is the default by that.

    It is the first of the readings, unless another is ahead.
    """
    standings = [_standing(reading, findings) for reading, findings in judged.items()]
    first = max(standings, key=lambda one: one.rank)  # the first of those that are alike
    statements = {len(one.reproduced) for one in standings}
    return {
        "standings": standings,
        "name": first.reading,
        "by_magnitudes": len(statements) == 1 < len({one.rank for one in standings}),
    }


def _standing(reading: str, findings: Sequence[Judged]) -> Standing:
    testable = [one for one in findings if not one.finding.untestable]
    directions = [one for one in testable if one.kind == "designs" and one.direction.claims]
    reproduced, undecided = list[int](), dict[int, int]()
    for one in directions:
        if one.direction.verdict == REPRODUCED and not one.lacking:
            reproduced.append(one.finding.number)
        elif one.direction.verdict in (REPRODUCED, OPEN):
            undecided[one.finding.number] = one.direction.outside
    return Standing(
        reading,
        reproduced,
        [number for number, outside in undecided.items() if not outside],
        {number: outside for number, outside in undecided.items() if outside},
        [
            one.finding.number
            for one in testable
            if one.magnitude.claims and one.magnitude.verdict == REPRODUCED and not one.lacking
        ],
    )
