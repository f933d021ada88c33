"""The scenario of load sharing with unknown memory demands: its paper's cluster and traces."""

from typing import Annotated, Literal

from pydantic import BeforeValidator, Field

from model.core.scenario import parameter, split_names
from model.sharing.scenario import Policies, SharingScenario, policies

ALL_POLICIES = ("NO_LS", "NO_LS_BLOCKING", "PF_RATE", "WORKSIZE", "AGE", "COMBINED")

#: Shares of the programs in the order of table 1, found by `python -m model.papers.unknown.fit`.
FITTED = (0.129, 0.103, 0.021, 0.253, 0.104, 0.283, 0.107)

Share = Annotated[float, Field(ge=0, le=10**6)]


class UnknownScenario(SharingScenario):
    """The shared parameters, and those of unknown memory demands (Chen, Xiao, Zhang)."""

    system: Literal["unknown"] = parameter(
        "unknown", "unknown: unknown memory demands (Chen, Xiao, Zhang).", "What to compare"
    )
    policies: Policies = policies(*ALL_POLICIES)

    trace: str = parameter(
        "1",
        "1 to 3: a generated trace with the paper's counts and times; or an SWF file, plain or "
        ".gz, whose records become jobs with the working sets of random programs.",
        "Workload",
    )
    mix: Annotated[tuple[Share, ...], BeforeValidator(split_names)] = parameter(
        FITTED,
        "Shares of bit-r, m-sort, m-m, t-sim, metis, r-sphere and r-wing among the jobs. The paper "
        "does not state them; they are fitted to how many jobs its no-LS completes.",
        "Workload",
        min_length=7,
        max_length=7,
    )

    nodes: int = parameter(32, "Nodes of the cluster.", "Nodes", ge=1, le=4096)
    mips: float = parameter(
        233,
        "Speed of a CPU, million instructions per second. It has no effect: the programs' CPU "
        "times, and page faults per second of them, were measured at 233 MHz.",
        "Nodes",
        ge=0.001,
        le=10**6,
    )
    ram_mb: float = parameter(128, "RAM of a node that jobs can use, MB.", "Nodes", gt=0, le=2**24)
    swap_mb: float = parameter(128, "Swap space of a node, MB.", "Nodes", ge=0, le=2**24)
    thrashing_pct: float = parameter(
        65, "A node thrashes when demand exceeds RAM by this, percent.", "Nodes", ge=0, le=10**6
    )

    remote_s: float | None = parameter(
        None,
        "r: fixed cost of a remote submission or migration, s. Default: the paper's 0.1, or 0.05 "
        "from 100 Mbps on.",
        "Network",
        ge=0,
        le=10**6,
    )

    mt: float = parameter(
        0,
        "MT: a node takes no jobs when demand exceeds RAM by this, percent (negative: below it).",
        "Policies",
        ge=-100,
        le=10**6,
    )
    ct: int = parameter(
        8,
        "CT: the most jobs allowed on a node. The paper does not state it.",
        "Policies",
        ge=1,
        le=10**6,
    )
