"""Pages: a number that is not what its mark says is told, and the bundled pages hold."""

import re

import pytest

from model.ground.errors import InputError
from model.papers.pages import Page, Results, pages
from model.papers.study import PAPERS, studies
from model.sweeps.sweep import declared_runs
from tests.model.papers.made_up_study import made_up, results

CLAIMS = """
[number]
times_s = { design = ["CLI", "MAN"] }
[finding.1]
statement = "CLI is faster. (4.1)"
direction = [{ design = "CLI", to = "DP", low = 0.4, high = 0.6 }]
[finding.2]
statement = "MAN is not."
direction = [{ design = "MAN", to = "DP", low = 1 }]
"""


@pytest.fixture
def page(tmp_path, monkeypatch):
    """Makes a page of a text."""
    monkeypatch.setattr("model.papers.pages.ROOT", tmp_path)
    study = made_up(tmp_path, monkeypatch, CLAIMS)
    times = {"DP": (200, 200), "CLI": (98, 102), "MAN": (80, 80)}
    runs = [(name, seed, of[seed - 1], {}) for name, of in times.items() for seed in (1, 2)]
    found = {"made-up": Results(study, results(study, *runs))}

    def of(text):
        (tmp_path / "README.md").write_text(text)
        return Page(tmp_path / "README.md", found)

    return of


@pytest.mark.parametrize(
    "text",
    [
        "CLI takes 0.50<!-- 1.1.1 --> of the time,",
        "50<!-- 1 % less --> % less,",
        "or 100 ± 25<!-- times_s.1.1 -->",
        "or 100 (75 to 125)<!-- times_s.1.1 --> s,",
        "80 to 100<!-- times_s --> s",
        "and 100<!-- times_s most -->;",
        "1<!-- count not-reproduced --> of 2<!-- count cannot-be-told,not-reproduced --> findings,",
        "33.38<!-- stated --> in the paper; `0.123` is code",
    ],
)
def test_a_number_that_is_what_its_mark_says_passes(text, page):
    assert [*page(text).mistakes()] == []


@pytest.mark.parametrize(
    ("text", "told"),
    [
        ("one\n\n0.51<!-- 1.1.1 -->", "README.md:3: 0.51 (1.1.1): measured 0.50"),
        ("100 ± 24<!-- times_s.1.1 -->", "100 ± 24 (times_s.1.1): measured 25"),
        ("81 to 100<!-- times_s -->", "measured 80"),
        ("90<!-- times_s -->", "100 or 80"),
        ("2<!-- count not-reproduced -->", "measured 1"),
        ("5<!-- 3.1 -->", "3.1: no such number"),
        ("5<!-- 1.1 doubled -->", "doubled: give one of"),
        ("0.5 of them", "0.5 has no mark"),
    ],
)
def test_a_number_that_is_not_is_told_with_its_line(text, told, page):
    (mistake,) = page(text).mistakes()
    assert told in mistake


def test_a_table_is_made_and_one_that_is_old_is_told(page):
    old = page("so:\n<!-- table verdicts -->\nold\n<!-- end -->\nand on")
    assert [*old.mistakes()] != []
    old.write()
    text = old.file.read_text()
    assert text.startswith("so:\n<!-- table verdicts -->\n|")
    assert text.endswith("<!-- end -->\nand on")
    rows = [line.split("|") for line in text.splitlines() if line.startswith("|")]
    assert rows[2][2:-1] == ["CLI is faster. (4.1)", "0.50 (0.39 to 0.64)", "cannot be told"]
    assert rows[3][3:-1] == ["0.40", "not reproduced"]
    assert [*page(text).mistakes()] == []
    with pytest.raises(InputError, match=r"README.md:1: no-such: no such table"):
        page("<!-- table no-such -->\n<!-- end -->").written()


FILES = sorted({study.page for study in studies()})


@pytest.mark.parametrize("file", FILES, ids=lambda file: file.parent.name)
def test_each_bundled_page_says_what_its_results_say(file):
    own = next(study.name for study in studies() if study.page == file)
    (page,) = pages([own])
    assert [*page.mistakes()] == []
    assert page.marks > 0


@pytest.mark.parametrize("file", FILES, ids=lambda file: file.parent.name)
def test_a_page_is_short(file):
    """So that somebody who has ten minutes can read what is written by hand."""
    tables_and_marks = r"<!-- table .*?<!-- end -->|```.*?```|<!--.*?-->"
    by_hand = re.sub(tables_and_marks, "", file.read_text(), flags=re.DOTALL)
    most = 2500 if file.parent == PAPERS / "thesis" else 1200
    assert len(by_hand.split()) <= most


def test_results_of_other_versions_stay_until_their_runs_are_done_again(tmp_path, monkeypatch):
    study = made_up(tmp_path, monkeypatch, CLAIMS)
    runs = [run for _, run in declared_runs(tmp_path / "runs.toml")]
    first, second = ({"first": at, "jobs": 20} for at in (1, 21))
    study.keep(results(study, ("DP", 1, 200, first), ("DP", 1, 300, second)))
    assert len(study.not_bundled(runs)) == len(runs) - 2
    again = results(study, ("DP", 1, 500, second)).runs.assign(version="w")
    study.keep(study.measured(again))
    there = study.in_brief().set_index("first")
    assert there.mean_response_s.to_dict() == {1: 200, 21: 500}
    assert there.version.to_dict() == {1: "v", 21: "w"}
