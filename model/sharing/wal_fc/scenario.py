"""The scenario of WAL-FC: its paper's cluster, and what it leaves open."""

from dataclasses import replace
from typing import Literal

from pydantic import Field

from agents.sharing.job import SequentialSpec
from model.core.scenario import parameter
from model.sharing.memory.scenario import GeneratedTrace
from model.sharing.scenario import InlineSequentialJob, Policies, policies

ALL_POLICIES = ("NLB", "CM", "IO", "WAL", "WAL_FC")


class InlineIOJob(InlineSequentialJob):
    """A job listed in a scenario file, with its I/O requests per ms of CPU time."""

    io_per_ms: float = Field(0, ge=0, le=10**4, allow_inf_nan=False)

    def spec(self, number: int) -> SequentialSpec:
        """The job, in ns and bytes."""
        return replace(super().spec(number), io_per_ms=self.io_per_ms)


class WalFcScenario(GeneratedTrace):
    """The shared parameters, and those of WAL-FC (Qin, Jiang, Zhu, Swanson)."""

    system: Literal["wal-fc"] = parameter(
        "wal-fc", "wal-fc: I/O-aware load sharing, feedback control.", "What to compare"
    )
    policies: Policies = policies(*ALL_POLICIES)

    job: tuple[InlineIOJob, ...] | None = parameter(
        None, "Jobs listed in a scenario file, instead of a trace.", "Workload", min_length=1
    )
    mean_mb: float = parameter(
        4.0, "Mean of the memory that jobs request, MB.", "Workload", gt=0, le=2**20
    )
    memory_exponent: float = parameter(
        0.5,
        "Exponent of the bounded Pareto distribution of requests. The paper does not state it; it "
        "must be low, or nodes with 13 times the RAM of CPU-memory load sharing would never page.",
        "Workload",
        gt=0,
        le=10,
    )
    memory_cap_mb: float = parameter(
        640.0,
        "The largest request, MB. The paper does not state it; the default is the RAM of a node.",
        "Workload",
        gt=0,
        le=2**24,
    )
    longest_s: float = parameter(
        10,
        "Jobs of the trace that compute for longer are left out, s. The paper does not do so; but "
        "at its I/O rates a job of 300 s keeps a disk busy for hours.",
        "Workload",
        gt=0,
        le=10**9,
    )
    faults_per_ms: float = parameter(
        2.0,
        "Page faults per ms of a job's CPU time when jobs just exceed the memory left to them; "
        "they grow in proportion to the jobs' memory.",
        "Workload",
        ge=0,
        le=1000,
    )
    io_per_ms: float = parameter(
        2.8, "Mean I/O requests of a job per ms of its CPU time.", "Workload", ge=0, le=1000
    )
    io_range_pct: float = parameter(
        100,
        "A job's I/O rate is uniform within this many percent of the mean. The paper does not "
        "state it.",
        "Workload",
        ge=0,
        le=100,
    )
    io_kb: float = parameter(
        250, "Mean size of an I/O request (gamma distribution), KB.", "Workload", gt=0, le=2**30
    )
    io_sd_kb: float = parameter(
        50, "Standard deviation of the size of I/O requests, KB.", "Workload", ge=0, le=2**30
    )
    reaccess: float = parameter(
        50,
        "Re-access rate r: a buffer with room for all of a job's data answers r/(r+1) of its "
        "requests. The paper does not state it.",
        "Workload",
        ge=0,
        le=10**6,
    )

    mips: float = parameter(
        800, "Speed of a CPU, million instructions per second.", "Nodes", ge=0.001, le=10**6
    )
    ram_mb: float = parameter(
        640, "RAM of a node, for jobs and I/O buffer, MB.", "Nodes", gt=0, le=2**24
    )
    buffer_mb: float = parameter(
        160, "I/O buffer of a node at the beginning, MB of its RAM.", "Nodes", ge=0, le=2**24
    )
    user_least_mb: float = parameter(
        64,
        "RAM that the controller always leaves to jobs, MB. The paper does not state it.",
        "Nodes",
        gt=0,
    )
    fault_ms: float = parameter(
        8.1, "Time that the disk takes for a page fault, ms.", "Nodes", le=10**6, ge=10**-6
    )
    seek_ms: float = parameter(
        8.0, "Seek and rotation time of an I/O request, ms.", "Nodes", ge=0, le=10**6
    )
    disk_mb_s: float = parameter(
        40, "Transfer rate of the disk, MB/s.", "Nodes", ge=0.001, le=10**6
    )

    topology: str = parameter(
        "star",
        "Network topology, as in compare: bus (Ethernet), star, …; file.py:function or a GraphML "
        "file for your own.",
        "Network",
    )
    bandwidth_mbps: float = parameter(1000, "Link bandwidth, Mbps.", "Network", ge=0.001, le=10**5)
    remote_s: float = parameter(
        0.1,
        "e: fixed cost of moving a job, s. The paper does not state it.",
        "Network",
        ge=0,
        le=10**6,
    )
    data_mb: float = parameter(
        1.0,
        "d: data that move with a job from one disk over the network to the other disk, MB. The "
        "paper does not state it.",
        "Network",
        ge=0,
        le=2**24,
    )

    io_weight: float = parameter(
        0.5,
        "Weight of I/O in the load index (WAL_FC: at the beginning).",
        "Policies",
        ge=0,
        le=1,
    )
    overload: float = parameter(
        1.25,
        "A node is overloaded if its load is the highest and more than this many times the mean.",
        "Policies",
        ge=1,
        le=10**6,
    )
    history: int = parameter(
        50,
        "The controller considers the mean slowdown of this many jobs.",
        "Policies",
        ge=1,
        le=10**6,
    )
    weight_gain: float = parameter(
        0.5, "Gp: gain of the controller for the weight of I/O.", "Policies", ge=0, le=10**6
    )
    buffer_gain: float = parameter(
        0.5, "Gb: gain of the controller for the buffer, MB.", "Policies", ge=0, le=10**6
    )
