"""A sweep as a person at a terminal sees it: what there is to do, progress, failures."""

import json
import os
import sys
from collections.abc import Iterable, Mapping
from contextlib import closing
from datetime import timedelta
from pathlib import Path
from time import monotonic
from typing import Self

from rich.progress import BarColumn, MofNCompleteColumn, TextColumn

from model.core.measures import Table
from model.ground.errors import InputError
from model.ground.text import escaped
from model.papers.study import study_of_sweep
from model.sweeps.durations import Durations
from model.sweeps.execution import DaskCluster, Failure, LocalProcesses, store_outcomes
from model.sweeps.replication import check_half_width, further_runs
from model.sweeps.results import current_versions
from model.sweeps.store import Result, Store
from model.sweeps.sweep import Run, Sweep, load_sweep
from model.systems import comparison_of
from model.terminal.commands.sweep import Sweep as Asked
from model.terminal.comparison import say_remarks, takes_compiled
from model.terminal.ending import INTERRUPTED
from model.terminal.plain import say_error, warn
from model.terminal.printing import print_table
from model.terminal.progress import Shown, said_if_slow


def run_sweep(asked: Asked) -> int:
    """Do the runs of a sweep that are not stored yet; see `run.py sweep --help`.

    With a half width, rounds of further seeds follow (`further_runs`), each reported like a sweep.
    Returns the exit status: 1 if a run failed or the sweep could not go on.
    """
    workers, half_width_pct = asked.workers or os.cpu_count() or 1, asked.half_width_pct
    sweep = load_sweep(str(asked.name))
    runs = sweep.select(asked.part or [], asked.where or [])
    if asked.missing:
        declared = len(runs)
        runs = _not_bundled(str(asked.name), runs, half_width_pct)
        if not runs:
            print(f"results of all {declared:,} runs come with the code", file=sys.stderr)
            return 0
    if half_width_pct is not None:
        check_half_width(runs, half_width_pct)
    store = Store(asked.out or Path("results") / sweep.name)
    stored = _stored(store, runs)
    left = [run for run in runs if run.key not in stored]
    sweep.check(left)
    if asked.dry_run:
        if asked.json_lines or not asked.quiet:
            _print_plan(sweep, runs, stored, workers, asked.json_lines)
        return 0
    comparisons = [comparison_of(run.scenario) for run in left]
    say_remarks(*comparisons, quiet=asked.quiet or asked.json_lines)
    failed = 0
    with store.writing():
        compiled = next((run.scenario for run in left if run.scenario.has_planes), None)
        if compiled is not None and not (asked.quiet or asked.json_lines or asked.dask):
            takes_compiled(compiled, "auto", every_hop=False, quiet=False)
        while True:
            place = LocalProcesses(workers) if asked.dask is None else DaskCluster(asked.dask)
            durations = _estimated(runs, stored)
            left_s = {run.key: durations.of(run) for run in left}
            report = _Report(len(runs), len(stored), left_s, place, asked.quiet, asked.json_lines)
            stop = _carry_out(left, place, store, report)
            failed += report.failed
            if stop is not None or half_width_pct is None:
                break
            stored |= _stored(store, left)
            further = further_runs(runs, stored, half_width_pct, asked.most)
            if not further:
                if further_runs(runs, stored, half_width_pct, most=sys.maxsize):
                    warn(
                        f"with {asked.most} seeds, some differences from DP are not known to "
                        f"within ± {half_width_pct:g} %; raise --most for more seeds"
                    )
                break
            runs += further
            stored |= _stored(store, further)
            left = [run for run in further if run.key not in stored]
    state = f"{report.done:,} of {len(runs):,} runs are in {store.folder}"
    if failed:
        state += f", {failed} failed (run.py results {store.folder} --failures says why)"
    if stop is not None:
        reason, status = stop
        say_error(f"{reason}; {state}; start it again to go on")
        return status
    if not asked.quiet:
        print(escaped(state), file=sys.stderr)
    return 1 if failed else 0


def _not_bundled(name: str, runs: list[Run], half_width_pct: float | None) -> list[Run]:
    """The runs of a paper's sweep whose results do not come with the code; raises InputError."""
    if half_width_pct is not None:
        raise InputError("--missing: leaves out what --half-width compares with; give one of them")
    paper = study_of_sweep(name)
    if paper is None:
        raise InputError(f"--missing: no results of {name} come with the code; leave it out")
    return paper.not_bundled(runs)


def _carry_out(
    runs: list[Run], place: LocalProcesses | DaskCluster, store: Store, report: "_Report"
) -> tuple[str, int] | None:
    """Do the runs and store their results; if it had to stop, returns why and the exit status."""
    try:
        with report, closing(store_outcomes(runs, place, store)) as outcomes:
            for run, outcome in outcomes:
                report.ended(run, outcome)
    except KeyboardInterrupt:
        return "interrupted", INTERRUPTED
    except InputError as error:  # nothing more can be stored, or carried out
        return str(error), 1
    return None


def _stored(store: Store, runs: list[Run]) -> dict[str, Result]:
    """The stored results of these runs, by key; reports damaged ones."""
    keys = {run.key for run in runs}
    found, damaged = store.results(current_versions())
    for key in damaged:
        if key in keys:
            warn(f"{store.file}: the result of run {key} is damaged; it runs again")
    return {result["key"]: result for result in found if result["key"] in keys}


def _estimated(runs: list[Run], stored: dict[str, Result]) -> Durations:
    with said_if_slow(f"estimating the time of {len(runs):,} runs"):
        return Durations(runs, stored)


def _print_plan(
    sweep: Sweep,
    runs: list[Run],
    stored: dict[str, Result],
    workers: int,
    json_lines: bool,
) -> None:
    """Print every run, then how many there are and how long the rest takes."""
    durations = _estimated(runs, stored)
    left_s = {run.key: 0 if run.key in stored else durations.of(run) for run in runs}
    varied = varying(run.parameters for run in runs)
    for run in runs:
        if json_lines:
            parts = [part for part, keys in sweep.parts.items() if run.key in keys]
            line = {"key": run.key, "parts": parts, "stored": run.key in stored}
            estimated_s = round(left_s[run.key], 1)
            _print_json({**line, "estimated_s": estimated_s, "run": run.parameters})
        else:
            state = "stored" if run.key in stored else f"{left_s[run.key]:.0f} s"
            print(f"{state:>7}  {escaped(_stated(run, varied))}")
    if json_lines:
        return
    lines = []
    for part, keys in sweep.parts.items():
        if own := {key: left_s[key] for key in keys if key in left_s}:
            counts = len(own), len(own.keys() & stored.keys())
            lines.append((part, *map(str, counts), f"{sum(own.values()) / 3600:.2f}"))
    print_table(Table(["part"], ["runs", "stored", "left, core hours"], lines))
    hours = sum(left_s.values()) / 3600
    print(
        f"{len(runs):,} runs, {len(stored):,} of them stored. The others take about {hours:.2f} h "
        f"on one core, {hours / workers:.2f} h on {workers}" + ("" if stored else " (estimated)")
    )


def _stated(run: Run, names: Iterable[str]) -> str:
    return " ".join(f"{name}={run.parameters[name]}" for name in names)


def varying(rows: Iterable[Mapping[str, object]]) -> list[str]:
    """The names of the entries that differ between rows, and always that of the design."""
    seen: dict[str, set[str]] = {}
    for row in rows:
        for name, value in row.items():
            seen.setdefault(name, set()).add(str(value))
    return [name for name, values in seen.items() if len(values) > 1 or name == "design"]


class _Report(Shown):
    """Counts runs as they end, and shows a progress bar, lines, JSON lines or nothing."""

    def __init__(
        self,
        total: int,
        done: int,
        left_s: Mapping[str, float],
        place: LocalProcesses | DaskCluster,
        quiet: bool,
        json_lines: bool,
    ) -> None:
        """Take how long each run that is left may take, by key."""
        super().__init__(
            quiet or json_lines,
            TextColumn("{task.description}"),
            BarColumn(),
            MofNCompleteColumn(),
            TextColumn("{task.fields[state]}"),
            description="runs",
            total=total,
            completed=done,
            state="",
        )
        self.done = done
        self.failed = 0
        self._left_s = {**left_s}
        self._estimated_s = sum(left_s.values())
        self._began_s = monotonic()
        self._place = place
        self._json_lines = json_lines

    def __enter__(self) -> Self:
        super().__enter__()
        self._show({"event": "start"})
        return self

    def __exit__(self, *exception: object) -> None:
        super().__exit__(*exception)
        if self._json_lines:
            _print_json({"event": "end", "done": self.done, "failed": self.failed})

    def ended(self, run: Run, outcome: Result | Failure) -> None:
        """Count one more run that is done or has failed."""
        del self._left_s[run.key]
        event = {"event": "done", "key": run.key, "run": run.parameters}
        if isinstance(outcome, Failure):
            self.failed += 1
            event |= {"event": "failed", "error": outcome.error}
            stated = _stated(run, ("design", "nodes", "seed"))
            failed = f"failed: {stated}, {run.key[:8]}: {outcome.error}"
            self._progress.console.print(escaped(failed), soft_wrap=True)
        else:
            self.done += 1
            event |= {"mean_response_s": outcome["summary"]["mean_response_s"]}
            event |= {"took_s": round(outcome["took_s"], 3)}
        self._show(event)

    def _show(self, event: Mapping[str, object]) -> None:
        slots = self._place.slots
        running, left_s = min(len(self._left_s), slots), round(self._time_left_s(slots))
        if self._json_lines:
            counts = {"done": self.done, "running": running, "failed": self.failed}
            _print_json({**event, **counts, "left": len(self._left_s), "left_s": left_s})
            return
        state = f"{running} running, {self.failed} failed, {timedelta(seconds=left_s)} left"
        self.show(f"{self.done} runs done, {state}", completed=self.done, state=state)

    def _time_left_s(self, slots: int) -> float:
        """The time left by the estimates, corrected by how fast ended runs were."""
        left_s = sum(self._left_s.values())
        past_s = self._estimated_s - left_s
        if not past_s:
            return left_s / max(1, slots)
        return (monotonic() - self._began_s) / past_s * left_s


def _print_json(value: Mapping[str, object]) -> None:
    print(json.dumps(value), flush=True)
