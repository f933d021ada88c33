"""What a reader should remember, `text/in_brief.md`, and its numbers, `text/in_numbers.md`."""

from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import dataclass, field
from itertools import chain, product
from statistics import fmean
from typing import NamedTuple, TypeVar

from model.papers.cases import Case
from model.papers.findings import CLASSES, REPRODUCED
from model.papers.measurements import Measurements, NotRun
from model.papers.text import Named, numbered, span, text_file
from model.papers.thesis.cases import (
    H64,
    H128,
    L64,
    L128,
    LARGE,
    LOADS,
    OTHER_LOADS,
    SMALL,
    base,
    base_case_readings,
    clusters,
    coordinated,
    disks,
    on_windows,
    other_readings,
    pnr,
    windows_in_words,
)
from model.papers.thesis.cliff import STATED, curve, disk_ms, free_pct, perhaps_stated
from model.papers.thesis.design_map import ALIKE_PCT, MAP_NUMBERS, WHICH_DESIGN
from model.papers.thesis.findings import FINDINGS
from model.papers.thesis.readings import gains_by_seed, shaken_gains
from model.papers.thesis.sensitivities import most_moving
from model.papers.thesis.single_runs import optimization_ratio, waiting_share

T = TypeVar("T")
_ALL_LOADS = (*LOADS, *OTHER_LOADS)
_STARS = {f"the star of {SMALL} nodes": H64, f"that of {LARGE}": H128}
#: The designs that coordinate on the larger cluster, under each of the thesis's loads.
_COORDINATED = {
    f"{name} ({load})": (base(LARGE, load), name)
    for load in LOADS
    for name in coordinated(base(LARGE, load))
}
_BASES = [(nodes, load, base(nodes, load)) for nodes, load in product(clusters(), _ALL_LOADS)]


def _some(found: Iterable[T]) -> list[T]:
    """What was found; raises NotRun if it is nothing."""
    if not (some := [*found]):
        raise NotRun
    return some


def _page_ms(
    measured: Measurements,
    networks: Mapping[str, Case],
    designs: Callable[[Case], Iterable[str]] = pnr,
) -> Iterator[tuple[str, list[float]]]:
    """What a page costs with each of the designs, on each network that was run."""
    for words, case in networks.items():
        costs = [measured.of(case, name, "network_page_ms") for name in designs(case)]
        if known := [one.mean for one in costs if one is not None]:
            yield words, known


def _over_networks(measured: Measurements) -> dict[str, list[str]]:
    """What pages cost on the stars of the base cases, and on all networks."""
    networks = {
        **_STARS,
        f"the bus of {LARGE}": H128.but(topology="bus"),
        f"a star of {SMALL} nodes and 10 Mbps": H64.but(bandwidth_mbps=10),
        f"one of {LARGE}": H128.but(bandwidth_mbps=10),
    }
    told = {words: f"{span(ms, 1)} ms over {words}" for words, ms in _page_ms(measured, networks)}
    return {
        "stars": _some(told[words] for words in _STARS if words in told),
        "all": [*told.values()],
    }


def _points(measured: Measurements) -> list[tuple[float, float]]:
    """The cliff's curve of the light base case; raises NotRun."""
    if not (points := curve(measured, L64)):
        raise NotRun
    return points


def _cliff(measured: Measurements) -> list[str]:
    points = _points(measured)
    beyond = [point for point in points if point[0] >= disk_ms()]
    shown = dict.fromkeys((points[0], *beyond[:3], points[-1]))
    return [f"{response_s:,.0f} s at {cost:.1f} ms" for cost, response_s in shown]


def _dearer(measured: Measurements) -> dict[str, float]:
    """What a network would do whose pages are a third dearer than the disk's."""
    points = _points(measured)
    cost, response_s = next((cost, s) for cost, s in points if cost > 1.3 * disk_ms())
    times, slowdown = cost / disk_ms(), response_s / dict(points)[disk_ms()]
    return {
        "times": times,
        "cost_pct": 100 * (times - 1),
        "slowdown": slowdown,
        "slower_pct": 100 * (slowdown - 1),
    }


def _dearest(measured: Measurements) -> dict[str, float] | None:
    """When the last job ends with the dearest pages, 10⁶ s; None if not run, or too late."""
    case = H64.but(seek_ms=disks()[-1], rotation=False)
    ends = measured.of(case, "DP", "sim_end_s")
    if ends is None or ends.mean >= 10**7:
        return None
    return {"page_ms": disk_ms(disks()[-1]), "ends": ends.mean / 10**6}


def _too_much(measured: Measurements) -> list[str]:
    """Which of the thesis's numbers no cost of a page would give with these jobs."""
    return _some(
        f"{stated.percents} ({stated.words}): free pages would gain {free:.0f} %"
        for stated in STATED
        for free in [free_pct(measured, stated.case)]
        if free is not None and perhaps_stated(measured, stated)[0] > free
    )


def _ratios(measured: Measurements, case: Case) -> list[float]:
    """The optimization ratios of all designs of network RAM in a case, %; none if one is lost."""
    found = [measured.reduction_pct((case, name), (case, "DP")) for name in pnr(case)]
    ratios = [one.mean for one in found if one is not None]
    return ratios if len(ratios) == len(found) else []


def _gains(measured: Measurements) -> dict[str, list[float]]:
    """What all designs gain in the base cases, by load, %."""
    return {
        load: _some(gain for nodes in clusters() for gain in _ratios(measured, base(nodes, load)))
        for load in LOADS
    }


def _gains_by_load(measured: Measurements) -> list[str]:
    by_load = {
        nodes: ", ".join(
            f"{span(found, 1)} % ({load})"
            for load in _ALL_LOADS
            if (found := _ratios(measured, base(nodes, load)))
        )
        for nodes in clusters()
    }
    return _some(f"with {nodes} nodes {of}" for nodes, of in by_load.items() if of)


def _waits(measured: Measurements) -> list[str]:
    """How much of their time jobs wait for a place under disk paging."""
    return _some(
        f"{100 * share:.0f} % ({load})"
        for load in _ALL_LOADS
        if (share := waiting_share(measured, base(SMALL, load), "DP")) is not None
    )


class Apart(NamedTuple):
    """How far the designs are apart in a base case, in the mean of the seeds that all have."""

    nodes: int
    load: str
    pct: float  # by which the slowest takes longer than the fastest
    last: str  # the slowest, where that is far


def _times(measured: Measurements, case: Case) -> dict[float, str]:
    """How long each design takes, in the mean of the seeds that all have; empty without any."""
    found = measured.in_common([(case, name) for name in pnr(case)])
    return dict(zip(map(fmean, found), pnr(case), strict=True)) if found[0] else {}


def _behind_pct(times: Iterable[float]) -> float:
    """By how much the slowest takes longer than the fastest."""
    of_all = [*times]
    return 100 * (max(of_all) / min(of_all) - 1)


def _apart(measured: Measurements) -> list[Apart]:
    def each() -> Iterator[Apart]:
        for nodes, load, case in _BASES:
            if times := _times(measured, case):
                pct = _behind_pct(times)
                last = _last(measured, case, times) if pct > ALIKE_PCT else ""
                yield Apart(nodes, load, pct, last)

    return _some(each())


def _apart_pct(measured: Measurements) -> list[float]:
    """How far the designs are apart under the thesis's two loads."""
    return _some(one.pct for one in _apart(measured) if one.load in LOADS)


def _apart_by_jobs(measured: Measurements) -> list[float]:
    """How far the designs are apart in the base cases on other jobs, %, by one seed; if run."""
    every = (_times(measured, case) for case in (*on_windows(L64), *on_windows(L128)))
    return [_behind_pct(times) for times in every if times]


def _distances(measured: Measurements) -> list[str]:
    return [f"{one.pct:.2f} % ({one.nodes}, {one.load}{one.last})" for one in _apart(measured)]


def _last(measured: Measurements, case: Case, times: dict[float, str]) -> str:
    """The slowest design, which may be so by chance."""
    first, last = times[min(times)], times[max(times)]
    ahead = measured.reduction_pct((case, first), (case, last))
    sure = ahead is not None and ahead.n > 1 and ahead.low > 0
    return f": {last}" if sure else f": {last}, perhaps by chance"


def _cli(measured: Measurements) -> dict[str, int]:
    """In how many base cases CLI is behind disk paging, and of how many."""
    every = (_ratios(measured, case) for _, _, case in _BASES)
    found = [ratios[0] for ratios in every if ratios]  # CLI is the first
    if not found:
        raise NotRun
    return {"behind": sum(ratio < 0 for ratio in found), "cases": len(found)}


@dataclass
class InFrames:
    """What the designs gain in the base cases under the other reading, %."""

    cli: dict[int, list[str]] = field(default_factory=dict)  # by seed, by number of nodes
    coordinated: list[str] = field(default_factory=list)
    gains: dict[int, list[float]] = field(default_factory=dict)  # of these, by number of nodes
    #: Those that coordinate which on the larger cluster are not surely ahead of the disk, by load.
    unsure: list[str] = field(default_factory=list)
    page_ms: list[str] = field(default_factory=list)  # under the heavy load
    #: What those that coordinate gain on the larger cluster with other arrivals, in each run.
    by_arrivals: dict[str, list[float]] = field(default_factory=dict)

    @property
    def shaken(self) -> dict[str, int]:
        """How many runs these are, are behind the disk, and take more than twice its time."""
        gains = [*chain.from_iterable(self.by_arrivals.values())]
        behind, beyond = (sum(gain < least for gain in gains) for least in (0, -100))
        return {"runs": len(gains), "behind": behind, "beyond": beyond}


def _in_frames(measured: Measurements) -> InFrames | None:
    """Nothing if a cluster was not run."""
    (moved,) = other_readings().values()
    there = measured.elsewhere(**moved)
    found = InFrames()
    for nodes, load in product(clusters(), LOADS):
        case, words = base(nodes, load), f"({nodes} nodes, {load})"
        if ratios := _ratios(there, case):
            by_seed = gains_by_seed(there, case, "CLI")
            found.cli.setdefault(nodes, []).append(f"{span(by_seed, 1)} % {words}")
            found.coordinated.append(f"{span(ratios[1:], 1)} % {words}")
            found.gains.setdefault(nodes, []).extend(ratios[1:])
    found.unsure = [words for words, of in _COORDINATED.items() if _perhaps_behind(there, *of)]
    costs = _page_ms(there, _STARS, coordinated)
    found.page_ms = [f"{span(ms, 1)} ms over {words}" for words, ms in costs]
    shaken = measured.elsewhere(**base_case_readings()["ethernet, shaken"])
    by_arrivals = {words: gains_by_seed(shaken, *of) for words, of in _COORDINATED.items()}
    found.by_arrivals = {words: gains for words, gains in by_arrivals.items() if gains}
    return found if len(found.gains) == len(clusters()) else None


def _perhaps_behind(measured: Measurements, case: Case, design: str) -> bool:
    ratio = optimization_ratio(measured, case, design)
    return ratio is not None and not ratio.low > 0  # without an interval, too


def _scarce_times(measured: Measurements) -> dict[str, list[float]]:
    """In multiples of MAN's, how long a job of CLI takes where RAM is scarce, by case, by seed."""
    cases = (
        base(nodes, load).but(ram=ram) for nodes, load, ram in product(clusters(), LOADS, (85, 75))
    )
    both = {f"{case}": measured.in_common([(case, "CLI"), (case, "MAN")]) for case in cases}
    found = {
        case: [cli / man for cli, man in zip(*times, strict=True)] for case, times in both.items()
    }
    return dict(_some((case, times) for case, times in found.items() if times))


def _scarce(measured: Measurements) -> list[str]:
    return [f"{span(times, 1)} ({case})" for case, times in _scarce_times(measured).items()]


def _gains_by_jobs(measured: Measurements) -> list[float]:
    found = [ratio for case in on_windows(L64) for ratio in _ratios(measured, case)]
    if not found:
        raise NotRun
    return found


def _gains_by_settings(measured: Measurements) -> dict[str, object]:
    """MAN's gains with the settings that are assumed, %, and with those that move it the most."""
    (_, assumed), *moving = _some(most_moving(measured))
    told = [f"{ratio:.1f} % with {words}" for words, ratio in moving]
    return {
        "assumed": f"{assumed:.1f}",
        "most": told[0],
        "all": [f"{assumed:.1f} % with those assumed", *told],
    }


def _elsewhere(measured: Measurements) -> dict[str, int] | None:
    """How many numbers of magnitudes are outside, and how many of them are consistent.

    None if none of them was asked of other jobs.
    """
    outside = [
        part
        for finding in FINDINGS
        for claim in finding.judge(measured).magnitude.claims
        for part in claim.parts
        if part.holds is False and part.elsewhere
    ]
    often = sum(part.consistent for part in outside)
    return {"outside": len(outside), "often": often} if outside else None


def passed_by(measured: Measurements, disk: Mapping[str, object]) -> dict[str, int]:
    """How many directions of each class hold for disk paging from another disk, and of how many.

    And how many of these hold for the designs themselves.
    """
    null = measured.all_paging(**disk)
    found: dict[str, int] = {}
    for kind in CLASSES:
        own = [one for one in FINDINGS if one.kind == kind and one.claims and not one.untestable]
        tried = [(one, judged) for one in own if not (judged := one.direction(null)).missing]
        here = [one.direction(measured) for one, _ in tried]
        found[kind] = sum(judged.verdict == REPRODUCED for _, judged in tried)
        found[f"{kind}_here"] = sum(judged.verdict == REPRODUCED for judged in here)
        found[f"{kind}_tried"] = len(tried)
    if not any(found[f"{kind}_tried"] for kind in CLASSES):
        raise NotRun
    return found


_NUMBERS: Mapping[str, Named] = {
    "disk_ms": lambda _: disk_ms(),
    "over_networks": _over_networks,
    "cliff": _cliff,
    "dearer": _dearer,
    "dearest": _dearest,
    "too_much": _too_much,
    "waits": _waits,
    "gains": _gains,
    "gains_by_load": _gains_by_load,
    "shaken": shaken_gains,
    "apart_pct": _apart_pct,
    "apart_by_jobs": _apart_by_jobs,
    "distances": _distances,
    "cli": _cli,
    "in_frames": _in_frames,
    "scarce_times": lambda measured: [*chain.from_iterable(_scarce_times(measured).values())],
    "scarce": _scarce,
    "gains_by_jobs": _gains_by_jobs,
    "windows": lambda _: windows_in_words(),
    "gains_by_settings": _gains_by_settings,
    "elsewhere": _elsewhere,
    "which_design": WHICH_DESIGN,
    **MAP_NUMBERS,
}


def _lines(file: str) -> Callable[[Measurements], str]:
    """The lines of a text, of which those without runs are left out."""
    return numbered(text_file("thesis", file).read_text(encoding="utf-8"), _NUMBERS)


IN_BRIEF = _lines("in_brief.md")
IN_NUMBERS = _lines("in_numbers.md")
