"""The nine policies: their indices by the paper's formulas, and whom they move where."""

from dataclasses import dataclass

import pytest

from agents.sharing.policy import Policy
from model.ground.errors import InputError
from model.sharing.memory.load import Load
from model.sharing.memory.policies import POLICIES
from model.sharing.memory.scenario import ALL_POLICIES
from model.sharing.memory.system import SYSTEM
from model.sharing.scenarios import make_sharing_scenario
from model.sharing.system import load_policy
from tests.model.sharing.workstation import view

MB = 2**20
S = 10**9


@dataclass(frozen=True)
class Job:
    number: int = 1
    memory: int = 10 * MB
    age_ns: int = 0

    @property
    def threshold(self):
        return self.memory * 2 // 5


def load(jobs, threshold_mb):
    return Load(jobs, round(threshold_mb * MB), round(threshold_mb * 2.5 * MB))


@pytest.fixture
def policy():
    constants = SYSTEM.constants(make_sharing_scenario(ct=4))
    return lambda name: load_policy(name, SYSTEM)[1](constants)


def test_the_command_line_offers_all_policies():
    assert tuple(POLICIES) == ALL_POLICIES


@pytest.mark.parametrize(
    ("name", "fits", "full"),
    [
        ("CPU_RE", 3, 3),
        ("MEM_RE", 47 * MB, 48 * MB),
        ("CPU_MEM_HP_RE", 3, 4),
        ("CPU_MEM_HT_RE", 3, 3 * 2.5),
    ],
)
def test_indices_below_and_at_the_ram(policy, name, fits, full):
    # Three jobs; at the RAM of 48 MB, U is 120 MB: U / RAM = 2.5
    assert policy(name).index(load(3, 47)) == fits
    assert policy(name).index(load(3, 48)) == full


@pytest.mark.parametrize(
    ("name", "here", "stays"),
    [
        ("CPU_RE", load(3, 60), True),  # below CT, however full the memory
        ("CPU_RE", load(4, 1), False),
        ("MEM_RE", load(9, 43.9), True),  # with 4 MB of the job's: below 48
        ("MEM_RE", load(1, 44), False),
        ("CPU_MEM_HP_RE", load(3, 43.9), True),
        ("CPU_MEM_HP_RE", load(1, 44), False),
        ("CPU_MEM_HP_RE", load(4, 1), False),
        ("CPU_MEM_HT_RE", load(1, 44), True),  # 1 * 120 / 48 < 4
        ("CPU_MEM_HT_RE", load(2, 44), False),  # 2 * 2.5 >= 4
        ("NO_LS", load(99, 99), True),
    ],
)
def test_when_an_arriving_job_leaves_for_an_empty_node(policy, name, here, stays):
    move = policy(name).arrived(view(here, load(0, 0), load(2, 2)), Job())
    assert (move is None) == stays
    if move:
        assert move == (Job(), 1)


def test_nodes_whose_memory_would_overflow_come_last_and_none_better_means_home(policy):
    full, busy, empty = load(1, 47), load(6, 1), load(0, 0)
    here = load(7, 1)
    assert policy("CPU_RE").arrived(view(here, full, busy), Job()).target == 1
    assert policy("CPU_MEM_HP_RE").arrived(view(here, full, busy), Job()).target == 2
    assert policy("CPU_MEM_HP_RE").arrived(view(full, load(2, 50), load(3, 60)), Job()) is None
    assert policy("MEM_RE").arrived(view(load(1, 50), load(9, 49), full), Job()).target == 2
    assert policy("CPU_RE").arrived(view(load(4, 1), load(4, 1)), Job()) is None
    assert policy("CPU_RE").arrived(view(load(4, 1)), Job()) is None  # a cluster of one
    assert policy("CPU_PM").arrived(view(load(4, 1)), Job()) is None
    assert policy("CPU_RE").arrived(view(here, here, empty, here), Job()).target == 2


def test_equals_are_chosen_between_at_random(policy):
    targets = [
        policy("CPU_RE").arrived(view(load(9, 1), *[load(0, 0)] * 4), Job(n)).target
        for n in range(400)
    ]
    assert all(70 <= targets.count(node) <= 130 for node in (1, 2, 3, 4))  # 100 +- 3.5 sd


def test_the_oldest_whose_age_pays_for_its_move_migrates(policy):
    # 10 MB take 0.1 + 8.39 s; 5 jobs and the arriving one here, 1 with the migrant there: 5 apart.
    # So an age above 1.70 s pays for 10 MB, and above 0.19 s for 1 MB (0.94 s).
    old_and_large = Job(1, 10 * MB, age_ns=17 * S // 10 - S // 100)
    younger = Job(2, 1 * MB, age_ns=S)
    youngest = Job(3, 1 * MB, age_ns=S // 2)
    running = [youngest, younger, old_and_large]
    here, there = load(5, 10), load(0, 0)
    assert policy("CPU_PM").arrived(view(here, there, jobs=running), Job(9)).job is younger
    old_enough = Job(1, 10 * MB, age_ns=17 * S // 10)
    move = policy("CPU_PM").arrived(view(here, there, jobs=[younger, old_enough]), Job(9))
    assert move == (old_enough, 1)
    too_young = Job(1, 1 * MB, age_ns=S * 18 // 100)
    assert policy("CPU_PM").arrived(view(here, there, jobs=[too_young]), Job(9)) is None
    assert policy("CPU_PM").arrived(view(load(3, 1), there, jobs=running), Job(9)) is None


@pytest.mark.parametrize(
    ("text", "name", "says"),
    [
        ("", "NOBODY", "take one of NO_LS, CPU_RE"),
        ("x = 1", "mine.py:Mine", "has no function 'Mine'"),
        ("def Mine(constants): ...", "mine.py:Mine", "is no policy"),
        ("class Mine(", "mine.py:Mine", "line 1"),
    ],
)
def test_what_is_no_policy_is_said_so(tmp_path, monkeypatch, policy, text, name, says):
    monkeypatch.chdir(tmp_path)
    (tmp_path / "mine.py").write_text(text)
    with pytest.raises(InputError, match=says):
        policy(name)


def test_names_may_be_written_small(policy):
    assert type(policy("mem_re")) is POLICIES["MEM_RE"]
    assert isinstance(policy("no_ls"), Policy)
