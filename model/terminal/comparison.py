"""A run as a person at a terminal sees it: progress, tables, files, errors."""

import sys
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from errno import EISDIR
from pathlib import Path
from typing import TYPE_CHECKING, Any

from pydantic import BaseModel
from rich.box import SIMPLE_HEAD
from rich.console import Console
from rich.progress import BarColumn, Progress, TaskID, TextColumn, TimeRemainingColumn
from rich.table import Table

from model.core.journal import JournalFile
from model.core.output import prepare_folder, write_results
from model.ground.errors import InputError, Stalled
from model.pnr.cluster import Cluster
from model.pnr.comparison import cluster_type, compare, run, validate
from model.pnr.metrics import RunResult
from model.pnr.scenario import Scenario
from model.pnr.workload import load_workload
from model.views.flow import Flow

if TYPE_CHECKING:
    from model.report.page import Report

INTERRUPTED = 130  # the exit status of what Ctrl-C ended, by convention


def run_comparison(
    scenario: Scenario,
    *,
    out: Path | None,
    report: Path | None,
    journal: Path | None,
    journal_level: str,
    engine: str,
    check: bool,
    quiet: bool,
) -> None:
    """Compare the designs, print the tables, write the files; see `run.py compare --help`.

    If it is interrupted or fails, the results of the designs that have ended are written under
    names that say so.
    """
    validate(scenario)
    if report is not None and report == journal:
        raise InputError(f"--report and --journal: {report} cannot be both; name two files")
    if out is not None:
        prepare_folder(out)
    if not quiet:
        say_if_compiling(engine, check or (journal is not None and journal_level == "all"))
    if report is not None and journal is None and not check:
        journal_level = "protocol"  # all that a report hears
    results: list[RunResult] = []
    complete = False
    unwritten = f"; {report} is not written" if report is not None else ""
    try:
        with _report(report, scenario) as page:
            with journal_file(journal, scenario) as file, Bar(len(scenario.designs), quiet) as bar:
                listeners = [listener for listener in (file, page) if listener is not None]
                for result in compare(
                    scenario,
                    readers=lambda design: [listener.of(design) for listener in listeners],
                    journal_level=journal_level,
                    engine=engine,
                    check=check,
                    progress=bar.update,
                ):
                    results.append(result)
            complete = True
            if page is not None:
                page.write(results)
    except KeyboardInterrupt:
        ended = f"{len(results)} of {len(scenario.designs)} designs had ended"
        fail(f"interrupted; {ended}{unwritten}", INTERRUPTED)
    except Stalled as stall:
        fail(f"{stall}{unwritten}", 1)
    finally:
        if results and not quiet:
            print_comparison(results)
        if results and out is not None:
            write_results(out, scenario, results, complete)
            if not quiet:
                Console(stderr=not complete).print(
                    f"Results in {out}" if complete else f"Partial results in {out}/partial-*",
                    highlight=False,
                    soft_wrap=True,
                )


def run_trace(
    scenario: Scenario,
    job: int,
    *,
    form: str,
    journal: Path | None,
    journal_level: str,
    engine: str,
    check: bool,
    quiet: bool,
) -> None:
    """Run one design and print one job's message flow; see `run.py trace --help`."""
    validate(scenario)
    numbers = [spec.number for spec in load_workload(scenario)]
    if job not in numbers:
        raise InputError(
            f"--job: job {job} is not among the {len(numbers)} jobs of this run, "
            f"which are numbered {min(numbers)} to {max(numbers)}"
        )
    if not quiet:
        say_if_compiling(engine, journal is not None and journal_level == "all")
    flow = Flow(job)
    try:
        with journal_file(journal, scenario) as file, Bar(len(scenario.designs), quiet) as bar:
            design = scenario.designs[0]
            readers = (flow.read, *((file.of(design),) if file else ()))
            level = journal_level if file else "protocol"
            run(
                scenario,
                design,
                readers=readers,
                journal_level=level,
                engine=engine,
                check=check,
                progress=bar.update,
            )
    except KeyboardInterrupt:
        fail("interrupted", INTERRUPTED)
    except Stalled as stall:
        fail(str(stall), 1)
    if form != "mermaid":
        print(flow.text())
    if form == "both":
        print()
    if form != "text":
        print(flow.mermaid())


def print_comparison(results: list[RunResult]) -> None:
    """The tables on standard output: one row a design, then messages by kind."""
    console = Console()
    summaries = [result.summary for result in results]
    table = Table(
        box=SIMPLE_HEAD,
        pad_edge=False,
        show_edge=False,
        title=f"mean response time of {summaries[0]['jobs']} jobs, seed {summaries[0]['seed']}",
    )
    table.add_column("design")
    headings = (
        "response, s",
        "vs DP, %",
        "disk faults",
        "network faults",
        "messages",
        "PCS",
    )
    for heading in headings:
        table.add_column(heading, justify="right")
    for summary in summaries:
        ratio = summary["optimization_ratio_pct"]
        table.add_row(
            Path(summary["design"]).name,
            f"{summary['mean_response_s']:,.2f}",
            "-" if ratio is None or summary["design"] == "DP" else f"{ratio:+.2f}",
            f"{summary['faults_disk']:,}",
            f"{summary['faults_network']:,}",
            f"{sum(summary['messages'].values()):,}",
            f"{summary['pcs']:,}",
        )
    console.print(table)
    kinds = Table(
        box=SIMPLE_HEAD, pad_edge=False, show_edge=False, title="messages over the network, by kind"
    )
    kinds.add_column("kind")
    for summary in summaries:
        kinds.add_column(Path(summary["design"]).name, justify="right")
    for kind in summaries[0]["messages"]:
        counts = [summary["messages"][kind] for summary in summaries]
        if any(counts):
            kinds.add_row(kind, *(f"{count:,}" for count in counts))
    console.print(kinds)


class Bar:
    """A live progress bar over all runs on stderr, if that is a terminal."""

    def __init__(
        self,
        runs: int,
        quiet: bool,
        name: Callable[[Any], str] = lambda cluster: cluster.design.name,
    ) -> None:
        console = Console(stderr=True)
        self._progress = Progress(
            TextColumn("{task.description}"),
            BarColumn(),
            TextColumn("{task.percentage:3.0f} %"),
            TimeRemainingColumn(),
            TextColumn("left"),
            console=console,
            transient=True,
            disable=quiet or not console.is_terminal,
        )
        self._runs = runs
        self._name = name  # of what a cluster runs
        self._ended = 0
        self._now: Any = None
        self._task: TaskID = self._progress.add_task("preparing", total=self._runs)

    def __enter__(self) -> "Bar":
        self._progress.start()
        return self

    def __exit__(self, *exception: object) -> None:
        self._progress.stop()

    def update(self, cluster: Any) -> None:
        """Show how far this run, one of several, has come."""
        if cluster is not self._now:
            self._ended += self._now is not None
            self._now = cluster
        self._progress.update(
            self._task,
            description=f"{self._name(cluster)} ({self._ended + 1} of {self._runs})",
            completed=self._ended + cluster.progress(),
        )


def say_if_compiling(engine: str, every_hop: bool) -> None:
    """The first run of the compiled engine takes longer than others: say so on stderr."""
    if cluster_type(engine, every_hop) is Cluster:
        return
    from model.core.jit import CACHE, is_compiled

    if not is_compiled():
        once = "this once" if CACHE is not None else "each time: no cache can be written"
        print(f"Compiling the data plane, {once}; some 10 s ...", file=sys.stderr)


@contextmanager
def journal_file(path: Path | None, scenario: BaseModel) -> Iterator[JournalFile | None]:
    """The journal file, complete in its place at the end or not there at all."""
    if path is None:
        yield None
        return
    try:
        if path.is_dir():
            raise IsADirectoryError(EISDIR, "it is a folder")
        file = JournalFile(path, scenario.model_dump_json())
    except OSError as error:
        raise InputError(
            f"--journal {path}: {error.strerror or error}; give a file that can be written"
        ) from None
    try:
        yield file
    except BaseException:
        file.discard()
        raise
    file.close()


@contextmanager
def _report(path: Path | None, scenario: Scenario) -> Iterator["Report | None"]:
    """The report, which can be written; what it has heard is forgotten at the end."""
    if path is None:
        yield None
        return
    from model.report.page import Report  # matplotlib takes long to import

    with Report(path, scenario) as report:
        yield report


def fail(message: str, status: int) -> None:
    """Say what went wrong, and end with this status."""
    print(f"error: {message}", file=sys.stderr)
    raise SystemExit(status)
