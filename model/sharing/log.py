"""Turns a log in the Standard Workload Format into sequential jobs at random home nodes."""

from pathlib import Path
from typing import Protocol

import numpy as np

from agents.sharing.job import SequentialSpec
from model.ground.errors import InputError
from model.ground.streams import stream
from model.ground.units import BYTES_PER_MB
from model.logs.swf import read_swf
from model.sharing.scenario import SharingScenario


class Sizes(Protocol):
    """A distribution of memory requests, MB."""

    def draw(self, random: np.random.Generator, count: int) -> np.ndarray:
        """`count` draws, in MB."""


def read_jobs(scenario: SharingScenario, sizes_mb: Sizes) -> list[SequentialSpec]:
    """One job per record: its CPU time (else its run time), and memory drawn from `sizes_mb`.

    Records without either time are left out. Raises InputError.
    """
    path = Path(scenario.trace)
    if not path.is_file():
        raise InputError(
            f"--trace {scenario.trace}: no such file; give a generated trace or an SWF file"
        )
    log = read_swf(path)
    time_ns = np.where(log.cpu_ns > 0, log.cpu_ns, log.run_ns)
    log, time_ns = log.part(time_ns > 0), time_ns[time_ns > 0]
    if not len(log):
        raise InputError(f"{path}: no record has how long its job computed (fields 4 and 6)")
    homes = stream(scenario.seed, "homes", 0).integers(scenario.nodes, size=len(log))
    sizes = sizes_mb.draw(stream(scenario.seed, "memory", 0), len(log))
    submitted_ns = log.submit_ns - log.submit_ns.min()
    jobs = [
        SequentialSpec(place, submit_ns, home, demand_ns, round(size_mb * BYTES_PER_MB))
        for place, (submit_ns, home, demand_ns, size_mb) in enumerate(
            zip(submitted_ns.tolist(), homes.tolist(), time_ns.tolist(), sizes, strict=True),
            start=1,
        )
    ]
    return sorted(jobs, key=lambda job: job.submit_ns)
