"""Measures this machine, for a scenario that predicts live runs on it.

Two nodes run for real, with a disk that takes no time of its own, while a process pages to the disk
and then to a lender, and two processes meet at barriers. From the journal: how long messages of
each size are on their way, which latency and bandwidth explain; how long a page from the file
takes; by how much processes get to their next step too late.
"""

from collections import defaultdict
from collections.abc import Sequence
from dataclasses import dataclass
from statistics import median

import numpy as np

from agents.pnr.process import COMPUTING, DISK_FAULT
from model.core.journal import kinds
from model.core.journal.kinds import Record
from model.ground.units import NS_PER_MS
from model.live.comparison import LiveComparison
from model.live.head import LiveCluster, LiveSettings
from model.pnr.scenario import Scenario, make_scenario


@dataclass(frozen=True)
class Calibration:
    """What a machine takes for what, in ns."""

    messages: dict[int, list[float]]  # by size in bytes: from sending to arrival
    disk: float  # that a page from the file takes, and the step after it is late
    lateness: float  # by which a process gets to its next step too late

    @property
    def line(self) -> tuple[float, float]:
        """Latency in ns, and ns a byte, that explain the messages' medians best."""
        sizes = np.array([*self.messages], float)
        medians = np.array([median(times) for times in self.messages.values()])
        weights = np.sqrt([len(times) for times in self.messages.values()])
        slope, latency = np.polyfit(sizes, medians, 1, w=weights)
        if slope <= 0 or latency < 0:  # the sizes do not matter here
            return float(np.average(medians, weights=weights**2)), 1e-4
        return float(latency), float(slope)


def calibrate(pages: int) -> Calibration:
    """Measure this machine with some `pages` from the disk and as many from a lender."""
    comparison = LiveComparison(_scenario(pages), LiveSettings())
    messages: defaultdict[int, list[float]] = defaultdict(list)
    lateness: list[float] = []
    disk_ns = 0.0
    for name in comparison.contestants:
        records: list[Record] = []
        cluster = comparison.run(name, readers=[records.append])
        sent_ns = {it.id: it.time_ns for it in records if it.kind == kinds.Sent.name}
        for record in records:
            if record.kind == kinds.Delivered.name and record.node != record.peer:
                assert record.size_bytes is not None
                messages[record.size_bytes].append(record.time_ns - sent_ns[record.id])
        lateness.append(_late_ns(cluster, records))
        if name == "DP":
            faults = sum(node.faults_disk for node in cluster.nodes)
            disk_ns = _spent_ns(cluster, DISK_FAULT) / max(1, faults)
    late_ns = sum(lateness) / len(lateness)
    return Calibration(dict(sorted(messages.items())), disk_ns + late_ns, late_ns)


def _spent_ns(cluster: LiveCluster, state: int) -> int:
    return sum(process.spent_ns[state] for job in cluster.jobs for process in job.processes)


def _late_ns(cluster: LiveCluster, records: Sequence[Record]) -> float:
    """By how much a stretch of computing was too long, on average."""
    demand_ns = sum(job.size * job.demand_ns for job in cluster.jobs)
    ends = sum(record.kind in ("fault", "barrier", "finished") for record in records)
    return (_spent_ns(cluster, COMPUTING) - demand_ns) / max(1, ends)


def _scenario(pages: int) -> Scenario:
    """Two nodes of 256 pages, a process that lacks 64 of them, and two that meet at barriers."""
    demand_s = pages * 0.004
    return make_scenario(
        designs=("DP", "CLI"),
        nodes=2,
        ram_mb=1,
        seek_ms=0,
        rotation=False,
        disk_mb_per_s=10**6,
        page_exchange="swap",
        barrier_s=0.02,
        cpu_mhz=5,
        scheduler="space",
        job=(
            {"processes": 1, "memory_mb": 1.25, "demand_s": demand_s},
            {"processes": 2, "memory_mb": 0.1, "demand_s": demand_s / 2, "submit_s": demand_s},
        ),
    )


def preset(measured: Calibration, machine: str) -> str:
    """A scenario file that says what was measured."""
    latency_ns, ns_a_byte = measured.line
    # A page over the network is late at its process, too: half of that in each direction.
    latency_ns += measured.lateness / 2
    lines = [
        f"# Measured by run.py live --calibrate on {machine}: what a live run takes there.",
        "# A message, from sending to arrival:",
        *(
            f"# {size} bytes: {median(times) / NS_PER_MS:.3f} ms (median of {len(times)})"
            for size, times in measured.messages.items()
        ),
        f"# A process gets to its next step {measured.lateness / NS_PER_MS:.3f} ms late.",
        'topology = "connected"',
        'duplex = "full"',
        "switch_us = 0",
        'page_exchange = "swap"  # a request takes a page along',
        f"latency_ns = {round(latency_ns)}",
        f"bandwidth_mbps = {min(10**5, max(0.001, 8000 / ns_a_byte)):.6g}",
        "# What a page from the disk takes besides the time of the scenario's disk:",
        f"seek_ms = {measured.disk / NS_PER_MS:.6f}",
        "rotation = false",
        "disk_mb_per_s = 1000000",
    ]
    return "\n".join(lines) + "\n"
