"""A comparison as one HTML page that needs nothing else: for whoever has not seen it run."""

import base64
import io
import json
import shlex
import subprocess
import tomllib
from collections.abc import Callable, Iterable
from dataclasses import dataclass
from errno import EISDIR
from pathlib import Path
from tempfile import TemporaryDirectory, TemporaryFile
from typing import Any, NamedTuple

import matplotlib
import pandas as pd
from jinja2 import Environment, FileSystemLoader, StrictUndefined
from matplotlib.figure import Figure

from agents.messages import PROTOCOL
from model.design import Design, load_design
from model.figures import PARTS, breakdown, optimization, page_faults, response_time
from model.flow import DATA_TRAFFIC
from model.journal import JournalFile, Record
from model.metrics import RunResult
from model.scenario import (
    BUNDLED_TRACE,
    InputError,
    Scenario,
)
from model.units import BYTES_PER_MB
from model.views.recording import Recording, Selection, read_recordings
from model.views.sequence import draw

NONE = "–"  # what is not known, or makes no sense
FEW_PROCESSES = (2, 4)  # of the job whose messages are shown: a diagram of more is not readable
_ROOT = Path(__file__).parents[1]
_NAMES = {
    "DP": "disk paging",
    "CLI": "clients alone",
    "CEN": "centralized",
    "MAN": "local managers",
}

# What messages are for; all kinds, once each.
PURPOSES = {
    "Pages": ("PageRequest", "PageReply"),
    "Barriers": ("BarrierArrive", "BarrierRelease"),
    "Requests and grants": ("RamRequest", "ServerRequest", "ServerReply", "RamGrant"),
    "Load broadcasts": ("LoadBroadcast",),
    "Releases": ("ReleaseNotice", "ServerRelease", "ReleaseAck"),
}


class Report:
    """The page of one comparison: listens to the runs' journals, then writes all in one piece.

    A context: what it heard is kept in a temporary file, and forgotten at the end. Raises
    InputError, at once, if `path` cannot be written.
    """

    def __init__(self, path: Path, scenario: Scenario) -> None:
        self.path = path
        self.scenario = scenario
        self._part = path.with_name(path.name + ".part")
        self._designs: list[str] = []  # as asked for, in the order of the runs
        self._granting: dict[int, set[str]] = {}  # job with messages -> designs that granted memory
        try:
            if path.is_dir():
                raise IsADirectoryError(EISDIR, "it is a folder")
            with TemporaryFile(dir=path.parent):
                pass
        except OSError as error:
            raise self._unwritable(error) from None

    def __enter__(self) -> "Report":
        self._folder = TemporaryDirectory(prefix="report-")
        messages = Path(self._folder.name) / "messages.parquet"
        self._messages = JournalFile(messages, self.scenario.model_dump_json())
        return self

    def __exit__(self, *exception: object) -> None:
        self._messages.discard()
        self._folder.cleanup()

    def of(self, design: str) -> Callable[[Record], None]:
        """The reader that keeps what servents say to each other in a run of this design."""
        self._designs.append(design)
        keep = self._messages.of(design)

        def read(record: Record) -> None:
            if record.kind in ("sent", "delivered") and record.what not in DATA_TRAFFIC:
                keep(record)
                granting = self._granting.setdefault(record.job, set())
                if record.what == "RamGrant" and record.amount_bytes:
                    granting.add(design)

        return read

    def write(self, results: list[RunResult]) -> None:
        """Write the page of these results, which are whole; raises InputError if that fails."""
        self._messages.close()
        page = self._page(results)
        try:
            self._part.write_text(page, encoding="utf-8", errors="backslashreplace", newline="\n")
            self._part.replace(self.path)
        except OSError as error:
            self._part.unlink(missing_ok=True)
            raise self._unwritable(error) from None

    def _unwritable(self, error: OSError) -> InputError:
        return InputError(
            f"--report {self.path}: {error.strerror or error}; give a file that can be written"
        )

    def _page(self, results: list[RunResult]) -> str:
        environment = Environment(
            loader=FileSystemLoader(Path(__file__).parent),
            autoescape=True,
            undefined=StrictUndefined,
            trim_blocks=True,
            lstrip_blocks=True,
        )
        designs = [load_design(name, self.scenario) for name in self._designs]
        job = typical_job(results[0].jobs, self._granting)
        return environment.get_template("report.html").render(
            scenario=self.scenario,
            summaries=[result.summary for result in results],
            names=[short(design.name) for design in designs],
            designs=[(short(design.name), describe(design)) for design in designs],
            in_words=in_words(results),
            workload=describe_workload(self.scenario, len(results[0].jobs)),
            parameters=parameters(self.scenario),
            tables={table.name: table for table in tables(results, self.scenario.nodes)},
            figures=figures(results),
            job=job,
            runs_of_job=[] if job is None else self._runs_of(job, results),
            few=FEW_PROCESSES,
            command=command(self.scenario, self.path),
            scenario_file=scenario_file(self.scenario) if self.scenario.job else None,
            version=code_version(),
        )

    def _runs_of(self, job: int, results: list[RunResult]) -> list["RunOfJob"]:
        """The job in each run, with a picture of its messages where there are any."""
        recordings = {
            recording.design: recording for recording in read_recordings(self._messages.path, job)
        }
        runs = []
        for design, result in zip(self._designs, results, strict=True):
            row = result.jobs[result.jobs["job"] == job].iloc[0]
            name = short(result.summary["design"])
            picture = None
            if design in recordings:
                picture = _sequence(recordings[design], job, name)
            runs.append(RunOfJob(name, dict(row), picture))
        return runs


class Picture(NamedTuple):
    """A picture in the page: a data URI, what it shows in words, and its caption."""

    source: str
    alt: str
    caption: str


class RunOfJob(NamedTuple):
    """One job under one design: its row of jobs.csv, and who said what to whom."""

    design: str
    row: dict[str, Any]
    picture: Picture | None


class Parameter(NamedTuple):
    """One parameter of the scenario, for people."""

    name: str
    value: str
    default: str
    meaning: str
    differs: bool


@dataclass(frozen=True)
class Table:
    """A measure a row, its unit in the row's heading, and a design a column."""

    name: str
    caption: str
    rows: list[tuple[str, list[str]]]


def short(design: str) -> str:
    """A design's name without the folders that lead to its file."""
    return Path(design).name


def describe(design: Design) -> str:
    """One sentence on who manages, whom clients ask, and who is told."""
    if not design.managers:
        return "Nobody manages: no memory is borrowed, what exceeds RAM is paged to the local disk."
    known = _NAMES.get(design.name, "backbone" if design.name.startswith("BB") else None)
    begins = (
        f"{known[0].upper()}{known[1:]}: " if known and short(design.name) == design.name else ""
    )
    told = sorted({len(design.tells(manager)) for manager in design.managers})
    if told == [0]:
        tells = "tells nobody what it learns of the servers' loads"
    else:
        others = f"{told[0]}" if len(told) == 1 else f"{told[0]} to {told[-1]}"
        tells = (
            f"after each grant and each release sends what it knows of the servers' loads to "
            f"{others} other manager{'s' if told[-1] > 1 else ''}, one message each"
        )
    count = len(design.managers)
    which = {
        "own": "each client asks the manager on its own node, without waiting for the job's others",
        "any": "all clients of a job ask the one manager"
        if count == 1
        else "all clients of a job ask the same one of them, drawn at random",
        "member": "all clients of a job ask the same one, drawn at random from the job's nodes",
    }[design.asks]
    who = f"{count} of {design.nodes} nodes manage{'s' if count == 1 else ''}"
    return f"{begins}{who}; {which}; a manager {tells}."


def describe_workload(scenario: Scenario, jobs: int) -> str:
    """Which jobs run."""
    if scenario.job is not None:
        return (
            f"{jobs} jobs listed in the scenario" if jobs > 1 else "one job listed in the scenario"
        )
    first = scenario.window[0]
    trace = (
        "the bundled trace (LANL CM-5)"
        if scenario.trace in (None, BUNDLED_TRACE)
        else str(scenario.trace)
    )
    return f"{jobs} jobs of {trace}, from record {first} on"


def parameters(scenario: Scenario) -> list[Parameter]:
    """All parameters, those that differ from their default first."""
    listed = []
    for name, field in Scenario.model_fields.items():
        value = getattr(scenario, name)
        if name == "job":
            shown = NONE if value is None else f"{len(value)} listed (see the scenario file below)"
        else:
            shown = _words(value)
        differs = value != field.default
        listed.append(Parameter(name, shown, _words(field.default), field.description, differs))
    return sorted(listed, key=lambda parameter: not parameter.differs)


def _words(value: Any) -> str:
    if value is None:
        return NONE
    if isinstance(value, bool):
        return "yes" if value else "no"
    return ", ".join(value) if isinstance(value, tuple) else str(value)


def typical_job(jobs: pd.DataFrame, granting: dict[int, set[str]]) -> int | None:
    """The job whose messages are shown; None if no servent said anything.

    Of the jobs that were granted memory (if there are none: that servents spoke about) those of 2
    to 4 processes, or if there are none those with the fewest; of these, those to which the most
    designs granted memory; of these, the one whose response time under the first design (DP if it
    is there) is nearest their median, the first of several. `granting` says for each job with
    messages which designs granted it memory.
    """
    granted = [job for job, designs in granting.items() if designs]
    candidates = jobs[jobs["job"].isin(granted or granting)]
    if candidates.empty:
        return None
    few = candidates[candidates["processes"].between(*FEW_PROCESSES)]
    if few.empty:
        few = candidates[candidates["processes"] == candidates["processes"].min()]
    grants = few["job"].map(lambda job: len(granting[job]))
    chosen = few[grants == grants.max()]
    middle_s = chosen["response_s"].median()
    return int(chosen.loc[(chosen["response_s"] - middle_s).abs().idxmin(), "job"])


def in_words(results: list[RunResult]) -> list[str]:
    """Which design is fastest, and where each gains and loses most against disk paging."""
    summaries = [result.summary for result in results]
    best = min(summaries, key=lambda summary: summary["mean_response_s"])
    sentences = []
    if len(summaries) > 1:
        sentences.append(
            f"{short(best['design'])} has the shortest mean response time, "
            f"{best['mean_response_s']:,.2f} s."
        )
    paging = next((s for s in summaries if s["design"] == "DP"), None)
    for summary in summaries:
        if paging is None or summary is paging:
            continue
        gains = _gains(summary, paging)
        total_s = _total(gains)
        words = [
            f"{short(summary['design'])} takes {abs(total_s):,.2f} s "
            f"{'less' if total_s < 0 else 'more'} than disk paging"
        ]
        for choose, verb in ((min, "gains"), (max, "loses")):
            part = choose(gains, key=gains.get)
            change = _number("{:+,.2f}", gains[part])
            if change[0] == ("+" if choose is max else "\N{MINUS SIGN}"):
                words.append(f"it {verb} most in “{PARTS[part][0].lower()}” ({change} s)")
        sentences.append("; ".join(words) + ".")
    return sentences


def tables(results: list[RunResult], nodes: int) -> list[Table]:
    """The measures of the runs, by topic."""
    summaries = [result.summary for result in results]

    def row(heading: str, number: str, of: Callable[[dict[str, Any]], Any]) -> tuple[str, list]:
        return heading, [_number(number, of(summary)) for summary in summaries]

    paging = next((s for s in summaries if s["design"] == "DP"), None)
    in_short = [
        row("Mean response time (s)", "{:,.2f}", lambda s: s["mean_response_s"]),
        row(
            "Shorter than DP by (%)",
            "{:+.2f}",
            lambda s: None if s is paging else s["optimization_ratio_pct"],
        ),
        row("Mean slowdown", "{:,.2f}", lambda s: s["mean_slowdown"]),
        row("Mean bounded slowdown", "{:,.2f}", lambda s: s["mean_bounded_slowdown"]),
        row("Page faults from disk", "{:,}", lambda s: s["faults_disk"]),
        row("Page faults over the network", "{:,}", lambda s: s["faults_network"]),
        row("Parallel context switches", "{:,}", lambda s: s["pcs"]),
    ]
    where = [
        row(f"{label} (s)", "{:,.2f}", lambda s, part=part: s["breakdown"][part])
        for part, (label, _) in PARTS.items()
    ]
    where.append(row("Response time (s)", "{:,.2f}", lambda s: s["mean_response_s"]))
    against = []
    if paging is not None and len(summaries) > 1:
        gains = {s["design"]: _gains(s, paging) for s in summaries if s is not paging}
        against = [
            row(f"{label} (s)", "{:+,.2f}", lambda s, n=name: gains.get(s["design"], {}).get(n))
            for name, (label, _) in PARTS.items()
        ]
        against.append(
            row("Response time (s)", "{:+,.2f}", lambda s: _total(gains.get(s["design"])))
        )
    grants = [
        row("Requests of clients", "{:,}", lambda s: s["requests"]),
        row("Of these from clients in need", "{:,}", lambda s: s["requests_in_need"]),
        row("Memory they needed (MB)", "{:,.1f}", lambda s: s["need_mb"]),
        row("Need left unmet (MB)", "{:,.1f}", lambda s: s["need_unmet_mb"]),
        row(
            "Need left unmet (%)",
            "{:.1f}",
            lambda s: _ratio(100 * s["need_unmet_mb"], s["need_mb"]),
        ),
        row("Requests granted nothing", "{:,}", lambda s: s["requests_granted_nothing"]),
        row("Times a server was asked", "{:,}", lambda s: s["messages"]["ServerRequest"]),
        row(
            "Servers asked for each request in need",
            "{:.2f}",
            lambda s: _ratio(s["messages"]["ServerRequest"], s["requests_in_need"]),
        ),
        row(
            "Mean time from request to grant (ms)",
            "{:,.3f}",
            lambda s: _ratio(s["mean_request_to_grant_s"], 1e-3),
        ),
    ]
    kinds = [
        row(kind, "{:,}", lambda s, kind=kind: s["messages"][kind])
        for kind in summaries[0]["messages"]
    ]
    kinds.append(row("All messages", "{:,}", lambda s: sum(s["messages"].values())))
    sizes = [
        row(f"{purpose} (MB)", "{:,.3f}", lambda s, sent=sent: _sent_mb(s, sent))
        for purpose, sent in PURPOSES.items()
    ]
    protocol = [kind.__name__ for kind in PROTOCOL]
    sizes += [
        row("All bytes (MB)", "{:,.3f}", lambda s: _sent_mb(s, s["bytes"])),
        row(
            "Load broadcasts among the bytes of requests, grants, broadcasts and releases (%)",
            "{:.1f}",
            lambda s: _ratio(100 * _sent_mb(s, ["LoadBroadcast"]), _sent_mb(s, protocol)),
        ),
        row(
            "Mean size of a load broadcast (bytes)",
            "{:,.0f}",
            lambda s: _ratio(s["bytes"]["LoadBroadcast"], s["messages"]["LoadBroadcast"]),
        ),
    ]
    memory = [
        row("RAM allocated, mean over nodes (MB)", "{:.2f}", lambda s: s["allocated_mb_mean"]),
        row("RAM allocated, deviation over nodes (MB)", "{:.2f}", lambda s: s["allocated_mb_sd"]),
        row("Swapped to disk, mean over nodes (MB)", "{:.2f}", lambda s: s["disk_mb_mean"]),
        row("Swapped to disk, deviation over nodes (MB)", "{:.2f}", lambda s: s["disk_mb_sd"]),
    ]
    return [
        Table("in_short", "The comparison", in_short),
        Table("breakdown", "Where the mean response time goes", where),
        Table("against", "Difference from DP", against),
        Table("grants", "Requests and grants", grants),
        Table("kinds", "Messages over the network, by kind", kinds),
        Table("bytes", "Bytes over the network, by purpose", sizes),
        Table("stations", "Links, switches and disks", _station_rows(results, nodes)),
        Table("memory", "Memory, means over the run's samples", memory),
    ]


def _station_rows(results: list[RunResult], nodes: int) -> list[tuple[str, list[str]]]:
    """The busiest station of the network, and the disks."""
    network = [result.stations.iloc[:-nodes] for result in results]  # disks stand last, one a node
    disks = [result.stations.iloc[-nodes:] for result in results]
    busiest = [
        None if stations.empty else stations.loc[stations["utilization"].idxmax()]
        for stations in network
    ]

    def row(heading: str, number: str, column: str, factor: float) -> tuple[str, list[str]]:
        values = [None if best is None else factor * best[column] for best in busiest]
        return heading, [_number(number, value) for value in values]

    return [
        (
            "Busiest link or switch",
            [NONE if best is None else str(best["station"]) for best in busiest],
        ),
        row("Its utilization (%)", "{:.3f}", "utilization", 100),
        row("Mean wait in its queue (µs)", "{:,.1f}", "mean_wait_s", 1e6),
        row("Longest wait in its queue (ms)", "{:,.3f}", "max_wait_s", 1e3),
        (
            "Mean utilization of the disks (%)",
            [_number("{:.3f}", 100 * stations["utilization"].mean()) for stations in disks],
        ),
        (
            "Utilization of the busiest disk (%)",
            [_number("{:.3f}", 100 * stations["utilization"].max()) for stations in disks],
        ),
    ]


def _number(form: str, value: float | None) -> str:
    if value is None:
        return NONE
    text = form.format(value)
    if not text.strip("+-0.,"):
        return text.lstrip("+-")  # zero has no sign
    return text.replace("-", "\N{MINUS SIGN}")


def _ratio(part: float | None, whole: float) -> float | None:
    """How much a part is of a whole; None of nothing."""
    return part / whole if whole and part is not None else None


def _gains(summary: dict[str, Any], paging: dict[str, Any]) -> dict[str, float]:
    """By how much each part of the mean response time differs from disk paging's, s."""
    return {part: summary["breakdown"][part] - paging["breakdown"][part] for part in PARTS}


def _total(gains: dict[str, float] | None) -> float | None:
    return None if gains is None else sum(gains.values())


def _sent_mb(summary: dict[str, Any], kinds: Iterable[str]) -> float:
    return sum(summary["bytes"][kind] for kind in kinds) / BYTES_PER_MB


def figures(results: list[RunResult]) -> list[Picture]:
    """The figures of a comparison, as SVG."""
    names = ", ".join(short(result.summary["design"]) for result in results)
    drawn = (
        (response_time(results), "Mean response time by design."),
        (optimization(results), "Optimization ratio: by how much shorter than with DP."),
        (breakdown(results), "Where the mean response time goes."),
        (page_faults(results), "Page faults, from the local disk and over the network."),
    )
    return [
        Picture(
            _svg(figure), f"Bars, one a design ({names}): {caption} Numbers: tables below.", caption
        )
        for figure, caption in drawn
        if figure is not None
    ]


def _sequence(recording: Recording, job: int, design: str) -> Picture:
    figure = draw(recording, Selection(job=job))
    count = int((recording.records["kind"] == "sent").sum())
    return Picture(
        _svg(figure),
        f"Sequence diagram: the {count} messages about job {job} under {design}, time downwards, "
        "an arrow each from sender to receiver.",
        f"{design}: {count} messages.",
    )


def _svg(figure: Figure) -> str:
    """A figure as a data URI; the same figure gives the same bytes."""
    file = io.BytesIO()
    with matplotlib.rc_context({"svg.hashsalt": "report"}):
        figure.savefig(file, format="svg", metadata={"Date": None})
    return "data:image/svg+xml;base64," + base64.b64encode(file.getvalue()).decode()


def command(scenario: Scenario, report: Path) -> str:
    """The command line that writes this page again, next to the same files."""
    words = ["uv", "run", "run.py", "compare"]
    if scenario.job is not None:
        words += ["--scenario", "scenario.toml"]
    else:
        for name, value in _chosen(scenario).items():
            option = name.replace("_", "-")
            if isinstance(value, bool):
                words.append(f"--{option}" if value else f"--no-{option}")
            else:
                words += [f"--{option}", ",".join(value) if name == "designs" else str(value)]
    return shlex.join([*words, "--report", report.name])


def scenario_file(scenario: Scenario) -> str:
    """The scenario as TOML: what differs from the defaults."""
    chosen = _chosen(scenario)
    jobs = chosen.pop("job", ())
    blocks = [_toml(chosen), *("[[job]]\n" + _toml(job) for job in jobs)]
    return "\n".join(block for block in blocks if block)


def _chosen(scenario: Scenario) -> dict[str, Any]:
    return scenario.model_dump(mode="json", exclude_defaults=True)


def _toml(values: dict[str, Any]) -> str:
    # JSON's strings, numbers and lists are TOML's too, but for surrogates and DEL.
    texts = {key: json.dumps(value, ensure_ascii=False) for key, value in values.items()}
    return "".join(f"{key} = {text}\n" for key, text in texts.items()).replace("\x7f", "\\u007f")


def code_version() -> str:
    """The project's version, and the commit of a git clone."""
    version = tomllib.loads((_ROOT / "pyproject.toml").read_text())["project"]["version"]
    git = ["git", f"--git-dir={_ROOT / '.git'}", f"--work-tree={_ROOT}"]
    try:
        describe = [*git, "describe", "--always", "--dirty", "--abbrev=12", "--exclude=*"]
        done = subprocess.run(describe, capture_output=True, text=True, check=True)
    except (OSError, subprocess.CalledProcessError):
        return version
    return f"{version}, commit {done.stdout.strip()}"
