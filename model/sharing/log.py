"""Turns a log in the Standard Workload Format into sequential jobs at random home nodes."""

from pathlib import Path
from typing import Protocol

import numpy as np

from agents.sharing.job import SequentialSpec
from model.core.swf import read_swf
from model.ground.errors import InputError
from model.ground.streams import stream
from model.ground.units import BYTES_PER_MB, NS_PER_S, exact, round_half_up
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
    records = [
        (record, time_s)
        for record in read_swf(path).records
        if float(time_s := record.cpu_s if float(record.cpu_s) > 0 else record.run_s) > 0
    ]
    if not records:
        raise InputError(f"{path}: no record has how long its job computed (fields 4 and 6)")
    homes = stream(scenario.seed, "homes", 0).integers(scenario.nodes, size=len(records))
    sizes = sizes_mb.draw(stream(scenario.seed, "memory", 0), len(records))
    first = min(exact(record.submit_s) for record, _ in records)
    jobs = [
        SequentialSpec(
            place,
            round_half_up((exact(record.submit_s) - first) * NS_PER_S),
            int(home),
            round_half_up(exact(time_s) * NS_PER_S),
            round(size_mb * BYTES_PER_MB),
        )
        for place, ((record, time_s), home, size_mb) in enumerate(
            zip(records, homes, sizes, strict=True), start=1
        )
    ]
    return sorted(jobs, key=lambda job: job.submit_ns)
