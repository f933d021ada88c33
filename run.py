"""The command line: `run.py --help`."""

import inspect
import os
import sys
from collections.abc import Callable
from functools import wraps
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any, Literal

import typer

from model.core.scenario import OLD_NAMES, BaseScenario
from model.core.users_code import UsersCodeError
from model.ground.errors import InputError
from model.pnr.scenario import Scenario, make_scenario
from model.sharing.scenario import SharingScenario
from model.sharing.scenarios import SHARING, make_sharing_scenario

if TYPE_CHECKING:
    from model.views.recording import Selection

app = typer.Typer(add_completion=False, help="Emulates Parallel Network RAM on a cluster of nodes.")

Level = Annotated[
    Literal["protocol", "all"],
    typer.Option(help="Protocol and scheduling only, or every hop and fault too."),
]
JournalPath = Annotated[
    Path | None, typer.Option(help="Write the journal to this Parquet file.", show_default=False)
]
Check = Annotated[bool, typer.Option("--check", help="Verify the emulation's rules on the way.")]
Where = Annotated[
    list[str] | None,
    typer.Option(
        help="Only runs with these values of a parameter: ram=50,65. May be repeated.",
        show_default=False,
    ),
]
Quiet = Annotated[bool, typer.Option("--quiet", help="No progress, no table.")]
Engine = Annotated[
    Literal["auto", "actors", "compiled"],
    typer.Option(
        help="The data plane: Python objects, event by event, or compiled; the results are the "
        "same. Auto: compiled, unless every hop is journaled or checked."
    ),
]

JournalToRead = Annotated[
    Path | None,
    typer.Argument(help="A journal written with --journal. Default: run the scenario."),
]
DesignToRead = Annotated[
    str | None, typer.Option(help="The design to look at.", show_default="MAN")
]
JobOnly = Annotated[
    int | None, typer.Option(help="Only this job, by its number.", show_default=False)
]
FromTime = Annotated[float | None, typer.Option(help="Only from this time on, s.")]
ToTime = Annotated[float | None, typer.Option(help="Only before this time, s.")]
NodesOnly = Annotated[
    str | None, typer.Option(help="Only these nodes: 0,3,17.", show_default=False)
]
KindsOnly = Annotated[
    str | None,
    typer.Option(help="Only messages of these kinds: PageRequest,PageReply.", show_default=False),
]

ResultsFolder = Annotated[
    Path, typer.Argument(metavar="FOLDER", help="A sweep's folder of results.")
]
ModelVersion = Annotated[
    str | None,
    typer.Option(help="Results of this version of the model.", show_default="this code's"),
]


def options_of(make: Callable[..., Any], *kinds: type[BaseScenario]) -> Callable[..., Any]:
    """Give a command an option for every parameter of these kinds of scenario, and one for a file.

    The command gets the scenario that `make` makes of them; its class alone checks values.
    """
    known = {name: field for kind in reversed(kinds) for name, field in kind.model_fields.items()}
    first = {"system", *(kind.compares for kind in kinds)}  # of what stands in the help
    known = dict(sorted(known.items(), key=lambda item: item[0] not in first))

    def decorate(command: Callable[..., None]) -> Callable[..., None]:
        own = [p for p in inspect.signature(command).parameters.values() if p.name != "scenario"]
        fields = known.keys() - {p.name for p in own} - {"job"}

        @wraps(command)
        def with_options(**options: Any) -> None:
            file = options.pop("scenario", None)
            given = {name: options.pop(name) for name in list(options) if name in fields}
            chosen = {name: value for name, value in given.items() if value is not None}
            command(scenario=make(file, **chosen), **options)

        file = typer.Option(help="A scenario file (TOML); options win over it.", show_default=False)
        parameters = [_parameter("scenario", Annotated[Path | None, file])]
        for name, field in known.items():
            if name not in fields:
                continue
            default = "" if field.default is None else field.default
            if isinstance(default, tuple):
                default = ",".join(map(str, default))
            old = [old for old, new in OLD_NAMES.items() if new == name]
            option = typer.Option(
                *(f"--{one.replace('_', '-')}" for one in (name, *old) if old),
                help=field.description,
                show_default=str(default),
                rich_help_panel=field.json_schema_extra["group"],
            )
            value = bool if field.annotation is bool else str
            parameters.append(_parameter(name, Annotated[value | None, option]))
        keyword_only = [parameter.replace(kind=inspect.Parameter.KEYWORD_ONLY) for parameter in own]
        with_options.__signature__ = inspect.Signature([*parameters, *keyword_only])
        with_options.__annotations__ = {}
        return with_options

    return decorate


scenario_options = options_of(make_scenario, Scenario)


def _parameter(name: str, annotation: Any) -> inspect.Parameter:
    kind = inspect.Parameter.KEYWORD_ONLY
    return inspect.Parameter(name, kind, default=None, annotation=annotation)


@app.callback(invoke_without_command=True)
def default(context: typer.Context) -> None:
    """Without a command: compare the designs on a window of the bundled trace."""
    if context.invoked_subcommand is None:
        compare()


@app.command()
@scenario_options
def compare(
    scenario: Scenario,
    out: Annotated[
        Path | None,
        typer.Option(help="Folder for summary.json, tables and figures.", show_default=False),
    ] = None,
    report: Annotated[
        Path | None,
        typer.Option(
            help="One self-contained HTML page: scenario, tables, figures, one job's messages.",
            show_default=False,
        ),
    ] = None,
    journal: JournalPath = None,
    journal_level: Level = "all",
    engine: Engine = "auto",
    check: Check = False,
    quiet: Quiet = False,
) -> None:
    """Run the designs one after another on the same jobs and compare them."""
    from model.terminal.comparison import run_comparison

    run_comparison(
        scenario,
        out=out,
        report=report,
        journal=journal,
        journal_level=journal_level,
        engine=engine,
        check=check,
        quiet=quiet,
    )


@app.command()
@options_of(make_sharing_scenario, *SHARING.values())
def share(
    scenario: SharingScenario,
    out: Annotated[
        Path | None,
        typer.Option(help="Folder for summary.json, tables and figures.", show_default=False),
    ] = None,
    journal: JournalPath = None,
    journal_level: Level = "protocol",
    check: Check = False,
    quiet: Quiet = False,
    queueing_model: Annotated[
        bool,
        typer.Option(
            "--queueing-model", help="Only print the paper's queueing model, in three readings."
        ),
    ] = False,
) -> None:
    """Run load sharing policies one after another on the same sequential jobs and compare them."""
    if queueing_model:
        from model.terminal.sharing import print_queueing_model

        print_queueing_model()
        return
    from model.terminal.comparison import run_comparison

    run_comparison(
        scenario,
        out=out,
        journal=journal,
        journal_level=journal_level,
        check=check,
        quiet=quiet,
    )


@app.command()
@scenario_options
def trace(
    scenario: Scenario,
    job: Annotated[int, typer.Option(help="The job's number in the trace.")],
    design: Annotated[str, typer.Option(help="The design to run.")] = "MAN",
    form: Annotated[
        Literal["both", "text", "mermaid"], typer.Option(help="What to print.")
    ] = "both",
    journal: JournalPath = None,
    journal_level: Level = "all",
    engine: Engine = "auto",
    check: Check = False,
    quiet: Quiet = False,
) -> None:
    """Print the message flow of one job's start and end."""
    from model.terminal.comparison import run_trace

    run_trace(
        scenario.model_copy(update={"designs": (design,)}),
        job,
        form=form,
        journal=journal,
        journal_level=journal_level,
        engine=engine,
        check=check,
        quiet=quiet,
    )


@app.command()
@scenario_options
def view(
    scenario: Scenario,
    journal: JournalToRead = None,
    kind: Annotated[
        Literal[
            "sequence",
            "space-time",
            "traffic",
            "network",
            "memory",
            "gantt",
            "story",
            "diff",
            "mermaid",
        ],
        typer.Option(help="What to show."),
    ] = "sequence",
    design: DesignToRead = None,
    against: Annotated[
        str | None, typer.Option(help="The other design of a diff.", show_default=False)
    ] = None,
    job: JobOnly = None,
    from_s: FromTime = None,
    to_s: ToTime = None,
    on_nodes: NodesOnly = None,
    message_kind: KindsOnly = None,
    record: Annotated[
        int | None, typer.Option(help="The id whose story is told.", show_default=False)
    ] = None,
    hops: Annotated[
        bool, typer.Option("--hops", help="Switches in a sequence too (--journal-level all).")
    ] = False,
    count: Annotated[
        bool, typer.Option("--count", help="Traffic between nodes in messages, not bytes.")
    ] = False,
    journal_level: Level = "protocol",
    out: Annotated[
        Path | None,
        typer.Option(
            help="File: .png or .svg; a sequence's .mmd (Mermaid); a network's .gif or .mp4, "
            "animated. Default: both pictures, named as the kind."
        ),
    ] = None,
) -> None:
    """Look at a journal: pictures and texts of who said what to whom, when and why."""
    from model.views.show import Source, show

    source = Source(journal, scenario, design, journal_level)
    selection = _selection(job, from_s, to_s, on_nodes, message_kind)
    show(kind, source, selection, out, against=against, record=record, hops=hops, count=count)


@app.command()
@scenario_options
def export(
    scenario: Scenario,
    out: Annotated[
        Path,
        typer.Option(
            help="File: .json (Chrome trace, for Perfetto), .csv, .parquet, or .graphml (traffic)."
        ),
    ],
    journal: JournalToRead = None,
    design: DesignToRead = None,
    job: JobOnly = None,
    from_s: FromTime = None,
    to_s: ToTime = None,
    on_nodes: NodesOnly = None,
    message_kind: KindsOnly = None,
    journal_level: Level = "protocol",
) -> None:
    """Write a journal, or a part of it, for other programs."""
    from model.views.show import Source
    from model.views.show import export as write

    source = Source(journal, scenario, design, journal_level)
    write(source, _selection(job, from_s, to_s, on_nodes, message_kind), out)


def _selection(
    job: int | None,
    from_s: float | None,
    to_s: float | None,
    on_nodes: str | None,
    message_kind: str | None,
) -> "Selection":
    from model.views.recording import Selection

    kinds = tuple(part.strip() for part in message_kind.split(",")) if message_kind else ()
    return Selection(job, from_s, to_s, _numbers("--on-nodes", on_nodes), kinds)


@app.command()
@scenario_options
def watch(
    scenario: Scenario,
    host: Annotated[
        str, typer.Option(help="Address to serve at; others than the loopback's can be reached.")
    ] = "127.0.0.1",
    port: Annotated[int, typer.Option(help="Port to serve at; 0 takes a free one.")] = 8765,
) -> None:
    """Watch a cluster run, in a web page: play, pause, step, click on a node."""
    from model.dashboard.server import serve

    serve(scenario, host, port)


@app.command()
def sweep(
    name: Annotated[
        str,
        typer.Argument(metavar="FILE", help="A sweep's TOML file, or 'thesis': its experiments."),
    ],
    out: Annotated[
        Path | None,
        typer.Option(help="Folder for the results. Default: results/ and the sweep's name."),
    ] = None,
    part: Annotated[
        list[str] | None,
        typer.Option(help="Only runs of this part (a table runs.NAME). May be repeated."),
    ] = None,
    where: Where = None,
    workers: Annotated[
        int | None, typer.Option(min=1, help="Processes. Default: one a core.", show_default=False)
    ] = None,
    dask: Annotated[
        str | None,
        typer.Option(help="Run on the workers of this Dask scheduler.", show_default=False),
    ] = None,
    half_width: Annotated[
        float | None,
        typer.Option(
            help="Run further seeds until the difference to DP is sure to ± this, in percent of "
            "DP's mean response time.",
            show_default=False,
        ),
    ] = None,
    most: Annotated[
        int, typer.Option(min=2, help="With --half-width: at most so many seeds.")
    ] = 20,
    dry_run: Annotated[
        bool,
        typer.Option("--dry-run", help="Only list the declared runs and estimate their time."),
    ] = False,
    quiet: Quiet = False,
    json_lines: Annotated[
        bool, typer.Option("--json-lines", help="Progress as JSON lines on standard output.")
    ] = False,
) -> None:
    """Do a declared set of runs, each once; started again, it goes on where it was."""
    from model.terminal.sweeps import run_sweep

    status = run_sweep(
        name,
        out=out,
        workers=workers or os.cpu_count() or 1,
        dask=dask,
        parts=part or [],
        where=where or [],
        half_width_pct=half_width,
        most=most,
        dry_run=dry_run,
        quiet=quiet,
        json_lines=json_lines,
    )
    raise typer.Exit(status)


@app.command()
def results(
    folder: ResultsFolder,
    measure: Annotated[
        str, typer.Option(help="The measure to tabulate: a column of --runs --csv FILE.")
    ] = "mean_response_s",
    replicated: Annotated[
        Literal["seed", "window"],
        typer.Option(help="What replications are: other draws, or other windows of the trace."),
    ] = "seed",
    half_width: Annotated[
        float | None,
        typer.Option(
            help="Tell how many replications make the difference to DP sure to ± this percentage.",
            show_default=False,
        ),
    ] = None,
    runs: Annotated[bool, typer.Option("--runs", help="A row a run, not a design.")] = False,
    where: Where = None,
    csv: Annotated[
        Path | None, typer.Option(help="Write all columns to this file.", show_default=False)
    ] = None,
    parquet: Annotated[
        Path | None, typer.Option(help="Write all columns to this file.", show_default=False)
    ] = None,
    model_version: ModelVersion = None,
) -> None:
    """Tabulate what a sweep has stored: means and 95 % intervals, in pairs with DP."""
    from model.terminal.tables import show_results

    show_results(
        folder,
        measure=measure,
        replicated=replicated,
        half_width_pct=half_width,
        runs=runs,
        where=where or [],
        version=model_version,
        csv=csv,
        parquet=parquet,
    )


@app.command()
def advice(folder: ResultsFolder, model_version: ModelVersion = None) -> None:
    """Which design for which network and load: the thesis's table 5.1, from its sweep's results."""
    from model.terminal.advice import show_advice

    show_advice(folder, model_version)


@app.command()
def carry(
    results: Annotated[
        str,
        typer.Argument(
            metavar="PAPER|FOLDER",
            help="A paper's name, for the results that come with the code, or a sweep's folder.",
        ),
    ],
    sample: Annotated[int, typer.Option(min=1, help="How many runs to run again.")] = 10,
    seed: Annotated[int, typer.Option(help="Seed of the draw of these runs.")] = 1,
    longest_s: Annotated[
        float,
        typer.Option(min=0, help="Draw no run that takes longer than this, s, if others do not."),
    ] = 60,
    workers: Annotated[
        int | None, typer.Option(min=1, help="Processes. Default: one a core.", show_default=False)
    ] = None,
    model_version: Annotated[
        str | None,
        typer.Option(help="Only results of this version of the model.", show_default="all others"),
    ] = None,
    quiet: Quiet = False,
) -> None:
    """Make stored results today's, if a sample that is run again is equal to the bit."""
    from model.terminal.carrying import run_carry

    status = run_carry(
        results,
        number=sample,
        seed=seed,
        longest_s=longest_s,
        workers=workers or os.cpu_count() or 1,
        version=model_version,
        quiet=quiet,
    )
    raise typer.Exit(status)


@app.command()
def figures(
    paper: Annotated[
        str,
        typer.Argument(
            help="Whose: 'thesis', figures 4.1 to 4.42 and its findings; or 'memory', 'unknown', "
            "'wal-fc' or 'cmgs', of load sharing."
        ),
    ],
    folder: Annotated[
        Path | None,
        typer.Argument(
            metavar="[FOLDER]",
            help="The folder of results of `sweep PAPER`. Default: the results that come with the "
            "code.",
        ),
    ] = None,
    out: Annotated[
        Path | None,
        typer.Option(help="Folder to write to. Default: figures/ in FOLDER, or results/PAPER."),
    ] = None,
    condense: Annotated[
        Path | None,
        typer.Option(
            help="Instead of drawing, keep in this folder the results in brief and the findings; "
            "those that come with the code are in model/papers/PAPER.",
            show_default=False,
        ),
    ] = None,
    model_version: ModelVersion = None,
) -> None:
    """Draw a paper's figures from stored results, and hold its findings against them."""
    from model.papers.page import keep_results, write_paper
    from model.papers.paper import paper_of

    chosen = paper_of(paper)
    measured = chosen.load(folder, model_version)
    if condense is None:
        out = out or (folder or Path("results", paper)) / "figures"
        write_paper(chosen, measured, out)
    else:
        keep_results(chosen, measured, condense)


def _numbers(option: str, text: str | None) -> tuple[int, ...]:
    try:
        return tuple(int(part) for part in text.split(",")) if text else ()
    except ValueError:
        raise InputError(f"{option}: give numbers with commas between (not {text!r})") from None


def main() -> int:
    """Run a command; a person's mistake is one line on stderr and status 2."""
    try:
        return app(standalone_mode=False) or 0
    except typer.TyperException as error:
        told = " ".join(error.format_message().split())  # it breaks lines before choices
        print(f"error: {told} See run.py --help.", file=sys.stderr)
    except InputError as error:
        print(f"error: {error}", file=sys.stderr)
        if isinstance(error, UsersCodeError):
            print(error.story(), end="", file=sys.stderr)
    return 2


if __name__ == "__main__":
    sys.exit(main())
