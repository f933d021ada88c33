"""What pages are sent of a session: rows of the journal that they lack, and a few lines."""

from array import array
from bisect import bisect_right
from collections.abc import Sequence
from functools import partial
from typing import Any

from model.core.journal import words
from model.core.journal.kinds import Crashed, Lost, Restarted, Switch
from model.core.journal.past import (
    ENDED,
    FAILED,
    GRANT,
    HELD,
    KILLED,
    MOVING,
    QUEUED,
    RUNNING,
    SWITCHED_OUT,
    Past,
)
from model.core.scenario import BaseScenario
from model.dashboard.controls import FAULTS, form, names_on_offer
from model.dashboard.goals import GOALS, arrival_of
from model.dashboard.session import Run, Session
from model.dashboard.sources import Recorded
from model.ground.units import seconds
from model.systems import comparison_of
from model.views.page.layout import Layout
from model.views.page.packing import pack
from model.views.page.tables import RISING, Codes, Seen, Tables, about_run
from model.views.recording import Recording
from model.views.style import in_order


class Reader:
    """What one page has: of each run, which making of its tables, and how much of these."""

    def __init__(self) -> None:
        self.seen: list[tuple[int, Seen]] = []  # nothing of a session that it has not seen yet


class Feed:
    """The tables of a session's runs, as far as these are known."""

    def __init__(self, session: Session) -> None:
        self.session = session
        constants = comparison_of(session.scenario).constants
        self._layout = Layout(session.scenario, session.runs[0].source.network)
        likeness = Codes()
        self._runs = [
            _RunOfPages(run, session.scenario, constants, likeness, self._layout)
            for run in session.runs
        ]

    def _stage(self) -> dict[str, object]:
        """What a page gets once: what is watched, and what may be changed of it."""
        session = self.session
        scenario = session.scenario
        replay = isinstance(session.runs[0].source, Recorded)
        return {
            "names": [run.source.name for run in session.runs],
            "runs": [its.about for its in self._runs],
            "replay": replay,
            "form": form(scenario),
            "offer": _names(session.origin, scenario),
            "noun": scenario.noun,
            "faults": None if replay else faults_of(scenario),
        }

    def moment(self, reader: Reader) -> dict[str, object]:
        """The moment that is shown, and the rows that a page lacks, which it has then."""
        session = self.session
        for its in self._runs:
            its.catch_up()
        stage = {} if reader.seen else {"stage": self._stage()}
        before = reader.seen or [(-1, Seen())] * len(self._runs)
        found = [its.after(*seen) for its, seen in zip(self._runs, before, strict=True)]
        reader.seen = [seen for _, seen in found]
        return stage | {
            "at_ns": session.at_ns,
            "from_ns": session.from_ns,
            "known_ns": session.known_ns,
            "is_over": session.has_ended,
            "goals": goals_of(session),
            "runs": [part for part, _ in found],
        }


class _RunOfPages:
    """One run's tables, and the number of the record with which each item began."""

    def __init__(
        self,
        run: Run,
        scenario: BaseScenario,
        constants: object,
        likeness: Codes,
        layout: Layout,
    ) -> None:
        self.run = run
        whole = not run.source.is_part
        self._make = partial(Tables, scenario, constants, likeness, layout, whole)
        self._making = 0  # they are made anew when pages and barriers have been forgotten
        self._begin()
        source = run.source
        self.about = about_run(scenario, source.name, source.managers, self._tables, layout) | {
            "caption": source.caption,
            "finding": None,
            "every_hop": source.every_hop,
            "ways": [],
        }

    def _begin(self) -> None:
        self._tables = self._make()
        self._read = 0  # records, by number
        self._began = array("q")
        self._complete_from_ns = self.run.history.complete_from_ns

    def catch_up(self) -> None:
        """Read what has become known."""
        history = self.run.history
        if history.complete_from_ns != self._complete_from_ns:
            self._making += 1
            self._begin()
        for place in range(history.place(self._read), len(history.records)):
            self._tables.read(history.records[place])
            if self._tables.items > len(self._began):
                self._began.append(history.numbers[place])
        self._read = history.read_count
        self._tables.reach(history.known_ns)

    def after(self, making: int, seen: Seen) -> tuple[dict[str, Any], tuple[int, Seen]]:
        """What a page lacks that has seen so much, and what it has then."""
        run, history = self.run, self.run.history
        is_anew = making != self._making
        part = self._tables.after(
            Seen() if is_anew else seen, has_ended=run.source.next_ns() is None
        )
        missing_s = seconds(history.complete_from_ns)
        sent = {
            "state": state_line(run.state),
            "complaint": run.source.complaint or "",
            "missing": f"hops, pages and barriers before {missing_s:,.3f} s are not kept"
            if missing_s
            else "",
            "shown": bisect_right(self._began, run.shown),
            "reset": is_anew,
            "about": part.about,
            **pack(part.tables, part.texts, RISING),
        }
        return sent, (self._making, part.seen)


def goals_of(session: Session) -> list[str]:
    """How far a step may go."""
    kinds = in_order(kind for run in session.runs for kind in run.kinds)
    return [*GOALS, *map(arrival_of, kinds)]


def faults_of(scenario: BaseScenario) -> dict[str, object] | None:
    """The tables of faults, and a sentence for each; None where there are none to have."""
    if FAULTS not in type(scenario).model_fields:
        return None
    tables = [
        table.model_dump(mode="json", exclude_defaults=True)
        for table in getattr(scenario, FAULTS) or ()
    ]
    return {"tables": tables, "sentences": [_of_fault(table) for table in tables]}


def _of_fault(table: dict[str, Any]) -> str:
    """A fault in a few words."""
    parts = [f"{table['kind']}:"]
    parts += [", ".join(table["messages"])] if "messages" in table else []
    parts += ["node " + ", ".join(map(str, table["nodes"]))] if "nodes" in table else []
    parts += [f"from {table['from_s']:,.12g} s"] if "from_s" in table else []
    return " ".join(parts)


def state_line(past: Past) -> str:
    """How many jobs and messages there are, in a line."""
    states = [job.state for job in past.jobs.values()]
    counts = {
        "run or move": sum(it in (RUNNING, MOVING) for it in states),
        "wait for a grant": states.count(GRANT),
        "switched out": states.count(SWITCHED_OUT),
        "queued": sum(it in (QUEUED, HELD) for it in states),
        ENDED: states.count(ENDED),
        FAILED: states.count(FAILED),
        KILLED: states.count(KILLED),
    }
    jobs = [f"{count:,} {what}" for what, count in counts.items() if count or what == ENDED]
    others = [words.count(len(past.under_way), "message") + " on the way"]
    for kind, noun, rest in (
        (Switch, "context switch", ""),
        (Lost, "message", " lost"),
        (Restarted, "restart", ""),
    ):
        if past.counts[kind.name]:
            others.append(words.count(past.counts[kind.name], noun) + rest)
    if past.counts[Crashed.name] or any(node.down for node in past.nodes):
        others.append(words.count(sum(bool(node.down) for node in past.nodes), "node") + " down")
    return f"jobs: {', '.join(jobs)}; {'; '.join(others)}"


def _names(origin: BaseScenario | Sequence[Recording], scenario: BaseScenario) -> list[str]:
    """Designs or policies to choose from."""
    if isinstance(origin, BaseScenario):
        return names_on_offer(scenario)
    return [recording.design for recording in origin]
