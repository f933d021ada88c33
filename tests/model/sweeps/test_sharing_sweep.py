"""Sweeps of load sharing: declared, stored, resumed and tabulated as those of designs."""

import json

import pytest

from model.sharing.scenarios import make_sharing_scenario
from model.sweeps import identity
from model.sweeps.identity import conditions_of, key_of

SWEEP = """system = "memory"
trace = "0"
jobs = 20
[runs.all]
policies = ["NO_LS", "cpu_re", "mine.py:Mine"]
seed = [1, 2]
[runs.again]
policies = "NO_LS"
"""
MINE = """from agents.sharing.policy import Policy
class Mine(Policy):
    pass
"""


@pytest.fixture
def declared(here):
    (here / "share.toml").write_text(SWEEP)
    (here / "mine.py").write_text(MINE)
    return here


def test_each_policy_and_seed_is_a_run_done_once(command, declared, in_this_process):
    status, out, _ = command("sweep share.toml --workers 1 --json-lines")
    ended = [json.loads(line) for line in out.splitlines()]
    assert status == 0
    done = [line["run"] for line in ended if line["event"] == "done"]
    assert len(done) == 3 * 2  # `again` declares one of them
    assert {run["system"] for run in done} == {"memory"}
    status, out, _ = command("sweep share.toml --workers 1 --json-lines")
    assert status == 0
    assert not [line for line in out.splitlines() if json.loads(line)["event"] == "done"]
    status, out, _ = command("results results/share --measure slowdown_of_sums")
    assert status == 0
    rows = {line.split()[0]: line.split() for line in out.splitlines() if "±" in line}
    assert {"NO_LS", "CPU_RE", "Mine"} <= rows.keys()
    assert rows["Mine"][1:] == rows["NO_LS"][1:]  # it moves nothing either
    status, out, _ = command("results results/share --runs")
    assert status == 0
    assert "migrated" in out


def key(**parameters):
    chosen = {"policies": ["NO_LS"], "jobs": 10, **parameters}
    return key_of(identity.identity(make_sharing_scenario(**chosen)))


def test_what_decides_changes_the_key(declared):
    (declared / "log.swf").write_text("1 0 0 9 4 7.5 -1\n")
    trace = {"trace": str(declared / "log.swf"), "jobs": 1}
    mine = {"policies": [str(declared / "mine.py:Mine")]}
    others = [{"seed": 2}, {"ct": 5}, {"fault_rate": 1}, {"mean_mb": 2}, {"trace": "1"}]
    others += [{"policies": ["CPU_RE"]}, {"topology": "star"}, trace, mine]
    keys = [key(), *(key(**other) for other in others)]
    assert len({*keys}) == len(keys)
    assert key(policies=["no_ls"]) == key()
    (declared / "log.swf").write_text("1 0 0 9 4 7.6 -1\n")
    (declared / "mine.py").write_text(MINE + "    x = 1\n")
    assert key(**trace) not in keys
    assert key(**mine) not in keys


def test_policies_share_conditions():
    def conditions(**parameters):
        return conditions_of(identity.identity(make_sharing_scenario(jobs=10, **parameters)))

    assert conditions(policies=["NO_LS"]) == conditions(policies=["CPU_PM"])
    assert conditions(policies=["NO_LS"]) != conditions(policies=["NO_LS"], seed=2)
