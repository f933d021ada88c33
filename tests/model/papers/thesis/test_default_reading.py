"""Which reading is the default, by what is reproduced, open, and on the other side."""

import re
from math import inf

import pytest

from model.papers.findings import Finding, claim
from model.papers.page import FINDINGS_FILE
from model.papers.paper import PAPERS, paper_of
from model.papers.thesis import default_reading as room
from model.papers.thesis.default_reading import default_reading
from model.sweeps.statistics import Estimate

YES, NO = Estimate(5, 4, 6, 3), Estimate(-5, -6, -4, 3)
LEANS, LEANS_AGAINST = Estimate(5, -1, 11, 3), Estimate(-5, -11, 1, 3)


class Measured:
    """What is judged is told, not measured: each finding's numbers under each reading."""

    def __init__(self, told):
        self.told, self.reading = told, "bare"

    def elsewhere(self, **moved):
        there = Measured(self.told)
        there.reading = "ethernet"
        return there


def stated(key, kind="designs", most=False, **more):
    """A finding whose numbers are to be above 0, which are told by its key and the reading."""

    def claims(measured):
        values = measured.told[key][measured.reading]
        parts = [(str(place), value) for place, value in enumerate(values)]
        return [claim("{}", parts, 0, inf, most=most)]

    return Finding("", "", "", (claims,), kind=kind, **more)


def standings(monkeypatch, findings, **told):
    monkeypatch.setattr(room, "FINDINGS", findings)
    found = default_reading(Measured(told))
    return *found["standings"], found["stays"]


def under(bare, ethernet):
    return {"bare": bare, "ethernet": ethernet}


def test_a_finding_is_reproduced_or_open_or_against_or_nowhere(monkeypatch):
    findings = [stated(key) for key in ("sure", "open", "lacking", "against", "failed")]
    bare, ethernet, _ = standings(
        monkeypatch,
        findings,
        sure=under([YES, YES], [YES, YES]),
        open=under([YES, LEANS], [LEANS, LEANS]),
        lacking=under([YES, None], [LEANS, None]),
        against=under([YES, LEANS_AGAINST], [None, LEANS_AGAINST]),
        failed=under([YES, NO], [LEANS, NO]),
    )
    for one in (bare, ethernet):
        assert (one.reproduced, one.open, one.against) == ([1], [2, 3], [4])


def test_of_what_most_numbers_decide_half_of_them_must_be_against(monkeypatch):
    findings = [stated("few", most=True), stated("half", most=True)]
    bare, *_ = standings(
        monkeypatch,
        findings,
        few=under([LEANS, LEANS, LEANS_AGAINST], []),
        half=under([LEANS, LEANS_AGAINST], []),
    )
    assert (bare.open, bare.against) == ([1], [2])


def test_only_what_tells_designs_apart_and_can_be_tested_counts(monkeypatch):
    findings = [stated("one", kind="paging"), stated("one", untestable="chance")]
    bare, ethernet, stays = standings(monkeypatch, findings, one=under([YES], [YES]))
    assert bare.reproduced == ethernet.reproduced == []
    assert stays


@pytest.mark.parametrize(
    ("bare", "ethernet", "stays"),
    [
        ([YES], [YES], True),  # as many
        ([NO], [LEANS], False),  # perhaps more
        ([LEANS], [YES], False),  # what is open under `bare` is not sure
        ([YES], [LEANS], True),
        ([NO], [LEANS_AGAINST], True),
    ],
)
def test_bare_stays_unless_more_may_be_reproduced_elsewhere(monkeypatch, bare, ethernet, stays):
    *_, found = standings(monkeypatch, [stated("one")], one=under(bare, ethernet))
    assert found is stays


@pytest.mark.parametrize(("ethernet", "stays"), [([YES], False), ([NO], True)])
def test_among_as_many_directions_magnitudes_decide(monkeypatch, ethernet, stays):
    both = stated("direction")
    both = Finding("", "", "", both.claims, magnitude=stated("magnitude").claims, kind="designs")
    told = {"direction": under([YES], [YES]), "magnitude": under([NO], ethernet)}
    *_, found = standings(monkeypatch, [both], **told)
    assert found is stays


def test_the_page_has_the_same_findings_as_its_table_of_verdicts():
    """Read from the page's text, as a reader would."""
    page = (PAPERS / "thesis" / FINDINGS_FILE).read_text(encoding="utf-8")
    own = page.partition("*designs against each other*\n")[2].partition("*Other*")[0]
    rows = [[cell.strip() for cell in line.split("|")[1:-1]] for line in own.splitlines()]
    cells = [row for row in rows if row and row[0].isdigit()]
    assert len(cells) == sum(one.kind == "designs" for one in paper_of("thesis").findings)
    for reading, column in (("bare", 2), ("ethernet", 6)):
        reproduced = [row[0] for row in cells if re.match("reproduced", row[column])]
        assert re.search(rf"\| `{reading}` \| {', '.join(reproduced)} \|", page), reproduced
