"""Jobs and their schedule in the files that Batsim writes, which evalys reads.

The columns and fields: batsim.readthedocs.io, "Output files". Batsim knows no time slots: jobs that
share nodes in turns overlap here. Each attempt of a job has a row, as a job that is submitted again
has there: of job 7 these are 7, 7#1 and so on. One that goes on has the journal's end as its own.
"""

import json
from pathlib import Path

import numpy as np
import pandas as pd

from model.core.files import alone_in, put_in_place
from model.core.journal.kinds import Departed, Ended, Failed, Killed, Placed, Submitted
from model.ground.errors import InputError
from model.ground.units import NS_PER_S, seconds
from model.views.attempts import Attempt
from model.views.flow import intervals
from model.views.levels import busy_nodes
from model.views.outcomes import outcomes
from model.views.recording import Recording, Selection

_UNKNOWN = -1  # as Batsim writes what it was not asked to simulate, or has not happened
_LIFE = Submitted, Placed, Departed, Killed, Ended, Failed
_STATES = {  # how an attempt ended -> as Batsim calls it
    Ended.name: "COMPLETED_SUCCESSFULLY",
    Killed.name: "COMPLETED_KILLED",
    None: "RUNNING",
}
_REJECTED = "REJECTED"  # given up before it was placed


def batsim(recording: Recording, selection: Selection, folder: Path) -> list[Path]:
    """Write jobs.csv, of the selected jobs, and schedule.json; returns them.

    Raises InputError for a folder with results of a comparison, whose jobs.csv is another.
    """
    if (folder / "summary.json").exists():
        raise InputError(f"--out {folder}: has the jobs.csv of a comparison; give another folder")
    table = jobs(recording, selection)
    files = [folder / "jobs.csv", folder / "schedule.json"]
    with alone_in(folder), put_in_place(files[0]) as of_jobs, put_in_place(files[1]) as whole:
        table.to_csv(of_jobs, index=False)
        summed_up = schedule(recording, selection, table)
        whole.write_text(json.dumps(summed_up, indent=2) + "\n", encoding="utf-8")
    return files


def jobs(recording: Recording, selection: Selection) -> pd.DataFrame:
    """A row for each attempt of each selected job, in the order of their ends; times in s.

    Then those that are in the queue at the journal's end, and were not placed before.
    """
    wanted = _selected(recording, selection)
    last_ns = int(recording.records["time_ns"].max())
    lives = outcomes(recording, recording.of_kinds(*_LIFE))
    found = []
    for outcome in lives.values():
        submitted_ns = outcome.first_ns.get(Submitted.name)
        if outcome.job not in wanted or submitted_ns is None:
            continue
        for number, attempt in enumerate(outcome.attempts or [None]):
            row = _row(recording.design, outcome.job, number, submitted_ns)
            if attempt is not None and attempt.placed is not None:
                row |= _of_attempt(attempt, submitted_ns, last_ns)
            elif outcome.is_given_up:
                row["final_state"] = _REJECTED
            found.append(row)
    table = pd.DataFrame(found, columns=[*_row("", 0, 0, 0)])
    ends = table["finish_time"].replace(_UNKNOWN, float("inf"))
    return table.loc[ends.sort_values(kind="stable").index].reset_index(drop=True)


def schedule(recording: Recording, selection: Selection, table: pd.DataFrame) -> dict[str, object]:
    """What Batsim writes of a whole schedule, times in s; machines neither sleep nor switch.

    Means are over jobs that ended.
    """
    wanted = _selected(recording, selection)
    failed = int(recording.of_kinds(Failed)["job"].isin(wanted).sum())
    ended = table[table["success"] == 1]
    rejected = int((table["final_state"] == _REJECTED).sum())
    nodes = recording.scenario.nodes
    makespan_s = max([0.0, *table["finish_time"]])
    computing_s, down_s = _busy_s(table), _down_s(recording, makespan_s)
    found = {
        "batsim_version": "none: Parallel Network RAM",
        "consumed_joules": _UNKNOWN,
        "makespan": makespan_s,
        "nb_computing_machines": nodes,
        "nb_grouped_switches": 0,
        "nb_jobs": len(wanted),
        "nb_jobs_finished": len(ended) + failed - rejected,
        "nb_jobs_killed": failed - rejected,
        "nb_jobs_rejected": rejected,
        "nb_jobs_success": len(ended),
        "nb_machine_switches": 0,
        "success_rate": len(ended) / len(wanted) if wanted else 0.0,
        "time_computing": computing_s,
        "time_idle": nodes * makespan_s - computing_s - down_s,
        **dict.fromkeys(("time_sleeping", "time_switching_off", "time_switching_on"), 0),
        "time_unavailable": down_s,
    }
    for name, column in (
        ("slowdown", "stretch"),
        ("turnaround_time", "turnaround_time"),
        ("waiting_time", "waiting_time"),
    ):
        for how in ("max", "mean"):
            found[f"{how}_{name}"] = float(ended[column].agg(how)) if len(ended) else 0.0
    return dict(sorted(found.items()))


def _selected(recording: Recording, selection: Selection) -> set[int]:
    """The selected jobs; what the scheduler does with them counts in the whole run."""
    return {int(job) for job in selection.of(recording)["job"].dropna().unique()}


def _busy_s(table: pd.DataFrame) -> float:
    """The time that machines have any job, summed over them."""
    spans = []
    for row in table.itertuples():
        span_ns = round(row.starting_time * NS_PER_S), round(row.finish_time * NS_PER_S)
        for part in row.allocated_resources.split():
            first, _, last = part.partition("-")
            spans += [(node, *span_ns) for node in range(int(first), int(last or first) + 1)]
    busy = busy_nodes(spans)
    return seconds(int((busy.values[:-1] * np.diff(busy.times_ns)).sum()))


def _down_s(recording: Recording, until_s: float) -> float:
    downs = [it for it in recording.outages if it.what == "node"]
    return sum(max(0.0, min(until_s, seconds(it.end_ns)) - seconds(it.start_ns)) for it in downs)


def _row(design: str, job: int, number: int, submitted_ns: int) -> dict[str, object]:
    """The row of a job that waits in the queue, or what attempts have in common."""
    times = "starting_time", "execution_time", "finish_time", "waiting_time", "turnaround_time"
    return {
        "job_id": f"{job}#{number}" if number else job,
        "workload_name": design,
        "profile": job,
        "submission_time": seconds(submitted_ns),
        "requested_number_of_resources": _UNKNOWN,
        "requested_time": _UNKNOWN,
        "success": 0,
        "final_state": "SUBMITTED",
        **dict.fromkeys((*times, "stretch"), _UNKNOWN),
        "allocated_resources": "",
        "consumed_energy": _UNKNOWN,
    }


def _of_attempt(attempt: Attempt, submitted_ns: int, last_ns: int) -> dict[str, object]:
    assert attempt.placed is not None
    start_ns, how = attempt.placed.time_ns, None if attempt.over is None else attempt.over.kind
    end_ns = last_ns if attempt.over is None else attempt.over.time_ns
    lasted_ns, turnaround_ns = end_ns - start_ns, end_ns - submitted_ns
    return {
        "requested_number_of_resources": len(attempt.nodes),
        "success": int(how == Ended.name),
        "final_state": _STATES[how],
        "starting_time": seconds(start_ns),
        "execution_time": seconds(lasted_ns),
        "finish_time": seconds(end_ns),
        "waiting_time": seconds(start_ns - submitted_ns),
        "turnaround_time": seconds(turnaround_ns),
        "stretch": turnaround_ns / lasted_ns if lasted_ns else 1.0,
        "allocated_resources": " ".join(intervals(attempt.nodes)),
    }
