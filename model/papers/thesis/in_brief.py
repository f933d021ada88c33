"""Numbers of what a reader should remember, as `text/in_brief.md` names them."""

from collections.abc import Iterable, Iterator, Mapping
from itertools import product
from statistics import fmean

from model.papers.cases import Case
from model.papers.findings import CLASSES, REPRODUCED
from model.papers.measurements import Measurements, NotRun
from model.papers.text import Named, numbered, span, text_file
from model.papers.thesis.cases import (
    H64,
    H128,
    L64,
    LARGE,
    LOADS,
    OTHER_LOADS,
    SMALL,
    base,
    clusters,
    disks,
    on_windows,
    other_readings,
    pnr,
    windows_in_words,
)
from model.papers.thesis.cliff import STATED, curve, disk_ms, free_pct, perhaps_stated
from model.papers.thesis.design_map import ALIKE_PCT, WHICH_DESIGN
from model.papers.thesis.findings import FINDINGS
from model.papers.thesis.readings import shaken_gains
from model.papers.thesis.sensitivities import most_moving
from model.papers.thesis.single_runs import waiting_share
from model.pnr.measures import PAGING

_ALL_LOADS = (*LOADS, *OTHER_LOADS)
_BASES = [(nodes, load, base(nodes, load)) for nodes, load in product(clusters(), _ALL_LOADS)]


def _some(found: Iterable[str]) -> list[str]:
    """What was found; raises NotRun if it is nothing."""
    if not (some := [*found]):
        raise NotRun
    return some


def _over_networks(measured: Measurements) -> list[str]:
    """What pages cost on the networks."""
    networks = {
        f"the star of {SMALL} nodes": H64,
        f"that of {LARGE}": H128,
        f"the bus of {LARGE}": H128.but(topology="bus"),
        f"a star of {SMALL} nodes and 10 Mbps": H64.but(bandwidth_mbps=10),
        f"one of {LARGE}": H128.but(bandwidth_mbps=10),
    }
    costs = {
        words: [measured.of(case, name, "network_page_ms") for name in pnr(case)]
        for words, case in networks.items()
    }
    return _some(
        f"{span(found, 1)} ms over {words}"
        for words, of in costs.items()
        if (found := [one.mean for one in of if one is not None])
    )


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
    """What a network half as slow again as the disk would do."""
    points = _points(measured)
    cost, response_s = next((cost, s) for cost, s in points if cost > 1.3 * disk_ms())
    return {
        "times": cost / disk_ms(),
        "cost_pct": 100 * (cost / disk_ms() - 1),
        "time_pct": 100 * (response_s / dict(points)[disk_ms()] - 1),
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


def _gains(measured: Measurements) -> list[str]:
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


def _distances(measured: Measurements) -> list[str]:
    """How far the designs are apart, in the mean of the seeds that all of them have."""

    def each() -> Iterator[str]:
        for nodes, load, case in _BASES:
            found = measured.in_common([(case, name) for name in pnr(case)])
            if found[0]:
                means = map(fmean, found)
                times = dict(zip(means, pnr(case), strict=True))
                apart = max(times) / min(times) - 1
                last = _last(measured, case, times) if 100 * apart > ALIKE_PCT else ""
                yield f"{100 * apart:.2f} % ({nodes}, {load}{last})"

    return _some(each())


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


def _in_frames(measured: Measurements) -> dict[str, list[str]]:
    """What CLI, by seed, and the others gain in the base cases under the other reading."""
    (moved,) = other_readings().values()
    there = measured.elsewhere(**moved)
    found: dict[str, list[str]] = {"cli": [], "coordinated": []}
    for nodes, load in product(clusters(), LOADS):
        case, words = base(nodes, load), f"({nodes} nodes, {load})"
        if ratios := _ratios(there, case):
            cli, paging = there.in_common([(case, "CLI"), (case, PAGING)])
            by_seed = [100 * (1 - one / dp) for one, dp in zip(cli, paging, strict=True)]
            found["cli"].append(f"{span(by_seed, 1)} % {words}")
            found["coordinated"].append(f"{span(ratios[1:], 1)} % {words}")
    return found if found["cli"] else {}


def _scarce(measured: Measurements) -> list[str]:
    """In multiples of MAN's, how long a job of CLI takes where RAM is scarce, by seed."""

    def each() -> Iterator[str]:
        for nodes, load, ram in product(clusters(), LOADS, (85, 75)):
            case = base(nodes, load).but(ram=ram)
            both = measured.in_common([(case, "CLI"), (case, "MAN")])
            if found := [cli / man for cli, man in zip(*both, strict=True)]:
                yield f"{span(found, 1)} ({case})"

    return [*each()]


def _gains_by_jobs(measured: Measurements) -> list[float]:
    found = [ratio for case in on_windows(L64) for ratio in _ratios(measured, case)]
    if not found:
        raise NotRun
    return found


def _gains_by_settings(measured: Measurements) -> list[str]:
    """Which other settings move the optimization ratio the most."""
    return _some(f"{ratio:.1f} % with {words}" for words, ratio in most_moving(measured))


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
    "shaken": shaken_gains,
    "distances": _distances,
    "cli": _cli,
    "in_frames": _in_frames,
    "scarce": _scarce,
    "gains_by_jobs": _gains_by_jobs,
    "windows": lambda _: windows_in_words(),
    "gains_by_settings": _gains_by_settings,
    "which_design": WHICH_DESIGN,
}
#: The lines, of which those without runs are left out.
IN_BRIEF = numbered(text_file("thesis", "in_brief.md").read_text(encoding="utf-8"), _NUMBERS)
