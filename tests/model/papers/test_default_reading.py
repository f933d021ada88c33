"""Which reading is the default, by what is reproduced, and what is open."""

import re
from dataclasses import replace
from math import inf, nan

import pytest

from model.papers.default_reading import default_reading
from model.papers.findings import Finding, claim
from model.papers.page import FINDINGS_FILE
from model.papers.paper import PAPERS, paper_of
from model.sweeps.statistics import Estimate

YES, NO = Estimate(5, 4, 6, 3), Estimate(-5, -6, -4, 3)
WITHIN, OUTSIDE = Estimate(5, -1, 11, 3), Estimate(-5, -11, 1, 3)


def stated(key, kind="designs", most=False, **more):
    """A finding whose numbers are to be above 0, which are told by its key."""

    def claims(told):
        parts = [(str(place), value) for place, value in enumerate(told[key])]
        return [claim("{}", parts, 0, inf, most=most)]

    return Finding("", "", "", (claims,), kind=kind, **more)


def found(findings, **told):
    """What is judged is told, not measured: each finding's numbers under each reading."""
    judged = {
        reading: [
            replace(one, number=number).judge(
                {key: values[reading] for key, values in told.items()}
            )
            for number, one in enumerate(findings, start=1)
        ]
        for reading in ("bare", "ethernet")
    }
    return default_reading(judged)


def standings(findings, **told):
    return found(findings, **told)["standings"]


def under(bare, ethernet):
    return {"bare": bare, "ethernet": ethernet}


def test_a_finding_is_reproduced_or_open_or_with_means_outside_or_nowhere():
    findings = [stated(key) for key in ("sure", "open", "lacking", "outside", "failed")]
    for one in standings(
        findings,
        sure=under([YES, YES], [YES, YES]),
        open=under([YES, WITHIN], [WITHIN, WITHIN]),
        lacking=under([YES, None], [WITHIN, None]),
        outside=under([YES, OUTSIDE], [None, OUTSIDE]),
        failed=under([YES, NO], [WITHIN, NO]),
    ):
        assert (one.reproduced, one.open, one.outside) == ([1], [2, 3], {4: 1})


def test_of_what_most_numbers_decide_half_of_the_means_must_be_outside():
    findings = [stated(key, most=True) for key in ("few", "half", "sure", "failed")]
    bare, _ = standings(
        findings,
        few=under([WITHIN, WITHIN, OUTSIDE], []),
        half=under([WITHIN, OUTSIDE], []),
        sure=under([YES, YES, NO], []),
        failed=under([NO, NO, WITHIN], []),
    )
    assert (bare.reproduced, bare.open, bare.outside) == ([3], [1], {2: 1})


def test_a_mean_that_is_not_known_is_not_outside():
    bare, _ = standings([stated("one")], one=under([Estimate(nan, nan, 6, 3)], []))
    assert (bare.open, bare.outside) == ([1], {})


def test_only_what_tells_designs_apart_and_can_be_tested_counts():
    findings = [stated("one", kind="paging"), stated("one", untestable="chance")]
    for one in standings(findings, one=under([YES], [YES])):
        assert one.rank == (0, 0)


@pytest.mark.parametrize(
    ("bare", "ethernet", "default"),
    [
        ([YES], [YES], "bare"),
        ([NO], [YES], "ethernet"),
        ([WITHIN], [YES], "ethernet"),
        ([NO], [WITHIN], "bare"),  # what is open does not count
    ],
)
def test_the_default_is_where_more_is_reproduced(bare, ethernet, default):
    assert found([stated("one")], one=under(bare, ethernet))["name"] == default


@pytest.mark.parametrize(
    ("direction", "magnitude", "default"),
    [
        (under([YES], [YES]), under([NO], [YES]), "ethernet"),
        (under([YES], [YES]), under([WITHIN], [YES]), "ethernet"),
        (under([YES], [YES]), under([YES], [YES]), "bare"),
        (under([YES], [NO]), under([NO], [YES]), "bare"),  # directions come first
    ],
)
def test_among_as_many_directions_magnitudes_of_all_findings_decide(direction, magnitude, default):
    size = Finding("", "", "", magnitude=stated("magnitude").claims, kind="paging")
    findings = [stated("direction"), size]
    told = {"direction": direction, "magnitude": magnitude}
    assert found(findings, **told)["name"] == default


def test_what_the_table_of_verdicts_calls_not_run_is_not_reproduced():
    both = Finding(
        "", "", "", stated("direction").claims, magnitude=stated("size").claims, kind="designs"
    )
    told = {"direction": under([YES], [YES]), "size": under([None], [YES])}
    bare, ethernet = standings([both], **told)
    assert (bare.reproduced, bare.open, ethernet.reproduced) == ([], [1], [1])


def test_the_page_has_the_same_findings_as_its_table_of_verdicts():
    """Read from the page's text, as a reader would."""
    page = (PAPERS / "thesis" / FINDINGS_FILE).read_text(encoding="utf-8")
    own = page.partition("*designs against each other*\n")[2].partition("*Other*")[0]
    rows = [[cell.strip() for cell in line.split("|")[1:-1]] for line in own.splitlines()]
    cells = [row for row in rows if row and row[0].isdigit()]
    assert len(cells) == sum(one.kind == "designs" for one in paper_of("thesis").findings)
    for reading, column in (("bare", 2), ("ethernet", 6)):
        reproduced = [row[0] for row in cells if re.match("reproduced", row[column])]
        assert f"| `{reading}` | {', '.join(reproduced)} |" in page
        assert re.search(rf"[: ]{len(reproduced)} and \d+ under `{reading}`", page)
