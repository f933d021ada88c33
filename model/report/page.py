"""A comparison as one self-contained HTML page, for readers who have not seen it run."""

import base64
import io
from collections.abc import Callable
from dataclasses import fields
from inspect import getdoc, unwrap
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any, NamedTuple

import matplotlib
import pandas as pd
from matplotlib.figure import Figure

from agents.messages import DATA_PHASES
from agents.pnr.protocol import Manager, Protocol
from model.core.files import Output, put_in_place, writing
from model.core.journal.file import JournalFile
from model.core.journal.kinds import DETAILS, Record, Sent
from model.core.measures import CHANCE_IN_WORDS
from model.core.result import RunResult
from model.core.version import code_version
from model.ground.errors import InputError
from model.pnr.design import Design, load_design
from model.pnr.in_words import in_words
from model.pnr.measures import submitted
from model.pnr.scenario import BUNDLED_TRACE, Scenario
from model.report.designs import (
    breakdown,
    optimization,
    page_faults,
    response_time,
)
from model.report.measures import tables
from model.report.reproduction import command, needs_file, scenario_file
from model.systems import comparison_of
from model.views.one_file import rendered, templates_in, write_page
from model.views.page.html import write as write_messages
from model.views.queues import in_words as queues_in_words
from model.views.recording import Recording, Selection, over_network, read_recordings
from model.views.sequence import draw

_GRANTED = ("start", "client")  # phase and hearer of the messages that grant a client its loans

_HERE = Path(__file__).parent


class Picture(NamedTuple):
    """A picture in the page: a data URI, what it shows in words, and its caption."""

    source: str
    alt: str
    caption: str


class RunOfJob(NamedTuple):
    """One job under one design: its row of jobs.csv, and its messages, with sender and receiver."""

    design: str
    row: dict[str, Any] | None  # None if it did not end
    picture: Picture | None
    requests: int | None  # of all jobs; None if that is not known


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
        check_place(path)
        with writing(f"--report {path}:", self.messages_path):
            Output(self.messages_path).discard()
        with writing("--report", path):
            self._output = Output(path)

    def __enter__(self) -> "Report":
        self._folder = TemporaryDirectory(prefix="report-")
        messages = Path(self._folder.name) / "messages.parquet"
        comparison = comparison_of(self.scenario)
        managers = {name: comparison.managers(name) for name in comparison.contestants}
        scenario = self.scenario.model_dump_json()
        self._messages = JournalFile(messages, scenario, managers, comparison.own_network)
        return self

    def __exit__(self, *exception: object) -> None:
        self._messages.discard()
        self._folder.cleanup()
        self._output.discard()

    def of(self, design: str) -> Callable[[Record], None]:
        """The journal reader that keeps what the protocol did in a run of this design."""
        self._designs.append(design)
        keep = self._messages.of(design)

        def read(record: Record) -> None:
            if record.kind not in DETAILS and record.phase not in DATA_PHASES:
                keep(record)
                if record.job is not None and record.phase is not None:
                    granting = self._granting.setdefault(record.job, set())
                    if (record.phase, record.hears) == _GRANTED and record.amount_bytes:
                        granting.add(design)

        return read

    def write(self, results: list[RunResult]) -> None:
        """Write the page of these complete results; raises InputError if that fails."""
        self._messages.close()
        recordings = read_recordings(self._messages.path)
        job = telling_job(results, self._granting)
        page = self._page(results, recordings, job)
        with writing("--report", self.path):
            write_page(page, self._output.unfinished)
            if job is not None:
                with put_in_place(self.messages_path, f"--report {self.path}:") as beside:
                    write_messages(recordings, Selection(job), beside)
            self._output.put_in_place()

    @property
    def messages_path(self) -> Path:
        """The page of all messages, beside the report."""
        return self.path.with_name(f"{self.path.stem}-messages.html")

    def _page(self, results: list[RunResult], recordings: list[Recording], job: int | None) -> str:
        designs = [load_design(declared, self.scenario) for declared in self.scenario.designs]
        (workload,) = sentences_on(
            "workload",
            scenario=self.scenario,
            jobs=submitted(results[0].summary),
            is_bundled=self.scenario.trace in (None, BUNDLED_TRACE),
        )
        return styled(
            "page.html",
            scenario=self.scenario,
            beyond=self.scenario.peculiarities,
            names=[design.name for design in designs],
            designs=[(design.name, describe(design)) for design in designs],
            in_words=in_words([result.summary for result in results]),
            chance=CHANCE_IN_WORDS,
            workload=workload,
            kinds=meanings(results),
            queues=[queues_in_words(it, Selection()) for it in recordings if not it.queues.empty],
            tables=tables(results, self.scenario.nodes),
            figures=figures(results),
            job=job,
            runs_of_job=[] if job is None else self._runs_of(job, results, recordings),
            messages=self.messages_path.name,
            command=command(self.scenario, "--report", self.path.name),
            scenario_file=scenario_file(self.scenario),
            needs_file=needs_file(self.scenario),
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
            row = None if rows.empty else dict(rows.iloc[0])
            picture = None
            if design in with_messages:
                picture = _sequence(with_messages[design], job, design)
            runs.append(RunOfJob(design, row, picture, result.summary.get("requests")))
        return runs


def check_place(path: Path) -> None:
    """Raise InputError, before anything runs, if no page can be put there."""
    if path.suffix.lower() not in (".html", ".htm"):
        raise InputError(f"--report {path}: a page is written as .html")
    with writing("--report", path):
        Output(path).discard()


def styled(template: str, **facts: Any) -> str:
    """The page that a template makes of facts, with the style of reports."""
    return rendered(_HERE / template, (_HERE / "page.css").read_text("utf-8"), **facts)


def describe(design: Design) -> str:
    """In a few sentences: who manages, whom clients ask, who hears of loads, what is its own.

    They follow from the graph and from the classes of the roles, whose docstrings they quote.
    """
    manager = design.protocol.manager
    hear = sorted({len(design.tells(node)) for node in design.managers})
    if unwrap(manager.tell) is not Manager.tell or (hear == [0] and manager is not Manager):
        hear = []  # the class decides that for itself
    (sentences,) = sentences_on(
        "design",
        design=design,
        asks="rule" if callable(design.asks) else design.asks,
        hear=hear,
        own=_of_own_roles(design),
    )
    return sentences


def sentences_on(what: str, **facts: object) -> list[str]:
    """The paragraphs that `sentences.jinja` makes of facts: texts, which a page has to escape."""
    write = getattr(templates_in(_HERE).get_template("sentences.jinja").module, what)
    return [" ".join(part.split()) for part in write(**facts).split("\n\n") if part.strip()]


def _of_own_roles(design: Design) -> list[str]:
    """The classes of the roles that are not the thesis's, with the first of their docstrings.

    A wrapper's class does the same in several roles.
    """
    roles: dict[type, list[str]] = {}
    for role in fields(Protocol):
        if role.name != "manager" or design.managers:
            known = getattr(Protocol(), role.name).__mro__
            for part in getattr(design.protocol, role.name).__mro__:
                if part.__doc__ and part not in known:
                    roles.setdefault(part, []).append(role.name)
    told = []
    for part, names in roles.items():
        who, first = ", ".join(names).capitalize(), (getdoc(part) or "").partition("\n\n")[0]
        told.append(f"{who} {part.__name__}: {first}")
    return told


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


def meanings(results: list[RunResult]) -> dict[str, str]:
    """Of each kind of messages that any of the runs knows, the first line of its docstring."""
    kinds = {name: kind for result in results for name, kind in result.kinds.items()}
    first = {name: (kind.__doc__ or "").partition("\n")[0] for name, kind in kinds.items()}
    return {name: line.replace("`", "").replace("->", "→") for name, line in first.items()}


def figures(results: list[RunResult]) -> list[Picture]:
    """The figures of a comparison, as SVG."""
    names = ", ".join(result.summary["design"] for result in results)
    drawn = (
        (response_time(results), "Mean response time by design."),
        (optimization(results), "Optimization ratio: how much shorter than with DP (% of DP's)."),
        (breakdown(results), "Where the mean response time goes."),
        (page_faults(results), "Page faults served by the local disk and over the network."),
    )
    return [
        Picture(
            as_svg(figure),
            f"One bar per design ({names}): {caption} See the tables below.",
            caption,
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
    count = int((over_network(records)["job"] == job).sum())
    return Picture(
        as_svg(figure),
        f"Sequence diagram: the {count:,} messages about job {job} under {design}, each an arrow "
        "from sender to receiver, with time running downwards.",
        f"{design}: {count:,} messages.",
    )


def as_svg(figure: Figure) -> str:
    """A figure as a data URI; equal figures give equal bytes."""
    file = io.BytesIO()
    with matplotlib.rc_context({"svg.hashsalt": "report"}):
        figure.savefig(file, format="svg", metadata={"Date": None})
    return "data:image/svg+xml;base64," + base64.b64encode(file.getvalue()).decode()
