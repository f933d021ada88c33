"""What jobs and processes did from when to when, told from the records of a run."""

import json
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any

import pandas as pd

from agents.messages import DATA_PHASES
from model.views.recording import Recording

_OF_JOBS = {  # kind of record -> what its job is from then on; None: no more
    "submitted": "queued",
    "held": "held",
    "placed": "placed",
    "moved": "on its way",
    "resumed": "running",
    "suspended": "suspended",
    "killed": "queued again",  # by a crash of a node; in load sharing it is the end
    "failed": None,
    "ended": None,
}
WAITING, SUSPENDED, FAULT, BARRIER, RUNNING, MOVING = (
    "waiting for memory",
    "suspended",
    "page fault",
    "barrier",
    "running",
    "moving",
)


@dataclass(frozen=True)
class State:
    """A job (rank None), or a process of it on a node, in a state for some time."""

    job: int
    rank: int | None
    node: int | None
    name: str
    start_ns: int
    end_ns: int


def of_jobs(recording: Recording) -> list[State]:
    """The states of jobs, in the order in which they end."""
    records = recording.records
    found: list[State] = []
    now: dict[int, tuple[str, int]] = {}  # by job: its state, and since when
    its = records[records["kind"].isin(tuple(_OF_JOBS)) & records["job"].notna()]
    for row in its.itertuples():
        job, time_ns = int(row.job), int(row.time_ns)
        if job in now:
            name, since_ns = now.pop(job)
            found.append(State(job, None, None, name, since_ns, time_ns))
        again = row.kind != "killed" or recording.scenario.lends_memory
        if again and (state := _OF_JOBS[row.kind]) is not None:
            now[job] = state, time_ns
    last_ns = int(records["time_ns"].max())
    found += [State(job, None, None, name, since, last_ns) for job, (name, since) in now.items()]
    return [state for state in found if state.end_ns > state.start_ns]


@dataclass
class _Process:
    """What is known of a process at one time."""

    node: int
    since_ns: int
    running: bool  # its job is
    started: bool = False
    waits_for: str | None = None
    moves: bool = False  # to the node

    @property
    def state(self) -> str:
        if not self.started:
            return WAITING
        if not self.running:
            return SUSPENDED
        return MOVING if self.moves else self.waits_for or RUNNING


def of_processes(recording: Recording) -> list[State]:
    """The states of the processes of parallel jobs, in the order in which they end.

    A process whose job is suspended counts as that, even if it waits for a page meanwhile. Without
    records of faults and barriers it is *running* all the time between.
    """
    found: list[State] = []
    processes: dict[int, dict[int, _Process]] = {}  # by job and rank
    running: dict[int, bool] = {}  # by job

    for time_ns, kind, row in _events(recording.records):
        its = processes.setdefault(row.job, {})
        before = {rank: (process.state, process.node) for rank, process in its.items()}
        ended: dict[int, _Process] = {}
        process = its.get(row.rank)
        if kind == "placed":
            for rank, node in enumerate(json.loads(row.payload)["nodes"]):
                its[rank] = _Process(node, time_ns, running.get(row.job, False))
        elif kind in ("resumed", "suspended"):
            running[row.job] = kind == "resumed"
            for one in its.values():
                one.running = running[row.job]
        elif kind == "killed":
            running[row.job] = False
            ended, processes[row.job] = its, {}
        elif process is None:
            continue
        elif kind == "started":
            process.started = True
        elif kind in ("departed", "arrived"):
            process.moves = kind == "departed"
            process.node = row.peer if process.moves else row.node
        elif kind == "finished":
            ended = {row.rank: its.pop(row.rank)}
        elif kind == "fault":
            process.waits_for = FAULT
        elif kind == "barrier":
            alone = row.rank == 0 and len(its) == 1
            process.waits_for = None if alone else BARRIER
        elif kind == "sent":  # by the master, when all have reached the barrier
            if row.rank and its[0].node == row.node:
                its[0].waits_for = None
        elif kind == "page" or process.node == row.node:
            process.waits_for = None
        for rank, one in [*its.items(), *ended.items()]:
            if rank in ended or before.get(rank) != (one.state, one.node):
                if rank in before and time_ns > one.since_ns:
                    state, node = before[rank]
                    found.append(State(row.job, rank, node, state, one.since_ns, time_ns))
                one.since_ns = time_ns
    last_ns = int(recording.records["time_ns"].max())
    found += [
        State(job, rank, one.node, one.state, one.since_ns, last_ns)
        for job, its in processes.items()
        for rank, one in its.items()
        if last_ns > one.since_ns
    ]
    return found


_STEPS = ("placed", "resumed", "suspended", "killed", "started", "finished", "fault", "barrier")
_STEPS += ("departed", "arrived")


def _events(records: pd.DataFrame) -> Iterator[tuple[int, str, Any]]:
    """Time in ns, kind and record of what changes states; a page from the disk is there when read.

    Of messages only those that end a process's waiting: a page that arrives, and the end of a
    barrier, which the master sends and the others receive.
    """
    ends = records["phase"].isin(DATA_PHASES) & (records["hears"] == "process")
    released = ends & (records["kind"] == "sent") & (records["phase"] == "barrier")
    arrived = ends & (records["kind"] == "delivered")
    steps = records["kind"].isin(_STEPS) & records["job"].notna()
    pages = (records["kind"] == "disk") & records["rank"].notna()
    events = [
        (int(row.end_ns), "page", row) if row.kind == "disk" else (int(row.time_ns), row.kind, row)
        for row in records[steps | released | arrived | pages].itertuples()
    ]
    yield from sorted(events, key=lambda event: event[0])
