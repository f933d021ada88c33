"""Findings of a page as one family of statements: what stands if none of them may be wrong."""

from collections.abc import Sequence
from dataclasses import replace

from model.papers.findings import Judged, Judgement, Part
from model.sweeps.statistics import holm


def by_holm(judged: Sequence[Judged]) -> list[Judged]:
    """Findings with their directions by Holm's correction: what does not stand is open.

    The family is of every number about a direction that has an interval, whether that alone tells
    anything or not. A finding that the paper's own runs cannot support is not judged, and is no
    part of it.
    """
    family = [
        part.p
        for one in judged
        if not one.finding.untestable
        for claim in one.direction.claims
        for part in claim.parts
        if part.p is not None
    ]
    stands = iter(holm(family))

    def corrected(part: Part) -> Part:
        return part if part.p is None or next(stands) else part._replace(holds=None)

    return [
        one
        if one.finding.untestable
        else replace(
            one,
            direction=Judgement(
                [
                    replace(claim, parts=[corrected(part) for part in claim.parts])
                    for claim in one.direction.claims
                ]
            ),
        )
        for one in judged
    ]
