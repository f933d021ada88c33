"""All orders of messages, explored at a terminal: progress, what was seen, a story."""

import re
from collections.abc import Callable, Iterable, Iterator, Mapping
from contextlib import contextmanager, suppress
from dataclasses import replace
from math import inf
from pathlib import Path
from time import monotonic
from typing import TYPE_CHECKING, Any, NamedTuple

from rich.progress import SpinnerColumn, TextColumn, TimeElapsedColumn

from model.core.files import Output, writing
from model.core.names import is_file_name, listed
from model.ground.errors import InputError, cut
from model.ground.text import escaped
from model.pnr.design import blamed_on_roles
from model.pnr.explore.alike import Distinguished, as_alike_as_possible
from model.pnr.explore.keeping import Keeper
from model.pnr.explore.properties import Properties
from model.pnr.explore.search import Finding, Found, Search, search
from model.pnr.explore.setting import Setting
from model.pnr.explore.trail import Trail
from model.pnr.explore.world import World
from model.terminal.commands.explore import Explore
from model.terminal.commands.watch import WatchExplore
from model.terminal.console import plain_console
from model.terminal.ending import INTERRUPTED
from model.terminal.plain import say_error
from model.terminal.progress import on_stderr, said_if_slow
from model.terminal.scenario_options import refuse_to_replace

if TYPE_CHECKING:  # what shows a path is slow to import, and most searches are to begin at once
    from model.pnr.explore.graph import Moment
    from model.pnr.explore.growth import Growth

_WALKED_BACK = 300_000  # states, at most, to know when a path was doomed
_LINES = 8  # lines about what has never run
_EARLY = (0, 1, 2)  # timers too early, where any number makes too many states
#: Of a setting, those that the command has by the same names.
_FIELDS = (
    *("nodes", "jobs", "order", "placements", "duplicates", "crashes", "for_ever"),
    *("joins", "leaves", "early", "seed"),
)
_NOTHING, _SOMETHING = 0, 1  # exit statuses: whether something was found

#: The columns of the table of single faults.
FAULTS: dict[str, dict[str, Any]] = {
    "no fault": {},
    "one loss": {"losses": 1},
    "one duplicate": {"duplicates": 1},
    "one crash": {"crashes": 1},
    "one crash for ever": {"crashes": 1, "for_ever": True},
}


def explore(asked: Explore) -> int:
    """Search for a broken rule and print how it comes about; returns the exit status.

    If it is to be `quiet`, it prints one line: whether something was found. Or it takes a path
    again that was found, or prints the table. See `run.py explore --help`.
    """
    out, quiet, keep = asked.out, asked.quiet, asked.keep
    if asked.replay is not None:
        return _take_again(asked, asked.replay)
    what = _setting(asked)
    if asked.page is not None:
        from model.terminal.walking import write_state_graph

        with _bar(quiet) as progress:
            return write_state_graph(what, asked.page, asked.states, asked.depth, progress)
    effort = Effort(asked.depth, asked.states, asked.memory_gb, asked.random, quiet)
    if asked.table:
        if what.losses or what.duplicates or what.crashes:
            raise InputError("--table takes one fault of each kind; leave out --loss and the like")
        _print_table(what, effort)
        return _NOTHING
    if out is not None:
        _check_place(out, several=asked.all_rules)
    goes_on = keep is not None and keep.exists()  # and does not run all lines again
    trail = None if quiet or asked.random or goes_on else Trail(what.design.protocol)
    keeper = None if keep is None else Keeper(keep, what)
    began_s = monotonic()
    try:
        base = None if asked.base is None else replace(what, declared=asked.base)
        known = {} if base is None else causes_under(base, effort)
        found = effort.on(what, asked.all_rules, known, trail, keeper)
    except KeyboardInterrupt:
        say_error("interrupted; nothing has been found so far")
        return INTERRUPTED
    if quiet:
        print(escaped(f"{what.design.name}: {cell(found)}"))
    else:
        _print_found(what, found, asked.random, monotonic() - began_s)
        if found.finding is None and trail is not None:
            _print_trail(trail)
    if keeper is not None and keeper.problem is not None:
        say_error(keeper.problem)
    elif keep is not None and not found.whole and not quiet:
        print(f"{escaped(str(keep))} has this search; with it, the same command goes on")
    findings = found.findings or filter(None, (found.finding,))
    for number, finding in enumerate(findings, start=1):
        place = out if out is None or number == 1 else out.with_stem(f"{out.stem}-{number}")
        _print_story(what, finding, place, found, None if found.interrupted else effort, quiet)
    if found.interrupted:
        say_error("interrupted before the search was complete")
        return INTERRUPTED
    if found.finding is not None:
        return _SOMETHING
    if out is not None and not quiet:
        print(f"{escaped(str(out))} is not written: nothing was found")
    return _NOTHING


def _check_place(out: Path, several: bool = False) -> None:
    """Raise InputError, before a search that may take long, if its findings cannot be put there."""
    if out.suffix != ".parquet":
        raise InputError(f"--out {out}: give a file that ends in .parquet")
    with writing("--out", out):
        Output(out).discard()
        if not several:
            return
        for file in sorted(out.parent.iterdir()):
            if re.fullmatch(rf"{re.escape(out.stem)}-\d+", file.stem) and file.suffix == out.suffix:
                raise InputError(
                    f"--all-rules: {file} exists, and a further finding could replace it; "
                    "move it away, or give another --out"
                )


def _setting(asked: Explore) -> Setting:
    """What the options of the command line say is explored; raises InputError."""
    if asked.design is None:
        raise InputError("explore: name a design, such as MAN or file.py:function")
    if asked.early and asked.timers != "late":
        raise InputError("--early needs --timers late; otherwise all timers may fire early")
    if asked.rules is not None and asked.all_except is not None:
        raise InputError("--rules and --except: give one of them")
    fields: dict[str, Any] = {name: getattr(asked, name) for name in _FIELDS}
    fields |= {"losses": asked.loss, "late_timers": asked.timers == "late"}
    fields |= {"scenario_file": asked.scenario, "rules_file": asked.check}
    what = Setting(asked.design, **fields)
    if asked.rules is not None:
        kept = rules_named("--rules", what, listed(asked.rules))
        left_out = tuple(rule for rule in Properties(what).optional if rule not in kept)
        return replace(what, left_out=left_out)
    if asked.all_except is not None:
        return replace(what, left_out=rules_named("--except", what, listed(asked.all_except)))
    return what


def rules_named(option: str, setting: Setting, names: Iterable[str]) -> tuple[str, ...]:
    """Rules that can be left out, each named by its beginning; raises InputError."""
    optional, found = Properties(setting).optional, list[str]()
    for wanted in names:
        fits = [rule for rule in optional if rule.startswith(wanted.replace("_", " "))]
        if len(fits) != 1:
            known = "; ".join(optional)
            raise InputError(f"{option} {wanted}: {len(fits)} rules begin so; rules are {known}")
        found += fits
    return tuple(found)


def _print_trail(trail: Trail) -> None:
    never = trail.never_run()
    if never:
        shown = "\n  ".join(never[:_LINES])
        more = f"\n  and in {len(never) - _LINES} more functions" if len(never) > _LINES else ""
        print(f"These lines never ran, so nothing is proved about them:\n  {shown}{more}")


def _take_again(asked: Explore, file: Path) -> int:
    """Take a path again that was found, perhaps with another design; returns the exit status.

    What it was found with is run only if it is bundled: whoever sent the path could have named
    anything.
    """
    design, scenario, check, out = asked.design, asked.scenario, asked.check, asked.out
    if out is not None:
        _check_place(out)
        refuse_to_replace("out", out, [file])
    with said_if_slow(f"reading {file}"):
        from model.pnr.explore.narrator import retrace
        from model.pnr.explore.storing import read_finding

        setting, finding = read_finding(file)
    if design is None and is_file_name(setting.declared):
        raise InputError(
            f"--replay {file}: its design is from a file; if you trust it, name it: "
            f"run.py explore {cut(setting.declared)} --replay {file}"
        )
    if scenario is None and setting.scenario_file is not None:
        raise InputError(
            f"--replay {file}: its workload is from a file; if you trust it, name it: "
            f"--scenario {cut(setting.scenario_file)}"
        )
    if check is None and setting.rules_file is not None:
        raise InputError(
            f"--replay {file}: its rules are from a file; if you trust it, name it: "
            f"--check {cut(setting.rules_file)}"
        )
    workload = None if setting.scenario_file is None else str(scenario)
    setting = replace(
        setting,
        declared=design or setting.declared,
        scenario_file=workload,
        rules_file=None if check is None else str(check),
    )
    again = retrace(setting, finding.path, repeat=finding.repeat, alike=finding.alike)
    if again is None:
        before = escaped(finding.complaint)
        print(f"The {len(finding.path)} steps break no rule any more. Before, they did: {before}")
        return _NOTHING
    again = replace(again, doomed=finding.doomed if again == finding else None)
    if asked.quiet:
        print(escaped(f"{setting.design.name}: {again.complaint}"))
    _print_story(setting, again, out, None, None, asked.quiet)
    return _SOMETHING


def causes_under(setting: Setting, effort: "Effort") -> dict[str, str]:
    """What dooms runs of another design, each with that as the reason why it is known."""
    name = setting.design.name
    found = effort.on(setting, all_rules=True)
    if not found.whole:
        raise InputError(
            f"--base {name}: only {found.states:,} of its states were seen, so the causes of its "
            "failures are not known; give more --states, or fewer jobs or faults"
        )
    causes = dict.fromkeys(finding.cause for finding in (*found.findings, *found.known))
    return dict.fromkeys(filter(None, causes), f"as under {name}")


def _print_table(setting: Setting, effort: "Effort") -> None:
    """Print what one fault of each kind does to several designs, as a Markdown table.

    The designs are those that the setting declares, with commas between.
    """
    print(f"| design | {' | '.join(FAULTS)} |")
    print(f"|---|{'---|' * len(FAULTS)}")
    for design in listed(setting.declared):
        settings = [replace(setting, declared=design, **fault) for fault in FAULTS.values()]
        cells = [decided(each, effort) for each in settings]
        print(escaped(f"| {' | '.join((design, *cells))} |"), flush=True)


def decided(setting: Setting, effort: "Effort") -> str:
    """What becomes of one setting, as a cell of the table: within the first bounds in which all
    states can be seen, or a rule is broken."""
    first = None
    for wider in bounds(setting):
        held = None
        for bound, bounded in wider.items():
            found = effort.on(bounded)
            first = first or found
            if found.finding is not None:
                return cell(found, bound)
            if not found.whole:
                break
            held = cell(found, bound)
        if held is not None:
            return held
    assert first is not None
    return cell(first)


def bounds(setting: Setting) -> Iterator[dict[str, Setting]]:
    """The setting with fewer and fewer states, by what a cell of the table says of each: as it is;
    with none, one or two timers that fire too early; and both with one job."""
    for jobs in dict.fromkeys((setting.jobs, 1)):
        one = ", one job" if jobs < setting.jobs else ""
        few = replace(setting, jobs=jobs)
        yield {one: few}
        yield {
            f", {early or 'no'} timer{'s' * (early > 1)} too early{one}": replace(
                few, late_timers=True, early=early
            )
            for early in _EARLY
        }


def cell(found: Found, bound: str = "") -> str:
    """What was found, in a few words, and within which bound."""
    seen = f"{found.states:,} states"
    if found.finding is not None:
        complaint = found.finding.complaint.partition(":")[0].removeprefix("somebody ")
        return f"{complaint}, {len(found.finding.path)} steps ({seen}){bound}"
    if found.whole:
        return f"holds ({seen}){bound}"
    grows = "".join(f", {growth.field} grows" for growth in grows_for_ever(found)[:1])
    return f"nothing in up to {found.complete} steps ({seen}{grows}){bound}"


def grows_for_ever(found: Found) -> "list[Growth]":
    """What keeps growing in a search that has ended without a finding or all states."""
    from model.pnr.explore.growth import growing

    if found.finding is not None or found.whole or found.search is None:
        return []
    world = found.search.world  # a walk may have roles do more than in the search
    return as_alike_as_possible(lambda alike: growing(World(world.setting, alike)), world.alike)


class Effort(NamedTuple):
    """How far to search, and how."""

    depth: int | None
    states: int
    memory_gb: float
    walks: int | None
    quiet: bool

    def on(
        self,
        setting: Setting,
        all_rules: bool = False,
        known_causes: Mapping[str, str] | None = None,
        trail: Trail | None = None,
        keeper: Keeper | None = None,
    ) -> Found:
        with _bar(self.quiet) as progress, blamed_on_roles(setting.design):
            if self.walks is not None:
                from model.pnr.explore.walks import walk

                return walk(setting, self.walks, most_depth=self.depth, progress=progress)
            return search(
                setting,
                most_depth=self.depth,
                most_states=self.states,
                most_bytes=int(self.memory_gb * 1e9),
                all_rules=all_rules,
                known_causes=known_causes,
                trail=trail,
                keeper=keeper,
                progress=progress,
            )


def _print_found(setting: Setting, found: Found, walks: int | None, took_s: float) -> None:
    properties = Properties(setting)
    say = plain_console(soft_wrap=True).print
    faults = {"losses": setting.losses, "duplicates": setting.duplicates}
    faults |= {"crashes": setting.crashes, "joins": len(setting.absent)}
    faults |= {"leaves": setting.most_leaves, "timers too early": setting.early}
    count = len(setting.workload)
    jobs = f"{count} job{'s' * (count > 1)}"
    allowed = ", ".join(f"{name} up to {count}" for name, count in faults.items() if count)
    say(
        f"{escaped(setting.design.name)}, {setting.scenario.nodes} nodes, {jobs}, "
        f"order {setting.order}, {allowed or 'no faults'}"
    )
    if walks is not None:
        most = "" if found.finding is None else "up to "  # it ends where a walk has found something
        seen = f"{most}{walks} random walks with seed {setting.seed}, of up to {found.depth} steps"
    elif found.whole:
        pruned = len(found.search.pruned) if found.search is not None else 0
        but = f" (none after {pruned:,} pruned state{'s' * (pruned > 1)})" if pruned else ""
        seen = f"all states seen{but}, {found.depth} steps deep"
    elif found.finding is None:
        seen = f"NOT all states seen, only all within {found.complete} steps (--states, --depth)"
    elif len(found.findings) > 1:
        by_cause = "findings by cause and complaint" if found.whole else "kinds of complaint"
        seen = f"{len(found.findings)} {by_cause}, each by a shortest path"
    else:
        seen = "found by a shortest path"
    rate = found.steps / max(took_s, 1e-9)
    say(f"{found.states:,} states, {found.steps:,} steps ({rate:,.0f} a second): {seen}")
    if found.finding is None and walks is None and not found.whole:
        grows = "; ".join(map(str, grows_for_ever(found)[:_LINES]))
        endless = f"{grows}. More --states will not end this search" if grows else "nothing"
        say(escaped(f"Keeps growing in a long random walk: {endless}"))
    if found.finding is None:
        say(f"Rules that held: {'; '.join(properties.rules)}")
        if found.by_times:
            late = ", or how late it is," if found.by_time else ""
            say(
                "Roles calculate with times. States that differ only in how long ago something "
                f"was{late} count as one, so little is proved about times"
            )
    if found.finding is None and found.whole and found.search is not None:
        say(_told_reach(setting, found.search))
    for known in found.known:
        own = found.search
        reason = own.reason(known) if own else properties.reason(known.complaint)
        cause = f"; cause: {known.cause}" if known.cause else ""
        say(escaped(f"Known: {known.complaint}, after {len(known.path)} steps ({reason}){cause}"))
    for wish, was_seen in found.sometimes.items():
        if was_seen:
            say(f"Seen: {wish}")
        elif found.finding is None:
            so = ", so the rule is vacuous" if wish in properties.of_rules else ""
            say(f"Never seen: {wish}{so}; nothing is proved about that")


def _told_reach(setting: Setting, search: Search) -> str:
    """How often a server is asked on a path, at most, which no rule was tried beyond."""
    from model.pnr.explore.reach import MOST_STATES, most_asked

    if len(search.states) > MOST_STATES:
        return f"How often a server is asked is only counted in up to {MOST_STATES:,} states"
    most = most_asked(search)
    if most == inf:
        return "Seen: a server can be asked any number of times"
    times = "not asked" if not most else f"asked at most {most:,.0f} time{'s' * (most > 1)}"
    more = "" if setting.scenario_file else f" (--jobs {setting.jobs + 1} tries more)"
    return f"On each path, every server is {times}{more}"


def moment_of(
    setting: Setting, finding: Finding, found: Found | None, effort: "Effort"
) -> "Moment | None":
    """When the path to a finding was doomed; None if there are too many states to know."""
    from model.pnr.explore.graph import moment_doomed
    from model.pnr.explore.repair import repairs

    if found is None or not found.whole:
        most = min(effort.states, _WALKED_BACK)
        found = effort._replace(states=most, depth=None, walks=None).on(setting, all_rules=True)
    if not found.whole or found.search is None:
        return None
    if setting.order == "any" and found.finding and found.finding.alike != finding.alike:
        return None  # messages have other places there, so the same steps are another path
    moment = moment_doomed(found.search.graph, finding.path)
    if moment is None:
        return None
    with suppress(Distinguished):  # variations may have roles do more than in the search
        return moment._replace(repairs=repairs(found.search, finding))
    return moment


def told_moment(setting: Setting, finding: Finding, moment: "Moment") -> str:
    """When a path was doomed, what would have saved it, and how likely it was to be doomed."""
    from model.views.story import recorded_path, tell_steps

    if moment.saves is None:
        return "Doomed from the start: no order of events leads to a good end."
    path = (*finding.path[: moment.step - 1], moment.saves)
    _, instead = recorded_path(setting, replace(finding, path=path, repeat=0, doomed=None))
    saves = tell_steps(instead, from_step=len(path))
    steps = f"{moment.steps_to_good} more step{'s' * (moment.steps_to_good > 1)}"
    began, last = moment.chances[0], moment.chances[moment.step - 1]
    saved = "" if moment.repairs is None else f"\n{escaped(str(moment.repairs))}"
    return (
        f"Doomed from step {moment.step}: no order of events leads to a good end after it.\n"
        "One step earlier the run could still have ended well, "
        f"in {steps}, starting with\n{saves}\n"
        f"If all possible steps are equally likely, it fails with probability {began:.0%} from "
        f"the start, and with {last:.0%} just before step {moment.step}.{saved}"
    )


def _print_story(
    setting: Setting,
    finding: Finding,
    out: Path | None,
    found: Found | None,
    effort: "Effort | None",
    quiet: bool,
) -> None:
    """Print the story of a finding, and write its journal if that is wanted.

    With an effort, it is looked for when the path was doomed, in what the search has found if it
    has seen all states.
    """
    from model.pnr.explore.storing import write_finding
    from model.views.story import recorded_path, tell_steps, tell_under_way

    moment = None if effort is None or quiet else moment_of(setting, finding, found, effort)
    if moment is not None:
        finding = replace(finding, doomed=moment.step or None)
    records, recording = recorded_path(setting, finding)
    say = plain_console(quiet=quiet, soft_wrap=True).print
    say(f"\nFound after {len(finding.path)} steps: {escaped(finding.complaint)}")
    if finding.cause:
        some = f"{finding.dooms:,} state{'s' * (finding.dooms > 1)}"
        places = f" (dooms the run in {some})" if finding.dooms else ""
        say(escaped(f"Cause: {finding.cause}{places}"))
    say("")
    say(tell_steps(recording))
    under_way = tell_under_way(recording)
    if under_way:
        say(f"\nStill under way at the end:\n{under_way}")
    if moment is not None:
        say(f"\n{told_moment(setting, finding, moment)}")
    if out is not None:
        write_finding(out, setting, finding, records)
        written = f"Its journal is {out}; see run.py view {out}, run.py explore --replay {out}"
        say(f"\n{escaped(written)}")


def walk_in(asked: WatchExplore) -> None:
    """Serve a state graph to walk in until Ctrl-C. See `run.py watch --explore DESIGN --help`."""
    from model.terminal.walking import look_ahead, serve_walk

    what = _setting(asked)
    with _bar(asked.quiet) as progress:
        ways = look_ahead(what, asked.states, asked.depth, progress)
    serve_walk(what, ways, asked.host, asked.port)


@contextmanager
def _bar(quiet: bool) -> Iterator[Callable[[int, int, int], None]]:
    """How far a search is, on stderr if that is a terminal.

    Yields what shows how many states were found, how many of them are left to look at, and the
    depth.
    """
    began_s = monotonic()
    columns = (SpinnerColumn(), TextColumn("{task.description}"), TimeElapsedColumn())
    with on_stderr(quiet, *columns) as shown:
        task = shown.add_task("beginning")

        def show(states: int, left: int, depth: int) -> None:
            rate = states / max(monotonic() - began_s, 1e-9)
            progress = f"{states:,} states, {rate:,.0f} a second, frontier {left:,}, depth {depth}"
            shown.update(task, description=progress)

        yield show
