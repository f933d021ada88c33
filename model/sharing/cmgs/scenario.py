"""The scenario of CMGS: its paper's platforms and loads, and what it leaves open."""

from typing import Literal, Self

from pydantic import model_validator

from model.core.scenario import parameter
from model.sharing.scenario import Policies, SharingScenario, policies

REFERENCE_MIPS = 1000  # the speed for which a workload gives CPU times
RAM_MB = 512  # the RAM of a node of platform I

Platform = Literal["I", "II"]
Load = Literal["mixed", "memory"]


class CmgsScenario(SharingScenario):
    """The shared parameters, and those of CMGS (Alves and others)."""

    system: Literal["cmgs"] = parameter("cmgs", "What to compare")
    """cmgs: CPU and memory group scheduling (Alves and others)."""
    policies: Policies = policies("CPU_MEM", "CMGS")

    trace: str = parameter("0", "Workload")
    """0: a generated trace (the paper's own are lost). Or an SWF file, plain or .gz, whose records
    become sequential jobs at random nodes. CPU times are at 1,000 MIPS."""
    load: Load = parameter("mixed", "Workload")
    """Distribution of memory requests (bounded Pareto). mixed: 64 to 256 MB with exponent 1. memory
    (intensive): 128 to 256 MB with exponent 5."""

    platform: Platform = parameter("I", "Nodes")
    """I: nodes of 500, 1000, 2000, 500, 1500, 500 MIPS and --ram-mb each. II: nodes of 512, 1024,
    2048, 512, 1536, 384 MB and --mips each. Further nodes repeat the list."""
    mips: float = parameter(REFERENCE_MIPS, "Nodes", ge=0.001, le=10**6)
    """Speed of each node of platform II, million instructions per second."""
    ram_mb: float = parameter(RAM_MB, "Nodes", gt=0, le=2**24)
    """RAM of each node of platform I, MB."""
    working_set_pct: float = parameter(60, "Nodes", gt=0, le=100)
    """A job's working set, percent of its request."""
    sigma: float = parameter(10, "Nodes", gt=0, le=10**6)
    """A job whose share of the RAM is below its working set faults every sigma * allocated /
    requested million instructions."""

    topology: str = parameter("star", "Network")
    """Topology, as in compare, of the jobs' network and of a second one for load reports. The paper
    does not state it."""
    bandwidth_mbps: float = parameter(100, "Network", ge=0.001, le=10**5)
    """Link bandwidth of both networks, Mbps."""

    ct: float = parameter(16, "Policies", gt=0)
    """CT of CPU_MEM: a node with this many jobs is full. The paper does not state it. The default
    is so high that jobs leave mostly because of memory, as in the paper."""
    reports: Literal["auto", "messages", "changes"] = parameter("changes", "Policies")
    """changes: nodes report when their load changes, over the network of the reports. Otherwise
    they report every --report-period-s, over the jobs' network, as in --system memory."""

    @model_validator(mode="after")
    def _nothing_given_in_vain(self) -> Self:
        if self.platform == "I" and self.mips != REFERENCE_MIPS:
            raise ValueError("--mips is for platform II; the nodes of platform I have their own")
        if self.platform == "II" and self.ram_mb != RAM_MB:
            raise ValueError("--ram-mb is for platform I; the nodes of platform II have their own")
        return self
