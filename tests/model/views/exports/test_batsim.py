"""Batsim's files: read by evalys, and compared with the journal."""

import json

import pandas as pd
import pytest

from model.ground.errors import InputError
from model.pnr.scenario import make_scenario
from model.systems import measure
from model.systems import run as emulate
from model.views.exports.batsim import batsim, jobs, schedule
from model.views.recording import Selection
from tests.model.views.exports.conftest import BARRIER, BORROWER, recorded


@pytest.mark.filterwarnings("ignore")  # evalys is older than some of what it stands on
def test_evalys_reads_the_jobs(borrowing, tmp_path):
    from evalys.jobset import JobSet
    from evalys.visu.gantt import plot_gantt

    files = batsim(borrowing, Selection(), tmp_path / "out")
    assert [file.name for file in files] == ["jobs.csv", "schedule.json"]
    read = JobSet.from_csv(files[0], resource_bounds=(0, 3))
    table = read.df.set_index("jobID")
    assert [str(its) for its in table.loc[["3", "7"], "allocated_resources"]] == ["0-2", "3"]
    assert table.loc["3", "proc_alloc"] == 3
    # both run from 0 s on, on three nodes and on one
    ended_s = borrowing.records.set_index(["kind", "job"])["time_ns"]["ended"] / 1e9
    load = read.utilisation
    assert load["load"].tolist() == [4, 3, 0]
    assert load.index.tolist() == pytest.approx([0, ended_s[7], ended_s[3]], abs=1e-6)
    plot_gantt(read)  # it draws what it reads


def test_the_jobs_of_a_comparison_are_not_replaced(borrowing, tmp_path):
    (tmp_path / "summary.json").write_text("{}")
    (tmp_path / "jobs.csv").write_text("of the comparison")
    with pytest.raises(InputError, match=r"has the jobs\.csv of a comparison"):
        batsim(borrowing, Selection(), tmp_path)
    assert (tmp_path / "jobs.csv").read_text() == "of the comparison"


def test_times_are_those_of_the_comparison(tmp_path):
    scenario = make_scenario(job=[BARRIER, BORROWER], nodes=4, minimum_demand_s=0.001)
    ours = measure(emulate(scenario, "MAN")).jobs.set_index("job").sort_index()
    made = recorded(BARRIER, BORROWER, nodes=4)
    table = jobs(made, Selection()).set_index("job_id").sort_index()
    for theirs, name in (
        ("submission_time", "submit_s"),
        ("starting_time", "start_s"),
        ("finish_time", "end_s"),
        ("turnaround_time", "response_s"),
    ):
        assert table[theirs].tolist() == pytest.approx(ours[name].tolist())


def test_the_schedule_sums_the_jobs_up(borrowing, tmp_path):
    _, file = batsim(borrowing, Selection(), tmp_path)
    told = json.loads(file.read_text())
    assert list(told) == sorted(told)
    table = pd.read_csv(tmp_path / "jobs.csv")
    assert told["makespan"] == table["finish_time"].max()
    assert (told["nb_jobs"], told["nb_jobs_finished"], told["success_rate"]) == (2, 2, 1)
    # three nodes are busy with job 3, one with job 7; no two jobs share a node
    busy_s = (table["execution_time"] * [1, 3]).sum()
    assert table["job_id"].tolist() == [7, 3]
    assert told["time_computing"] == pytest.approx(busy_s)
    assert told["time_idle"] == pytest.approx(4 * told["makespan"] - busy_s)


@pytest.mark.filterwarnings("ignore")
def test_attempts_that_were_killed_or_never_end_keep_their_nodes(tmp_path):
    """Job 3 waits in vain on nodes 0 and 1; node 0 crashes at 5 s, and it begins again on 1 and 2.

    Job 7, which needs three nodes, never gets them, though node 0 is back at 8 s.
    """
    from evalys.jobset import JobSet

    fault = [
        {"kind": "loss", "messages": ["ServerRequest"]},
        {"kind": "node", "nodes": [0], "from_s": 5, "restart_s": 3},
    ]
    stuck, waits = (
        {"number": number, "processes": size, "memory_mb": memory_mb, "demand_s": 1}
        for number, size, memory_mb in ((3, 2, 40), (7, 3, 8))
    )
    made = recorded(stuck, waits | {"submit_s": 1}, nodes=3, mpl=1, fault=fault, stall_s=10)
    files = batsim(made, Selection(), tmp_path / "out")
    table = pd.read_csv(files[0]).set_index("job_id")
    last_s = made.records["time_ns"].max() / 1e9
    assert table["final_state"].to_dict() == {
        "3": "COMPLETED_KILLED",
        "3#1": "RUNNING",
        "7": "SUBMITTED",
    }
    assert table["finish_time"].tolist() == [5, last_s, -1]
    assert table["allocated_resources"].tolist()[:2] == ["0-1", "1-2"]
    told = json.loads(files[1].read_text())
    assert (told["nb_jobs"], told["nb_jobs_success"], told["mean_waiting_time"]) == (2, 0, 0)
    assert told["time_computing"] == 2 * last_s
    assert told["time_unavailable"] == 3
    assert told["time_idle"] == pytest.approx(3 * last_s - 2 * last_s - 3)
    load = JobSet.from_csv(files[0], resource_bounds=(0, 2)).utilisation["load"]
    assert load.max() == 2


def test_a_machine_with_two_jobs_computes_once():
    # two time slots: both jobs are on node 0 from 0 s on, the longer one until its end
    both = recorded(BARRIER | {"processes": 1}, BORROWER | {"demand_s": 1.5}, nodes=1, quantum_s=1)
    table = jobs(both, Selection())
    told = schedule(both, Selection(), table)
    assert told["time_computing"] == pytest.approx(table["finish_time"].max())
