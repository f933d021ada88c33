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
        return replace(super().spec(number), io_per_ms=self.io_per_ms)


class WalFcScenario(GeneratedTrace):
    """The shared parameters, and those of WAL-FC (Qin, Jiang, Zhu, Swanson)."""

    system: Literal["wal-fc"] = parameter("wal-fc", "What to compare")
    """wal-fc: I/O-aware load sharing, feedback control."""
    policies: Policies = policies(*ALL_POLICIES)

    job: tuple[InlineIOJob, ...] | None = parameter(None, "Workload", min_length=1)
    """Jobs listed in a scenario file instead of a trace."""
    mean_mb: float = parameter(4.0, "Workload", gt=0, le=2**20)
    """Mean of the memory that jobs request, MB."""
    memory_exponent: float = parameter(0.5, "Workload", gt=0, le=10)
    """Exponent of the bounded Pareto distribution of requests. The paper does not state it. An
    unbounded distribution has a mean only above 1. But with 1.1 or 1.5 hardly any node would page:
    nodes have 13 times the RAM of CPU-memory load sharing."""
    memory_draws: Literal["stratified", "independent"] = parameter("stratified", "Workload")
    """How jobs of a generated trace draw requests. stratified: the medians of equally likely
    ranges, one per job, in random order, so that every seed has equally many large requests.
    independent: each by itself."""
    offered_load: float = parameter(0.8, "Workload", ge=0, le=1000)
    """Share of all CPU time, from the first arrival to the last, that jobs ask for. Arrivals are
    stretched to it, so that every seed has the same load (unstretched, a few bursts make it 0.6 to
    1.3). The paper does not state its load. At 0.8, the first 600 jobs stay within the scales of
    its figures 4.1 and 4.2. 0: unstretched. --load-factor divides the intervals further."""
    memory_cap_mb: float = parameter(640.0, "Workload", gt=0, le=2**24)
    """The largest request, MB. The paper does not state it; the default is the RAM of a node."""
    longest_s: float = parameter(10, "Workload", gt=0, le=10**9)
    """Jobs of the trace that compute longer are left out, s. The paper does not do so, but at its
    I/O rates a job of 300 s keeps a disk busy for hours."""
    faults_per_ms: float = parameter(2.0, "Workload", ge=0, le=1000)
    """mu: page faults per ms of a job's CPU time when jobs just exceed the memory left to them.
    Faults grow in proportion to the jobs' memory."""
    io_per_ms: float = parameter(2.8, "Workload", ge=0, le=1000)
    """Mean I/O requests of a job per ms of its CPU time."""
    io_range_pct: float = parameter(100, "Workload", ge=0, le=100)
    """A job's I/O rate is uniform within this, percent of the mean. The paper does not state it."""
    io_kb: float = parameter(250, "Workload", gt=0, le=2**30)
    """Mean size of an I/O request (gamma distribution), KB."""
    io_sd_kb: float = parameter(50, "Workload", ge=0, le=2**30)
    """Standard deviation of the size of I/O requests, KB."""
    reaccess: float = parameter(50, "Workload", ge=0, le=10**6)
    """Re-access rate r: a buffer with room for all of a job's data answers r/(r+1) of its requests.
    The paper does not state it."""

    mips: float = parameter(800, "Nodes", ge=0.001, le=10**6)
    """Speed of a CPU, million instructions per second. It has no effect: demands are CPU times."""
    ram_mb: float = parameter(640, "Nodes", gt=0, le=2**24)
    """RAM of a node, for jobs and I/O buffer, MB."""
    buffer_mb: float = parameter(160, "Nodes", ge=0, le=2**24)
    """I/O buffer of a node at first, MB of its RAM."""
    reference_buffer_mb: float = parameter(160, "Nodes", ge=0, le=2**24)
    """The I/O buffer assumed in a slowdown's denominator (the I/O time of a job alone on a node),
    MB. It is one for all runs, so that slowdowns with different buffers compare."""
    user_least_mb: float = parameter(64, "Nodes", gt=0)
    """RAM that the controller always leaves to jobs, MB. The paper does not state it."""
    fault_ms: float = parameter(8.1, "Nodes", le=10**6, ge=10**-6)
    """Time that the disk takes for a page fault, ms."""
    seek_ms: float = parameter(8.0, "Nodes", ge=0, le=10**6)
    """Seek and rotation time of an I/O request, ms."""
    disk_mb_s: float = parameter(40, "Nodes", ge=0.001, le=10**6)
    """Transfer rate of the disk, MB/s."""

    topology: str = parameter("star", "Network")
    """Network topology, as in compare: bus (Ethernet), star, …; or your own: file.py:function, a
    GraphML file."""
    bandwidth_mbps: float = parameter(1000, "Network", ge=0.001, le=10**5)
    """Link bandwidth, Mbps."""
    remote_s: float = parameter(0.1, "Network", ge=0, le=10**6)
    """e: fixed cost of moving a job, s. The paper does not state it."""
    data_mb: float | None = parameter(None, "Network", ge=0, le=2**24)
    """d: data that move with a job over the network from disk to disk, MB. Default: the data that
    the job processes (the requests that no buffer could answer)."""

    io_weight: float = parameter(0.5, "Policies", ge=0, le=1)
    """Weight of I/O in the load index (for WAL_FC, at first)."""
    disk_load: Literal["misses+faults", "requests"] = parameter("misses+faults", "Policies")
    """What loads the disk in the expected response time. misses+faults: what reaches it, because
    the paper speaks of the disk's utilization. requests: all I/O requests, as the formula is
    printed. Utilization is then always at its cap, and page faults do not count."""
    guard: bool = parameter(True, "Policies")
    """Whether policies move jobs only if home's load (with the job) exceeds the target's by more
    than the job's load plus the move's cost. This cost is the time of the move, relative to the
    job's CPU time. Section 3 of the paper says so of all policies."""
    overload: float = parameter(1.25, "Policies", ge=1, le=10**6)
    """A node is overloaded if its load is the highest and exceeds this many times the mean."""
    history: int = parameter(50, "Policies", ge=1, le=10**6)
    """The controller considers the mean slowdown of this many jobs."""
    feedback_window: Literal["sliding", "disjoint"] = parameter("sliding", "Policies")
    """sliding: the controller acts after each job, on the mean of the last --history jobs, as in
    the paper. disjoint (ours): it acts once in --history jobs, so that no two means share a job."""
    weight_gain: float = parameter(0.5, "Policies", ge=0, le=10**6)
    """Gp: gain of the controller for the weight of I/O."""
    buffer_gain: float = parameter(0.5, "Policies", ge=0, le=10**6)
    """Gb: gain of the controller for the buffer, MB."""
