"""Jobs and their schedule in the files that Batsim writes, which evalys reads.

The columns and fields: batsim.readthedocs.io, "Output files". Batsim knows no time slots: jobs that
share nodes in turns overlap here. A job's execution goes from its (last) placement to its end.
"""

import json
from pathlib import Path

import pandas as pd

from model.core.files import alone_in, put_in_place
from model.core.journal.kinds import Ended, Failed, Placed, Submitted
from model.ground.errors import InputError
from model.ground.units import seconds
from model.views.flow import intervals
from model.views.recording import Recording, Selection

_UNKNOWN = -1  # as Batsim writes what it was not asked to simulate


def batsim(recording: Recording, selection: Selection, folder: Path) -> list[Path]:
    """Write jobs.csv, of the selected jobs that have ended, and schedule.json; returns them.

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
    """One row for each selected job that has ended, in the order of their ends; times in s."""
    wanted = _selected(recording, selection)
    submitted = recording.of_kinds(Submitted).groupby("job")["time_ns"].first()
    placed = recording.of_kinds(Placed).groupby("job")["time_ns"]
    # A parallel job that was killed begins anew; one of load sharing that moves goes on.
    begun = placed.last() if recording.scenario.lends_memory else placed.first()
    nodes: dict[int, set[int]] = {}
    for span in recording.job_spans:
        if span.nodes and span.start_ns >= begun[span.job]:
            nodes.setdefault(span.job, set()).update(span.nodes)
    table = []
    for row in recording.of_kinds(Ended).itertuples():
        job = int(row.job)
        if job in wanted:
            times_ns = int(submitted[job]), int(begun[job]), int(row.time_ns)
            table.append(_row(recording, job, *times_ns, sorted(nodes[job])))
    return pd.DataFrame(table)


def schedule(recording: Recording, selection: Selection, table: pd.DataFrame) -> dict[str, object]:
    """What Batsim writes of a whole schedule, times in s; machines neither sleep nor switch."""
    wanted = _selected(recording, selection)
    failed = int(recording.of_kinds(Failed)["job"].isin(wanted).sum())
    nodes = recording.scenario.nodes
    makespan_s = float(table["finish_time"].max()) if len(table) else 0.0
    computing_s = _busy_s(table)
    found = {
        "batsim_version": "none: Parallel Network RAM",
        "consumed_joules": _UNKNOWN,
        "makespan": makespan_s,
        "nb_computing_machines": nodes,
        "nb_grouped_switches": 0,
        "nb_jobs": len(wanted),
        "nb_jobs_finished": len(table),
        "nb_jobs_killed": failed,
        "nb_jobs_rejected": 0,
        "nb_jobs_success": len(table),
        "nb_machine_switches": 0,
        "success_rate": len(table) / len(wanted) if wanted else 0.0,
        "time_computing": computing_s,
        "time_idle": nodes * makespan_s - computing_s,
        **dict.fromkeys(("time_sleeping", "time_switching_off", "time_switching_on"), 0),
        "time_unavailable": 0,
    }
    for name, column in (
        ("slowdown", "stretch"),
        ("turnaround_time", "turnaround_time"),
        ("waiting_time", "waiting_time"),
    ):
        for how in ("max", "mean"):
            found[f"{how}_{name}"] = float(table[column].agg(how)) if len(table) else 0.0
    return dict(sorted(found.items()))


def _selected(recording: Recording, selection: Selection) -> set[int]:
    """The selected jobs; what the scheduler does with them counts in the whole run."""
    return {int(job) for job in selection.of(recording)["job"].dropna().unique()}


def _busy_s(table: pd.DataFrame) -> float:
    """The time that machines have any job, summed over them."""
    spans: dict[int, list[tuple[float, float]]] = {}
    for row in table.itertuples():
        for part in row.allocated_resources.split():
            first, _, last = part.partition("-")
            for node in range(int(first), int(last or first) + 1):
                spans.setdefault(node, []).append((row.starting_time, row.finish_time))
    total_s = 0.0
    for of_node in spans.values():
        until_s = 0.0
        for start_s, end_s in sorted(of_node):
            total_s += max(0.0, end_s - max(start_s, until_s))
            until_s = max(until_s, end_s)
    return total_s


def _row(
    recording: Recording, job: int, submitted_ns: int, start_ns: int, end_ns: int, nodes: list[int]
) -> dict[str, object]:
    lasted_ns, turnaround_ns = end_ns - start_ns, end_ns - submitted_ns
    return {
        "job_id": job,
        "workload_name": recording.design,
        "profile": job,
        "submission_time": seconds(submitted_ns),
        "requested_number_of_resources": len(nodes),
        "requested_time": _UNKNOWN,
        "success": 1,
        "final_state": "COMPLETED_SUCCESSFULLY",
        "starting_time": seconds(start_ns),
        "execution_time": seconds(lasted_ns),
        "finish_time": seconds(end_ns),
        "waiting_time": seconds(start_ns - submitted_ns),
        "turnaround_time": seconds(turnaround_ns),
        "stretch": turnaround_ns / lasted_ns if lasted_ns else 1.0,
        "allocated_resources": " ".join(intervals(nodes)),
        "consumed_energy": _UNKNOWN,
    }
