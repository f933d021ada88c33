"""What is watched: one run or two on the same jobs, at one moment of them, forwards and backwards.

The runs go on only as far as they are looked at; what has been seen of them stays, so that going
back needs no new run. A step that leads far is done in slices, between which the page is answered.
"""

import math
from collections.abc import Callable, Sequence
from functools import partial
from pathlib import Path
from time import perf_counter

from model.core.journal.kinds import Record
from model.core.journal.past import Past
from model.core.scenario import BaseScenario
from model.core.topology import are_alike
from model.dashboard.goals import SPANS_S, Wanted, wanted
from model.dashboard.history import History
from model.dashboard.sources import Recorded, Running, Source
from model.ground.errors import InputError
from model.ground.units import NS_PER_S
from model.views.recording import Recording, read_recordings

_EVENTS_BETWEEN_LOOKS = 50  # at the clock on the wall
_SLICE_S = 0.2  # of real time

Origin = BaseScenario | Sequence[Recording]  # a scenario to run, or a journal's runs


class Run:
    """One run, as far as it is known, and the place in it that is shown."""

    def __init__(
        self, make: Callable[[Callable[[Record], None]], Source], scenario: BaseScenario
    ) -> None:
        self.history = History(scenario.nodes)
        self.source = make(self.history.read)
        self.shown = 0  # the number of the last record that is shown
        self.found: Record | None = None  # where the step has led to, if it looked for something
        self._looked = 0  # up to which record the step has looked
        self._found_number = 0

    def start_looking(self) -> None:
        """A step begins."""
        self._looked = self.shown
        self.found = None

    def go_to(self, time_ns: int, deadline: float) -> bool:
        """Know all that happens up to a time; False if that takes beyond the deadline."""
        while (next_ns := self.source.next_ns()) is not None and next_ns <= time_ns:
            self.source.go_on()
            if perf_counter() > deadline:
                return False
        self.history.know(min(time_ns, self._end_ns(time_ns)))
        return True

    @property
    def looks_at_ns(self) -> int | None:
        """The time of what comes next where the step looks; None if nothing does."""
        place = self.history.place(self._looked)
        if place < len(self.history.records):
            return self.history.records[place].time_ns
        return self.source.next_ns()

    def look(self, is_wanted: Wanted) -> None:
        """Look a little farther for a record that is wanted: `found` has it then."""
        history = self.history
        if self._looked >= history.read_count:
            for _ in range(_EVENTS_BETWEEN_LOOKS):
                self.source.go_on()
                if history.read_count > self._looked or self.source.next_ns() is None:
                    break
        for place in range(history.place(self._looked), len(history.records)):
            if is_wanted(history.records[place]):
                self.found = history.records[place]
                self._found_number = history.numbers[place]
                return
        self._looked = history.read_count

    def show(self, time_ns: int) -> None:
        """Show what the step has found, if that is not later, or else all up to a time."""
        if self.found is not None and self.found.time_ns == time_ns:
            self.shown = self._found_number
        else:
            self.found = None
            self.shown = max(self.shown, self.history.at_time(time_ns))

    def jump(self, number: int) -> None:
        """Show the run after the record with this number."""
        self.shown = number
        self.found = None

    @property
    def has_ended(self) -> bool:
        """Whether nothing happens any more behind what is shown."""
        return self.source.next_ns() is None and self.shown >= self.history.read_count

    @property
    def state(self) -> Past:
        """The cluster as it is shown."""
        return self.history.state(self.shown)

    @property
    def kinds(self) -> tuple[str, ...]:
        """The kinds of its messages, as far as they are known."""
        return *self.source.kinds, *self.history.kinds

    def _end_ns(self, time_ns: int) -> int:
        """A time up to which anything can be known."""
        if self.source.next_ns() is not None:
            return time_ns
        return self.source.last_ns or self.history.known_ns


class Session:
    """One or two runs at one moment; raises InputError for what cannot be run or is not there."""

    def __init__(self, origin: Origin, first: str, second: str | None = None) -> None:
        self.origin = origin
        names = [first, *([second] if second else [])]
        self.runs = [self._run(name) for name in names]
        self.scenario = self.runs[0].source.scenario
        called = [run.source.name for run in self.runs]
        if len({*called}) < len(called):
            raise InputError(f"{called[0]} is shown already; put another one beside it")
        self.at_ns = 0
        self.from_ns = 0  # where the last step began

    def _run(self, name: str) -> Run:
        if isinstance(self.origin, BaseScenario):
            scenario = self.origin
            return Run(partial(Running, scenario, name), scenario)
        for recording in self.origin:
            if are_alike(recording.design, name):
                return Run(partial(Recorded, recording), recording.scenario)
        known = ", ".join(recording.design for recording in self.origin)
        raise InputError(f"{name}: the journal has {known}")

    @property
    def known_ns(self) -> int:
        """How far the time line goes: to the journal's end, or as far as the run has gone."""
        return max(self.at_ns, self._last_ns)

    @property
    def _last_ns(self) -> int:
        """The last time of which anything is known."""
        return max(run.source.last_ns or run.history.known_ns for run in self.runs)

    @property
    def has_ended(self) -> bool:
        """Whether nothing happens any more in any run."""
        return all(run.has_ended for run in self.runs)

    def begin_step(self) -> None:
        """A step begins where all are."""
        self.from_ns = self.at_ns
        for run in self.runs:
            run.start_looking()

    def step(self, goal: str) -> bool:
        """Go on with the step for a fifth of a second; returns whether it is done."""
        deadline = perf_counter() + _SLICE_S
        if goal in SPANS_S:
            return self._go_to(self.from_ns + round(SPANS_S[goal] * NS_PER_S), deadline)
        if not self._look(wanted(goal), deadline):
            return False
        found = [run.found.time_ns for run in self.runs if run.found is not None]
        if not found:  # there is no more of it: to the end
            return self._go_to(max(run.history.known_ns for run in self.runs), deadline)
        return self._go_to(min(found), deadline)

    def _look(self, is_wanted: Wanted, deadline: float) -> bool:
        """Look in all runs for the first record that is wanted, at about the same time of each."""
        while True:
            found = [run.found.time_ns for run in self.runs if run.found is not None]
            until_ns = min(found, default=math.inf)
            looking = [
                (at_ns, place)
                for place, run in enumerate(self.runs)
                if run.found is None
                and (at_ns := run.looks_at_ns) is not None
                and at_ns <= until_ns
            ]
            if not looking:
                return True
            if perf_counter() > deadline:
                return False
            self.runs[min(looking)[1]].look(is_wanted)

    def _go_to(self, time_ns: int, deadline: float) -> bool:
        if not self._know(time_ns, deadline):
            return False
        if all(run.source.next_ns() is None for run in self.runs):
            last_ns = max(run.history.known_ns for run in self.runs)
            time_ns = max(self.from_ns, min(time_ns, last_ns))
        for run in self.runs:
            run.show(time_ns)
        self.at_ns = time_ns
        return True

    def _know(self, time_ns: int, deadline: float) -> bool:
        """Let all runs go on up to a time; each gets its turn even beyond the deadline."""
        known = [run.go_to(time_ns, deadline) for run in self.runs]
        return all(known)

    def seek(self, time_ns: int) -> bool:
        """Show all runs at a time, or go on towards it for a while; returns whether it is done."""
        deadline = perf_counter() + _SLICE_S
        if not self._know(time_ns, deadline):
            return False
        if all(run.source.next_ns() is None for run in self.runs):
            time_ns = min(time_ns, self._last_ns)
        self._jump(time_ns)
        return True

    def back(self, goal: str) -> None:
        """Go back by a span of time, or to the last record that was wanted before this one."""
        if goal in SPANS_S:
            self._jump(max(0, self.at_ns - round(SPANS_S[goal] * NS_PER_S)))
            return
        is_wanted = wanted(goal)
        found: list[tuple[int, Run, int]] = []
        for run in self.runs:
            history = run.history
            for place in reversed(range(history.place(run.shown - 1))):
                if is_wanted(history.records[place]):
                    found.append((history.records[place].time_ns, run, history.numbers[place]))
                    break
        if not found:
            self._jump(0)
            return
        last_ns = max(time_ns for time_ns, _, _ in found)
        self._jump(last_ns)
        for time_ns, run, number in found:
            if time_ns == last_ns:
                run.jump(number)

    def _jump(self, time_ns: int) -> None:
        self.at_ns = self.from_ns = time_ns
        for run in self.runs:
            run.jump(run.history.at_time(time_ns) if time_ns else 0)


def default_name(origin: Origin) -> str:
    """What a page shows first: MAN, if there, or else what is declared first."""
    if isinstance(origin, BaseScenario):
        names = list(origin.compared)
    else:
        names = [recording.design for recording in origin]
    return "MAN" if "MAN" in names else names[0]


def recordings(path: Path) -> list[Recording]:
    """The runs of a journal; raises InputError if it cannot be read or holds none."""
    found = read_recordings(path)
    if not found:
        raise InputError(f"{path}: an empty journal; give one of a run")
    return found
