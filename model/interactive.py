"""What people call in Python, at a prompt or in a notebook: `from model import compare, record, …`.

Each function takes the parameters of a scenario by name (`run.py compare --help-scenario`, with _
for -), and perhaps a scenario file. Results have pandas DataFrames, with units in the names of
columns, and show themselves in a notebook. Functions raise InputError for a value that is not
possible, and Pydantic's ValidationError for a value of another type.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from functools import cached_property
from html import escape
from importlib import import_module
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import TYPE_CHECKING, Any
from warnings import warn

import pandas as pd
from pydantic import validate_call

from model.core.measures import Table
from model.core.result import RunResult
from model.core.scenario import BaseScenario
from model.ground.errors import InputError
from model.pnr.explore.limits import States
from model.systems import compare as compare_all
from model.systems import comparison_of, make_any_scenario
from model.terminal.options import Level
from model.terminal.scarcity import if_plentiful
from model.views.frames import Tables
from model.views.recording import Recording, Selection, read_recordings
from model.views.recording import record as record_run

if TYPE_CHECKING:
    from matplotlib.figure import Figure

    from model.pnr.explore.graph import Moment
    from model.pnr.explore.growth import Growth
    from model.pnr.explore.repair import Repairs
    from model.pnr.explore.search import Finding, Found
    from model.pnr.explore.setting import Setting
    from model.terminal.exploring import Effort

_PAGE_HEIGHT_PX = 800


@dataclass(frozen=True)
class Results:
    """What a comparison measured: all designs, or policies, ran the same jobs."""

    scenario: BaseScenario
    runs: Sequence[RunResult]

    @property
    def summary(self) -> pd.DataFrame:
        """A row of measures for each design, as in summary.json; dots join nested names."""
        rows = pd.json_normalize([run.summary for run in self.runs])
        return rows.set_index(self.scenario.noun)

    @property
    def jobs(self) -> pd.DataFrame:
        """A row for each job of each run, as in jobs.csv."""
        return pd.concat([run.jobs for run in self.runs], ignore_index=True)

    @property
    def stations(self) -> pd.DataFrame:
        """A row for each link, switch and disk of each run, as in stations.csv."""
        return pd.concat([run.stations for run in self.runs], ignore_index=True)

    @property
    def tables(self) -> list[pd.DataFrame]:
        """The tables that the command line prints, with cells of text; the main one is first."""
        shown = import_module(f"model.terminal.{self.scenario.compares}")
        return [_frame(table) for table in shown.tables(self.runs)]

    def __repr__(self) -> str:
        return repr(self.tables[0])

    def _repr_html_(self) -> str:
        return "".join(
            f"<p>{escape(table.attrs['title'] or '')}</p>{table.to_html()}" for table in self.tables
        )


def _frame(table: Table) -> pd.DataFrame:
    frame = pd.DataFrame(table.lines, columns=table.columns).set_index(table.names[0])
    frame.attrs["title"] = table.title
    return frame


@validate_call
def compare(
    scenario_file: Path | str | None = None, *, check: bool = False, **parameters: object
) -> Results:
    """Run designs (`designs="DP,MAN"`), or policies of load sharing (`system="memory"`).

    All run the same jobs. `check` verifies the emulation's rules, and raises CheckFailed.
    """
    scenario = _scenario(scenario_file, parameters)
    runs = compare_all(scenario, check=check, journal_level="protocol", observed=True)
    return Results(scenario, runs)


@dataclass(frozen=True)
class RecordedRun(Tables):
    """One run's journal: its tables (`.jobs`, `.messages`, …), pictures and page."""

    recording: Recording

    @property
    def records(self) -> pd.DataFrame:
        """The journal: one row for each record, with the fields of `core/journal/kinds.py`."""
        return self.recording.records

    def draw(
        self,
        kind: str = "sequence",
        *,
        job: int | None = None,
        window: str | tuple[float | None, float | None] | None = None,
        nodes: Sequence[int] = (),
        messages: Sequence[str] = (),
        against: "RecordedRun | None" = None,
        hops: bool = False,
        page: int | None = None,
        count: bool = False,
    ) -> "Figure":
        """A picture of `run.py view --kind`, as a figure of Matplotlib.

        `window` is (from, to) in s, "busiest" or "job:4639". `nodes` and `messages` (kinds) select
        a part. `against` adds another run (why, gantt). `hops` is for a sequence, `page` for a
        further page, `count` for traffic in messages. Raises InputError for a bad option.
        """
        from model.views.show import figure_of

        name, times = (window, None) if isinstance(window, str) else (None, window)
        from_s, to_s = times or (None, None)
        selection = Selection(job, from_s, to_s, tuple(nodes), tuple(messages), name)
        other = None if against is None else against.recording
        options = {"hops": hops, "page": page, "count": count}
        return figure_of(kind, self.recording, selection, against=other, **options)

    def page(self, against: "RecordedRun | None" = None) -> "Page":
        """The interactive page of this run; `against` is a second run beside it."""
        others = [] if against is None else [against.recording]
        return Page.of([self.recording, *others])

    def __repr__(self) -> str:
        return f"{self.recording.design}: a journal of {len(self.records):,} records"


@validate_call
def record(
    design: str = "MAN",
    scenario_file: Path | str | None = None,
    *,
    level: Level = "protocol",
    **parameters: object,
) -> RecordedRun:
    """Run one design, or a policy of load sharing, and keep its journal in memory.

    The level "protocol" leaves out pages, hops and barriers; "all" keeps them.
    """
    scenario = _scenario(scenario_file, parameters)
    return RecordedRun(record_run(scenario, design, level))


class Journal(dict[str, RecordedRun]):
    """The runs of a journal file, by the names of their designs."""

    def page(self) -> "Page":
        """The interactive page of all its runs."""
        return Page.of([run.recording for run in self.values()])


@validate_call
def read(file: Path | str) -> Journal:
    """Read a journal file (`--journal FILE`). Raises InputError if it is none."""
    runs = [RecordedRun(recording) for recording in read_recordings(Path(file))]
    return Journal((run.recording.design, run) for run in runs)


@dataclass(frozen=True)
class Page:
    """An interactive page, which a notebook shows in place."""

    html: str

    @classmethod
    def of(cls, recordings: Sequence[Recording]) -> "Page":
        """The page of these runs."""
        from model.views.page.html import write

        with TemporaryDirectory() as folder:
            file = Path(folder, "page.html")
            write(recordings, Selection(), file)
            return cls(file.read_text("utf-8"))

    def save(self, file: Path | str) -> None:
        """Write the page to one HTML file, which needs no network."""
        from model.core.files import put_in_place
        from model.views.one_file import write_page

        with put_in_place(Path(file)) as place:
            write_page(self.html, place)

    def __repr__(self) -> str:
        return f"A page of {len(self.html):,} characters; save(FILE.html) writes it"

    def _repr_html_(self) -> str:
        style = f"width: 100%; height: {_PAGE_HEIGHT_PX}px; border: 0"
        return f'<iframe style="{style}" srcdoc="{escape(self.html)}"></iframe>'


@dataclass(frozen=True)
class Explored(Tables):
    """The result of a search of all orders of messages; its tables show the path to a failure."""

    setting: "Setting"
    found: "Found"
    effort: "Effort"

    @property
    def holds(self) -> bool | None:
        """True: all rules hold. False: one is broken. None: not all states were seen."""
        if self.found.finding is not None:
            return False
        return True if self.found.whole else None

    @cached_property
    def run(self) -> RecordedRun:
        """The path to the failure, as a journal. Raises InputError if none was found."""
        from model.views.story import recorded_path

        if self.found.finding is None:
            raise InputError("nothing was found, so there is no path to look at")
        _, recording = recorded_path(self.setting, self.found.finding)
        return RecordedRun(recording)

    @property
    def recording(self) -> Recording:  # type: ignore[override]
        """The journal of the path to the failure."""
        return self.run.recording

    @property
    def story(self) -> str:
        """The path to the failure, told step by step, or a line that none was found."""
        from model.terminal.exploring import told_moment
        from model.views.story import tell_steps

        if self.found.finding is None:
            return repr(self)
        steps = tell_steps(self.run.recording)
        if self.moment is None:
            return steps
        return f"{steps}\n\n{told_moment(self.setting, self.found.finding, self.moment)}"

    @cached_property
    def moment(self) -> "Moment | None":
        """The step that doomed the run, what would have saved it, and how likely failure was.

        None if nothing was found, or if there are too many states to know.
        """
        from model.terminal.exploring import moment_of

        finding = self.found.finding
        if finding is None:
            return None
        return moment_of(self.setting, finding, self.found, self.effort)

    @property
    def repairs(self) -> "Repairs | None":
        """What else could happen at such steps, and how many runs that saves; None as above."""
        return None if self.moment is None else self.moment.repairs

    @property
    def growing(self) -> "list[Growth]":
        """Fields of roles that keep growing, so that no number of states ends the search."""
        from model.terminal.exploring import grows_for_ever

        return grows_for_ever(self.found)

    @property
    def causes(self) -> pd.DataFrame:
        """A row for each cause of failure (all of them with `all_rules=True`).

        `dooms` counts the states in which the cause dooms the run (0 if not all were seen); `steps`
        is the length of the path.
        """
        return self._table_of(self.found.findings)

    @property
    def known(self) -> pd.DataFrame:
        """The same of failures that the design's file, or the design `base`, says are known."""
        return self._table_of(self.found.known)

    @staticmethod
    def _table_of(findings: "Sequence[Finding]") -> pd.DataFrame:
        return pd.DataFrame(
            [(it.cause, it.dooms, len(it.path), it.complaint) for it in findings],
            columns=["cause", "dooms", "steps", "complaint"],
        )

    @property
    def most_asked(self) -> float | None:
        """How often a server is asked on one path, at most; None if not all states were seen."""
        from model.pnr.explore.reach import most_asked

        whole = self.found.search if self.found.whole else None
        return None if whole is None else most_asked(whole)

    def __repr__(self) -> str:
        found, name = self.found, self.setting.design.name
        if found.finding is not None:
            return f"{name}: {found.finding.complaint}, after {len(found.finding.path)} steps"
        seen = "all" if found.whole else "NOT all"
        return f"{name}: nothing found; {seen} states seen, {found.states:,} of them"


@validate_call
def explore(
    design: str,
    *,
    states: States = 1_000_000,
    all_rules: bool = False,
    base: str | None = None,
    keep: Path | str | None = None,
    **setting: Any,
) -> Explored:
    """Search all orders of messages and faults for a rule that a design breaks.

    The search ends after `states` states. `all_rules` goes on after a finding. Failures that the
    design `base` has, too, are left out. The file `keep` keeps the search, which goes on when it
    is given again. `setting` has fields of `pnr/explore/setting.py`: `nodes`, `jobs`, `losses`,
    `crashes`, ….
    """
    from model.pnr.explore.keeping import Keeper
    from model.pnr.explore.setting import Setting
    from model.terminal.exploring import Effort, causes_under, rules_named

    of = Setting(design, **setting)
    if of.left_out:
        of = replace(of, left_out=rules_named("--left-out", of, of.left_out))
    effort = Effort(depth=None, states=states, memory_gb=8, walks=None, quiet=True)
    known = {} if base is None else causes_under(replace(of, declared=base), effort)
    keeper = None if keep is None else Keeper(Path(keep), of)
    found = effort.on(of, all_rules, known, keeper=keeper)
    if keeper is not None and keeper.problem is not None:
        warn(keeper.problem, stacklevel=4)
    return Explored(of, found, effort)


def _scenario(file: Path | str | None, parameters: Mapping[str, object]) -> BaseScenario:
    """The scenario that is asked for; warns if memory cannot be short there."""
    scenario = make_any_scenario(None if file is None else Path(file), **parameters)
    if line := if_plentiful([comparison_of(scenario)]):
        warn(line.removeprefix("note: "), stacklevel=5)  # past what checks the call
    return scenario
