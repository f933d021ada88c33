"""What a reader of the thesis's page should remember: a picture, and a few lines with numbers."""

from collections.abc import Iterator, Sequence
from math import isnan
from statistics import fmean

from model.papers.cases import Case
from model.papers.findings import NOT_REPRODUCED, OPEN, REPRODUCED
from model.papers.measurements import Measurements
from model.papers.thesis.cases import (
    H64,
    H128,
    L64,
    LARGE,
    LOADS,
    OTHER_LOADS,
    PNR,
    SMALL,
    base,
    clusters,
    disks,
    on_windows,
    told_windows,
)
from model.papers.thesis.cliff import STATED, curve, disk_ms, free_pct, perhaps_stated
from model.papers.thesis.design_map import ALIKE_PCT, sentence
from model.papers.thesis.findings import FINDINGS
from model.papers.thesis.reasons import pages_ms
from model.papers.thesis.sensitivities import most_moving
from model.papers.thesis.single_runs import waiting_share

PICTURES = "../../../.github/pictures"  # from the page's folder
_ALL_LOADS = (*LOADS, *OTHER_LOADS)


def in_brief(measured: Measurements) -> Iterator[str]:
    """The lines, of which those without runs are left out."""
    told = [line for line in _lines(measured) if line]
    if told:
        yield f"![How long jobs take by what a page costs]({PICTURES}/thesis_1.png)"
        yield ""
        yield from (f"{number}. {line}" for number, line in enumerate(told, start=1))
        yield ""


def _lines(measured: Measurements) -> Iterator[str]:
    yield _costs(measured)
    yield _cliff(measured)
    yield _beyond(measured)
    yield _implied(measured)
    yield _queues(measured)
    yield _gains(measured)
    yield _alike(measured)
    yield _cli(measured)
    yield _jobs(measured)
    yield _readings(measured)
    yield sentence(measured)
    yield _verdicts(measured)


def _span(values: Sequence[float]) -> str:
    """The least and the most, or one number if they are told alike."""
    return " to ".join(dict.fromkeys(f"{some(values):,.1f}" for some in (min, max)))


def _costs(measured: Measurements) -> str:
    """What pages cost on the networks."""
    networks = {
        f"the star of {SMALL} nodes": H64,
        f"that of {LARGE}": H128,
        f"the bus of {LARGE}": H128.but(topology="bus"),
        f"a star of {SMALL} nodes and 10 Mbps": H64.but(bandwidth_mbps=10),
        f"one of {LARGE}": H128.but(bandwidth_mbps=10),
    }
    told = [
        f"{_span(found)} ms over {words}"
        for words, case in networks.items()
        if (found := [ms for ms in pages_ms(measured, [case]) if not isnan(ms)])
    ]
    if not told:
        return ""
    return (
        "**A page over the network is cheaper than one from the disk.** Under heavy load a page "
        f"costs {disk_ms():.1f} ms from the disk, and {', '.join(told)}."
    )


def _cliff(measured: Measurements) -> str:
    points = curve(measured, L64)
    if not points:
        return ""
    beyond = [point for point in points if point[0] >= disk_ms()]
    shown = dict.fromkeys((points[0], *beyond[:3], points[-1]))
    told = ", ".join(f"{response_s:,.0f} s at {cost:.1f} ms" for cost, response_s in shown)
    return (
        f"**There is a cliff.** If every page costs the same, one of 4,000 jobs on {SMALL} nodes "
        f"takes, on average, {told} (by one seed): beyond the cliff jobs come faster than they are "
        "worked off."
    )


def _beyond(measured: Measurements) -> str:
    """What a network half as slow again as the disk would do."""
    points = curve(measured, L64)
    if not points:
        return ""
    paging_s = dict(points)[disk_ms()]
    cost, response_s = next((cost, s) for cost, s in points if cost > 1.3 * disk_ms())
    dearest = H64.but(seek_ms=disks()[-1], rotation=False)
    ends = measured.of(dearest, "DP", "sim_end_s")
    in_all = (
        ""
        if ends is None or ends.mean >= 10**7
        else " Its 10⁷ s for all jobs at 10 Mbps would take still dearer pages: at "
        f"{disk_ms(disks()[-1]):.0f} ms the last of 5,000 jobs ends after "
        f"{ends.mean / 10**6:.1f}·10⁶ s."
    )
    return (
        f"So a network whose pages cost {cost / disk_ms():.2f} times the disk's does not lose "
        f"{100 * (cost / disk_ms() - 1):.0f} %, but {100 * (response_s / paging_s - 1):,.0f} % "
        "(by one seed). The thesis's -2,500 % on the bus and its gains of 75 to 100 % where RAM is "
        "scarce are what follows if one side is beyond the cliff and the other is not, or not as "
        f"far.{in_all}"
    )


def _implied(measured: Measurements) -> str:
    """Which of the thesis's numbers no cost of a page would give with these jobs."""
    told = []
    for stated in STATED:
        free = free_pct(measured, stated.case)
        least, _ = perhaps_stated(measured, stated)
        if free is not None and least > free:
            told.append(f"{stated.told} ({stated.words}): free pages would gain {free:.0f} %")
    if not told:
        return ""
    return (
        "**The thesis had other jobs, or differs in something else that it does not state.** Even "
        "if its single run was a lucky one, no cost of a page would give these jobs its gain of "
        f"{', or of '.join(told)}."
    )


def _ratios(measured: Measurements, case: Case) -> list[float]:
    """The optimization ratios of all designs of network RAM in a case, %; none if one is lost."""
    names = PNR[case.parameters["nodes"]]
    found = [measured.reduction_pct((case, name), (case, "DP")) for name in names]
    return [] if None in found else [one.mean for one in found]


def _gains(measured: Measurements) -> str:
    told = []
    for nodes in clusters():
        by_load = [
            f"{_span(found)} % ({load})"
            for load in _ALL_LOADS
            if (found := _ratios(measured, base(nodes, load)))
        ]
        if by_load:
            told.append(f"with {nodes} nodes {', '.join(by_load)}")
    if not told:
        return ""
    return (
        f"**Borrowing is ahead of the disk** in the base case under every load: {'; '.join(told)}."
    )


def _queues(measured: Measurements) -> str:
    """How much of their time jobs wait for a place under disk paging."""
    told = []
    for load in _ALL_LOADS:
        share = waiting_share(measured, base(SMALL, load), "DP")
        if share is not None:
            told.append(f"{100 * share:.0f} % ({load})")
    if not told:
        return ""
    return (
        f"With disk paging, jobs of {SMALL} nodes wait for a place for {', '.join(told)} of their "
        'time. Under the heavy load of the thesis jobs "are starting to get backlogged"; by how '
        "much it does not say."
    )


def _alike(measured: Measurements) -> str:
    """How far the designs are apart, in the mean of the seeds that all of them have."""
    told = []
    for nodes in clusters():
        for load in _ALL_LOADS:
            found = measured.in_common([(base(nodes, load), name) for name in PNR[nodes]])
            if found[0]:
                times = {
                    fmean(by_seed): name for name, by_seed in zip(PNR[nodes], found, strict=True)
                }
                apart = max(times) / min(times) - 1
                last = _last(measured, base(nodes, load), times) if 100 * apart > ALIKE_PCT else ""
                told.append(f"{apart:.2%} ({nodes}, {load}{last})".replace("%", " %"))
    if not told:
        return ""
    return (
        "**Who coordinates matters little until jobs queue**: the slowest of six designs takes "
        f"longer than the fastest by {', '.join(told)}."
    )


def _last(measured: Measurements, case: Case, times: dict[float, str]) -> str:
    """The slowest design, which may be so by chance."""
    first, last = (times[some(times)] for some in (min, max))
    ahead = measured.reduction_pct((case, first), (case, last))
    sure = ahead is not None and ahead.n > 1 and ahead.low > 0
    return f": {last}" if sure else f": {last}, perhaps by chance"


def _cli(measured: Measurements) -> str:
    cases = [base(nodes, load) for nodes in clusters() for load in _ALL_LOADS]
    found = [ratios[0] for case in cases if (ratios := _ratios(measured, case))]  # CLI is the first
    if not found:
        return ""
    behind = sum(ratio < 0 for ratio in found)
    return (
        "Clients that do not coordinate (CLI) are behind disk paging in "
        f"{behind} of these {len(found)} base cases; the thesis has them behind under heavy load "
        "with 64 nodes, and ahead with 128."
    )


def _jobs(measured: Measurements) -> str:
    """How much depends on the jobs."""
    found = [ratio for case in on_windows(L64) for ratio in _ratios(measured, case)]
    if not found:
        return ""
    return (
        f"**How much it gains is up to the jobs**: with {SMALL} nodes from {_span(found)} % over "
        f"{told_windows()}. The thesis does not say which jobs it took, so its "
        "percentages cannot be held to more than that."
    )


def _readings(measured: Measurements) -> str:
    """Which other settings move the optimization ratio the most."""
    told = most_moving(measured)
    if not told:
        return ""
    return (
        "**How much it gains hangs on settings, too**, those that the thesis states (a quantum of "
        f"60 s, two jobs a node) and those that it leaves open: MAN on {SMALL} nodes under light "
        f"load gains {', '.join(f'{ratio:.1f} % with {words}' for words, ratio in told)} (one "
        "seed)."
    )


def _verdicts(measured: Measurements) -> str:
    judged = [finding.judge(measured) for finding in FINDINGS]
    verdicts = [one.verdict for one in judged]
    tested = [one for one in verdicts if one in (REPRODUCED, NOT_REPRODUCED)]
    if OPEN in verdicts and len(tested) < len(verdicts) / 2:
        return ""  # too little was run
    return (
        f"Of {len(FINDINGS)} statements of the thesis, {verdicts.count(REPRODUCED)} have the same "
        f"direction here and {verdicts.count(NOT_REPRODUCED)} the opposite or none."
    )
