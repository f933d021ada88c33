"""The scenario of load sharing with unknown memory demands: its paper's cluster and traces."""

from typing import Annotated, Literal

from pydantic import BeforeValidator, Field

from model.core.names import split_names
from model.core.scenario import parameter
from model.sharing.scenario import Policies, SharingScenario, policies

#: Those whose results the paper shows.
SHOWN_POLICIES = ("NO_LS", "NO_LS_BLOCKING", "PF_RATE", "WORKSIZE", "AGE", "COMBINED")

#: Shares of the programs in the order of table 1, found by papers/load_sharing/unknown/fit.py.
FITTED = (0.02, 0.079, 0.008, 0.081, 0.025, 0.358, 0.43)

Age = Literal["wall-clock", "cpu"]
Target = Literal["room", "threshold"]
FaultWeights = Literal["measured", "demand"]
Draws = Literal["balanced", "independent"]
Submissions = Literal["lognormal", "uniform"]

Share = Annotated[float, Field(ge=0, le=10**6)]


class UnknownScenario(SharingScenario):
    """The shared parameters, and those of unknown memory demands (Chen, Xiao, Zhang)."""

    system: Literal["unknown"] = parameter("unknown", "What to compare")
    """unknown: unknown memory demands (Chen, Xiao, Zhang)."""
    policies: Policies = policies(*SHOWN_POLICIES)

    trace: str = parameter("1", "Workload")
    """1 to 3: a generated trace with the paper's counts and times. Or an SWF file, plain or .gz,
    whose records become jobs with the working sets of random programs."""
    mix: Annotated[tuple[Share, ...], BeforeValidator(split_names)] = parameter(
        FITTED, "Workload", min_length=7, max_length=7
    )
    """Shares of bit-r, m-sort, m-m, t-sim, metis, r-sphere and r-wing among the jobs. The paper
    does not state them; they are fitted to the number of jobs that its no-LS completes."""

    draws: Draws = parameter("balanced", "Workload")
    """balanced: programs in proportion to the mix, and equally many jobs at every home, in random
    order, which leaves less to chance. independent: each job draws its program and its home."""
    submissions: Submissions = parameter("lognormal", "Workload")
    """lognormal: the gaps between jobs of a generated trace are lognormal, as the paper says of
    their rate. uniform: jobs arrive at uniform times."""

    nodes: int = parameter(32, "Nodes", ge=1, le=4096)
    """Nodes of the cluster."""
    mips: float = parameter(233, "Nodes", ge=0.001, le=10**6)
    """Speed of a CPU, million instructions per second. It has no effect, because CPU times and page
    faults of the programs were measured at 233 MHz."""
    ram_mb: float = parameter(128, "Nodes", gt=0, le=2**24)
    """RAM of a node that jobs can use, MB. Default: all of the paper's 128. By the oversizing in
    its table 2, its system left about 121 MB to jobs."""
    swap_mb: float = parameter(128, "Nodes", ge=0, le=2**24)
    """Swap space of a node, MB."""
    thrashing_pct: float = parameter(65, "Nodes", ge=0, le=10**6)
    """A node thrashes if demand exceeds RAM by more than this, percent of RAM."""

    fault_weights: FaultWeights = parameter("measured", "Nodes")
    """How the jobs of a node share its page faults (unevenly, section 3.2). measured: CPU time
    counts by the program's rate in table 2 (m-sort the most), and PF_RATE ranks jobs by their
    present rate (section 6.1). demand: all CPU time counts alike, and PF_RATE ranks jobs by their
    rate so far."""

    remote_s: float | None = parameter(  # type: ignore[assignment]  # its default depends
        None, "Network", ge=0, le=10**6
    )
    """r: fixed cost of a remote submission or migration, s. Default: the paper's 0.1, or 0.05 from
    100 Mbps on."""

    age: Age = parameter("wall-clock", "Policies")
    """How a job's age counts. wall-clock: time since it began (section 2.2). cpu: CPU time so far,
    as "executed time" in table 3 may mean; a migration then pays whatever the difference in
    jobs."""
    target: Target = parameter("room", "Policies")
    """Where a job may migrate. room: to a node with Qo < MT and room for the job (section 4.1).
    threshold: to a node with either, as the printed procedure says."""
    mt: float = parameter(0, "Policies", ge=-100, le=10**6)
    """MT: a node takes no jobs if demand exceeds RAM by this, percent of RAM (negative: is below
    it)."""
    ct: int = parameter(8, "Policies", ge=1, le=10**6)
    """CT: the most jobs allowed on a node. The paper does not state it."""
