"""Numbers that are run again pass if they are the same, and not if they differ or a run fails."""

import pytest

from model.papers.again import checked, drawn
from model.papers.pages import Results
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
[finding.1]
statement = "MAN is faster."
direction = [{ runs = { ram = 50 }, design = "MAN", to = "DP", high = 1 }]
"""


@pytest.fixture
def number(tmp_path, monkeypatch):
    """The number of the finding, from the runs that it is of."""
    study = made_up(tmp_path, monkeypatch, CLAIMS, RUNS)
    store = Store(tmp_path / "results")
    with store.writing():
        for _, run in declared_runs(tmp_path / "runs.toml"):
            store.put(execute(run.scenario))
    (one,) = drawn([Results(study, study.load(store.folder))], count=5, seed=1)
    return one


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

    (one,) = checked([number], outcomes)
    assert one.value == pytest.approx(number.value * of_man)
    assert one.passes is passes


def test_a_run_that_fails_is_told(number):
    (one,) = checked([number], lambda runs: ((run, Failure("lost power")) for run in runs))
    assert (one.passes, one.error) == (False, "lost power")
