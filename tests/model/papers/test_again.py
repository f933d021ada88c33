"""Numbers that are run again: which come first, and which pass."""

import pytest

from model.papers.again import checked, drawn, in_turns, of_heads, within
from model.papers.pages import Page, Results
from model.sweeps.execution import Failure, execute
from model.sweeps.store import Store
from model.sweeps.sweep import declared_runs
from tests.model.papers.made_up_study import made_up

RUNS = """
nodes = 4
page_bytes = 1048576
[[job]]
processes = 4
memory_mb = 40
demand_s = 2
[runs.all]
ram = [100, 50]
designs = ["DP", "MAN"]
"""
CLAIMS = """
[number]
times_s = { runs = { ram = [100, 50] }, design = ["DP", "MAN"] }
[finding.1]
statement = "MAN is faster."
direction = [{ runs = { ram = 50 }, design = "MAN", to = "DP", high = 1 }]
"""


PAGE = """# What is faster?

1. MAN takes 1<!-- 1.1.1 --> times as long.
2. That is of 4<!-- stated --> runs, 1<!-- count reproduced --> finding.
3. Jobs take 1<!-- times_s.2 --> s

## More

or 1<!-- times_s.1 --> s.
"""


@pytest.fixture
def results(tmp_path, monkeypatch):
    """The results of a study of four runs."""
    study = made_up(tmp_path, monkeypatch, CLAIMS, RUNS)
    store = Store(tmp_path / "results")
    with store.writing():
        for _, run in declared_runs(tmp_path / "runs.toml"):
            store.put(execute(run.scenario))
    return Results(study, study.load(store.folder))


@pytest.fixture
def number(results):
    """The number of the finding, from the runs that it is of."""
    (one,) = drawn(results, seed=1)
    return one


@pytest.fixture
def heads(results, tmp_path):
    """The numbers of the opening lines of a page of this study."""
    (tmp_path / "README.md").write_text(PAGE)
    page = Page(tmp_path / "README.md", {results.study.name: results})
    return of_heads(page, [results.study.name])


def test_each_opening_line_comes_with_its_shortest_number_first(heads):
    found = [(one.head.split()[-1], one.name.partition("/")[2]) for one in heads]
    assert found == [("3", "times_s.2.1"), ("1", "1.1.1"), ("3", "times_s.2.2")]
    assert [len(one.runs) for one in heads] == [1, 2, 1]


def test_pages_take_turns():
    assert "".join(in_turns(["abc", "d", "ef"])) == "adebfc"


def test_runs_are_done_while_there_is_time_and_those_of_two_numbers_count_once(heads, monkeypatch):
    monkeypatch.setattr("model.papers.again._expected_s", lambda _: 10)
    assert [*within(9, heads)] == []
    assert [*within(10, heads)] == heads[:1]
    assert [*within(20, heads)] == heads


def test_no_run_goes_on_once_the_time_is_used_up(heads):
    took = iter([3, 3, 3])

    def outcomes(runs):
        for run in runs:
            yield run, {**execute(run.scenario), "took_s": next(took)}

    assert [one.number for one in checked(heads, outcomes, cpu_s=2)] == heads[:1]


def test_a_number_is_of_the_runs_that_its_claim_compares(number):
    runs = number.runs.values()
    assert sorted((run.design, run.scenario.ram) for run in runs) == [("DP", 50), ("MAN", 50)]


@pytest.mark.parametrize(("of_man", "passes"), [(1, True), (1.0005, True), (1.01, False)])
def test_a_number_passes_within_a_thousandth(number, of_man, passes):
    def outcomes(runs):
        for run in runs:
            found = execute(run.scenario)
            found["summary"]["mean_response_s"] *= of_man if run.design == "MAN" else 1
            yield run, found

    (one,) = checked([number], outcomes, cpu_s=60)
    assert one.value == pytest.approx(number.value * of_man)
    assert one.passes is passes


def test_a_run_that_fails_is_told(number):
    (one,) = checked([number], lambda runs: ((run, Failure("lost power")) for run in runs), 60)
    assert (one.passes, one.error) == (False, "lost power")
