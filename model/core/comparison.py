"""A comparison: designs or policies that run one after another on the same jobs."""

from abc import ABC, abstractmethod
from collections.abc import Callable, Hashable, Iterator, Mapping, Sequence
from dataclasses import replace
from functools import cached_property
from typing import Any, ClassVar, Generic, Protocol, TypeVar

import pandas as pd

from agents.interfaces import BaseConstants
from model.core.checks import Checker
from model.core.emulation import Emulation, Loaded, Progress, Readers
from model.core.journal.kinds import Record
from model.core.measures import Measure, is_beyond, means_over, without_numbers
from model.core.names import is_file_name
from model.core.network import load_network
from model.core.result import RunResult
from model.core.scenario import BaseScenario
from model.core.topology import as_text
from model.ground.errors import InputError

C = TypeVar("C", covariant=True)  # a contestant: a design or a policy


class Observer(Protocol):
    """A reader of a run's journal that measures something."""

    def read(self, record: Record) -> None:
        """Take in the next record."""

    def measures(self, end_ns: int) -> Mapping[str, object]:
        """What it has measured of a run that has ended then, for the summary."""


class Comparison(ABC, Generic[C]):
    """A scenario whose network, jobs and designs (or policies) are loaded once, when first needed.

    Loading may raise InputError. Each system derives its own class, which has what there is to
    compare and how it is emulated, checked and measured.
    """

    #: What a sweep stores of each job besides its number and response time: whole numbers by name.
    kept: ClassVar[Mapping[str, Callable[[Any], int]]]
    #: The registry of what is measured.
    measures: ClassVar[Sequence[Measure]]

    def __init__(self, scenario: BaseScenario, workload: Sequence[object] | None = None) -> None:
        """`workload` replaces the scenario's jobs by others, in the order of arrival."""
        self.scenario = scenario
        self._workload = workload

    @cached_property
    def constants(self) -> BaseConstants:
        """The scenario's constants, in ns and bytes."""
        return self.load_constants()

    @cached_property
    def loaded(self) -> Loaded:
        """Everything that is the same for every run."""
        graph = load_network(self.scenario, self.constants)
        jobs = self.load_workload() if self._workload is None else self._workload
        return Loaded(self.constants, graph, jobs)

    @cached_property
    def contestants(self) -> dict[str, C]:
        """What is compared, by its name in results, in the order of running."""
        found: dict[str, C] = {}
        for declared in self.scenario.compared:
            name, contestant = self.load_contestant(declared)
            if name in found:
                raise InputError(
                    f"--{self.scenario.compares}: {name} is listed twice; "
                    f"list each {self.scenario.noun} once"
                )
            found[name] = contestant
        return found

    def validate(self) -> None:
        """Load everything; raises InputError, before anything runs, if any part is invalid."""
        _ = self.contestants, self.loaded

    def remark(self) -> str:
        """What a person should know of network and jobs before they run; "" if nothing."""
        return str(self.loaded.graph.graph.get("remark", ""))

    def parts(self) -> list[tuple[Hashable, Callable[[], object]]]:
        """What to validate before a sweep, each part with a key: those of one key are alike."""
        own = (type(self.scenario), self.scenario.compared, self.scenario.nodes)
        return [(own, lambda: self.contestants), (self.workload_key, lambda: self.loaded)]

    def managers(self, name: str) -> tuple[int, ...]:
        """The nodes that manage under this contestant."""
        return ()

    @property
    def own_network(self) -> str | None:
        """The network as a text, if a file of the user's makes it; a journal keeps it then."""
        own = is_file_name(self.scenario.topology)
        return as_text(self.loaded.graph) if own else None

    @property
    def workload_key(self) -> Hashable:
        """What decides its jobs, but for chance: those of one key are about the same."""
        return self.scenario.comparing().model_copy(update={"seed": 0})

    @abstractmethod
    def expected_s(self, name: str) -> float:
        """How long a run of one contestant takes on one core, estimated before it runs."""

    @abstractmethod
    def identity_of(self, declared: str) -> str:
        """A text of everything that decides how a contestant behaves and what it is called."""

    @abstractmethod
    def load_constants(self) -> BaseConstants:
        """The scenario's constants, in ns and bytes."""

    @abstractmethod
    def load_workload(self) -> Sequence[object]:
        """The jobs in the order of arrival."""

    @abstractmethod
    def load_contestant(self, declared: str) -> tuple[str, C]:
        """The name in results, and the design or policy that is declared by name or as a file."""

    @abstractmethod
    def emulation(
        self, name: str, readers: Readers = (), journal_level: str = "all", plane: str = "auto"
    ) -> Emulation:
        """The emulation of one contestant, ready to run."""

    @abstractmethod
    def checker(self) -> Checker:
        """A checker of a run's rules."""

    def observer(self) -> Observer | None:
        """What takes further measures of a run from its journal, if the system has any."""
        return None

    @abstractmethod
    def measure(self, emulation: Emulation) -> RunResult:
        """The tables of a run that has ended."""

    def measured(self, emulation: Emulation, observer: Observer | None) -> RunResult:
        """The same, with what an observer has measured, of which a run given up has no numbers."""
        result = self.measure(emulation)
        if observer is None:
            return result
        measures = dict(observer.measures(emulation.clock.now_ns))
        if emulation.beyond:
            measures = without_numbers(measures)
        return replace(result, summary=result.summary | measures)

    @abstractmethod
    def ended(self, jobs: pd.DataFrame) -> pd.DataFrame:
        """Of a run's table of jobs, those that came to their end."""

    def compared(self, results: Sequence[RunResult]) -> list[RunResult]:
        """The results of runs, with means over the jobs that ended in all of them.

        Where some jobs did not, `jobs_compared` is how many did, and `over_all_ended` has the
        means over all jobs that ended in the run itself, which are not to be compared. Otherwise
        the means stay as they are. A run in which no job ended has no means, and does not count,
        nor does one that was given up.
        """
        numbers = [
            set(self.ended(result.jobs)["job"])
            for result in results
            if not is_beyond(result.summary)
        ]
        common = set.intersection(*filter(None, numbers)) if any(numbers) else set()
        if all(own == common for own in numbers):
            return [*results]
        return [it if is_beyond(it.summary) else self._over(common, it) for it in results]

    def _over(self, common: set[int], result: RunResult) -> RunResult:
        """The result with means over these jobs."""
        ended = self.ended(result.jobs)
        means = means_over(self.measures, ended[ended["job"].isin(common)])
        of_all = means_over(self.measures, ended)
        beside = {"jobs_compared": len(common), "over_all_ended": of_all}
        return replace(result, summary={**result.summary, **means, **beside})

    def run(
        self,
        name: str,
        *,
        readers: Readers = (),
        journal_level: str = "all",
        plane: str = "auto",
        check: bool = False,
        progress: Progress | None = None,
    ) -> Emulation:
        """Run one contestant to its end; `check` verifies the rules of the emulation on the way."""
        checker = self.checker()
        if check:
            readers = (*readers, checker.read)
        emulation = self.emulation(name, readers, journal_level, plane)
        if check:
            checker.watch(emulation)
        with emulation.blaming():
            emulation.run(progress)
            if check:
                checker.finish()
        return emulation

    def results(
        self,
        *,
        readers: Callable[[str], Readers] = lambda name: (),
        **options: Any,
    ) -> Iterator[RunResult]:
        """Run all contestants one after another; yields each result as soon as its run has ended.

        When all have, `compared` makes their means those of the same jobs.

        `readers` is called with a contestant's name when its run begins, and returns the readers of
        its journal. Further options are those of `result`.
        """
        for name in self.contestants:
            yield self.result(name, readers=readers(name), **options)

    def result(
        self, name: str, *, readers: Readers = (), observed: bool = False, **options: Any
    ) -> RunResult:
        """Run one contestant, with options as `run` has them; returns what it measured.

        `observed` adds the measures that are taken from the journal.
        """
        observer = self.observer() if observed else None
        reading = () if observer is None else (observer.read,)
        emulation = self.run(name, readers=(*readers, *reading), **options)
        return self.measured(emulation, observer)
