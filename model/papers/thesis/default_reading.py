"""Which reading is the default: what is reproduced, and what is open, under each."""

from typing import NamedTuple

from model.papers.findings import OPEN, REPRODUCED
from model.papers.measurements import Measurements
from model.papers.thesis.cases import other_readings
from model.papers.thesis.findings import FINDINGS


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


def default_reading(measured: Measurements) -> dict[str, object]:
    """How findings stand under each reading, and which is the default by that.

    `bare` was, and remains it unless another is ahead.
    """
    bare = _standing("bare", measured)
    others = (
        _standing(name, measured.elsewhere(**moved)) for name, moved in other_readings().items()
    )
    standings = [bare, *others]
    first = max(standings, key=lambda one: one.rank)  # the first of those that are alike
    return {"standings": standings, "name": first.reading}


def _standing(reading: str, measured: Measurements) -> Standing:
    judged = {
        number: finding.judge(measured)
        for number, finding in enumerate(FINDINGS, start=1)
        if not finding.untestable
    }
    whole = {number: one for number, one in judged.items() if not one.lacking}
    directions = {
        number: one.direction
        for number, one in judged.items()
        if one.kind == "designs" and one.direction.claims
    }
    reproduced = [n for n, one in directions.items() if one.verdict == REPRODUCED and n in whole]
    undecided = {
        number: one.outside
        for number, one in directions.items()
        if one.verdict in (REPRODUCED, OPEN) and number not in reproduced
    }
    return Standing(
        reading,
        reproduced,
        [number for number, outside in undecided.items() if not outside],
        {number: outside for number, outside in undecided.items() if outside},
        [
            number
            for number, one in whole.items()
            if one.magnitude.claims and one.magnitude.verdict == REPRODUCED
        ],
    )
