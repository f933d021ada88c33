#!/usr/bin/env -S uv run
"""The command line: `run.py --help`."""

import errno
import inspect
import os
import signal
import sys
from collections.abc import Callable
from functools import wraps
from pathlib import Path
from types import NoneType
from typing import TYPE_CHECKING, Annotated, Any, Literal, get_args, get_origin

import typer
from pydantic.fields import FieldInfo

from model.core.scenario import OTHER_NAMES, BaseScenario
from model.core.users_code import UsersCodeError
from model.ground.errors import InputError, cut, shown
from model.pnr.scenario import Scenario, make_scenario
from model.sharing.scenario import SharingScenario
from model.sharing.scenarios import SHARING, make_sharing_scenario
from model.systems import declared_as, make_any_scenario
from model.terminal.completion import (
    Complete,
    designs,
    one_of,
    papers,
    policies,
    several_of,
    topologies,
)

if TYPE_CHECKING:
    from model.views.recording import Selection

# Why a file cannot be read or written that are no bugs: a full disk, a name too long, …
_OF_THE_MACHINE = (
    *(errno.ENOSPC, errno.EDQUOT, errno.EFBIG, errno.EROFS, errno.EIO, errno.EACCES, errno.EPERM),
    *(errno.ENAMETOOLONG, errno.EISDIR, errno.ENOTDIR, errno.ELOOP, errno.EMFILE),
)


class Design(str):
    """A design by its name or as a file's function; the help shows this class's name."""


class Paper(str):
    """A paper or study by its name, likewise."""


app = typer.Typer(help="Emulates Parallel Network RAM on a cluster of nodes.")

Level = Annotated[
    Literal["protocol", "all"],
    typer.Option(help="Journal protocol and scheduling only, or every hop, fault and barrier too."),
]
JournalPath = Annotated[
    Path | None, typer.Option(help="Write the journal to this Parquet file.", show_default=False)
]
Check = Annotated[bool, typer.Option("--check", help="Verify the emulation's rules as it runs.")]
Where = Annotated[
    list[str] | None,
    typer.Option(
        metavar="<name=value,...>",
        help="Take only runs with these values of a parameter, such as ram=50,65. May be repeated.",
        show_default=False,
    ),
]
Quiet = Annotated[bool, typer.Option("--quiet", help="Show neither progress nor tables.")]
Engine = Annotated[
    Literal["auto", "actors", "compiled"],
    typer.Option(
        help="The data plane: actors (Python objects, event by event) or compiled code; results "
        "are the same. auto takes compiled unless every hop is journaled or checked."
    ),
]

JournalToRead = Annotated[
    Path | None,
    typer.Argument(help="A journal written with --journal; without one, the scenario is run."),
]
DesignToRead = Annotated[
    str | None,
    typer.Option(
        metavar="<design>",
        help="The design to look at.",
        show_default="MAN",
        autocompletion=one_of(designs),
    ),
]
JobOnly = Annotated[
    int | None, typer.Option(help="Show only the job with this number.", show_default=False)
]
FromTime = Annotated[
    float | None, typer.Option(help="Show only what happens from this time on, s.")
]
ToTime = Annotated[float | None, typer.Option(help="Show only what happens before this time, s.")]
NodesOnly = Annotated[
    str | None,
    typer.Option(
        metavar="<node,...>", help="Show only these nodes, such as 0,3,17.", show_default=False
    ),
]
KindsOnly = Annotated[
    str | None,
    typer.Option(
        metavar="<kind,...>",
        help="Show only messages of these kinds, such as PageRequest,PageReply.",
        show_default=False,
    ),
]

ResultsFolder = Annotated[
    Path, typer.Argument(metavar="FOLDER", help="The folder with a sweep's results.")
]
ModelVersion = Annotated[
    str | None,
    typer.Option(
        metavar="<version>",
        help="Read results of this version of the model; default: this code's.",
        show_default=False,
    ),
]


def options_of(make: Callable[..., Any], *kinds: type[BaseScenario]) -> Callable[..., Any]:
    """Give a command an option for every parameter of these kinds of scenario, and one for a file.

    The command gets the scenario that `make` makes of them; its class alone checks values.
    """
    known = {name: field for kind in reversed(kinds) for name, field in kind.model_fields.items()}
    first = {"system", *(kind.compares for kind in kinds)}  # in the help
    known = dict(sorted(known.items(), key=lambda item: item[0] not in first))

    def decorate(command: Callable[..., None]) -> Callable[..., None]:
        own = [p for p in inspect.signature(command).parameters.values() if p.name != "scenario"]
        fields = known.keys() - {p.name for p in own} - {"job", "fault"}
        reads_journal = any(p.annotation is JournalToRead for p in own)

        @wraps(command)
        def with_options(**options: Any) -> None:
            file = options.pop("scenario", None)
            given = {name: options.pop(name) for name in list(options) if name in fields}
            chosen = {name: value for name, value in given.items() if value is not None}
            if reads_journal and options["journal"] is not None and (file or chosen):
                name = "scenario" if file else next(iter(chosen)).replace("_", "-")
                journal = options["journal"]
                raise InputError(f"--{name}: {journal} has its own scenario; leave --{name} out")
            command(scenario=make(file, **chosen), **options)

        file = typer.Option(help="A scenario file (TOML); options override it.", show_default=False)
        parameters = [_parameter("scenario", Annotated[Path | None, file])]
        for name, field in known.items():
            if name not in fields:
                continue
            old = [old for old, new in OTHER_NAMES.items() if new == name]
            fields_of_name = [
                kind.model_fields[name] for kind in kinds if name in kind.model_fields
            ]
            option = typer.Option(
                *(f"--{one.replace('_', '-')}" for one in (name, *old) if old),
                help=_help(fields_of_name),
                show_default=False,
                metavar=_metavar(name, [one.annotation for one in fields_of_name]),
                autocompletion=_completion(name, fields_of_name),
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


def _help(fields: list[FieldInfo]) -> str:
    """The help for the fields of one name in several systems, with the first one's default."""
    default = fields[0].default
    if isinstance(default, tuple):
        default = ",".join(map(str, default))
    told = [fields[0].description]
    if len({_choices(field.annotation) for field in fields}) > 1:  # each system has its own
        told = [field.description for field in fields]
    return " ".join([*told, *([] if default is None else [f"Default: {default}."])])


def _metavar(name: str, annotations: list[Any]) -> str | None:
    """What a parameter takes, as the help shows it: <int>, <gang|space>; None for a flag."""
    if choices := [one for annotation in annotations for one in _choices(annotation)]:
        return f"<{'|'.join(map(str, dict.fromkeys(choices)))}>"
    kinds = [one for one in get_args(annotations[0]) if one is not NoneType] or annotations
    if get_origin(annotations[0]) is tuple:
        if kinds[0] is str:
            return "<name,...>"
        return f"<{kinds[0].__name__ if isinstance(kinds[0], type) else 'float'},...>"
    if kinds[0] is str:
        return f"<{name.split('_')[-1]}>"  # a topology, trace or file
    return None if kinds[0] is bool else f"<{kinds[0].__name__.lower()}>"


def _completion(name: str, fields: list[FieldInfo]) -> Complete | None:
    """What a shell completes after a parameter's option."""
    by_name = {
        "designs": several_of(designs),
        "policies": several_of(policies),
        "topology": one_of(topologies),
    }
    choices = [one for field in fields for one in _choices(field.annotation)]
    return by_name.get(name) or (one_of(lambda: dict.fromkeys(choices)) if choices else None)


def _choices(annotation: Any) -> tuple[str, ...]:
    return get_args(annotation) if get_origin(annotation) is Literal else ()


def _parameter(name: str, annotation: Any) -> inspect.Parameter:
    kind = inspect.Parameter.KEYWORD_ONLY
    return inspect.Parameter(name, kind, default=None, annotation=annotation)


@app.callback(invoke_without_command=True)
def default(
    context: typer.Context,
    version: Annotated[
        bool, typer.Option("--version", help="Show the version of the code and exit.")
    ] = False,
) -> None:
    """Without a command: compare the designs on a window of the bundled trace."""
    if version:
        from model.report.reproduction import code_version

        print(code_version())
        raise typer.Exit
    if context.invoked_subcommand is None:
        compare()


@app.command()
@scenario_options
def compare(
    scenario: Scenario,
    out: Annotated[
        Path | None,
        typer.Option(
            help="Write summary.json, tables and figures to this folder.", show_default=False
        ),
    ] = None,
    report: Annotated[
        Path | None,
        typer.Option(
            help="Write one self-contained HTML page with the scenario, tables, figures and one "
            "job's messages; and beside it NAME-messages.html, to look into all messages.",
            show_default=False,
        ),
    ] = None,
    journal: JournalPath = None,
    journal_level: Level = "all",
    engine: Engine = "auto",
    waste: Annotated[
        bool,
        typer.Option(
            "--waste",
            help="Print also what messages were good for, how old and wrong beliefs were, and "
            "what lacked memory while as much was idle; summary.json has that in any case.",
        ),
    ] = False,
    check: Check = False,
    quiet: Quiet = False,
) -> None:
    """Run the designs one after another on the same jobs and compare them.

    Example: run.py compare --designs DP,CLI,MAN --topology bus --ram 65 --out results
    """
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
        waste=waste,
    )


@app.command()
@options_of(make_sharing_scenario, *SHARING.values())
def share(
    scenario: SharingScenario,
    out: Annotated[
        Path | None,
        typer.Option(
            help="Write summary.json, tables and figures to this folder.", show_default=False
        ),
    ] = None,
    journal: JournalPath = None,
    journal_level: Level = "protocol",
    check: Check = False,
    quiet: Quiet = False,
    queueing_model: Annotated[
        bool,
        typer.Option(
            "--queueing-model", help="Only print the paper's queueing model in three readings."
        ),
    ] = False,
) -> None:
    """Run load sharing policies one after another on the same sequential jobs and compare them.

    Example: run.py share --system memory --policies NO_LS,CPU_RE --out results

    Each system has only some of these options; --system memory has the defaults shown.
    """
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
    design: Annotated[
        str,
        typer.Option(metavar="<design>", help="The design to run.", autocompletion=one_of(designs)),
    ] = "MAN",
    form: Annotated[
        Literal["both", "text", "mermaid"], typer.Option(help="What to print.")
    ] = "both",
    journal: JournalPath = None,
    journal_level: Level = "all",
    engine: Engine = "auto",
    check: Check = False,
    quiet: Quiet = False,
) -> None:
    """Print the messages of one job's start and end.

    Example: run.py trace --design MAN --job 4639 --form mermaid
    """
    from model.terminal.comparison import run_trace

    run_trace(
        scenario.comparing(declared_as(scenario, design)),
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
            "knowledge",
            "why",
            "queues",
            "story",
            "diff",
            "mermaid",
        ],
        typer.Option(
            help="What to show. sequence: who says what to whom, in order; space-time: the same to "
            "scale, where bursts are seen; traffic: how much goes from node to node, how busy "
            "links are and how many wait; network: which links carry it, and in a film where each "
            "message was; memory: who is short of memory, who has it idle, who lends to whom; "
            "gantt: which jobs ran where and when; knowledge: what managers believed when they "
            "decided, and what was true; why: what a job's time consisted of; queues: where "
            "messages wait, how long and how many; story: why something happened; diff: where two "
            "designs part; mermaid: a sequence as text."
        ),
    ] = "sequence",
    design: DesignToRead = None,
    against: Annotated[
        str | None,
        typer.Option(
            metavar="<design>",
            help="The second design of a diff, why, Gantt chart or page.",
            show_default=False,
            autocompletion=one_of(designs),
        ),
    ] = None,
    job: JobOnly = None,
    from_s: FromTime = None,
    to_s: ToTime = None,
    window: Annotated[
        str | None,
        typer.Option(
            metavar="<name>",
            help="Show a time by its name: busiest, where most messages are sent, or job:N, while "
            "job N is there.",
            show_default=False,
        ),
    ] = None,
    on_nodes: NodesOnly = None,
    message_kind: KindsOnly = None,
    record: Annotated[
        str | None,
        typer.Option(
            metavar="<id>", help="The id of the record to tell a story of.", show_default=False
        ),
    ] = None,
    at: Annotated[
        float | None,
        typer.Option(help="With --node: tell a story of its last record up to this time, s."),
    ] = None,
    node: Annotated[
        int | None, typer.Option(help="With --at: whose record it is.", show_default=False)
    ] = None,
    hops: Annotated[
        bool,
        typer.Option("--hops", help="Show switches in a sequence (needs --journal-level all)."),
    ] = False,
    page: Annotated[
        int | None,
        typer.Option(help="Which page to show, if not all fits on one.", show_default="1"),
    ] = None,
    count: Annotated[
        bool, typer.Option("--count", help="Show traffic between nodes in messages, not bytes.")
    ] = False,
    journal_level: Level = "protocol",
    out: Annotated[
        Path | None,
        typer.Option(
            help="The file to write: .png, .svg or .pdf; for a sequence also .mmd (Mermaid), for a "
            "network .gif, .mp4 or .webm (a film). Default: KIND.png and KIND.svg. Instead of a "
            "kind, .html: a page to zoom, search and follow causes in, of one or several runs."
        ),
    ] = None,
) -> None:
    """Draw or print a view of a journal: who said what to whom, when and why.

    Example: run.py view bus.parquet --kind space-time --design MAN --from-s 2600 --to-s 2600.01
    """
    from model.terminal.progress import Bar
    from model.views.show import Source, show

    selection = _selection(job, from_s, to_s, on_nodes, message_kind, window)
    options = {
        "against": against,
        "record": record,
        "at_s": at,
        "node": node,
        "hops": hops,
        "page": page,
        "count": count,
    }
    with Bar(1 if against is None else 2) as bar:
        hears = {"progress": bar.update, "stage": bar.stage}
        source = Source(journal, scenario, design, journal_level, **hears)
        show(kind, source, selection, out, **options)


@app.command()
@scenario_options
def export(
    scenario: Scenario,
    out: Annotated[
        Path,
        typer.Option(
            help="The file to write: .pftrace (a trace for ui.perfetto.dev), .shiviz (a log with "
            "vector clocks), .csv, .parquet (a part that `view` draws), or .graphml (traffic)."
        ),
    ],
    journal: JournalToRead = None,
    form: Annotated[
        Literal["perfetto", "shiviz", "batsim", "csv", "parquet", "graphml"] | None,
        typer.Option(
            "--format",
            help="The format, if the file's name does not tell. batsim: jobs.csv and "
            "schedule.json, which evalys reads, in a folder.",
            show_default=False,
        ),
    ] = None,
    design: DesignToRead = None,
    job: JobOnly = None,
    from_s: FromTime = None,
    to_s: ToTime = None,
    on_nodes: NodesOnly = None,
    message_kind: KindsOnly = None,
    journal_level: Level = "protocol",
) -> None:
    """Write a journal, or a part of it, for other programs.

    Example: run.py export bus.parquet --design MAN --job 4639 --out trace.pftrace
    """
    from model.terminal.progress import Bar
    from model.views.show import Source
    from model.views.show import export as write

    selection = _selection(job, from_s, to_s, on_nodes, message_kind)
    with Bar(1) as bar:
        hears = {"progress": bar.update, "stage": bar.stage}
        source = Source(journal, scenario, design, journal_level, **hears)
        write(source, selection, out, form)


def _selection(
    job: int | None,
    from_s: float | None,
    to_s: float | None,
    on_nodes: str | None,
    message_kind: str | None,
    window: str | None = None,
) -> "Selection":
    from model.views.recording import Selection

    kinds = tuple(part.strip() for part in message_kind.split(",")) if message_kind else ()
    return Selection(job, from_s, to_s, _numbers("--on-nodes", on_nodes), kinds, window)


@app.command()
@options_of(make_any_scenario, Scenario, *SHARING.values())
def watch(
    scenario: BaseScenario,
    journal: Annotated[
        Path | None,
        typer.Argument(help="A journal to replay; without one, the scenario runs as you watch."),
    ] = None,
    host: Annotated[
        str,
        typer.Option(
            metavar="<address>",
            help="The address to serve at; any other than the loopback address can be reached from "
            "other machines.",
        ),
    ] = "127.0.0.1",
    port: Annotated[int, typer.Option(help="The port to serve at; 0 takes a free one.")] = 8765,
) -> None:
    """Watch a cluster in a web page: play, step, go back, two designs side by side.

    Example: run.py watch --first 4621 --jobs 19 --ram 65; run.py watch bus.parquet replays a
    journal; run.py watch --system memory shows load sharing.
    """
    from model.dashboard.server import serve
    from model.dashboard.session import recordings

    serve(scenario if journal is None else recordings(journal), host, port)


@app.command()
def explore(
    design: Annotated[
        Design | None,
        typer.Argument(
            metavar="DESIGN",
            parser=Design,
            autocompletion=one_of(designs),
            help="The design, by its name or as file.py:function; functions of that file with the "
            "parameters (before, step, after) are properties.",
        ),
    ] = None,
    nodes: Annotated[int, typer.Option(min=1, max=64, help="Nodes of the cluster.")] = 3,
    jobs: Annotated[
        int,
        typer.Option(
            min=1, max=100, help="Jobs; odd ones have 2 processes of 10 MB, even ones one of 12."
        ),
    ] = 2,
    order: Annotated[
        Literal["fifo", "any"],
        typer.Option(help="Whether messages from one node to another keep their order."),
    ] = "fifo",
    loss: Annotated[int, typer.Option(min=0, help="Messages that may be lost.")] = 0,
    duplicates: Annotated[int, typer.Option(min=0, help="Messages that may arrive twice.")] = 0,
    crashes: Annotated[
        int, typer.Option(min=0, help="Crashes of servents, which may restart at any time.")
    ] = 0,
    timers: Annotated[
        Literal["any", "late"],
        typer.Option(help="When timers fire: at any time, or only if no message is on its way."),
    ] = "any",
    depth: Annotated[
        int | None,
        typer.Option(min=1, help="Steps of a path, at most. Default: all.", show_default=False),
    ] = None,
    states: Annotated[int, typer.Option(min=2, help="States to see, at most.")] = 1_000_000,
    processes: Annotated[
        int, typer.Option(min=1, max=256, help="Processes; any number finds the same path.")
    ] = 1,
    random: Annotated[
        int | None,
        typer.Option(
            min=1, help="Take so many random walks instead of all steps.", show_default=False
        ),
    ] = None,
    seed: Annotated[
        int, typer.Option(min=0, help="Seed of the roles' draws, and of random walks.")
    ] = 1,
    scenario: Annotated[
        Path | None,
        typer.Option(
            help="A scenario file with another workload and cluster, instead of --nodes, --jobs.",
            show_default=False,
        ),
    ] = None,
    out: Annotated[
        Path | None,
        typer.Option(
            help="Write what is found to this journal (.parquet), for `view` and --replay.",
            show_default=False,
        ),
    ] = None,
    table: Annotated[
        bool,
        typer.Option(
            "--table",
            help="Print what one fault of each kind does to designs, named with commas between.",
        ),
    ] = False,
    replay: Annotated[
        Path | None,
        typer.Option(
            help="Take the path of this journal again, perhaps with another design.",
            show_default=False,
        ),
    ] = None,
    quiet: Quiet = False,
) -> None:
    """Search all orders of messages and faults, without time, for a rule that a design breaks.

    Example: run.py explore MAN --jobs 1 --loss 1 --out lost.parquet

    Exit status 0: nothing was found; 1: something was.
    """
    from model.terminal.exploring import print_table, run_explore, run_replay

    if replay is not None:
        raise typer.Exit(run_replay(replay, design, out))
    if design is None:
        raise InputError("explore: name a design, such as MAN or file.py:function")
    from model.pnr.explore.setting import Setting

    setting = Setting(
        design,
        nodes,
        jobs,
        order,
        loss,
        duplicates,
        crashes,
        timers == "late",
        seed,
        None if scenario is None else str(scenario),
    )
    if table:
        if loss or duplicates or crashes:
            raise InputError("--table takes one fault of each kind; leave --loss and the like out")
        print_table(setting, depth=depth, states=states, quiet=quiet)
        return
    status = run_explore(
        setting,
        depth=depth,
        states=states,
        processes=processes,
        walks=random,
        out=out,
        quiet=quiet,
    )
    raise typer.Exit(status)


@app.command()
def sweep(
    name: Annotated[
        Path,
        typer.Argument(
            metavar="FILE", help="A sweep's TOML file, or the name of a paper, as 'thesis'."
        ),
    ],
    out: Annotated[
        Path | None,
        typer.Option(help="The folder for the results. Default: results/NAME of the sweep."),
    ] = None,
    part: Annotated[
        list[str] | None,
        typer.Option(
            metavar="<name>",
            help="Do only runs of this part (a table runs.NAME). May be repeated.",
        ),
    ] = None,
    where: Where = None,
    missing: Annotated[
        bool,
        typer.Option("--missing", help="Leave out the runs whose results come with the code."),
    ] = False,
    workers: Annotated[
        int | None,
        typer.Option(
            min=1, help="How many processes to use. Default: one per core.", show_default=False
        ),
    ] = None,
    dask: Annotated[
        str | None,
        typer.Option(
            metavar="<address>",
            help="Run on the workers of this Dask scheduler.",
            show_default=False,
        ),
    ] = None,
    half_width: Annotated[
        float | None,
        typer.Option(
            help="Run further seeds until the difference from DP is sure to ± this many percent of "
            "DP's mean response time.",
            show_default=False,
        ),
    ] = None,
    most: Annotated[int, typer.Option(min=2, help="The most seeds to run with --half-width.")] = 20,
    dry_run: Annotated[
        bool,
        typer.Option("--dry-run", help="Only list the declared runs and estimate their time."),
    ] = False,
    quiet: Quiet = False,
    json_lines: Annotated[
        bool, typer.Option("--json-lines", help="Print progress as JSON lines to standard output.")
    ] = False,
) -> None:
    """Do a declared set of runs, each once; started again, a sweep goes on where it was.

    Example: run.py sweep thesis --part base --where ram=50,65 --dry-run
    """
    from model.terminal.sweeps import run_sweep

    status = run_sweep(
        str(name),
        out=out,
        workers=workers or os.cpu_count() or 1,
        dask=dask,
        parts=part or [],
        where=where or [],
        missing=missing,
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
        str,
        typer.Option(
            metavar="<column>",
            help="The measure to tabulate: any column that --runs --csv FILE writes.",
        ),
    ] = "mean_response_s",
    replicated: Annotated[
        Literal["seed", "window"],
        typer.Option(help="What replications differ in: the seed, or the window of the trace."),
    ] = "seed",
    half_width: Annotated[
        float | None,
        typer.Option(
            help="Tell how many replications make the difference from DP sure to ± this many "
            "percent.",
            show_default=False,
        ),
    ] = None,
    runs: Annotated[
        bool, typer.Option("--runs", help="Show one row per run instead of one per design.")
    ] = False,
    where: Where = None,
    csv: Annotated[
        Path | None, typer.Option(help="Write all columns to this CSV file.", show_default=False)
    ] = None,
    parquet: Annotated[
        Path | None,
        typer.Option(help="Write all columns to this Parquet file.", show_default=False),
    ] = None,
    model_version: ModelVersion = None,
) -> None:
    """Tabulate a sweep's results: means with 95 % intervals, and paired differences from DP.

    Example: run.py results results/thesis --measure faults_disk --where ram=50
    """
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
    """Advise which design to use for which network and load: the thesis's table 5.1 recomputed.

    Example: run.py advice results/thesis
    """
    from model.terminal.advice import show_advice

    show_advice(folder, model_version)


@app.command()
def carry(
    results: Annotated[
        Path,
        typer.Argument(
            metavar="PAPER|FOLDER",
            help="The folder of a sweep, or the name of a paper for its bundled results.",
        ),
    ],
    sample: Annotated[int, typer.Option(min=1, help="How many runs to run again.")] = 10,
    seed: Annotated[int, typer.Option(help="The seed with which these runs are drawn.")] = 1,
    longest_s: Annotated[
        float,
        typer.Option(min=0, help="Avoid runs that take longer than this, s, if there are others."),
    ] = 60,
    workers: Annotated[
        int | None,
        typer.Option(
            min=1, help="How many processes to use. Default: one per core.", show_default=False
        ),
    ] = None,
    model_version: Annotated[
        str | None,
        typer.Option(
            metavar="<version>",
            help="Carry over only results of this version of the model; default: of all others.",
            show_default=False,
        ),
    ] = None,
    quiet: Quiet = False,
) -> None:
    """Carry stored results over to today's version if a sample, run again, is equal to the bit.

    Example: run.py carry thesis --sample 25
    """
    from model.terminal.carrying import run_carry

    status = run_carry(
        str(results),
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
        Paper,
        typer.Argument(
            metavar="PAPER",
            parser=Paper,
            help="The paper: thesis (figures 4.1 to 4.42); memory, unknown, wal-fc or cmgs of load "
            "sharing; a study of ours: coordination, changing-memory, knowing-memory, "
            "moving-processes or later-clusters; or one of your own in model/papers.",
            autocompletion=one_of(papers),
        ),
    ],
    folder: Annotated[
        Path | None,
        typer.Argument(
            metavar="[FOLDER]",
            help="The folder of results of `sweep PAPER`. Default: the bundled results.",
        ),
    ] = None,
    out: Annotated[
        Path | None,
        typer.Option(help="The folder to write to. Default: figures/ in FOLDER or results/PAPER."),
    ] = None,
    condense: Annotated[
        Path | None,
        typer.Option(
            help="Instead of drawing, add the results, condensed, to those of the same version in "
            "this folder, and write the findings; the bundled ones are in model/papers/PAPER.",
            show_default=False,
        ),
    ] = None,
    model_version: ModelVersion = None,
) -> None:
    """Draw a paper's figures from stored results, and compare its findings with them.

    Example: run.py figures thesis --out figures
    """
    from model.papers.page import add_results, write_paper
    from model.papers.paper import paper_of
    from model.terminal.progress import Bar

    chosen = paper_of(paper)
    measured = chosen.load(folder, model_version)
    if condense is None:
        out = out or (folder or Path("results", paper)) / "figures"
        with Bar(len(chosen.figures)) as bar:
            write_paper(chosen, measured, out, bar.over)
    else:
        add_results(chosen, measured, condense)


def _numbers(option: str, text: str | None) -> tuple[int, ...]:
    try:
        return tuple(int(part) for part in text.split(",")) if text else ()
    except ValueError:
        raise InputError(
            f"{option}: give numbers with commas between (not {shown(text)})"
        ) from None


def main() -> int:
    """Run a command; a person's mistake gives one line on stderr and exit status 2."""
    try:
        status = app(standalone_mode=False) or 0
        sys.stdout.flush()
        return status
    except typer.TyperException as error:
        told = " ".join(error.format_message().split())  # it breaks lines before choices
        told = told.replace(": Value error, ", ": ")  # Pydantic's words
        print(f"error: {told} See run.py --help.", file=sys.stderr)
    except InputError as error:
        print(f"error: {error}", file=sys.stderr)
        if isinstance(error, UsersCodeError):
            print(error.story(), end="", file=sys.stderr)
    except BrokenPipeError:  # who reads our output has enough of it
        _forget_output()
        return 128 + signal.SIGPIPE
    except OSError as error:
        if error.errno not in _OF_THE_MACHINE:
            raise
        _forget_output()
        place = f"{cut(str(error.filename))}: " if error.filename else ""
        print(f"error: {place}{error.strerror}", file=sys.stderr)
    return 2


def _forget_output() -> None:
    """Drop what cannot be written to standard output: Python would complain of it at its end."""
    try:
        sys.stdout.flush()
    except OSError:
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())


if __name__ == "__main__":
    sys.exit(main())
