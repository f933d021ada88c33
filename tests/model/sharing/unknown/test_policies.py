"""The six policies: whom they hold, kill, submit and migrate, on cases made by hand."""

from dataclasses import dataclass, field

import pytest

from agents.sharing.policy import Hold, Kill, Move, View
from model.sharing.scenarios import make_sharing_scenario
from model.sharing.system import load_policy
from model.sharing.unknown.load import Load
from model.sharing.unknown.policies import POLICIES
from model.sharing.unknown.scenario import ALL_POLICIES
from model.sharing.unknown.system import SYSTEM

MB, S = 2**20, 10**9
LOOP = ("PF_RATE", "WORKSIZE", "AGE", "COMBINED")


@dataclass(frozen=True)
class Job:
    number: int = 1
    memory: int = 20 * MB
    age_ns: int = 500 * S
    faults: int = 0
    ios: int = 0


@dataclass
class Node:
    """What a view asks of a workstation."""

    load: Load
    jobs: list = field(default_factory=list)
    held: list = field(default_factory=list)
    index: int = 0

    def states(self):
        return self.load

    def movable_jobs(self):
        return self.jobs


def load(jobs, memory_mb, coming_mb=0):
    return Load(jobs, round(memory_mb * MB), 0, round(coming_mb * MB))


def policy(name, **parameters):
    scenario = make_sharing_scenario(system="unknown", **{"mt": 0, "ct": 4, **parameters})
    return load_policy(name, SYSTEM)[1](SYSTEM.constants(scenario))


def view(here, *others, jobs=(), held=()):
    return View(Node(here, list(jobs), list(held)), dict(enumerate(others, start=1)), seed=1)


EMPTY, FULL = load(0, 0), load(2, 128)


def test_the_command_line_offers_all_policies():
    assert tuple(POLICIES) == ALL_POLICIES


def test_no_ls_kills_what_passes_ram_and_swap():
    job = Job()
    assert policy("NO_LS").arrived(view(load(3, 236)), job) is None
    assert policy("NO_LS").arrived(view(load(3, 236.1)), job) == Kill(job)
    assert policy("NO_LS").resized(view(load(3, 256)), job) is None
    assert policy("NO_LS").resized(view(load(3, 256.1)), job) == Kill(job)


def test_blocking_holds_while_the_node_thrashes():
    # 65 % above 128 MB: 211.2 MB.
    blocking, first, second = policy("NO_LS_BLOCKING"), Job(1), Job(2)
    assert blocking.arrived(view(load(3, 211)), first) is None
    assert blocking.arrived(view(load(3, 211.3)), first) == Hold(first)
    assert blocking.arrived(view(load(3, 100), held=[first]), second) == Hold(second)
    assert blocking.reported(view(load(3, 211.3), held=[first, second])) is None
    assert blocking.reported(view(load(3, 211), held=[first, second])) == Move(first, 0)
    assert blocking.ended(view(load(2, 100), held=[first]), Job(3)) == Move(first, 0)


@pytest.mark.parametrize("name", LOOP)
def test_an_arrival_runs_here_or_where_there_is_room_or_waits(name):
    loop, job = policy(name), Job()
    assert loop.arrived(view(load(3, 127), EMPTY), job) == Move(job, 0)
    assert loop.arrived(view(FULL, load(1, 60), load(1, 50)), job) == Move(job, 2)
    assert loop.arrived(view(load(4, 20), load(1, 60), load(4, 0)), job) == Move(job, 1)
    assert loop.arrived(view(FULL, FULL, load(4, 10), load(2, 60, 68)), job) == Hold(job)
    assert loop.arrived(view(load(2, 60, 68), FULL), job) == Hold(job)  # room is reserved
    assert loop.arrived(view(load(1, 60), EMPTY, held=[Job(2)]), job) == Hold(job)
    assert loop.arrived(view(FULL), job) == Hold(job)  # a cluster of one


@pytest.mark.parametrize("name", LOOP)
def test_a_held_job_begins_once_there_is_room(name):
    loop, first, second = policy(name), Job(1), Job(2)
    assert loop.reported(view(FULL, FULL, held=[first, second])) is None
    assert loop.reported(view(FULL, EMPTY, held=[first, second])) == Move(first, 1)
    assert loop.reported(view(load(3, 127), EMPTY, held=[first, second])) == Move(first, 0)


@pytest.mark.parametrize("name", LOOP)
@pytest.mark.parametrize(
    ("mt", "memory_mb", "migrates"),
    [
        (0, 128, False),
        (0, 128.5, True),
        (-15, 120, False),
        (-15, 128.5, True),
        (5, 134, False),  # 5 % above 128 MB: 134.4
        (5, 134.5, True),
    ],
)
def test_a_job_migrates_when_the_node_pages_beyond_the_threshold(name, mt, memory_mb, migrates):
    job = Job()
    move = policy(name, mt=mt).reported(view(load(2, memory_mb), EMPTY, jobs=[job]))
    assert move == (Move(job, 1) if migrates else None)


@pytest.mark.parametrize("name", LOOP)
def test_a_job_migrates_when_there_are_more_jobs_than_ct(name):
    job = Job()
    assert policy(name).reported(view(load(4, 50), EMPTY, jobs=[job])) is None
    assert policy(name).reported(view(load(5, 50), EMPTY, jobs=[job])) == Move(job, 1)


def test_where_a_job_migrates_to():
    loop, job, here = policy("WORKSIZE", mt=-50), Job(), load(3, 190)
    # Below MT = 64 MB any; above it where the job's 20 MB are free.
    assert loop.reported(view(here, load(1, 63), jobs=[job])) == Move(job, 1)
    assert loop.reported(view(here, load(1, 107), jobs=[job])) == Move(job, 1)
    assert loop.reported(view(here, load(1, 108), jobs=[job])) is None
    assert loop.reported(view(here, load(1, 88, 20), jobs=[job])) is None
    assert loop.reported(view(here, load(4, 0), load(3, 100), jobs=[job])) == Move(job, 2)
    assert loop.reported(view(here, EMPTY)) is None  # all are about to leave


def test_which_job_is_identified():
    young = Job(1, memory=10 * MB, age_ns=5 * S, faults=50, ios=100)  # 10 faults/s
    large = Job(2, memory=60 * MB, age_ns=100 * S, faults=100, ios=100)  # 1 fault/s
    old = Job(3, memory=30 * MB, age_ns=400 * S, faults=0, ios=100)
    busy = Job(4, memory=30 * MB, age_ns=300 * S, faults=1500, ios=400)  # 5 faults/s
    jobs = [young, large, old, busy]
    picks = {name: policy(name).identified_job(jobs) for name in LOOP}
    # Weights: young (1/80 + 1 + 1/6 + 1/4) / 4, large (1/4 + 1/10 + 1 + 1/4) / 4,
    # old (1 + 0 + 1/2 + 1/4) / 4, busy (3/4 + 1/2 + 1/2 + 1) / 4.
    assert picks == {"PF_RATE": young, "WORKSIZE": large, "AGE": old, "COMBINED": busy}


def test_jobs_without_any_activity_have_weights():
    idle = Job(1, memory=1, age_ns=0)
    assert policy("COMBINED").identified_job([idle, Job(2, memory=2, age_ns=0)]).number == 2


def test_an_oldest_job_too_young_for_its_migration_stays():
    # 60 MB at 10 Mbps: 0.1 s + 60 * 2^20 * 8 / 10^7 s = 50.4 s.
    here = load(2, 130)
    for age_s, migrates in ((50, False), (51, True)):
        jobs = [Job(1, memory=60 * MB, age_ns=age_s * S), Job(2, age_ns=S)]
        move = policy("AGE").reported(view(here, EMPTY, jobs=jobs))
        assert move == (Move(jobs[0], 1) if migrates else None)
