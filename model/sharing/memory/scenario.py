"""The scenario of CPU-memory load sharing: its paper's cluster, and what it leaves open."""

from typing import Literal

from model.core.scenario import parameter
from model.sharing.scenario import Policies, SharingScenario, policies

ALL_POLICIES = (
    *("NO_LS", "CPU_RE", "CPU_PM", "MEM_RE", "MEM_PM"),
    *("CPU_MEM_HP_RE", "CPU_MEM_HP_PM", "CPU_MEM_HT_RE", "CPU_MEM_HT_PM"),
)


class GeneratedTrace(SharingScenario):
    """The workload's parameters in every system that runs this paper's jobs."""

    trace: str = parameter("0", "Workload")
    """0 to 7: a generated trace (the paper's own are lost). Or an SWF file, plain or .gz, whose
    records become sequential jobs at random nodes."""
    mean_mb: float = parameter(1.0, "Workload", gt=0, le=2**20)
    """Mean of the memory that jobs request, MB."""
    memory_exponent: float = parameter(0.5, "Workload", gt=0, le=10)
    """Exponent of the bounded Pareto distribution of requests. The paper does not state it. Its
    fault rates fall as 1 over the mean, so single jobs must overload a node; a low exponent makes
    many such jobs."""
    memory_cap_mb: float = parameter(480.0, "Workload", gt=0, le=2**24)
    """The largest request, MB. The paper does not state it. From 120 MB on, one job alone overloads
    a node of 48 MB. Without such jobs, CPU-based policies would hardly be worse than others."""


class MemoryScenario(GeneratedTrace):
    """The shared parameters, and those of CPU-memory load sharing (Zhang, Qu, Xiao)."""

    system: Literal["memory"] = parameter("memory", "What to compare")
    """memory: CPU-memory load sharing (Zhang, Qu, Xiao)."""
    policies: Policies = policies(*ALL_POLICIES)

    fault_rate: float | None = parameter(None, "Workload", ge=0, le=1000)
    """Page faults per million instructions on a node whose memory is overloaded. Default for traces
    0 to 7: the rate that gives NO_LS a slowdown near 20, as in the paper (finding an unknown rate
    takes seconds). Otherwise 1."""
    fault_rate_of: Literal["job", "node"] = parameter("job", "Workload")
    """Whose instructions --fault-rate counts. job: those of each job, as the paper says. node: all
    that the node executes, so each of n jobs faults n times as often. With node, the paper's rates
    suffice for its slowdowns. With job, rates must be about ten times higher, but the policies then
    differ as in the paper."""
    fault_pct: float = parameter(100, "Workload", ge=0, le=10**4)
    """Share of --fault-rate at which jobs actually fault, percent."""

    draws: Literal["independent", "stratified"] = parameter("independent", "Workload")
    """How jobs of a generated trace draw memory and lifetimes. independent: each by itself.
    stratified: from equally likely ranges, so that every seed has the same values, also for the few
    jobs that overload a node alone."""

    working_set_pct: float = parameter(40, "Nodes", gt=0, le=100)
    """A job's memory threshold, percent of its request."""

    ct: float = parameter(40, "Policies", gt=0, le=10**6)
    """CT: a node with this many jobs is overloaded. The paper does not state it. The lower CT, the
    closer CPU_RE is to the others: it sends no more jobs to a paging node with CT jobs."""
