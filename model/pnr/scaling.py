"""How many processes a log's jobs have on a cluster that is not as large as the log's machine.

A job's share of the cluster is its processors * seats / processors of the machine, which is seldom
a whole number of processes:

- keep-jobs rounds it down, but to no less than one. So no job is left out, and small jobs of a
  large machine take more of the cluster than they took of the machine.
- keep-load rounds it up or down so that the work offered to each seat is kept. The shares of jobs
  are added up, and a job has a process for each whole number that is passed; one without is left
  out. They are added in the order of CPU time (a factor of two makes no difference), of jobs alike
  in that of the log, in short stretches shuffled by job number. So each window of the log keeps its
  work but for a job or so of each length, and periods in a log do not matter. What is left does not
  depend on the seed or the window: runs that are compared have the same jobs.
"""

from dataclasses import dataclass
from typing import Any

import numpy as np

from model.ground.errors import InputError
from model.ground.randomness import SCALING, mix, stream_key
from model.ground.units import NS_PER_S, seconds
from model.logs.log import Column, Log
from model.pnr.scenario import Scenario

_STRETCH = 64  # jobs
_FEW = 10  # jobs
_CHANGED = 0.03  # of the load


@dataclass(frozen=True)
class Scaled:
    """A window of a log on a cluster."""

    log: Log  # of the jobs that are left
    processes: Column
    machine: int  # processors
    seats: int
    keeps_load: bool
    left_out: int
    rounded_up: int
    work: float  # of each seat, of that of each processor of the machine
    span_s: float  # from the first submission to the last
    load: float  # of the machine; inf if all are submitted at once

    def remark(self, is_own: bool) -> str:
        """How much of the load is left; "" if nothing is to be said of it."""
        changed = abs(self.work - 1) > _CHANGED
        few = self.left_out and len(self.log) < _FEW
        if not (changed or (is_own and (self.left_out or self.rounded_up))):
            return ""
        kind = "warning" if few or (changed and not self.keeps_load) else "note"
        load = f"each processor has {self.work:.3g} times the CPU time that it has in the log"
        if self.span_s:
            load = f"load {self.load:.3g} in the log, {self.load * self.work:.3g} here"
        jobs = len(self.log) + self.left_out
        line = (
            f"{kind}: {self.log.path}: {load} ({self.machine:,} processors scaled to "
            f"{self.seats:,}); of {jobs:,} jobs, {self.left_out:,} are left out and "
            f"{self.rounded_up:,} rounded up"
        )
        if few:
            return f"{line}; {_REMEDY}"
        return f"{line}; --scale keep-load keeps the load" if kind == "warning" else line


_REMEDY = (
    "for more jobs, give the size of the part they ran on (--machine-processors), more --nodes, "
    "or --scale keep-jobs"
)


def scaled_window(log: Log, demands_ns: Column, scenario: Scenario) -> Scaled:
    """The scenario's window of a log, whose processes need so much CPU time; raises InputError."""
    first, count = scenario.window
    if first - 1 + (count or 1) > len(log):
        raise InputError(
            f"{log.path}: has {len(log):,} records; "
            f"--first {first}{f' --jobs {count}' if count else ''} reaches beyond them"
        )
    machine = scenario.machine_processors or log.processors_of_machine
    seats, keeps_load = scenario.seats, scenario.keeps_load
    processors = np.maximum(log.processors, 1)
    scale = _keep_load if keeps_load else _keep_jobs
    processes = scale(log.number, processors * seats, machine, demands_ns)
    left = np.flatnonzero(processes[first - 1 :])[:count] + first - 1
    window = slice(first - 1, left[-1] + 1 if count and len(left) else None)
    span_s = seconds(int(np.ptp(log.submit_ns[window])))
    demands_s = demands_ns[window] / NS_PER_S
    there = float((processors[window] * demands_s).sum()) / machine
    here = float((processes[window] * demands_s).sum()) / seats
    load = there / span_s if span_s else np.inf
    if len(left) < (count or 1):
        in_log = f" (load in the log: {load:.3g})" if span_s else ""
        raise InputError(
            f"{log.path}: {len(left):,} of {len(log) - first + 1:,} jobs are left where "
            f"{machine:,} processors are scaled to {seats:,}{in_log}; {_REMEDY}"
        )
    largest = left[processes[left].argmax()]
    if processes[largest] > seats:
        raise InputError(
            f"{log.path}, line {log.line[largest]}: job {log.number[largest]} has "
            f"{processors[largest]:,} processors, more than the machine's {machine:,}; give the "
            "machine's size with --machine-processors"
        )
    return Scaled(
        log.part(left),
        processes[left],
        machine,
        seats,
        keeps_load,
        left_out=int((processes[window] == 0).sum()),
        rounded_up=int((processes * machine > processors * seats)[left].sum()),
        work=here / there,
        span_s=span_s,
        load=load,
    )


def _keep_jobs(_: Column, shares: Column, machine: int, __: Column) -> Column:
    return np.maximum(1, shares // machine)


def _keep_load(numbers: Column, shares: Column, machine: int, demands_ns: Column) -> Column:
    """Processes by job; shares are in processes, times the processors of the machine."""
    words: Any = numbers.astype(np.uint64) + np.uint64(stream_key(0, SCALING))
    shuffled: Any = mix(words)
    alike: Any = np.frexp(demands_ns)[1]
    stretches = np.arange(len(numbers)) // _STRETCH
    order = np.lexsort((shuffled, stretches, alike))
    passed = (np.cumsum((shares % machine)[order]) + machine // 2) // machine
    processes = shares // machine
    processes[order] += np.diff(passed, prepend=0)
    return processes
