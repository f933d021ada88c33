"""Sweeps in which things go wrong: jobs that never end, and faults as conditions of runs."""

import json

import pytest

from model.papers.cases import fault_of
from model.sweeps.execution import execute
from model.sweeps.results import load_results
from model.sweeps.statistics import estimates
from model.sweeps.store import Store
from model.sweeps.sweep import load_sweep

SWEEP = """
nodes = 4
designs = ["DP", "MAN"]

[[job]]
processes = 1
memory_mb = 1
demand_s = 1

[[job]]
processes = 2
memory_mb = 40
demand_s = 5

[choice.fault]
none = {}
deaf = { fault = [[{ kind = "loss", messages = ["RamRequest"] }]] }
mute = { fault = [[{ kind = "loss", messages = ["LoadBroadcast"] }]] }

[runs.all]
across = ["fault"]
"""
DEAF = [{"kind": "loss", "messages": ["RamRequest"]}]


@pytest.fixture(scope="module")
def folder(tmp_path_factory):
    place = tmp_path_factory.mktemp("faults")
    file = place / "faults.toml"
    file.write_text(SWEEP)
    store = Store(place / "results")
    with store.writing():
        for run in load_sweep(str(file)).runs.values():
            store.put(execute(run.scenario))
    return store.folder


def test_jobs_that_never_end_are_counted_and_the_others_are_kept(folder):
    table = load_results(folder)
    deaf = table[(table.design == "MAN") & (table.fault == fault_of(DEAF))].iloc[0]
    # MAN draws one manager for both processes: the one that does not host it is never heard.
    assert deaf["faults.jobs_stuck"] == 1
    assert deaf.jobs == 2
    assert Store(folder).get(deaf.key)["jobs"]["number"] == [1]


def test_faults_are_conditions_under_which_designs_are_compared(folder):
    found = estimates(load_results(folder), ["mean_response_s"])
    assert len(found) == 3 * 2
    assert found.groupby("fault", dropna=False).design.nunique().tolist() == [2, 2, 2]


def test_faults_are_told_by_what_they_state(folder):
    assert json.loads(fault_of(DEAF)) == [{**DEAF[0], "from_s": 0, "rate": 1}]
