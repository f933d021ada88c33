"""The policies: whom they hold, kill, submit and migrate, on cases made by hand."""

from dataclasses import dataclass

import pytest

from agents.sharing.policy import Hold, Kill, Move
from model.sharing.scenarios import make_sharing_scenario
from model.sharing.system import load_policy
from model.sharing.unknown.load import Load
from model.sharing.unknown.policies import POLICIES
from model.sharing.unknown.scenario import SHOWN_POLICIES
from model.sharing.unknown.system import SYSTEM
from tests.model.sharing.workstation import view

MB, S = 2**20, 10**9
LOOP = ("PF_RATE", "WORKSIZE", "AGE", "COMBINED", "IO_ACTIVE", "YOUNGEST", "LOWEST_WEIGHT")


@dataclass(frozen=True)
class Job:
    number: int = 1
    memory: int = 20 * MB
    age_ns: int = 500 * S  # of CPU time
    faults: int = 0
    ios: int = 0
    started_ns: int = 0
    fault_weight: int = 1


def load(jobs, memory_mb, coming_mb=0):
    return Load(jobs, round(memory_mb * MB), 0, round(coming_mb * MB))


def policy(name, **parameters):
    scenario = make_sharing_scenario(system="unknown", **{"mt": 0, "ct": 4, **parameters})
    return load_policy(name, SYSTEM)[1](SYSTEM.constants(scenario))


EMPTY, FULL = load(0, 0), load(2, 128)


def test_by_default_those_are_run_whose_results_the_paper_shows():
    assert tuple(POLICIES)[: len(SHOWN_POLICIES)] == SHOWN_POLICIES


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


def targets(target):
    """Where a job of 20 MB goes from a node that pages, as a function of what others state."""
    loop, job = policy("WORKSIZE", mt=-50, target=target), Job()

    def chosen(*others):
        move = loop.reported(view(load(3, 190), *others, jobs=[job]))
        return move and move.target

    return chosen


def test_a_job_migrates_to_where_it_has_room_below_the_threshold():
    # MT = -50 %: 64 MB. The largest free memory decides on the target, then both conditions.
    chosen = targets("room")
    assert chosen(load(1, 63)) == 1
    assert chosen(load(1, 64)) is None
    assert chosen(load(1, 43, 20)) == 1
    assert chosen(load(1, 43, 21)) is None  # coming jobs count
    assert chosen(load(4, 0), load(3, 60)) == 2  # CT = 4
    large = Job(memory=100 * MB)
    loop = policy("WORKSIZE")
    assert loop.reported(view(load(3, 190), load(1, 27), jobs=[large])) == Move(large, 1)
    assert loop.reported(view(load(3, 190), load(1, 28), jobs=[large])) is None  # FM = WS


def test_as_printed_a_job_migrates_to_where_either_holds():
    chosen = targets("threshold")
    assert chosen(load(1, 63)) == 1
    assert chosen(load(1, 107)) == 1  # above MT, but 20 MB are free
    assert chosen(load(1, 108)) is None
    assert chosen(load(1, 88, 20)) is None
    assert chosen(load(4, 0), load(3, 100)) == 2
    large, loop = Job(memory=100 * MB), policy("WORKSIZE", target="threshold")
    assert loop.reported(view(load(3, 190), load(1, 127), jobs=[large])) == Move(large, 1)


def test_nothing_migrates_from_where_all_are_about_to_leave():
    assert policy("WORKSIZE").reported(view(load(3, 190), EMPTY)) is None


def identified(jobs, **readings):
    here = view(load(len(jobs), 150), jobs=jobs)
    return {name: policy(name, **readings).identified_job(here, jobs) for name in LOOP}


def test_which_job_is_identified():
    # Ages by the clock at 1,000 s: 10, 100, 400 and 300 s.
    young = Job(1, 10 * MB, ios=100, started_ns=990 * S, fault_weight=400)
    large = Job(2, 60 * MB, ios=100, started_ns=900 * S, fault_weight=40)
    old = Job(3, 30 * MB, ios=100, started_ns=600 * S, fault_weight=4)
    busy = Job(4, 30 * MB, ios=400, started_ns=700 * S, fault_weight=200)
    # Weights: young (1/40 + 1 + 1/6 + 1/4) / 4, large (1/4 + 1/10 + 1 + 1/4) / 4,
    # old (1 + 1/100 + 1/2 + 1/4) / 4, busy (3/4 + 1/2 + 1/2 + 1) / 4.
    assert identified([young, large, old, busy]) == {
        **{"PF_RATE": young, "WORKSIZE": large, "AGE": old, "COMBINED": busy},
        **{"IO_ACTIVE": busy, "YOUNGEST": young, "LOWEST_WEIGHT": young},
    }


def test_which_job_is_identified_by_cpu_time_and_faults_so_far():
    young = Job(1, 10 * MB, age_ns=5 * S, faults=50, ios=300)  # 10 faults/s
    large = Job(2, 60 * MB, age_ns=100 * S, faults=100, ios=100)  # 1 fault/s
    old = Job(3, 30 * MB, age_ns=400 * S, faults=0, ios=100, started_ns=900 * S)
    busy = Job(4, 30 * MB, age_ns=300 * S, faults=1500, ios=400)  # 5 faults/s
    # Weights: young (1/80 + 1 + 1/6 + 3/4) / 4, large (1/4 + 1/10 + 1 + 1/4) / 4,
    # old (1 + 0 + 1/2 + 1/4) / 4, busy (3/4 + 1/2 + 1/2 + 1) / 4.
    assert identified([young, large, old, busy], age="cpu", fault_weights="demand") == {
        **{"PF_RATE": young, "WORKSIZE": large, "AGE": old, "COMBINED": busy},
        **{"IO_ACTIVE": busy, "YOUNGEST": young, "LOWEST_WEIGHT": large},
    }


def test_jobs_without_any_activity_have_weights():
    idle, larger = Job(1, 1, age_ns=0, started_ns=1000 * S), Job(2, 2, 0, started_ns=1000 * S)
    for readings in ({}, {"age": "cpu", "fault_weights": "demand"}):
        assert identified([idle, larger], **readings)["COMBINED"] is larger


def migrates(oldest, here, there, **readings):
    """Whether AGE moves the older of two jobs between nodes with these loads."""
    younger = Job(2, age_ns=0, started_ns=999 * S)
    move = policy("AGE", **readings).reported(view(here, there, jobs=[younger, oldest]))
    assert move in (None, Move(oldest, 1))
    return move is not None


@pytest.mark.parametrize(("age_s", "pays"), [(16, False), (17, True)])
def test_an_oldest_job_pays_for_its_migration_over_the_difference_in_jobs(age_s, pays):
    # 60 MB at 10 Mbps: 0.1 s + 60 * 2^20 * 8 / 10^7 s = 50.4 s; over 4 - 1 jobs, 16.8 s.
    oldest = Job(1, 60 * MB, age_ns=0, started_ns=(1000 - age_s) * S)
    assert migrates(oldest, load(4, 130), EMPTY) == pays


def test_a_migration_to_as_many_jobs_pays_at_no_age():
    # With the migrant, the target would have two jobs as well.
    assert not migrates(Job(1, 60 * MB), load(2, 130), load(1, 5))
    assert migrates(Job(1, 60 * MB), load(3, 130), load(1, 5))


@pytest.mark.parametrize(("age_s", "pays"), [(50, False), (51, True)])
def test_by_cpu_time_a_job_pays_whatever_the_difference_in_jobs(age_s, pays):
    oldest = Job(1, 60 * MB, age_ns=age_s * S)
    assert migrates(oldest, load(4, 130), EMPTY, age="cpu") == pays
    assert migrates(oldest, load(2, 130), load(1, 5), age="cpu") == pays
