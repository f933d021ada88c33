"""A load sharing scenario: the parameters of every system, with unit, default and reason."""

from pathlib import Path
from typing import Annotated, Any, Literal

from pydantic import BeforeValidator, Field

from agents.sharing.job import SequentialSpec
from model.core.names import split_names
from model.core.scenario import BaseScenario, Table, parameter
from model.ground.units import BYTES_PER_MB, NS_PER_S, exact, round_half_up

Policies = Annotated[tuple[str, ...], BeforeValidator(split_names)]


def policies(*names: str) -> Any:
    """The field of a system's policies, with these as the default."""
    about = "Policies to compare; or your own: file.py:name."
    return parameter(names, "What to compare", description=about, min_length=1)


class InlineSequentialJob(Table):
    """A job listed in a scenario file under `[[job]]`."""

    submit_s: float = Field(0, ge=0, le=10**9)
    home: int = Field(0, ge=0)
    memory_mb: float = Field(gt=0, le=2**26)
    demand_s: float = Field(gt=0, le=10**9, ge=10**-9)

    def spec(self, number: int) -> SequentialSpec:
        """The job, in ns and bytes."""
        return SequentialSpec(
            number,
            round_half_up(exact(self.submit_s) * NS_PER_S),
            self.home,
            round_half_up(exact(self.demand_s) * NS_PER_S),
            round_half_up(exact(self.memory_mb) * BYTES_PER_MB),
        )


class SharingScenario(BaseScenario):
    """One cluster, one workload, one seed; `policies` lists what to compare.

    Each system derives its own class, with its name, its policies, further parameters and its
    paper's defaults.
    """

    compares = "policies"
    noun = "policy"

    system: str
    policies: Policies
    trace: str

    jobs: int | None = parameter(None, "Workload", ge=1)
    """How many of the trace's first jobs to take. Default: all."""
    job: tuple[InlineSequentialJob, ...] | None = parameter(None, "Workload", min_length=1)
    """Jobs listed in a scenario file instead of a trace."""

    nodes: int = parameter(6, "Nodes", ge=1, le=4096)
    """Nodes of the cluster."""
    mips: float = parameter(100, "Nodes", ge=0.001, le=10**6)
    """Speed of a CPU, million instructions per second."""
    ram_mb: float = parameter(48, "Nodes", gt=0, le=2**24)
    """RAM of a node that jobs can use, MB."""
    page_bytes: int = parameter(4096, "Nodes", ge=1, le=2**30)
    """Page size, bytes."""
    fault_ms: float = parameter(10, "Nodes", le=10**6, ge=10**-6)
    """Time that the disk takes for a page fault, ms."""
    slice_ms: float = parameter(10, "Nodes", le=10**9, ge=10**-6)
    """Time slice of the round robin, ms of CPU time."""
    context_switch_ms: float = parameter(0.1, "Nodes", ge=0, le=10**6)
    """Time of a context switch from one job to another, ms."""
    working_set_pct: float = parameter(100, "Nodes", gt=0, le=100)
    """A job's working set, percent of the memory it requests."""

    topology: str = parameter("bus", "Network")
    """Network topology, as in compare: bus (Ethernet), star, …; or your own: file.py:function, a
    GraphML file."""
    bandwidth_mbps: float = parameter(10, "Network", ge=0.001, le=10**5)
    """Link bandwidth, Mbps."""
    transfer: Literal["formula", "messages"] = parameter("formula", "Network")
    """formula: moving a job takes r + D/B, as in the papers. messages: it takes r, and the time the
    network needs to carry its bytes among all other messages."""
    remote_s: float = parameter(0.1, "Network", ge=0, le=10**6)
    """r: fixed cost of a remote submission or migration, s."""
    report_bytes: int = parameter(64, "Network", ge=1, le=2**30)
    """Size of a load report, bytes."""
    submission_bytes: int = parameter(128, "Network", ge=1, le=2**30)
    """Size of a job that moves, without its data, bytes."""

    report_period_s: float = parameter(1.0, "Policies", ge=10**-3, le=10**6)
    """Interval between load reports of a node, s."""
    count_sent: bool = parameter(True, "Policies")
    """Whether a node counts jobs it has sent to another node since that node's last report."""
    reports: Literal["auto", "messages", "changes"] = parameter("auto", "Policies")
    """changes: nodes report when their load changes, over a second network like that of the jobs.
    messages: they report at the interval, over the jobs' network. auto: the same results; if
    nothing else is on the network, only the first round is emulated by messages."""

    @property
    def system_in_words(self) -> str:
        return f"load sharing ({self.system})"

    @property
    def ram_in_words(self) -> str:
        return f"{self.ram_mb:g} MB of RAM"

    @property
    def trace_file(self) -> Path | None:
        file = Path(self.trace)
        return file if self.job is None and file.is_file() else None
