"""What an emulation predicted of live runs, and what was measured: a page, and tables."""

from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass
from math import isnan, nan
from pathlib import Path

from model.core.files import put_in_place
from model.core.measures import Measure, of_topic
from model.core.result import RunResult
from model.ground.errors import InputError
from model.live.comparison import LiveComparison
from model.live.head import LiveSettings
from model.live.scaling import ScaledComparison
from model.pnr.measures import MEASURES, TIME
from model.pnr.scenario import Scenario, make_scenario
from model.report.measures import NONE, Row
from model.report.page import styled
from model.sweeps.statistics import Estimate, estimate
from model.views import one_file

#: What a calibration says of the network; the scenario's disk is added to what it says of that.
_NETWORK = ("topology", "duplex", "switch_us", "page_exchange", "latency_ns", "bandwidth_mbps")
_OF_PAGES = ("faults_disk", "faults_network", "faults.leaked_mb")
_NAMED = {measure.name: measure for measure in MEASURES}


@dataclass(frozen=True)
class Compared:
    """One number, as it was predicted and measured."""

    what: str
    predicted: float
    measured: Estimate

    @property
    def difference_pct(self) -> float | None:
        """By how many percent more was measured than predicted; None if one is nothing."""
        known = self.predicted and not isnan(self.predicted + self.measured.mean)
        return 100 * (self.measured.mean / self.predicted - 1) if known else None

    def shown(self, digits: int) -> list[str]:
        """What was predicted, what was measured with its interval, and the difference."""
        half, difference = self.measured.half_width, self.difference_pct
        interval = "" if isnan(half) else f" ± {half:,.{digits}f}"
        predicted, measured = (
            NONE if isnan(number) else f"{number:,.{digits}f}"
            for number in (self.predicted, self.measured.mean)
        )
        return [
            predicted,
            measured + interval,
            NONE if difference is None else f"{difference:+.1f} %",
        ]


@dataclass(frozen=True)
class Prediction:
    """The runs of one design: one in an emulation, some for real."""

    design: str
    emulated: RunResult
    live: Sequence[RunResult]

    def of(self, measure: Measure, absent: float | None = None) -> Compared:
        """A measure of their summaries; where one has none, it is `absent`, or does not count."""
        values = [measure.shown(result.summary) for result in (self.emulated, *self.live)]
        predicted, *known = [absent if value is None else value for value in values]
        measured = estimate([value for value in known if value is not None])
        return Compared(measure.heading, nan if predicted is None else predicted, measured)

    @property
    def response(self) -> Compared:
        """The mean response time, s."""
        return self.of(_NAMED["mean_response_s"])

    def jobs(self) -> Iterator[Compared]:
        """The response time of each job that ended, s."""
        tables = [result.jobs.set_index("job")["response_s"] for result in self.live]
        for job, predicted_s in self.emulated.jobs.set_index("job")["response_s"].items():
            times_s = [table[job] for table in tables if job in table.index]
            yield Compared(f"job {job}", float(predicted_s), estimate(times_s))

    def parts(self) -> list[Compared]:
        """Where the time of jobs went: s, means over jobs."""
        parts = of_topic(MEASURES, TIME, [self.emulated.summary])
        return _not_always_0(map(self.of, parts))

    def kinds(self) -> list[Compared]:
        """Messages between nodes, by kind."""
        every = [self.emulated, *self.live]
        names = dict.fromkeys(kind for result in every for kind in result.summary["messages"])
        return _not_always_0(self.of(Measure(f"messages.{name}", name), absent=0) for name in names)

    def pages(self) -> list[Compared]:
        """Page faults, and memory that is lent at the end, MB: none where there are no faults."""
        return [self.of(_NAMED[name], absent=0) for name in _OF_PAGES]

    def tables(self) -> Iterator[tuple[str, list[Row]]]:
        """The tables of the design, by their captions."""
        for caption, digits, rows in (
            ("Where the time of jobs went", 3, self.parts()),
            ("Page faults, and memory still lent at the end", 1, self.pages()),
            ("Messages between nodes, by kind", 1, self.kinds()),
            ("Response time by job", 3, self.jobs()),
        ):
            yield caption, [(row.what, row.shown(digits)) for row in rows]


def _not_always_0(numbers: Iterable[Compared]) -> list[Compared]:
    return [one for one in numbers if one.predicted or one.measured.mean]


def predict(
    scenario: Scenario,
    settings: LiveSettings,
    machine: Path,
    runs: int,
    check: bool,
    say: Callable[[str], None],
) -> list[Prediction]:
    """Emulate each design, and run it so many times for real; `check` checks both.

    Raises InputError.
    """
    live = LiveComparison(scenario, settings)
    emulated = ScaledComparison(on_machine(scenario, machine), settings.time_scale)
    for comparison in (live, emulated):
        comparison.validate()
    found = []
    for name in live.contestants:
        say(f"{name}: emulating")
        prediction = emulated.measure(emulated.run(name, check=check))
        results = []
        for run in range(1, runs + 1):
            say(f"{name}: run {run} of {runs}")
            results.append(live.measure(live.run(name, check=check)))
        found.append(Prediction(name, prediction, results))
    return found


def on_machine(scenario: Scenario, machine: Path) -> Scenario:
    """The scenario on the network of a calibrated machine, whose disk takes so much longer."""
    measured = make_scenario(machine)
    stated = measured.model_fields_set
    missing = [name for name in (*_NETWORK, "seek_ms") if name not in stated]
    if missing:
        raise InputError(
            f"--against {machine}: {missing[0]} is missing; "
            "give a file that run.py live --calibrate has written"
        )
    network = {name: getattr(measured, name) for name in _NETWORK}
    return scenario.model_copy(update=network | {"seek_ms": scenario.seek_ms + measured.seek_ms})


def write_predictions(
    found: Sequence[Prediction], scenario: Scenario, machine: Path, file: Path
) -> None:
    """Write the page; raises InputError if it cannot be written."""
    lines = machine.read_text(encoding="utf-8").splitlines()
    page = styled(
        "predictions.html",
        designs=found,
        columns=["", "predicted", "measured", "difference"],
        responses=[(one.design, one.response.shown(3)) for one in found],
        calibration=[line.strip("# ") for line in lines if line.startswith("#")],
        nodes=scenario.nodes,
        runs=len(found[0].live),
    )
    with put_in_place(file) as place:
        one_file.write_page(page, place)
