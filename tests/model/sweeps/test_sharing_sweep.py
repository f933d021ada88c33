"""Sweeps of load sharing: declared, stored, resumed and tabulated as those of designs."""

import json

import pandas as pd
import pytest

from model.papers.page import FINDINGS_FILE, findings_page
from model.papers.paper import RESULTS_FILE, paper_of
from model.sharing.scenarios import make_sharing_scenario
from model.sweeps import identity
from model.sweeps.execution import execute
from model.sweeps.identity import conditions_of, key_of
from model.sweeps.results import load_results
from model.sweeps.store import Store

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


@pytest.mark.parametrize(
    ("text", "says"),
    [
        (
            'system = "memori"\n[runs.a]\n',
            "system: give one of memory, unknown, wal-fc, cmgs (not 'memori')",
        ),
        ('system = "memory"\n[runs.a]\npolicies = ["CPU"]\n', "'CPU' is no policy"),
        ('system = "memory"\n[runs.a]\ntrace = "9"\n', "--trace 9: give 0 to 7"),
        ('system = "memory"\n[runs.a]\nram = 50\n', "ram"),
        ('system = "memory"\n[runs.a]\nct = []\n', "runs.a: ct: the list is empty"),
    ],
)
def test_a_mistake_is_one_line_that_names_the_file(command, here, text, says):
    (here / "bad.toml").write_text(text)
    status, _, errors = command("sweep bad.toml")
    assert status == 2
    assert errors.startswith("error: bad.toml")
    assert says in errors
    assert len(errors.splitlines()) == 1


@pytest.fixture
def stored(tmp_path):
    """A folder with four runs of a system: two policies, two seeds."""
    store = Store(tmp_path / "runs")
    with store.writing():
        for policy in ("NO_LS", "CPU_RE"):
            for seed in (1, 2):
                store.put(execute(make_sharing_scenario(jobs=20, seed=seed, policies=policy)))
    return store.folder


def test_results_in_brief_say_what_the_whole_ones_say(command, stored, tmp_path):
    assert command(f"figures memory {stored} --condense {tmp_path}/brief")[0] == 0
    brief = pd.read_parquet(tmp_path / "brief" / RESULTS_FILE)
    whole = load_results(stored)
    for name in ("seed", "design", "trace", "mean_mb"):
        assert list(brief[name]) == list(whole[name])
    assert list(brief.slowdown_of_sums) == pytest.approx(list(whole.slowdown_of_sums), rel=1e-6)
    assert not [name for name in brief if name.startswith(("bytes.", "messages."))]
    page = (tmp_path / "brief" / FINDINGS_FILE).read_text(encoding="utf-8")
    assert page == findings_page(paper_of("memory"), paper_of("memory").measured(brief))


def test_results_in_brief_are_added_to_those_in_the_folder(command, stored, tmp_path):
    """As those of one machine to those of another; a measure of one side alone is not lost."""
    folder = tmp_path / "brief"
    assert command(f"figures memory {stored} --condense {folder}")[0] == 0
    whole = pd.read_parquet(folder / RESULTS_FILE)
    whole[:1].assign(only_there=1.5).to_parquet(folder / RESULTS_FILE)
    part = Store(tmp_path / "part")
    with part.writing():
        for result in map(Store(stored).get, Store(stored).all_keys()):
            if result["conditions"] != whole.conditions[0]:
                part.put(result)
    assert command(f"figures memory {part.folder} --condense {folder}")[0] == 0
    both = pd.read_parquet(folder / RESULTS_FILE)
    assert both.pop("only_there").dropna().tolist() == [1.5]
    there = whole.conditions != whole.conditions[0]
    there[0] = True
    by = ["conditions", "design"]
    pd.testing.assert_frame_equal(
        both.sort_values(by, ignore_index=True), whole[there].sort_values(by, ignore_index=True)
    )
    (folder / RESULTS_FILE).write_text("broken")
    status, _, err = command(f"figures memory {stored} --condense {folder}")
    assert status == 2
    assert "delete it" in err
