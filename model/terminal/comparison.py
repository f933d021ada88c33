"""A comparison as a person at a terminal sees it: progress, tables, files, errors."""

import sys
from collections.abc import Callable, Iterator, Sequence
from contextlib import AbstractContextManager, contextmanager, nullcontext
from dataclasses import replace
from functools import partial
from importlib import import_module
from itertools import accumulate
from pathlib import Path
from typing import TYPE_CHECKING, Any

from model.core.comparison import Comparison
from model.core.emulation import Readers
from model.core.files import alone_in
from model.core.journal.file import JournalFile
from model.core.journal.kinds import Record
from model.core.journal.monitors import Rule, rules_of
from model.core.output import check_places, write_results
from model.core.result import RunResult
from model.core.scenario import BaseScenario
from model.core.users_code import UsersCodeError
from model.core.watching import Watching
from model.ground.errors import CheckFailed, InputError, ProtocolMistake, Stalled
from model.ground.text import escaped
from model.pnr.comparison import load_data_plane
from model.pnr.scenario import Scenario
from model.systems import comparison_of
from model.terminal.checking import told
from model.terminal.ending import INTERRUPTED
from model.terminal.plain import say_error
from model.terminal.printing import print_table
from model.terminal.progress import Bar, said_if_slow
from model.terminal.scarcity import if_plentiful
from model.terminal.side_by_side import Crew, processes_for

if TYPE_CHECKING:
    from model.report.page import Report

_SHORT_S = 0.5  # of all runs together, by the estimate: processes for them take longer to start


def run_comparison(
    scenario: BaseScenario,
    *,
    out: Path | None,
    report: Path | None = None,
    journal: Path | None,
    journal_level: str | None,
    plane: str = "auto",
    check: bool,
    rules: Path | None = None,
    quiet: bool,
    messages: bool = False,
    waste: bool = False,
    workers: int | None = None,
    comparison: Comparison[Any] | None = None,
) -> int:
    """Compare the designs or policies, print the tables, write the files.

    See `run.py compare --help`. If the comparison is interrupted or fails, the results of runs that
    have ended are written under names that say so. `waste` prints what is measured from the
    journal, which files have in any case. Up to `workers` runs go on at once, unless a report
    must hear of all records. Another `comparison` than the scenario's emulation may run it. Returns
    the exit status: whether one of the user's own `rules` is broken.
    """
    if rules is not None and not check:
        raise InputError(f"{rules}: what is to be done with it? Give --check {rules}")
    own = [] if rules is None else rules_of(rules)
    failed: dict[str, Watching] = {}
    emulates = comparison is None
    comparison = comparison or comparison_of(scenario)
    with said_if_slow(f"building the network {scenario.topology} of {scenario.nodes:,} nodes"):
        comparison.validate()
    say_remarks(comparison, quiet=quiet)
    if report is not None and report == journal:
        raise InputError(f"--report and --journal: {report} cannot be both; give two files")
    journal_level = needed_level(journal, journal_level, plane, check, bool(own))
    compiled = emulates and takes_compiled(scenario, plane, journal_level == "all", quiet)
    results: list[RunResult] = []
    complete = False
    unwritten = f"; {report} is not written" if report is not None else ""
    names = list(comparison.contestants)
    count = len(names)
    if workers is None and compiled:
        expected_s = accumulate(map(comparison.expected_s, names))  # no more than is needed
        workers = 1 if all(sum_s < _SHORT_S for sum_s in expected_s) else None
    processes = processes_for(count, workers) if emulates and report is None else 1
    if compiled and processes > 1:
        load_data_plane()
    run = partial(
        _watched(comparison.result, own, failed, at_once=not (emulates or quiet)),
        journal_level=journal_level,
        plane=plane,
        check=check,
        observed=waste or out is not None or report is not None,
    )
    with nullcontext() if out is None else alone_in(out):
        if out is not None:
            check_places(out)
        try:
            with _report(report, scenario) as page:
                with (
                    _journal_file(journal, comparison, results) as file,
                    Crew(run, names, processes, file) as crew,
                    Bar(count, quiet) as bar,
                ):
                    listeners = [listener for listener in (file, page) if listener is not None]
                    results.extend(crew.results(bar, listeners))
                complete = True
                results = comparison.compared(results)
                if page is not None:
                    page.write(results)
        except KeyboardInterrupt:
            ended = f"{len(results)} of {count} {scenario.compares} had ended"
            kept = f"; {journal} has their journals" if journal is not None and results else ""
            say_error(f"interrupted; {ended}{kept}{unwritten}")
            raise SystemExit(INTERRUPTED) from None
        except Stalled as stall:
            say_error(f"{stall}{unwritten}")
            raise SystemExit(1) from None
        finally:
            results = results if complete else comparison.compared(results)
            for name, watching in failed.items():
                told(name, watching.verdicts(is_whole=False), quiet)
            if results:
                try:
                    _keep(out, scenario, results, complete)
                finally:  # what cannot be written is printed all the same
                    if not quiet:
                        _print(out, scenario, results, complete, messages, waste)
    statuses = [told(it.summary[scenario.noun], it.verdicts, quiet) for it in results]
    return max(statuses, default=0)


class _RuleFails(BaseException):
    """A rule of a user's own raises something, for which nothing of the run is to be blamed."""

    def __init__(self, error: UsersCodeError) -> None:
        self.error = error


def _watched(
    result: Callable[..., RunResult],
    rules: Sequence[Rule],
    failed: dict[str, Watching],
    at_once: bool,
) -> Callable[..., RunResult]:
    """The same, with verdicts on rules of a user's own, also on runs that failed, by name; rules
    that are broken may be told at once."""

    def run(name: str, readers: Readers, **options: Any) -> RunResult:
        def tell(line: str) -> None:
            if at_once:
                print(escaped(f"{name}: {line}"), file=sys.stderr, flush=True)

        def read(record: Record) -> None:
            try:
                watching.read(record)
            except UsersCodeError as error:
                raise _RuleFails(error) from error

        watching = Watching(rules, tell)
        try:
            measured = result(name, readers=(*readers, read), **options)
        except _RuleFails as fails:
            raise fails.error from None
        except (CheckFailed, ProtocolMistake, Stalled):
            failed[name] = watching
            raise
        return replace(measured, verdicts=watching.verdicts())

    return run if rules else result


def _keep(
    out: Path | None, scenario: BaseScenario, results: list[RunResult], complete: bool
) -> None:
    """Write the results of the runs that have ended to the folder."""
    if out is not None:
        figures = import_module(f"model.report.{scenario.compares}")
        write_results(out, scenario, results, complete, figures.draw)


def _print(
    out: Path | None,
    scenario: BaseScenario,
    results: list[RunResult],
    complete: bool,
    messages: bool,
    waste: bool,
) -> None:
    """Print the results of the runs that have ended, and where they are."""
    shown = import_module(f"model.terminal.{scenario.compares}")
    tables = shown.tables(results)
    tables += shown.message_tables(results) if messages else []
    tables += shown.observed_tables(results) if waste else []
    for table in tables:
        print_table(table)
    for sentence in shown.story(results) if scenario.lends_memory else ():
        print(escaped(sentence))
    if out is not None:
        line = f"Results in {out}" if complete else f"Partial results in {out}/partial-*"
        print(escaped(line), file=sys.stdout if complete else sys.stderr)


def say_remarks(*comparisons: Comparison[object], quiet: bool = False) -> None:
    """Say on stderr what is to be known of the workloads, each thing once.

    That memory cannot be short is no warning, and goes without saying where all is to be `quiet`.
    """
    remarks = [comparison.remark() for comparison in comparisons]
    if not quiet:
        remarks.append(if_plentiful(comparisons))
    lines = dict.fromkeys(line for remark in remarks for line in remark.splitlines())
    for line in sorted(lines, key=lambda line: line.startswith("warning")):
        print(escaped(line), file=sys.stderr)


def needed_level(
    journal: Path | None, level: str | None, plane: str, check: bool, has_rules: bool
) -> str:
    """The level of the journal that is needed: that of a file that is written, as asked for.

    Measures, reports and checks need no hops; those of the actors plane are checked none the less.
    A user's own rules see them if they were asked for.
    """
    if journal is not None or (check and plane == "actors"):
        return level or "all"
    return (has_rules and level) or "protocol"


def takes_compiled(scenario: BaseScenario, plane: str, every_hop: bool, quiet: bool) -> bool:
    """Whether runs take the compiled plane; says on stderr if its code must be compiled first."""
    from model.core.jit import cache_of, is_compiled
    from model.pnr.comparison import plane_of

    if not isinstance(scenario, Scenario) or plane_of(scenario, plane, every_hop) == "actors":
        return False
    from model.pnr.compiled.plane import advance  # takes a while to import

    if not quiet and not is_compiled(advance):
        once = (
            "only once" if cache_of(advance) is not None else "each time: no cache can be written"
        )
        print(f"Compiling the compiled plane, {once}; it takes some 20 s ...", file=sys.stderr)
    return True


@contextmanager
def _journal_file(
    path: Path | None, comparison: Comparison[object], results: Sequence[RunResult]
) -> Iterator[JournalFile | None]:
    """The journal file: complete at the end, or up to where a run went wrong.

    If it is interrupted, or fails for another reason, it has the runs with `results`, if there are.
    """
    if path is None:
        yield None
        return
    managers = {name: comparison.managers(name) for name in comparison.contestants}
    scenario = comparison.scenario.model_dump_json()
    file = JournalFile(path, scenario, managers, comparison.own_network)
    try:
        yield file
        file.close()
    except (ProtocolMistake, UsersCodeError, Stalled, CheckFailed):
        file.close()
        print(escaped(f"The journal up to this point is in {path}"), file=sys.stderr)
        raise
    except BaseException:
        file.close_with([result.summary[comparison.scenario.noun] for result in results])
        raise


def _report(path: Path | None, scenario: BaseScenario) -> AbstractContextManager["Report | None"]:
    if path is None:
        return nullcontext()
    from model.report.page import Report  # matplotlib takes long to import

    assert isinstance(scenario, Scenario)
    return Report(path, scenario)
