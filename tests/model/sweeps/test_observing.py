"""An observer that a sweep names adds its measures, and changes nothing else."""

import pytest

from model.ground.errors import InputError
from model.sweeps.execution import execute
from model.sweeps.sweep import Run, load_sweep

BALANCE = "model.papers.lenders.balance:Balance"
SWEEP = """
nodes = 2
job = [{ processes = 1, memory_mb = 40, demand_s = 1 }]
[runs.one]
designs = ["CLI"]
"""


def sweep(tmp_path, observer=""):
    (tmp_path / "observed.toml").write_text(observer + SWEEP, encoding="utf-8")
    return load_sweep(str(tmp_path / "observed.toml"))


def test_its_measures_join_those_of_the_same_run_without_it(tmp_path):
    (plain,) = sweep(tmp_path).runs.values()
    (observed,) = sweep(tmp_path, f'observer = "{BALANCE}"').runs.values()
    one, other = execute(plain.scenario), execute(observed.scenario, observed.observer)
    assert other["summary"].pop("lenders")["loans"] == 1
    for result in (one, other):
        del result["summary"]["wall_s"]
    assert one["summary"] == other["summary"]
    assert (one["key"], other["key"]) == (plain.key, observed.key)
    assert plain.key != observed.key
    assert plain.key == Run(plain.scenario).key


def test_a_result_says_who_observed_it_so_that_it_can_be_run_again(tmp_path):
    (run,) = sweep(tmp_path, f'observer = "{BALANCE}"').runs.values()
    result = execute(run.scenario, run.observer)
    assert result["observer"] == BALANCE
    assert Run(run.scenario, result["observer"]).key == result["key"]


@pytest.mark.parametrize("name", ['"Balance"', '"model.no_such:Balance"', f'"{BALANCE}s"', "7"])
def test_what_is_no_observer_is_refused_in_one_line(tmp_path, name):
    with pytest.raises(InputError, match=r'toml: observer: give "module:class" of ours \(not '):
        sweep(tmp_path, f"observer = {name}")
