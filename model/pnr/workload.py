"""Turns a log's records, or jobs listed in a scenario, into jobs for the cluster."""

from collections.abc import Callable
from dataclasses import replace
from fractions import Fraction
from statistics import median

from model.core.swf import Log, Record, read_swf
from model.ground.errors import InputError
from model.ground.units import BYTES_PER_KB, BYTES_PER_MB, NS_PER_S, exact, round_half_up
from model.pnr.job import JobSpec
from model.pnr.memory_profile import profile_of
from model.pnr.scenario import BUNDLED_TRACE, Scenario

# Within these, sums over a simulated year stay below 2^63 ns, and memory on a node below 2^53 bytes
# (model/pnr/compiled/records.py says why that is enough).
LATEST_S = 10**9
LARGEST_MB = 2**26


def load_workload(scenario: Scenario) -> list[JobSpec]:
    """The scenario's jobs in the order of arrival, the first at 0; raises InputError."""
    jobs = _inline_jobs(scenario) if scenario.job is not None else _trace_jobs(scenario)
    first_ns = min(job.submit_ns for job in jobs)
    numbers = set()
    for job in jobs:
        if job.number in numbers:
            raise InputError(f"job {job.number} appears twice; give each job its own number")
        if job.processes > scenario.nodes:
            raise InputError(
                f"job {job.number} has {job.processes} processes, more than the cluster's "
                f"{scenario.nodes} nodes; give the cluster at least that many"
            )
        numbers.add(job.number)
    load_factor = exact(scenario.load_factor)
    profile = profile_of(scenario, list(numbers))
    shifted = [
        replace(
            job,
            submit_ns=round_half_up((job.submit_ns - first_ns) / load_factor),
            memory=max(mark.size for mark in marks),
            marks=marks,
        )
        for job in jobs
        for marks in [profile(job.number, job.memory, job.demand_ns)]
    ]
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
                )
    return sorted(shifted, key=lambda job: job.submit_ns)


def _inline_jobs(scenario: Scenario) -> list[JobSpec]:
    return [
        JobSpec(
            number=place if job.number is None else job.number,
            submit_ns=_nanoseconds(job.submit_s),
            processes=job.processes,
            memory=round_half_up(exact(job.memory_mb) * BYTES_PER_MB),
            demand_ns=_at_least_minimum(_nanoseconds(job.demand_s), scenario),
            requested=None
            if job.requested_mb is None
            else round_half_up(exact(job.requested_mb) * BYTES_PER_MB),
            user=job.user,
        )
        for place, job in enumerate(scenario.job, start=1)
    ]


def _trace_jobs(scenario: Scenario) -> list[JobSpec]:
    log = read_swf(scenario.trace or BUNDLED_TRACE)
    first, count = scenario.window
    records = log.records[first - 1 :][:count]
    if not records or (count is not None and len(records) < count):
        raise InputError(
            f"{log.path}: has {len(log.records)} records; "
            f"--first {first}{f' --jobs {count}' if count else ''} reaches beyond them"
        )
    memory = _memory_of(log, records, scenario)
    return [
        JobSpec(
            number=record.number,
            submit_ns=_nanoseconds(record.submit_s),
            processes=max(1, record.processors * scenario.nodes // log.processors),
            memory=memory(record),
            demand_ns=_at_least_minimum(_demand_ns(record, scenario), scenario),
            requested=_bytes(record.requested_kb) if record.requested_kb > 0 else None,
            user=record.user if record.user >= 0 else None,
        )
        for record in records
    ]


def _demand_ns(record: Record, scenario: Scenario) -> int:
    known = scenario.demand == "cpu" and float(record.cpu_s) >= 0
    return _nanoseconds(record.cpu_s if known else record.run_s)


def _memory_of(log: Log, records: list[Record], scenario: Scenario) -> Callable[[Record], int]:
    """A function from a record to the bytes of each process: used, or else the given default.

    Without a default it takes the median of those used, or what was requested if none is known.
    """
    used = [_bytes(record.memory_kb) for record in records if record.memory_kb > 0]
    if scenario.memory_mb is not None:
        default = round_half_up(exact(scenario.memory_mb) * BYTES_PER_MB)
    elif used:
        default = round_half_up(Fraction(median(map(Fraction, used))))
    else:
        asked = [_bytes(record.requested_kb) for record in records if record.requested_kb > 0]
        if not asked:
            raise InputError(
                f"{log.path}: no record says how much memory its job used or requested "
                "(fields 7 and 10); give a value with --memory-mb"
            )
        default = round_half_up(Fraction(median(map(Fraction, asked))))
        return lambda r: _bytes(r.requested_kb) if r.requested_kb > 0 else default
    return lambda r: _bytes(r.memory_kb) if r.memory_kb > 0 else default


def _at_least_minimum(demand_ns: int, scenario: Scenario) -> int:
    return max(demand_ns, _nanoseconds(scenario.minimum_demand_s))


def _nanoseconds(time_s: float | str) -> int:
    return round_half_up(exact(time_s) * NS_PER_S)


def _bytes(size_kb: float) -> int:
    return round_half_up(exact(size_kb) * BYTES_PER_KB)
