"""All orders of messages, explored at a terminal: progress, what was seen, a story."""

import sys
from dataclasses import replace
from pathlib import Path
from time import monotonic

from rich.console import Console
from rich.progress import Progress, SpinnerColumn, TextColumn, TimeElapsedColumn

from model.core.journal.kinds import Record
from model.core.scenario import split_names
from model.ground.errors import InputError
from model.pnr.explore.narrator import retrace
from model.pnr.explore.properties import Properties
from model.pnr.explore.search import Finding, Found, search
from model.pnr.explore.setting import Setting
from model.pnr.explore.storing import read_finding, write_finding
from model.terminal.command import INTERRUPTED
from model.terminal.progress import said_if_slow
from model.views.recording import recording_of
from model.views.story import tell_steps

_NOTHING, _SOMETHING = 0, 1  # exit statuses: whether something was found


def run_explore(
    setting: Setting,
    *,
    depth: int | None,
    states: int,
    processes: int,
    walks: int | None,
    out: Path | None,
    quiet: bool,
) -> int:
    """Search for a broken rule and print how it comes about; returns the exit status.

    If it is to be `quiet`, it prints one line: whether something was found.

    See `run.py explore --help`.
    """
    properties = Properties(setting)
    if out is not None and out.suffix != ".parquet":
        raise InputError(f"--out {out}: give a file that ends in .parquet")
    began_s = monotonic()
    try:
        with _Bar(quiet) as bar:
            found = _explore(setting, depth, states, processes, walks, bar)
    except KeyboardInterrupt:
        print("error: interrupted; nothing was found so far", file=sys.stderr)
        return INTERRUPTED
    if quiet:
        print(f"{setting.design.name}: {_cell(found)}")
    else:
        _print_found(setting, properties, found, walks, monotonic() - began_s)
    if found.finding is None:
        if out is not None and not quiet:
            print(f"{out} is not written: nothing was found")
        return _NOTHING
    _print_story(setting, found.finding, out, quiet)
    return _SOMETHING


def run_replay(file: Path, design: str | None, out: Path | None) -> int:
    """Take a path again that was found, perhaps with another design; returns the exit status."""
    with said_if_slow(f"reading {file}"):
        setting, finding = read_finding(file)
    if design is not None:
        setting = Setting(**(setting.as_json() | {"declared": design}))
    again = retrace(setting, finding.path)
    if again is None:
        print(f"The {len(finding.path)} steps break no rule any more; before: {finding.complaint}")
        return _NOTHING
    _print_story(setting, again, out)
    return _SOMETHING


def print_table(setting: Setting, *, depth: int | None, states: int, quiet: bool) -> None:
    """Print what one fault of each kind does to several designs, as a Markdown table.

    The designs are those that the setting declares, with commas between.
    """
    faults = ("losses", "duplicates", "crashes")
    print("| design | no fault | one loss | one duplicate | one crash |\n|---|---|---|---|---|")
    for design in split_names(setting.declared):
        faultless = replace(setting, declared=design, losses=0, duplicates=0, crashes=0)
        cells = []
        for setting_of_cell in (faultless, *(replace(faultless, **{fault: 1}) for fault in faults)):
            with _Bar(quiet) as bar:
                found = _explore(setting_of_cell, depth, states, 1, None, bar)
            cells.append(_cell(found))
        print(f"| {' | '.join((design, *cells))} |", flush=True)


def _cell(found: Found) -> str:
    if found.finding is not None:
        complaint = found.finding.complaint.partition(":")[0].removeprefix("somebody ")
        return f"{complaint}, {len(found.finding.path)} steps"
    if found.whole:
        return f"holds ({found.states:,} states)"
    return f"nothing in {found.states:,} states"


def _explore(
    setting: Setting,
    depth: int | None,
    states: int,
    processes: int,
    walks: int | None,
    bar: "_Bar",
) -> Found:
    if walks is not None:
        from model.pnr.explore.walks import walk

        return walk(setting, walks, most_depth=depth, progress=bar.show)
    if processes == 1:
        return search(setting, most_depth=depth, most_states=states, progress=bar.show)
    from model.pnr.explore.processes import sharing

    with sharing(setting, processes) as explorers:
        return search(
            setting,
            most_depth=depth,
            most_states=states,
            explorers=explorers,
            progress=bar.show,
        )


def _print_found(
    setting: Setting, properties: Properties, found: Found, walks: int | None, took_s: float
) -> None:
    say = Console(highlight=False, soft_wrap=True).print
    faults = {"losses": setting.losses, "duplicates": setting.duplicates}
    faults |= {"crashes": setting.crashes}
    count = len(setting.workload)
    jobs = f"{count} job{'s' * (count > 1)}"
    allowed = ", ".join(f"{name} up to {count}" for name, count in faults.items() if count)
    say(
        f"{setting.design.name}, {setting.scenario.nodes} nodes, {jobs}, "
        f"order {setting.order}, {allowed or 'no faults'}"
    )
    if walks is not None:
        most = "" if found.finding is None else "up to "  # it ends where a walk has found something
        seen = f"{most}{walks} random walks with seed {setting.seed}, of up to {found.depth} steps"
    elif found.whole:
        seen = f"all states seen, {found.depth} steps deep"
    elif found.finding is None:
        seen = f"NOT all states seen, {found.depth} steps deep (--states, --depth)"
    else:
        seen = "by a shortest path"
    rate = found.steps / max(took_s, 1e-9)
    say(f"{found.states:,} states, {found.steps:,} steps ({rate:,.0f} a second): {seen}")
    if found.finding is None:
        say(f"Held: {'; '.join(properties.rules)}")
    for wish, was_seen in found.sometimes.items():
        if was_seen:
            say(f"Seen: {wish}")
        elif found.finding is None:
            say(f"Never seen: {wish}; about that, this has proved nothing")


def _print_story(setting: Setting, finding: Finding, out: Path | None, quiet: bool = False) -> None:
    """Print the story of a finding, and write its journal if that is wanted."""
    records: list[Record] = []
    retrace(setting, finding.path, records.append)
    design = setting.design
    recording = recording_of(setting.scenario, design.name, records, tuple(design.managers))
    say = Console(highlight=False, soft_wrap=True, markup=False, quiet=quiet).print
    say(f"\nFound after {len(finding.path)} steps: {finding.complaint}\n")
    say(tell_steps(recording))
    if out is not None:
        write_finding(out, setting, finding, records)
        say(f"\nIts journal is in {out}: run.py view {out}, run.py explore --replay {out}")


class _Bar:
    """How far a search is, on stderr if that is a terminal."""

    def __init__(self, quiet: bool) -> None:
        console = Console(stderr=True)
        self._progress = Progress(
            SpinnerColumn(),
            TextColumn("{task.description}"),
            TimeElapsedColumn(),
            console=console,
            transient=True,
            disable=quiet or not console.is_terminal,
        )
        self._task = self._progress.add_task("beginning")
        self._began_s = monotonic()

    def __enter__(self) -> "_Bar":
        self._progress.start()
        return self

    def __exit__(self, *exception: object) -> None:
        self._progress.stop()

    def show(self, states: int, left: int, depth: int) -> None:
        """Show how many states were found, how many of them are left to look at, and the depth."""
        rate = states / max(monotonic() - self._began_s, 1e-9)
        progress = f"{states:,} states, {rate:,.0f} a second, frontier {left:,}, depth {depth}"
        self._progress.update(self._task, description=progress)
