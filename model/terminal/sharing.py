"""Load sharing as a person at a terminal sees it: progress, tables, files, errors."""

from pathlib import Path

from rich.box import SIMPLE_HEAD
from rich.console import Console
from rich.table import Table

from model.core.output import prepare_folder, write_results
from model.ground.errors import Stalled
from model.papers.memory import queueing_model
from model.sharing.comparison import compare, validate
from model.sharing.metrics import SharingResult, label
from model.sharing.scenario import SharingScenario
from model.terminal.comparison import INTERRUPTED, Bar, fail, journal_file


def run_sharing(
    scenario: SharingScenario,
    *,
    out: Path | None,
    journal: Path | None,
    journal_level: str,
    check: bool,
    quiet: bool,
) -> None:
    """Compare the policies, print the tables, write the files; see `run.py share --help`.

    If it is interrupted or fails, the results of the policies that have ended are written under
    names that say so.
    """
    workload = validate(scenario)
    if out is not None:
        prepare_folder(out)
    results: list[SharingResult] = []
    complete = False
    bar = Bar(len(scenario.policies), quiet, lambda cluster: label(cluster.policy_name))
    try:
        with journal_file(journal, scenario) as file, bar:
            for result in compare(
                scenario,
                workload,
                readers=lambda policy: [file.of(policy)] if file is not None else [],
                journal_level=journal_level,
                check=check,
                progress=bar.update,
            ):
                results.append(result)
        complete = True
    except KeyboardInterrupt:
        ended = f"{len(results)} of {len(scenario.policies)} policies had ended"
        fail(f"interrupted; {ended}", INTERRUPTED)
    except Stalled as stall:
        fail(str(stall), 1)
    finally:
        if results and not quiet:
            print_sharing(results)
        if results and out is not None:
            from model.report.sharing_figures import draw_sharing  # matplotlib takes long to import

            write_results(out, scenario, results, complete, draw_sharing)
            if not quiet:
                Console(stderr=not complete).print(
                    f"Results in {out}" if complete else f"Partial results in {out}/partial-*",
                    highlight=False,
                    soft_wrap=True,
                )


def print_sharing(results: list[SharingResult]) -> None:
    """The tables on standard output: a row a policy."""
    first = results[0].summary
    rate = first.get("faults_per_mi")
    slowdowns = _table(
        f"slowdown of {first['jobs']} jobs, seed {first['seed']}"
        + (f", {rate:g} faults per million instructions" if rate is not None else ""),
        ("policy", "ratio of sums", "mean", "faults", "remote", "migrated", "killed"),
    )
    parts = ("CPU", "queueing", "paging", "I/O", "moving")
    shares = _table("where response time goes, %", ("policy", *parts))
    for result in results:
        summary = result.summary
        slowdowns.add_row(
            summary["policy"],
            f"{summary['slowdown_of_sums']:,.2f}",
            f"{summary['mean_slowdown']:,.2f}",
            f"{summary['faults']:,}",
            f"{summary['remote_submissions']:,}",
            f"{summary['migrations']:,}",
            f"{summary['killed']:,}",
        )
        percent = (f"{100 * share:.1f}" for share in summary["shares"].values())
        shares.add_row(summary["policy"], *percent)
    console = Console()
    console.print(slowdowns)
    console.print(shares)


def print_queueing_model() -> None:
    """Table 2 of the paper in three readings, beside what it prints."""
    table = _table(
        "mean response time, s (tables 1 and 2 of CPU-memory load sharing)",
        ("policy", "one queue a node", "half of that", "CPU and disk apart", "printed"),
    )
    for name, *values in queueing_model.table():
        table.add_row(name, *(f"{value:.2f}" for value in values))
    Console().print(table)


def _table(title: str, headings: tuple[str, ...]) -> Table:
    table = Table(box=SIMPLE_HEAD, pad_edge=False, show_edge=False, title=title)
    for heading in headings:
        table.add_column(heading, justify="left" if heading == "policy" else "right", no_wrap=True)
    return table
