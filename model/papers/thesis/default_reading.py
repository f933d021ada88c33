"""Which reading is the default: how statements that tell designs apart stand under each."""

from collections.abc import Sequence
from typing import NamedTuple

from model.papers.findings import REPRODUCED, Claim, Judgement
from model.papers.measurements import Measurements
from model.papers.thesis.cases import other_readings
from model.papers.thesis.findings import FINDINGS


class Standing(NamedTuple):
    """Findings that tell designs apart, by number, and how they stand under a reading.

    What is neither reproduced nor open has a number that says no, and cannot be reproduced whole.
    """

    reading: str
    reproduced: list[int]
    open: list[int]  # or not run whole; no number is on the other side of what the thesis says
    against: list[int]  # the same, but some number is
    magnitudes: list[int]  # reproduced, or open without a number on the other side

    @property
    def most(self) -> tuple[int, int]:
        """How many directions and magnitudes can be reproduced if no number changes sides."""
        return len(self.reproduced) + len(self.open), len(self.magnitudes)


def default_reading(measured: Measurements) -> dict[str, object]:
    """The standings under each reading, and whether `bare` stays the default by them.

    It does not if another reading may have more directions reproduced, or as many and more
    magnitudes.
    """
    bare = _standing("bare", measured)
    others = [
        _standing(name, measured.elsewhere(**moved)) for name, moved in other_readings().items()
    ]
    surely = len(bare.reproduced), len(bare.magnitudes)
    return {"standings": [bare, *others], "stays": all(one.most <= surely for one in others)}


def _standing(reading: str, measured: Measurements) -> Standing:
    judged = [
        (number, finding.judge(measured))
        for number, finding in enumerate(FINDINGS, start=1)
        if finding.kind == "designs" and not finding.untestable
    ]
    directions = [(number, one.direction) for number, one in judged if one.direction.claims]
    magnitudes = [(number, one.magnitude) for number, one in judged if one.magnitude.claims]
    reproduced = [number for number, one in directions if _is_reproduced(one)]
    undecided = [(n, one) for n, one in directions if _may_be(one) and n not in reproduced]
    return Standing(
        reading,
        reproduced,
        [number for number, one in undecided if not _leans_against(one.claims)],
        [number for number, one in undecided if _leans_against(one.claims)],
        [n for n, one in magnitudes if _may_be(one) and not _leans_against(one.claims)],
    )


def _is_reproduced(judgement: Judgement) -> bool:
    return judgement.verdict == REPRODUCED and not judgement.missing


def _may_be(judgement: Judgement) -> bool:
    """Whether no claim surely fails."""
    return not any(answer is False for one in judgement.claims for answer in one.answers)


def _leans_against(claims: Sequence[Claim]) -> bool:
    """Whether some number of them is on the other side of its range, whatever its interval."""
    return any(sum(_sides(one)) >= (len(one.parts) / 2 if one.most else 1) for one in claims)


def _sides(claim: Claim) -> list[bool]:
    """For each number of a claim, whether it is on the other side."""
    return [part.holds is False or part.tends is False for part in claim.parts]
