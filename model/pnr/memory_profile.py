"""How much memory each process of a job holds while the job computes.

A profile is a list of marks, the first at the start: from the first barrier at or after a mark,
each process of the job holds what the mark states. A job without a barrier after a mark never comes
to it.

- `static`: all of its memory from start to end.
- `ramp`: `memory_start` of it at first, and all of it after `memory_steps` equal steps.
- `phases`: at the start and at each mark a share, uniform in [`memory_start`, 1]; the largest
  (first of equals) is all of it.
- A file (CSV or Parquet, with the columns `job`, `cpu_s` and `memory_mb`) lists it for each job; a
  job that it leaves out is static, and a job whose first row is later than 0 s holds until then
  what the workload states.

Mark m of a ramp or of phases lies at demand * m / (memory_steps + 1). Source: the thesis, section
5.3, asks for "a more realistic dynamic memory workload"; these profiles are ours.
"""

from collections.abc import Callable, Sequence
from fractions import Fraction
from itertools import islice
from pathlib import Path
from typing import Any

from model.ground.errors import InputError, cut, shown
from model.ground.randomness import PHASE, draws
from model.ground.units import BYTES_PER_MB, NS_PER_S, exact, round_half_up
from model.pnr.job_spec import Mark, Marks
from model.pnr.scenario import Scenario

COLUMNS = ("job", "cpu_s", "memory_mb")
_MOST = (10**15, 10**9, 10**9)  # in each; times in ns fit into 64 bits


def profile_of(scenario: Scenario, jobs: Sequence[int]) -> Callable[[int, int, int], Marks]:
    """A function from a job's number, memory (bytes) and demand (ns) to the marks of its profile.

    `jobs` are the numbers of the workload's jobs. Raises InputError for a file that cannot be
    understood, or that names none of them.
    """
    steps, start = scenario.memory_steps, exact(scenario.memory_start)
    match scenario.memory_profile:
        case "static":
            return lambda job, memory, demand_ns: (Mark(0, memory),)
        case "ramp":
            ramp = [start + (1 - start) * step / steps for step in range(steps + 1)]
            return lambda job, memory, demand_ns: _marks(ramp, memory, demand_ns)
        case "phases":
            return lambda job, memory, demand_ns: _marks(
                phases(scenario.seed, job, start, steps), memory, demand_ns
            )
    assert scenario.profile_file is not None  # no profile with a name
    stated = _stated(scenario.profile_file)
    if not stated.keys() & set(jobs):
        raise InputError(
            f"--memory-profile {cut(scenario.memory_profile)}: none of its jobs is in the workload"
        )
    return lambda job, memory, demand_ns: _with_start(stated.get(job, {}), memory)


def phases(seed: int, job: int, start: Fraction, steps: int) -> list[Fraction]:
    """The shares of a job's memory that its processes hold at the start and from each mark."""
    drawn = islice(draws(seed, PHASE, job), steps + 1)
    shares = [start + (1 - start) * Fraction(uniform) for uniform in drawn]
    shares[shares.index(max(shares))] = Fraction(1)
    return shares


def _marks(shares: Sequence[Fraction], memory: int, demand_ns: int) -> Marks:
    parts = len(shares)
    return tuple(
        Mark(round_half_up(Fraction(demand_ns * mark, parts)), round_half_up(memory * share))
        for mark, share in enumerate(shares)
    )


def _with_start(stated: dict[int, int], memory: int) -> Marks:
    return tuple(Mark(*mark) for mark in sorted(({0: memory} | stated).items()))


def _stated(path: Path) -> dict[int, dict[int, int]]:
    """What a file states: job -> CPU time in ns -> bytes of each process from then on."""
    stated: dict[int, dict[int, int]] = {}
    for place, row in enumerate(_rows(path), start=1):
        where = f"--memory-profile {cut(str(path))}, row {place}"
        try:
            job, cpu_s, memory_mb = map(_number, row, _MOST)
            if job.denominator != 1:
                raise ValueError
        except (TypeError, ValueError):
            raise InputError(
                f"{where}: {shown(row)}; give a job's number, and seconds of CPU time and MB from "
                "0 to 10^9"
            ) from None
        of_job = stated.setdefault(int(job), {})
        cpu_ns = round_half_up(cpu_s * NS_PER_S)
        if cpu_ns in of_job:
            raise InputError(f"{where}: job {job} has two rows for {float(cpu_s)} s; give one")
        of_job[cpu_ns] = round_half_up(memory_mb * BYTES_PER_MB)
    return stated


def _number(value: Any, most: int) -> Fraction:
    """A number from 0 to `most` as it is written; raises ValueError or TypeError for others."""
    if not 0 <= float(value) <= most:
        raise ValueError
    return exact(value) if float(value) >= 10**-15 else Fraction(0)  # 1e-999999999 has no end


def _rows(path: Path) -> list[tuple[object, ...]]:
    import pandas as pd  # slow to import, and needed for no other profile

    try:
        if path.suffix.lower() == ".csv":
            table = pd.read_csv(path, dtype=str, keep_default_na=False)  # numbers as written
        else:
            table = pd.read_parquet(path)
    except OSError as error:
        reason = error.strerror or str(error)
    except ValueError as error:  # also what pandas and PyArrow cannot parse
        reason = cut(str(error))
    else:
        if set(COLUMNS) <= set(table.columns):
            return list(table[list(COLUMNS)].itertuples(index=False, name=None))
        reason = f"its columns are {shown(list(table.columns))}"
    raise InputError(
        f"--memory-profile {cut(str(path))}: {reason}; give static, ramp, phases, or a CSV or "
        f"Parquet file with the columns {', '.join(COLUMNS)}"
    )
