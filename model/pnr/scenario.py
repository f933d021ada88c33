"""A scenario: every parameter of a run, with its unit, default and reason, checked on creation.

The command line's options and the keys of a scenario file are this class's fields; there is no
second list of them.
"""

from importlib.resources import files
from pathlib import Path
from types import MappingProxyType
from typing import TYPE_CHECKING, Annotated, Any, Literal, Self

from pydantic import BeforeValidator, Field, field_validator, model_validator

from model.core.files import content
from model.core.names import split_names
from model.core.scenario import (
    OTHER_NAMES,
    BaseScenario,
    Table,
    beside,
    checked,
    parameter,
    read_toml,
)
from model.core.version import version_of_file
from model.ground.errors import cut, shown
from model.ground.units import BYTES_PER_MB, exact, round_half_up
from model.pnr.fault_tables import FaultTable
from model.pnr.faults import complaint
from model.pnr.node_groups import NodeGroup, with_own_links
from model.pnr.schedulers import SCHEDULERS

if TYPE_CHECKING:
    import networkx as nx


def _files(folder: str) -> dict[str, Path]:
    """The scenario files of a folder beside this file, by name."""
    found = Path(__file__).with_name(folder).glob("*.toml")
    return {file.stem: file for file in sorted(found, key=lambda file: file.stem)}


#: Scenario files of known clusters, by name; cm5 has the defaults.
PRESETS = _files("presets")
#: Scenario files with what the thesis may mean a page to cost, by name; bare has the defaults.
READINGS = _files("readings")
#: Parameters whose values are names of files with values of others: those files, by name.
NAMED = MappingProxyType({"preset": PRESETS, "reading": READINGS})
BUNDLED_TRACE = Path(str(files("model") / "data" / "lanl-cm5.swf.gz"))
#: The bundled trace's window for a first look: memory is scarce in it, so the designs differ.
SHOWCASE_FIRST, SHOWCASE_JOBS = 4501, 300
PROFILES = ("static", "ramp", "phases")  # of memory over time; any other is a file
if TYPE_CHECKING:
    SchedulerName = str
else:
    SchedulerName = Literal[tuple(SCHEDULERS)]


class InlineJob(Table):
    """A job listed in a scenario file under `[[job]]`."""

    number: int | None = Field(None, ge=0, le=2**40, description="default: its place in the list")
    submit_s: float = Field(0, ge=0, le=10**10)
    processes: int = Field(ge=1)
    memory_mb: float = Field(gt=0, le=2**30)
    demand_s: float = Field(gt=0, le=10**9)
    requested_mb: float | None = Field(None, gt=0, le=2**30)
    limit_mb: float | None = Field(None, gt=0, le=2**30)
    user: int | None = Field(None, ge=0, le=2**40)


def _whole(value: Any) -> Any:
    """A text of digits as a number; anything else unchanged."""
    return int(value) if isinstance(value, str) and value.isdecimal() and len(value) < 9 else value


def _window(trace: Path | None, first: int | None, jobs: int | None) -> tuple[int, int | None]:
    """The first record and the number of records (None: all the rest) to take of a trace."""
    if trace is None and first is None and jobs is None:
        return SHOWCASE_FIRST, SHOWCASE_JOBS
    return first or 1, jobs


def _keeps_load(scale: str | None, trace: Path | str | None) -> bool:
    if scale is None:  # jobs of the bundled log are of 32 processors and more
        return trace is not None and Path(trace) != BUNDLED_TRACE
    return scale == "keep-load"


class Scenario(BaseScenario):
    """One cluster, one workload, one seed; `designs` are the coordination designs to compare."""

    compares = "designs"
    noun = "design"
    lends_memory = True
    read_from = MappingProxyType({"node": ("node_groups",), "fault": ("faults", "fault_file")})
    has_planes = True
    later = (
        *BaseScenario.later,
        "reading",
        "arrival_jitter",
        "disk_writes",
        "node",
        "node_groups",
        "memory_limit",
        "give_up_response_s",
        "cores",
        "synchronization",
        "exchange_kb",
        "scale",
        "relocality_unit",
        "locality",
        "page_costs",
        "page_costs_by",
        "count_pages",
    )

    designs: Annotated[tuple[str, ...], BeforeValidator(split_names)] = parameter(
        ("DP", "CLI", "CEN", "MAN", "BB16"), "What to compare", min_length=1
    )
    """DP, CLI, CEN, MAN, BBx (x managers), PROBE(d=4); or your own: file.py:function, a GraphML
    file."""

    preset: str | None = parameter(
        None,
        "What to compare",
        description=f"The hardware: {', '.join(PRESETS)} (sources: model/pnr/presets/). "
        "Default: cm5.",
    )

    reading: str | None = parameter(
        None,
        "What to compare",
        description="How to read the thesis on the cost of a page, unless other values are given: "
        f"{', '.join(READINGS)}. Default: bare (reasons: model/pnr/readings/).",
    )

    trace: Path | None = parameter(None, "Workload")
    """The log of jobs: SWF, sacct, or a table (--columns). Default: part of the LANL CM-5 log."""
    columns: Path | None = parameter(None, "Workload")
    """TOML file that says what a table's columns mean (model/data/README.md)."""
    first: int | None = parameter(None, "Workload", ge=1)
    """First job to take from the log. Default: 1 (bundled log without --jobs: 4501)."""
    jobs: int | None = parameter(None, "Workload", ge=1)
    """How many jobs to take. Default: all (bundled log without --first: 300)."""
    demand: Literal["cpu", "runtime"] = parameter("cpu", "Workload")
    """CPU time of a process. cpu: the log's CPU time (field 6; a moderate load, because jobs ran
    time-shared). runtime: the log's run time (field 4; about twice the load)."""
    memory_mb: float | None = parameter(None, "Workload", gt=0, le=2**30)
    """Memory of a process whose record does not state it, MB. Default: the median of the stated
    values, or else the requested memory."""
    memory_field: Annotated[Literal[7, 10], BeforeValidator(_whole)] = parameter(7, "Workload")
    """Field of an SWF log with the memory of a process: 7, used; or 10, requested. If no record
    states it, the other field is taken."""
    memory_unit: Literal["kb", "bytes"] = parameter("kb", "Workload")
    """Unit of memory in an SWF log: kb, as the format says, or bytes, as in some logs."""
    machine_processors: int | None = parameter(None, "Workload", ge=1, le=10**9)
    """Processors of the machine that the log is from. Jobs are scaled from it to the cluster.
    Default: MaxProcs in the log, or the size of its largest job."""
    scale: Literal["keep-load", "keep-jobs"] | None = parameter(None, "Workload")
    """How to scale jobs if the log's machine had more processors than the cluster has nodes.
    keep-load: keep the work per node, and leave out small jobs at random. keep-jobs: keep all jobs,
    each with at least one process. Default: keep-load; for the bundled log, keep-jobs."""
    memory_scale: float = parameter(1, "Workload", ge=10**-6, le=10**6)
    """Factor on the memory stated in the log (a preset's factor is for the bundled log only)."""
    minimum_demand_s: float = parameter(1.0, "Workload", gt=0, le=10**6, ge=10**-6)
    """Minimum CPU time of a process, s."""
    arrival_jitter: float = parameter(0, "Workload", ge=0, le=0.5)
    """Standard deviation of a random factor on the time between two jobs. The factor is uniform
    with mean 1 (0.1: from 0.827 to 1.173), and depends on the seed and the later job."""
    memory_profile: str = parameter("static", "Workload")
    """How much of its memory a process holds while it computes. static: all of it. ramp: from
    --memory-start to all, in --memory-steps equal steps. phases: shares drawn between
    --memory-start and 1. Or a CSV or Parquet file (model/pnr/README.md)."""
    memory_start: float = parameter(0.25, "Workload", ge=0, le=1)
    """Share of its memory that a process holds at first (ramp) or at least (phases)."""
    memory_steps: int = parameter(8, "Workload", ge=1, le=1000)
    """How often the memory of a ramp or of phases changes, after equal parts of CPU time."""
    locality: Literal["static", "drifting"] = parameter("static", "Workload")
    """Which memory a process touches. static: a part, as in the thesis, so faults die out as it is
    loaded. drifting: all in turn, page by page. A page that is loaded displaces another, so faults
    go on at a constant rate."""
    memory_limit: float | None = parameter(None, "Workload", gt=0, le=1)
    """Share of its memory that a process may hold in RAM, as in a container. The rest is on other
    nodes or on disk, even if its node has room. Default: all."""
    job: tuple[InlineJob, ...] | None = parameter(None, "Workload", min_length=1)
    """Jobs listed in a scenario file instead of a trace."""

    nodes: int = parameter(64, "Nodes", ge=1, le=65_536)
    """Nodes of the cluster."""
    node_groups: str | None = parameter(None, "Nodes")
    """Nodes that differ: a TOML file of [[node]] tables (model/pnr/README.md)."""
    node: tuple[NodeGroup, ...] | None = parameter(None, "Nodes", min_length=1)
    """Groups of equal nodes listed in a scenario file, numbered in their order."""
    ram: float = parameter(100, "Nodes", gt=0, le=10**4)
    """RAM of a node, percent of --ram-mb."""
    ram_mb: float = parameter(32, "Nodes", gt=0, le=2**24)
    """RAM of a node at 100 percent, MB."""
    cores: int = parameter(1, "Nodes", ge=1, le=1024)
    """Cores of a node. Each computes for one process; they share the node's RAM and disk."""
    page_bytes: int = parameter(4096, "Nodes", ge=1, le=2**30)
    """Page size, bytes."""
    cpu_mhz: float = parameter(33, "Nodes", ge=0.001, le=10**6)
    """CPU clock, MHz."""
    reference_cycles: float = parameter(4, "Nodes", gt=0, le=10**4)
    """Cycles between memory references."""
    hit_ratio: float = parameter(0.5, "Nodes", ge=0, le=0.9999)
    """Share of references that the cache serves."""
    relocality: bool = parameter(True, "Nodes")
    """Whether a process larger than RAM unloads a part after loading everything, and so pages again
    (section 3.1.3). Otherwise it pages no more until it is switched in again."""
    relocality_unit: Literal["byte", "page"] = parameter("byte", "Nodes")
    """In what a process unloads then. byte: any number of bytes from a page on; a rest below a page
    is seldom touched. page: whole pages."""
    barrier_s: float = parameter(1.0, "Nodes", le=10**6, ge=10**-6)
    """CPU time between barriers, s."""
    synchronization: Literal["central", "tree", "neighbours", "none"] = parameter(
        "central", "Nodes"
    )
    """Which processes wait for each other at a barrier. central: all report to rank 0, which
    releases all, as in the thesis (its section 5.3 asks for more). tree: the same along a binary
    tree of ranks. neighbours: each reports to those beside it in a ring of ranks, and waits for
    their reports. none: there are no barriers."""
    exchange_kb: float = parameter(0, "Nodes", ge=0, le=2**20)
    """KB (1,024 B) that each process sends to those beside it in a ring of ranks when a barrier is
    due, also without barriers. Nobody waits for this data; it only loads links and switches. 0:
    none."""
    seek_ms: float = parameter(9, "Nodes", ge=0, le=10**6)
    """Seek time of the disk, ms."""
    rpm: float = parameter(7200, "Nodes", ge=0.001, le=10**9)
    """Speed of the disk, revolutions per minute."""
    rotation: bool = parameter(True, "Nodes")
    """Whether a page waits for half a revolution of the disk (the thesis states only the speed)."""
    disk_mb_per_s: float = parameter(50, "Nodes", ge=10**-6, le=10**9)
    """Transfer rate of the disk, MB/s."""
    disk_writes: bool = parameter(False, "Nodes")
    """Whether the disk first writes a page to make room for each page it reads. A fault then takes
    two services of the disk, as --page-exchange swap does on the network. The thesis writes no
    pages."""

    page_costs: Path | None = parameter(None, "Nodes")
    """A table of what pages cost, such as pages.csv of a run with --count-pages, from which the
    disk draws how long it takes for a page: a null model. Default: a disk as above."""
    page_costs_by: Literal["nothing", "loaded", "waiting"] = parameter("nothing", "Nodes")
    """By what these draws go. nothing: they are independent. loaded: by how many pages the process
    has loaded since it was switched in. waiting: by how many wait for pages from disks."""

    duplex: Literal["full", "half"] = parameter("half", "Network")
    """half: a link carries one message at a time, in either direction ("only one message may be
    transmitted on a link at a time", section 3.1.2). full: one in each direction. The connected
    topology always has two links for each pair."""
    page_exchange: Literal["read", "swap"] = parameter("read", "Network")
    """What a page fault sends over the network. read: a small request, and a page back. swap: the
    request carries a page to make room, as "a round-trip message" (section 3.1.3) may mean."""
    page_request_bytes: int = parameter(64, "Network", ge=1, le=2**30)
    """Size of a page request without a page, bytes."""
    page_header_bytes: int = parameter(64, "Network", ge=0, le=2**30)
    """Size of a page reply without its page, bytes."""
    barrier_bytes: int = parameter(64, "Network", ge=1, le=2**30)
    """Size of a barrier message, bytes."""
    protocol_bytes: int = parameter(128, "Network", ge=1, le=2**30)
    """Size of a protocol message, bytes."""
    pair_bytes: int = parameter(16, "Network", ge=0, le=2**16)
    """Bytes that each (server, amount) pair adds to a protocol message."""
    broadcast_bytes: int = parameter(64, "Network", ge=1, le=2**30)
    """Size of a load broadcast, bytes."""
    entry_bytes: int = parameter(16, "Network", ge=0, le=2**16)
    """Bytes that each node's entry adds to a load broadcast."""

    scheduler: SchedulerName = parameter(
        "gang",
        "Scheduler",
        description="; ".join(
            f"{name}: {scheduler.about}" for name, scheduler in SCHEDULERS.items()
        )
        + ".",
    )
    memory_estimate: Literal["exact", "requested", "user"] = parameter("exact", "Scheduler")
    """How much memory gang-memory expects a process to need. exact: the most that it will hold.
    requested: the request in the log (field 10; if missing, exact). user: the mean of the same
    user's ended jobs (field 12; without any, field 10 or all of the RAM)."""
    mpl: int = parameter(2, "Scheduler", ge=1, le=64)
    """Multiprogramming level: time slots of gang scheduling."""
    quantum_s: float = parameter(60, "Scheduler", le=10**6, ge=10**-6)
    """Length of a time slot, s."""
    pcs_ms: float = parameter(4, "Scheduler", ge=0, le=10**6)
    """Duration of a parallel context switch, ms."""

    migration_gain: float = parameter(1, "Scheduler", ge=0, le=10**9)
    """With MIGRATE(…): a process moves once its wait for the disk exceeds this many times the time
    that moving its memory takes. Waits count from when its job was last resumed."""

    threshold_mb: float = parameter(0.1, "Servents", ge=0, le=2**24)
    """Free RAM that a server never lends, MB."""
    skip_full: bool = parameter(False, "Servents")
    """Whether managers skip servers believed to be full. This makes CLI much worse: the manager of
    a CLI client never again asks a server that has refused once."""

    drain_s: float = parameter(3600, "Servents", ge=0, le=10**9)
    """How long a protocol's timers go on after the last job, s, if memory is still lent, borrowed
    or requested."""

    stall_s: float = parameter(86_400, "Servents", ge=10**-3, le=10**9)
    """A run with timers or faults ends as stalled after this time without progress, s: no process
    starts, no loan begins or ends, and nothing else is due."""

    grant_timeout_s: float | None = parameter(None, "Servents", gt=0, le=10**9)
    """How long a process waits for requested memory before it starts without it, s. Default: no
    limit, as in the thesis."""

    fault_file: str | None = parameter(None, "Faults")
    """Faults: a TOML file of [[fault]] tables, or file.py:rule."""
    fault: tuple[FaultTable, ...] | None = parameter(None, "Faults")
    """Faults listed in a scenario file."""

    page_timeout_ms: float = parameter(10, "Faults", ge=0, le=10**9)
    """Time after which a lost page request is repeated, ms. If the lender has crashed, the page is
    read from the disk."""

    barrier_timeout_ms: float = parameter(10, "Faults", ge=0, le=10**9)
    """Time after which a lost barrier message is sent again, ms."""

    count_pages: bool = parameter(False, "Measures")
    """Whether to count what pages cost, by source, by how much their process has loaded, and by how
    many wait for pages from that source. --out then has pages.csv."""
    give_up_response_s: float | None = parameter(None, "Measures", ge=10**-9, le=10**9)
    """Give up a run as soon as its mean response time is certain to exceed this, s. The bound is
    the response times of ended jobs and the ages of the others, over the number of all jobs. The
    result is "beyond" instead of a number. Default: never."""
    sample_s: float = parameter(50_000, "Measures", le=10**9, ge=10**-3)
    """Interval between samples of memory, s; if submissions span less than two intervals, twenty
    samples are taken over their span."""

    @model_validator(mode="before")
    @classmethod
    def _count_nodes(cls, values: object) -> object:
        """Have as many nodes as the tables of groups have together, if their number is not given.

        What is wrong with a table is found later.
        """
        if not isinstance(values, dict) or "nodes" in values:
            return values
        if not isinstance(tables := values.get("node"), list | tuple):
            return values
        counts = [
            table.get("count", 1) if isinstance(table, dict) else getattr(table, "count", 0)
            for table in tables
        ]
        known = counts and all(isinstance(count, int) for count in counts)
        return {**values, "nodes": sum(counts)} if known else values

    @model_validator(mode="before")
    @classmethod
    def _read_named(cls, values: object) -> object:
        """Take the values of a preset and of a reading where no others are given.

        So they count, not its name. A preset's scale of memory is that of the bundled log; another
        log states its own memory.
        """
        for kind, known in NAMED.items():
            if not isinstance(values, dict) or values.get(kind) is None:
                continue
            file = known.get(str(values[kind]).lower())
            if file is None:
                raise ValueError(
                    f"{kind}: give one of {', '.join(known)} (not {shown(values[kind])})"
                )
            stated = read_toml(file)
            if values.get("trace") is not None or values.get("job") is not None:
                stated.pop("memory_scale", None)
            given = {OTHER_NAMES.get(name, name) for name in values}
            if values.get("node"):
                given |= {"nodes", "node"}
            taken = {name: value for name, value in stated.items() if name not in given}
            values = {**values, **taken, kind: None}
        return values

    @model_validator(mode="before")
    @classmethod
    def _read_tables(cls, values: object) -> object:
        """Take the tables of files into the scenario, so that their content counts."""
        if not isinstance(values, dict):
            return values
        for kind, names in cls.read_from.items():
            option = names[0]
            name = next((values[each] for each in names if values.get(each) is not None), None)
            if name is None or ".py:" in str(name):
                continue
            if values.get(kind):
                lists = f"the scenario file lists {kind}s already; give one of them"
                raise ValueError(f"{option}: {lists}")
            tables = read_toml(Path(str(name)), f"file of {option.replace('_', ' ')}")
            if list(tables) != [kind]:
                holds = f"holds {cut(', '.join(tables))}" if tables else "is empty"
                raise ValueError(
                    f"{option}: {cut(str(name))} {holds}; give [[{kind}]] tables alone"
                )
            others = {key: value for key, value in values.items() if key not in names}
            values = {**others, names[-1]: None, kind: tables[kind]}
        return values

    @field_validator("memory_profile")
    @classmethod
    def _known_profile(cls, value: str) -> str:
        if value.lower() in PROFILES:
            return value.lower()
        if not value.lower().endswith((".csv", ".parquet")):
            raise ValueError("give static, ramp, phases, or a .csv or .parquet file")
        return value

    @model_validator(mode="after")
    def _possible_nodes(self) -> Self:
        groups = self.groups
        if (count := sum(group.count for group in groups)) != self.nodes:
            raise ValueError(
                f"nodes: {self.nodes}, but the counts of the [[node]] tables are {count} together; "
                "leave nodes out, or give as many"
            )
        for place, group in enumerate(groups, start=1):
            if group.ram_mb is not None and group.ram_mb * self.ram / 100 <= self.threshold_mb:
                raise ValueError(
                    f"node {place}: ram_mb: {self.ram:g} % of {group.ram_mb:g} MB is no more than "
                    f"threshold_mb {self.threshold_mb:g}, so that nothing is ever lent; give more"
                )
        if not round_half_up(exact(self.ram) / 100 * exact(min(self._rams_mb)) * BYTES_PER_MB):
            raise ValueError(
                f"ram: {self.ram:g} % of {min(self._rams_mb):g} MB is less than a byte; give more"
            )
        if not any(group.seats for group in groups):
            raise ValueError("node: jobs run on no node; leave seats = false out of one table")
        return self

    @model_validator(mode="after")
    def _all_meet_where_memory_changes(self) -> Self:
        if self.synchronization in ("neighbours", "none") and self.memory_profile != "static":
            raise ValueError(
                f"memory_profile: memory changes where all processes of a job meet, which they do "
                f"not with synchronization {self.synchronization}; take central, tree, or static"
            )
        return self

    @model_validator(mode="after")
    def _possible_faults(self) -> Self:
        problem = complaint(self.fault or (), self.nodes)
        if problem:
            raise ValueError(problem)
        return self

    @model_validator(mode="after")
    def _pages_come(self) -> Self:
        if (self.page_costs is not None or self.count_pages) and self.has_faults:
            raise ValueError("page_costs, count_pages: need a cluster without faults")
        if self.page_costs is not None and self.most_cores > 1:
            raise ValueError("page_costs: needs nodes of one core, whose processes share no disk")
        return self

    @model_validator(mode="after")
    def _one_workload(self) -> Self:
        if self.job is not None:
            for name in ("trace", "columns", "first", "jobs"):
                if getattr(self, name) is not None:
                    raise ValueError(f"{name}: a scenario that lists jobs takes none from a trace")
        if self.columns is not None and self.trace is None:
            raise ValueError("columns: name the CSV or Parquet log whose columns they are (trace)")
        return self

    @property
    def has_faults(self) -> bool:
        """Whether anything may go wrong, as messages to nodes that are not there do."""
        return bool(self.fault or self.fault_file) or self.nodes_come_or_go

    @property
    def nodes_come_or_go(self) -> bool:
        return any(group.comes_or_goes for group in self.groups)

    @property
    def groups(self) -> tuple[NodeGroup, ...]:
        """The groups of nodes in order; all are of one if no tables list any."""
        return self.node or (NodeGroup(count=self.nodes),)

    @property
    def seats(self) -> int:
        """How many processes may compute at once."""
        return sum(
            group.count * (group.cores or self.cores) for group in self.groups if group.seats
        )

    @property
    def most_cores(self) -> int:
        """Of a node."""
        return max(group.cores or self.cores for group in self.groups)

    @property
    def _rams_mb(self) -> list[float]:
        return [self.ram_mb if it.ram_mb is None else it.ram_mb for it in self.groups]

    @property
    def largest_ram_mb(self) -> float:
        return max(self._rams_mb) * self.ram / 100

    def with_own_links(self, graph: "nx.Graph") -> "nx.Graph":
        """The network on which each node has the links that its group states."""
        return with_own_links(graph, self.node, self.topology) if self.node else graph

    @property
    def slots(self) -> int:
        """The number of time slots: of gang scheduling, the MPL."""
        return SCHEDULERS[self.scheduler].slots(self.mpl)

    @property
    def window(self) -> tuple[int, int | None]:
        """The first record and the number of records (None: all the rest) to take of the trace."""
        return _window(self.trace, self.first, self.jobs)

    @property
    def keeps_load(self) -> bool:
        return _keeps_load(self.scale, self.trace)

    @property
    def system_in_words(self) -> str:
        return "Parallel Network RAM"

    @property
    def ram_in_words(self) -> str:
        rams_mb = self._rams_mb
        sizes = [f"{ram_mb * self.ram / 100:g}" for ram_mb in rams_mb]
        if len(dict.fromkeys(sizes)) > 1:
            each = zip(self.groups, sizes, strict=True)
            return f"{' + '.join(f'{group.count} x {size}' for group, size in each)} MB of RAM"
        whole = f"{sizes[0]} MB of RAM"
        return whole if self.ram == 100 else f"{whole} ({self.ram:g} % of {rams_mb[0]:g})"

    @property
    def origin_of_jobs(self) -> str:
        """The record of the trace with which they begin; nothing for jobs that are listed."""
        if self.job is not None:
            return ""
        trace = "the bundled trace" if self.trace is None else self.trace.name
        scale = "" if self.memory_scale == 1 else f", memory x {self.memory_scale:g}"
        return f" from record {self.window[0]} of {trace}{scale}"

    @property
    def peculiarities(self) -> list[str]:
        """What spreads routes, changes the jobs' memory or places them by it, if anything does."""
        found = super().peculiarities
        if self.nodes_come_or_go:
            found.append("nodes come and go")
        if self.most_cores > 1:
            found.append(f"nodes of {'up to ' * (self.node is not None)}{self.most_cores} cores")
        if self.arrival_jitter:
            found.append(f"arrivals shaken by {100 * self.arrival_jitter:g} %")
        if self.memory_profile != "static":
            found.append(f"memory profile {Path(self.memory_profile).name}")
        if self.memory_limit is not None:
            found.append(f"{100 * self.memory_limit:g} % of a process's memory may be in RAM")
        if self.synchronization != "central":
            ways = {"tree": "along a tree", "neighbours": "with neighbours", "none": "with nobody"}
            found.append(f"processes synchronize {ways[self.synchronization]}")
        if self.exchange_kb:
            found.append(f"neighbours exchange {self.exchange_kb:g} KB an interval")
        if self.disk_writes:
            found.append("pages are written to disk before others are read")
        if self.locality == "drifting":
            found.append("processes touch all of their memory in turn")
        if self.relocality_unit == "page":
            found.append("a change of locality unloads whole pages")
        if self.page_costs is not None:
            by = "" if self.page_costs_by == "nothing" else f" by {self.page_costs_by}"
            found.append(f"disks draw their services from {self.page_costs.name}{by}")
        if self.scheduler == "gang-memory":
            found.append(f"scheduler gang-memory ({self.memory_estimate})")
        if self.fault or self.fault_file:
            found.append("with faults")
        return found

    @property
    def trace_file(self) -> Path | None:
        """The log that its jobs come from; None if they are listed."""
        return None if self.job is not None else self.trace or BUNDLED_TRACE

    @property
    def profile_file(self) -> Path | None:
        """The file of how its jobs' memory changes; None for a profile with a name."""
        return None if self.memory_profile in PROFILES else Path(self.memory_profile)

    @classmethod
    def as_run(cls, values: dict[str, Any]) -> dict[str, Any]:
        """Fill in the first record and the number of records; neither if jobs are listed."""
        given = (values[name] for name in ("trace", "first", "jobs"))
        window = (None, None) if values["job"] else _window(*given)
        rule = values["fault_file"]
        if rule is not None:  # by its code, wherever it stands
            path, _, function = rule.rpartition(":")
            rule = f"{function} {version_of_file(Path(path))}"
        columns = values["columns"]
        if columns is not None:
            columns = content(Path(columns))
        changed = {"first": window[0], "jobs": window[1], "fault_file": rule, "columns": columns}
        kept = super().as_run(values)
        kept.pop("scale", None)  # it is in no run in which all jobs were kept
        if not values["job"] and _keeps_load(values["scale"], values["trace"]):
            kept["scale"] = "keep-load"
        for tables, later in (("job", "limit_mb"), ("node", "cores")):
            if values[tables]:
                kept[tables] = [
                    {name: of for name, of in table.items() if name != later or of is not None}
                    for table in values[tables]
                ]
        return {**kept, **changed}


def make_scenario(file: Path | None = None, **parameters: object) -> Scenario:
    """A scenario from a TOML file (if any) and parameters, which override the file's.

    Paths in the file are relative to it. Raises InputError with the file, parameter and limit.
    """
    values = {} if file is None else beside(file, read_toml(file), Scenario.compares)
    if {"trace", "columns", "first", "jobs"} & parameters.keys():
        values.pop("job", None)
    return checked(Scenario, {**values, **parameters}, file, values.keys() - parameters.keys())
