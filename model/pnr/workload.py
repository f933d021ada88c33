"""Turns a log's records, or jobs listed in a scenario, into jobs for the cluster."""

from dataclasses import replace
from fractions import Fraction
from math import sqrt

import numpy as np

from model.ground.errors import InputError
from model.ground.randomness import ARRIVAL, draws
from model.ground.units import BYTES_PER_KB, BYTES_PER_MB, NS_PER_S, exact, megabytes, round_half_up
from model.logs import reading
from model.logs.doubts import contradictions
from model.logs.log import Column, Log, scaled
from model.pnr.job_spec import JobSpec
from model.pnr.memory_profile import profile_of
from model.pnr.scaling import Scaled, scaled_window
from model.pnr.scenario import BUNDLED_TRACE, Scenario

# Within these, sums over a simulated year stay below 2^63 ns, and memory on a node below 2^53 bytes
# (model/pnr/compiled/records.py explains why that is enough).
LATEST_S = 10**9
LARGEST_MB = 2**26
_DOUBTFUL = 1000  # nodes' RAMs in a process; KB for bytes make 1,024 of one


def load_workload(scenario: Scenario) -> list[JobSpec]:
    """The scenario's jobs in the order of arrival, the first at 0; raises InputError."""
    jobs = _inline_jobs(scenario) if scenario.job is not None else _trace_jobs(scenario)
    first_ns = min(job.submit_ns for job in jobs)
    numbers, seats = set(), scenario.seats
    for job in jobs:
        if job.number in numbers:
            raise InputError(f"job {job.number} appears twice; give each job its own number")
        if job.processes > seats:
            on_which = "nodes" if seats == scenario.nodes else "nodes with seats"
            raise InputError(
                f"job {job.number} has {job.processes} processes, more than the cluster's "
                f"{seats} {on_which}; give the cluster at least that many"
            )
        numbers.add(job.number)
    load_factor = exact(scenario.load_factor)
    profile = profile_of(scenario, list(numbers))
    shifted = [
        replace(
            job,
            submit_ns=round_half_up((job.submit_ns - first_ns) / load_factor),
            memory=(memory := max(mark.size for mark in marks)),
            marks=marks,
            limit=_limit(job, memory, scenario),
        )
        for job in jobs
        for marks in [profile(job.number, job.memory, job.demand_ns)]
    ]
    shifted = _shaken(sorted(shifted, key=lambda job: job.submit_ns), scenario)
    for job in shifted:
        for name, value, unit, most in (
            ("is submitted after", job.submit_ns, NS_PER_S, LATEST_S),
            ("needs CPU time of", job.demand_ns, NS_PER_S, LATEST_S),
            ("has processes of", job.memory, BYTES_PER_MB, LARGEST_MB),
        ):
            if value > most * unit:
                unit_name = "s" if unit == NS_PER_S else "MB"
                raise InputError(
                    f"job {job.number} {name} {value // unit} {unit_name}, more than the "
                    f"{most} {unit_name} that an emulation takes"
                    f"{_hint(scenario) if unit == BYTES_PER_MB else ''}"
                )
    return shifted


def _shaken(jobs: list[JobSpec], scenario: Scenario) -> list[JobSpec]:
    """The jobs, in the order of arrival, with the times between them as the jitter has them.

    A factor is uniform in 1 ± √3 of the deviation: always positive, and free of functions that
    libraries of mathematics round differently.
    """
    if not scenario.arrival_jitter:
        return jobs
    half_width = sqrt(3) * scenario.arrival_jitter
    found, now_ns, before_ns = [], 0, 0
    for job in jobs:
        drawn = next(draws(scenario.seed, ARRIVAL, job.number))
        factor = Fraction(1 + half_width * (2 * drawn - 1))
        now_ns += round_half_up((job.submit_ns - before_ns) * factor)
        before_ns = job.submit_ns
        found.append(replace(job, submit_ns=now_ns))
    return found


def _inline_jobs(scenario: Scenario) -> list[JobSpec]:
    return [
        JobSpec(
            number=place if job.number is None else job.number,
            submit_ns=_nanoseconds(job.submit_s),
            processes=job.processes,
            memory=round_half_up(exact(job.memory_mb) * BYTES_PER_MB),
            demand_ns=_nanoseconds(max(job.demand_s, scenario.minimum_demand_s)),
            requested=_bytes(job.requested_mb),
            user=job.user,
            limit=_bytes(job.limit_mb),
        )
        for place, job in enumerate(scenario.job or (), start=1)
    ]


def _bytes(size_mb: float | None) -> int | None:
    return None if size_mb is None else round_half_up(exact(size_mb) * BYTES_PER_MB)


def _limit(job: JobSpec, memory: int, scenario: Scenario) -> int | None:
    """What each process of a job may hold in RAM: its own limit, or a share of its memory."""
    if job.limit is not None or scenario.memory_limit is None:
        return job.limit
    return round_half_up(exact(scenario.memory_limit) * memory)


def jobs_of_log(scenario: Scenario) -> tuple[list[JobSpec], dict[int, int]]:
    """The jobs in the order of their log, and by number the record there, from 1."""
    numbers = read_log(scenario).number.tolist()
    records = {number: record for record, number in enumerate(numbers, 1)}
    return sorted(load_workload(scenario), key=lambda job: records[job.number]), records


def read_log(scenario: Scenario) -> Log:
    """The log that the scenario's jobs come from; raises InputError."""
    unit_bytes = BYTES_PER_KB if scenario.memory_unit == "kb" else 1
    return reading.read_log(scenario.trace or BUNDLED_TRACE, scenario.columns, unit_bytes)


def _window(scenario: Scenario) -> Scaled:
    log = read_log(scenario)
    return scaled_window(log, _demand_ns(log, scenario), scenario)


def _trace_jobs(scenario: Scenario) -> list[JobSpec]:
    scaled_jobs = _window(scenario)
    window = scaled_jobs.log
    requested = scaled(window.requested_bytes, exact(scenario.memory_scale))
    columns = (
        window.number,
        window.submit_ns,
        scaled_jobs.processes,
        _memory(window, scenario),
        _demand_ns(window, scenario),
        requested,
        window.user,
    )
    return [
        JobSpec(
            number,
            submit_ns,
            processes,
            memory,
            demand_ns,
            requested=None if asked < 0 else asked,
            user=None if user < 0 else user,
        )
        for number, submit_ns, processes, memory, demand_ns, asked, user in zip(
            *(column.tolist() for column in columns), strict=True
        )
    ]


def remark(scenario: Scenario) -> str:
    """What a person should know of the scenario's jobs.

    A line for each thing, warnings last: how a log's load was scaled (the bundled one's if that
    changes it); of a log of one's own, what it leaves out (a warning if the memory of most jobs is
    unknown), what contradicts itself in it, a process that would fill a thousand nodes. Of listed
    jobs, those that compute for less than the least time. "" if there is nothing to remark.
    """
    if scenario.job is not None:
        least_s = scenario.minimum_demand_s
        raised = sum(job.demand_s < least_s for job in scenario.job)
        sentence = (
            f"note: demand_s of {raised:,} of {len(scenario.job):,} jobs is raised to {least_s:g} s"
        )
        return f"{sentence} (minimum_demand_s)" if raised else ""
    scaled_jobs = _window(scenario)
    load = scaled_jobs.remark(is_own=scenario.trace is not None)
    if scenario.trace is None:
        return load
    log, window = read_log(scenario), scaled_jobs.log
    fields = (scenario.demand, scenario.memory_field, scenario.memory_unit)
    doubts = contradictions(log, *fields, scenario.machine_processors is not None)
    remarks = [
        load,
        *(f"note: {log.path}: {note}" for note in log.notes),
        _unknown(log, window, scenario),
        *(f"warning: {log.path}: {doubt}" for doubt in doubts),
        _doubtful(window, scenario),
    ]
    return "\n".join(sorted(filter(None, remarks), key=lambda line: line.startswith("warning")))


def _unknown(log: Log, window: Log, scenario: Scenario) -> str:
    lacking = np.flatnonzero(_stated_memory(window, scenario) < 0)
    unstated = []
    if len(lacking):
        taken = f"{float(f'{megabytes(_memory(window, scenario)[lacking[0]]):.3g}'):,g} MB is taken"
        unstated.append(f"memory of {len(lacking):,} ({len(lacking) / len(window):.0%}; {taken})")
    untimed = window.cpu_ns < 0 if scenario.demand == "cpu" else np.full(len(window), True)
    no_time = int((untimed & (window.run_ns < 0)).sum())
    if scenario.demand == "cpu" and (by_run := int(untimed.sum()) - no_time):
        unstated.append(f"CPU time of {by_run:,} (run time is taken)")
    if no_time:
        unstated.append(f"time of {no_time:,} ({scenario.minimum_demand_s:g} s is taken)")
    if nobody := int((window.processors < 1).sum()):
        unstated.append(f"processors of {nobody:,} (one process is taken)")
    if not (log.stated_processors or scenario.machine_processors):
        size = log.processors_of_machine
        unstated.append(f"the machine's size ({size:,} processors of the largest job)")
    if log.unread:
        unstated.append(f"a meaning of {log.unread} fields after the format's 18 (not read)")
    if not unstated:
        return ""
    kind = "warning" if 2 * len(lacking) > len(window) else "note"
    return f"{kind}: {log.path} lacks, of {len(window):,} jobs: {'; '.join(unstated)}"


def _doubtful(window: Log, scenario: Scenario) -> str:
    memory = _memory(window, scenario)
    largest = int(memory.argmax())
    size_mb, ram_mb = megabytes(memory[largest]), scenario.largest_ram_mb
    if size_mb < _DOUBTFUL * ram_mb:
        return ""
    return (
        f"warning: {window.path}, {'row' if window.is_table else 'line'} {window.line[largest]}: "
        f"processes of {size_mb:,.0f} MB, "
        f"{size_mb / ram_mb:,.0f} times the RAM of a node{_hint(scenario)}"
    )


def _hint(scenario: Scenario) -> str:
    """What to try if a log's memory is too large."""
    kb = scenario.trace is not None and scenario.columns is None and scenario.memory_unit == "kb"
    return "; if the log's memory is in bytes, give --memory-unit bytes" if kb else ""


def _demand_ns(window: Log, scenario: Scenario) -> Column:
    known = (window.cpu_ns >= 0) & (scenario.demand == "cpu")
    demands_ns = np.where(known, window.cpu_ns, window.run_ns)
    return np.maximum(demands_ns, _nanoseconds(scenario.minimum_demand_s))


def _memory(window: Log, scenario: Scenario) -> Column:
    """The bytes of each process: as stated, or else a default.

    The default is the given one, or else the median of those stated in the same field.
    """
    sizes = scaled(_stated_memory(window, scenario), exact(scenario.memory_scale))
    stated = np.sort(sizes[sizes >= 0])
    if scenario.memory_mb is not None:
        default = round_half_up(exact(scenario.memory_mb) * BYTES_PER_MB)
    elif len(stated):
        below, above = stated[(len(stated) - 1) // 2], stated[len(stated) // 2]
        default = below + (above - below + 1) // 2
    else:
        raise InputError(
            f"{window.path}: no {'row' if window.is_table else 'record'} has how much memory its "
            f"job used or requested ({_where_memory_is(window)}); give a value with --memory-mb"
        )
    return np.where(sizes < 0, default, sizes)


def _where_memory_is(log: Log) -> str:
    return "memory and requested in the map" if log.is_table else "fields 7 and 10"


def _stated_memory(window: Log, scenario: Scenario) -> Column:
    """The memory that counts: used or requested, as the scenario has it.

    It is the other one if no job states it and no value is given for those.
    """
    field, other = window.used_bytes, window.requested_bytes
    if scenario.memory_field == 10:
        field, other = other, field
    return field if scenario.memory_mb is not None or (field >= 0).any() else other


def _nanoseconds(time_s: float) -> int:
    return round_half_up(exact(time_s) * NS_PER_S)
