"""A comparison as one self-contained HTML page, for readers who have not seen it run."""

import base64
import io
import math
import re
from collections.abc import Callable
from contextlib import suppress
from dataclasses import fields
from errno import EISDIR
from inspect import getdoc, unwrap
from pathlib import Path
from tempfile import TemporaryDirectory, TemporaryFile
from typing import Any, NamedTuple

import matplotlib
import pandas as pd
from jinja2 import Environment, FileSystemLoader, StrictUndefined
from matplotlib.figure import Figure

from agents.messages import DATA_PHASES
from agents.pnr.protocol import Client, Manager, Protocol
from model.core.journal.file import JournalFile
from model.core.journal.kinds import Record, Sent
from model.core.output import put_in_place
from model.core.result import RunResult
from model.ground.errors import InputError
from model.pnr.design import Design
from model.pnr.measures import submitted
from model.pnr.scenario import BUNDLED_TRACE, Scenario
from model.report.designs import breakdown, optimization, page_faults, response_time
from model.report.measures import NONE, in_words, tables
from model.report.reproduction import code_version, command, needs_file, scenario_file
from model.systems import comparison_of
from model.views.page.html import write as write_messages
from model.views.recording import DETAILS, Recording, Selection, read_recordings
from model.views.sequence import draw

GRANTED = ("start", "client")  # phase and hearer of the messages that grant a client its loans
_NAMES = {"CLI": "Client only: ", "CEN": "Centralized: ", "MAN": "Local managers: "}


class Picture(NamedTuple):
    """A picture in the page: a data URI, what it shows in words, and its caption."""

    source: str
    alt: str
    caption: str


class RunOfJob(NamedTuple):
    """One job under one design: its row of jobs.csv, and its messages, with sender and receiver."""

    design: str
    row: dict[str, Any]
    picture: Picture | None


class Kind(NamedTuple):
    """A kind of message, and the first line of its docstring."""

    name: str
    meaning: str


class Parameter(NamedTuple):
    """One parameter of the scenario, as texts for people."""

    name: str
    value: str
    default: str
    meaning: str
    differs: bool


class Report:
    """The page of one comparison: it reads the runs' journals, then writes the page at once.

    Beside it, in NAME-messages.html, is a page to look into all messages, to which it has a link.

    A context manager: what it reads is kept in a temporary file, which is deleted at the end.
    Raises InputError, at once, if `path` cannot be written.
    """

    def __init__(self, path: Path, scenario: Scenario) -> None:
        self.path = path
        self.scenario = scenario
        self._designs: list[str] = []  # as asked for, in the order of the runs
        self._granting: dict[int, set[str]] = {}  # job with messages -> designs that granted memory
        try:
            if path.is_dir():
                raise IsADirectoryError(EISDIR, "it is a folder")
            with TemporaryFile(dir=path.parent):
                pass
        except OSError as error:
            raise self._unwritable(error) from None
        if path.suffix.lower() not in (".html", ".htm"):
            raise InputError(f"--report {path}: a page is written as .html")
        self._part = path.with_name(path.name + ".part")

    def __enter__(self) -> "Report":
        self._folder = TemporaryDirectory(prefix="report-")
        messages = Path(self._folder.name) / "messages.parquet"
        comparison = comparison_of(self.scenario)
        managers = {name: comparison.managers(name) for name in comparison.contestants}
        self._messages = JournalFile(messages, self.scenario.model_dump_json(), managers)
        return self

    def __exit__(self, *exception: object) -> None:
        self._messages.discard()
        self._folder.cleanup()

    def of(self, design: str) -> Callable[[Record], None]:
        """The journal reader that keeps what the protocol did in a run of this design."""
        self._designs.append(design)
        keep = self._messages.of(design)

        def read(record: Record) -> None:
            if record.kind not in DETAILS and record.phase not in DATA_PHASES:
                keep(record)
                if record.job is not None and record.phase is not None:
                    granting = self._granting.setdefault(record.job, set())
                    if (record.phase, record.hears) == GRANTED and record.amount_bytes:
                        granting.add(design)

        return read

    def write(self, results: list[RunResult]) -> None:
        """Write the page of these complete results; raises InputError if that fails."""
        self._messages.close()
        recordings = read_recordings(self._messages.path)
        job = telling_job(results, self._granting)
        page = self._page(results, recordings, job)
        try:
            if job is not None:
                shown = self._farthest(job, results, recordings)
                with put_in_place(self.messages_path, f"--report {self.path}:") as place:
                    write_messages(recordings, Selection(job), place, shown)
            self._part.write_text(page, encoding="utf-8", errors="backslashreplace", newline="\n")
            self._part.replace(self.path)
        except OSError as error:
            with suppress(OSError):
                self._part.unlink(missing_ok=True)
                self.messages_path.unlink(missing_ok=True)
            raise self._unwritable(error) from None

    def _farthest(
        self, job: int, results: list[RunResult], recordings: list[Recording]
    ) -> list[str]:
        """Of the designs that sent messages about the job, those where it took longest and least.

        A design under which the job never ended counts as the longest.
        """
        sending = {it.design for it in recordings if _has_messages(it, job)}
        took_s = {
            design: result.jobs.set_index("job")["response_s"].get(job, math.inf)
            for design, result in zip(self._designs, results, strict=True)
            if design in sending
        }
        order = sorted(took_s, key=lambda design: -took_s[design])
        return [*dict.fromkeys((order[0], order[-1]))]

    @property
    def messages_path(self) -> Path:
        """The page of all messages, beside the report."""
        return self.path.with_name(f"{self.path.stem}-messages.html")

    def _unwritable(self, error: OSError) -> InputError:
        return InputError(
            f"--report {self.path}: {error.strerror or error}; give a file that can be written"
        )

    def _page(self, results: list[RunResult], recordings: list[Recording], job: int | None) -> str:
        environment = Environment(
            loader=FileSystemLoader(Path(__file__).parent),
            autoescape=True,
            undefined=StrictUndefined,
            trim_blocks=True,
            lstrip_blocks=True,
        )
        contestants = comparison_of(self.scenario).contestants
        designs = [contestants[name] for name in self._designs]
        return environment.get_template("page.html").render(
            scenario=self.scenario,
            beyond=self.scenario.peculiarities,
            summaries=[result.summary for result in results],
            names=[design.name for design in designs],
            designs=[(design.name, describe(design)) for design in designs],
            in_words=in_words(results),
            workload=describe_workload(self.scenario, submitted(results[0].summary)),
            parameters=parameters(self.scenario),
            kinds=kinds_of(results),
            tables={table.name: table for table in tables(results, self.scenario.nodes)},
            figures=figures(results),
            job=job,
            runs_of_job=[] if job is None else self._runs_of(job, results, recordings),
            messages=self.messages_path.name,
            command=command(self.scenario, self.path),
            scenario_file=scenario_file(self.scenario) if needs_file(self.scenario) else None,
            version=code_version(),
        )

    def _runs_of(
        self, job: int, results: list[RunResult], recordings: list[Recording]
    ) -> list[RunOfJob]:
        """The job in each run, with a picture of its messages if there are any."""
        with_messages = {
            recording.design: recording for recording in recordings if _has_messages(recording, job)
        }
        runs = []
        for design, result in zip(self._designs, results, strict=True):
            rows = result.jobs[result.jobs["job"] == job]
            if rows.empty:  # it never ended
                continue
            row = rows.iloc[0]
            picture = None
            if design in with_messages:
                picture = _sequence(with_messages[design], job, design)
            runs.append(RunOfJob(design, dict(row), picture))
        return runs


def describe(design: Design) -> str:
    """In a few sentences: who manages, whom clients ask, who hears of loads, what is its own.

    They follow from the graph and from the classes of the roles, whose docstrings they quote.
    """
    own = _of_own_roles(design)
    if design.migrates:
        own.append("Processes move away from nodes that page to disk.")
    if not design.managers:
        nobody = "Nobody manages." if design.has_own_protocol else _DISK_PAGING
        return " ".join([nobody, *own])
    known = "Backbone: " if re.fullmatch(r"BB\d+", design.name) else _NAMES.get(design.name, "")
    count = len(design.managers)
    asks = "rule" if callable(design.asks) else design.asks
    which = {
        "rule": "each client asks the manager that the design's own rule gives for its node",
        "own": "each client asks the manager on its own node, without waiting for the job's others",
        "any": "all clients of a job ask the one manager"
        if count == 1
        else "all clients of a job ask the same one of them, drawn at random",
        "member": "all clients of a job ask the same one, drawn at random from the job's nodes",
    }[asks]
    if design.protocol.client is not Client:  # whose class may ask somebody else
        which = f"by the graph, {which}"
    who = f"{count} of {design.nodes} nodes manage{'s' if count == 1 else ''}"
    first = "; ".join(part for part in (f"{known}{who}", which, _broadcasts(design)) if part)
    return " ".join([f"{first}.", *own])


_DISK_PAGING = "Disk paging: nobody lends or borrows; what exceeds RAM is paged to the local disk."


def _broadcasts(design: Design) -> str:
    """To whom managers broadcast; nothing if their class decides that for itself."""
    manager = design.protocol.manager
    counts = sorted({len(design.tells(node)) for node in design.managers})
    if unwrap(manager.tell) is not Manager.tell or (counts == [0] and manager is not Manager):
        return ""
    if counts == [0]:
        return "a manager tells nobody what it learns about the servers' loads"
    others = f"{counts[0]}" if len(counts) == 1 else f"{counts[0]} to {counts[-1]}"
    return (
        f"a manager sends what it knows about the servers' loads to {others} other "
        f"manager{'s' if counts[-1] > 1 else ''}, with one message each, after every grant and "
        "release"
    )


def _of_own_roles(design: Design) -> list[str]:
    """What the classes of the roles do that are not the thesis's, by their docstrings.

    A wrapper's class does the same in several roles.
    """
    roles: dict[type, list[str]] = {}
    for role in fields(Protocol):
        if role.name != "manager" or design.managers:
            for part in getattr(design.protocol, role.name).__mro__:
                if part.__doc__ and part not in role.default.__mro__:
                    roles.setdefault(part, []).append(role.name)
    return [_sentence(part, names) for part, names in roles.items()]


def _sentence(role: type, names: list[str]) -> str:
    """The first sentences of a class's docstring, with its roles as the subject."""
    what = " ".join(getdoc(role).partition("\n\n")[0].split())
    *others, last = names
    who = f"{', '.join(others)} and {last}" if others else last
    verb, _, rest = what.partition(" ")
    if re.fullmatch("[A-Z][a-z]+s", verb):
        return f"Each {who} {verb.lower()} {rest}"
    return f"Each {who} is a {role.__name__}: {what}"


def describe_workload(scenario: Scenario, jobs: int) -> str:
    """The number of jobs and where they come from, in words."""
    if scenario.job is not None:
        return f"the {jobs} jobs that the scenario lists" if jobs > 1 else "one job"
    bundled = scenario.trace in (None, BUNDLED_TRACE)
    trace = "the bundled trace (LANL CM-5)" if bundled else str(scenario.trace)
    return f"{jobs} jobs of {trace}, from record {scenario.window[0]} on"


def parameters(scenario: Scenario) -> list[Parameter]:
    """All parameters; those that differ from their defaults come first."""
    listed = []
    for name, field in Scenario.model_fields.items():
        value = getattr(scenario, name)
        if name in ("job", "fault"):
            shown = NONE if value is None else f"{len(value)} listed (see the scenario file below)"
        else:
            shown = _words(value)
        differs = value != field.default
        listed.append(Parameter(name, shown, _words(field.default), field.description, differs))
    return sorted(listed, key=lambda parameter: not parameter.differs)


def _words(value: object) -> str:
    if value is None:
        return NONE
    if isinstance(value, bool):
        return "yes" if value else "no"
    return ", ".join(value) if isinstance(value, tuple) else str(value)


def telling_job(results: list[RunResult], granting: dict[int, set[str]]) -> int | None:
    """The job whose messages are shown; None if no servent sent any.

    Candidates are the jobs that were granted memory or, if there are none, those that servents
    exchanged messages about: of them, one that ended under some designs only or, if there is none,
    the one whose response times under the designs are farthest apart; of several, the one with the
    fewest processes, then the first. `granting` names, for each job with messages, the designs that
    granted it memory.
    """
    granted = [job for job, designs in granting.items() if designs]
    runs = pd.concat(result.jobs[["job", "processes", "response_s"]] for result in results)
    runs = runs[runs["job"].isin(granted or list(granting))]
    if runs.empty:
        return None
    jobs = runs.groupby("job").agg(
        processes=("processes", "first"),
        ended=("response_s", "count"),
        least_s=("response_s", "min"),
        most_s=("response_s", "max"),
    )
    jobs["apart_s"] = (jobs["most_s"] - jobs["least_s"]).astype(float).round(6)
    jobs.loc[jobs["ended"] < len(results), "apart_s"] = float("inf")
    order = jobs.sort_values(["apart_s", "processes"], ascending=[False, True], kind="stable")
    return int(order.index[0])


def kinds_of(results: list[RunResult]) -> list[Kind]:
    """The kinds of messages that any of the runs knows."""
    kinds = {name: kind for result in results for name, kind in result.kinds.items()}
    return [
        Kind(name, kind.__doc__.partition("\n")[0].replace("`", "").replace("->", "→"))
        for name, kind in kinds.items()
    ]


def figures(results: list[RunResult]) -> list[Picture]:
    """The figures of a comparison, as SVG."""
    names = ", ".join(result.summary["design"] for result in results)
    drawn = (
        (response_time(results), "Mean response time by design."),
        (optimization(results), "Optimization ratio: by how much shorter than with DP."),
        (breakdown(results), "Where the mean response time goes."),
        (page_faults(results), "Page faults served by the local disk and over the network."),
    )
    return [
        Picture(
            _svg(figure), f"One bar per design ({names}): {caption} See the tables below.", caption
        )
        for figure, caption in drawn
        if figure is not None
    ]


def _has_messages(recording: Recording, job: int) -> bool:
    records = recording.records
    return bool(((records["kind"] == Sent.name) & (records["job"] == job)).any())


def _sequence(recording: Recording, job: int, design: str) -> Picture:
    figure = draw(recording, Selection(job=job))
    records = recording.records
    count = int(((records["kind"] == Sent.name) & (records["job"] == job)).sum())
    return Picture(
        _svg(figure),
        f"Sequence diagram: the {count} messages about job {job} under {design}, each an arrow "
        "from sender to receiver, with time running downwards.",
        f"{design}: {count} messages.",
    )


def _svg(figure: Figure) -> str:
    """A figure as a data URI; equal figures give equal bytes."""
    file = io.BytesIO()
    with matplotlib.rc_context({"svg.hashsalt": "report"}):
        figure.savefig(file, format="svg", metadata={"Date": None})
    return "data:image/svg+xml;base64," + base64.b64encode(file.getvalue()).decode()
