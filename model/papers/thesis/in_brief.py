"""What a reader of the thesis's page should remember: a picture, and a few lines with numbers."""

from collections.abc import Iterable, Iterator, Sequence
from itertools import product
from statistics import fmean

from model.papers.cases import Case
from model.papers.findings import NOT_REPRODUCED, OPEN, REPRODUCED, known
from model.papers.measurements import Measurements, NotRun
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
    pnr,
    windows_in_words,
)
from model.papers.thesis.cliff import STATED, curve, disk_ms, free_pct, perhaps_stated
from model.papers.thesis.design_map import ALIKE_PCT, sentence
from model.papers.thesis.findings import FINDINGS
from model.papers.thesis.sensitivities import most_moving
from model.papers.thesis.single_runs import waiting_share

PICTURES = "../../../.github/pictures"  # from the page's folder
_ALL_LOADS = (*LOADS, *OTHER_LOADS)


def in_brief(measured: Measurements) -> Iterator[str]:
    """The lines, of which those without runs are left out."""
    parts = (
        *(_costs, _cliff, _beyond, _implied, _queues, _gains),
        *(_alike, _cli, _jobs, _readings, sentence, _verdicts),
    )
    lines = [line for part in parts if (line := known(part, measured))]
    if lines:
        yield f"![How long jobs take by what a page costs]({PICTURES}/thesis_1.png)"
        yield ""
        yield from (f"{number}. {line}" for number, line in enumerate(lines, start=1))
        yield ""


def _span(values: Sequence[float]) -> str:
    """The least and the most, or one number if both read alike."""
    return " to ".join(dict.fromkeys(f"{some(values):,.1f}" for some in (min, max)))


def _some(parts: Iterable[str], joint: str = ", ") -> str:
    """Parts of a sentence, joined; raises NotRun if there are none."""
    if not (some := [*parts]):
        raise NotRun
    return joint.join(some)


def _costs(measured: Measurements) -> str:
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
    over_each = _some(
        f"{_span(found)} ms over {words}"
        for words, of in costs.items()
        if (found := [one.mean for one in of if one is not None])
    )
    return (
        "**A page over the network is cheaper than one from the disk.** Under heavy load a page "
        f"costs {disk_ms():.1f} ms from the disk, and {over_each}."
    )


def _points(measured: Measurements) -> list[tuple[float, float]]:
    """The cliff's curve of the light base case; raises NotRun."""
    if not (points := curve(measured, L64)):
        raise NotRun
    return points


def _cliff(measured: Measurements) -> str:
    points = _points(measured)
    beyond = [point for point in points if point[0] >= disk_ms()]
    shown = dict.fromkeys((points[0], *beyond[:3], points[-1]))
    times = ", ".join(f"{response_s:,.0f} s at {cost:.1f} ms" for cost, response_s in shown)
    return (
        f"**There is a cliff.** If every page costs the same, one of 4,000 jobs on {SMALL} nodes "
        f"takes, on average, {times} (by one seed): beyond the cliff jobs come faster than they "
        "are worked off."
    )


def _beyond(measured: Measurements) -> str:
    """What a network half as slow again as the disk would do."""
    points = _points(measured)
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
    gains = _some(
        (
            f"{stated.percents} ({stated.words}): free pages would gain {free:.0f} %"
            for stated in STATED
            for free in [free_pct(measured, stated.case)]
            if free is not None and perhaps_stated(measured, stated)[0] > free
        ),
        ", or of ",
    )
    return (
        "**The thesis had other jobs, or differs in something else that it does not state.** Even "
        "if its single run was a lucky one, no cost of a page would give these jobs its gain of "
        f"{gains}."
    )


def _ratios(measured: Measurements, case: Case) -> list[float]:
    """The optimization ratios of all designs of network RAM in a case, %; none if one is lost."""
    found = [measured.reduction_pct((case, name), (case, "DP")) for name in pnr(case)]
    return [] if None in found else [one.mean for one in found]


def _gains(measured: Measurements) -> str:
    by_load = {
        nodes: ", ".join(
            f"{_span(found)} % ({load})"
            for load in _ALL_LOADS
            if (found := _ratios(measured, base(nodes, load)))
        )
        for nodes in clusters()
    }
    gains = _some((f"with {nodes} nodes {of}" for nodes, of in by_load.items() if of), "; ")
    return f"**Borrowing is ahead of the disk** in the base case under every load: {gains}."


def _queues(measured: Measurements) -> str:
    """How much of their time jobs wait for a place under disk paging."""
    shares = _some(
        f"{100 * share:.0f} % ({load})"
        for load in _ALL_LOADS
        if (share := waiting_share(measured, base(SMALL, load), "DP")) is not None
    )
    return (
        f"With disk paging, jobs of {SMALL} nodes wait for a place for {shares} of their "
        'time. Under the heavy load of the thesis jobs "are starting to get backlogged"; by how '
        "much it does not say."
    )


def _alike(measured: Measurements) -> str:
    """How far the designs are apart, in the mean of the seeds that all of them have."""
    distances = []
    for nodes, load in product(clusters(), _ALL_LOADS):
        case = base(nodes, load)
        found = measured.in_common([(case, name) for name in pnr(case)])
        if found[0]:
            times = {fmean(by_seed): name for name, by_seed in zip(pnr(case), found, strict=True)}
            apart = max(times) / min(times) - 1
            last = _last(measured, case, times) if 100 * apart > ALIKE_PCT else ""
            distances.append(f"{apart:.2%} ({nodes}, {load}{last})".replace("%", " %"))
    return (
        "**Who coordinates matters little until jobs queue**: the slowest of six designs takes "
        f"longer than the fastest by {_some(distances)}."
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
        raise NotRun
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
        raise NotRun
    return (
        f"**How much it gains is up to the jobs**: with {SMALL} nodes from {_span(found)} % over "
        f"{windows_in_words()}. The thesis does not say which jobs it took, so its "
        "percentages cannot be held to more than that."
    )


def _readings(measured: Measurements) -> str:
    """Which other settings move the optimization ratio the most."""
    gains = _some(f"{ratio:.1f} % with {words}" for words, ratio in most_moving(measured))
    return (
        "**How much it gains hangs on settings, too**, those that the thesis states (a quantum of "
        f"60 s, two jobs a node) and those that it leaves open: MAN on {SMALL} nodes under light "
        f"load gains {gains} (one seed)."
    )


def _verdicts(measured: Measurements) -> str:
    judged = [finding.judge(measured) for finding in FINDINGS]
    verdicts = [one.verdict for one in judged]
    tested = [one for one in verdicts if one in (REPRODUCED, NOT_REPRODUCED)]
    if OPEN in verdicts and len(tested) < len(verdicts) / 2:
        raise NotRun
    return (
        f"Of {len(FINDINGS)} statements of the thesis, {verdicts.count(REPRODUCED)} have the same "
        f"direction here and {verdicts.count(NOT_REPRODUCED)} the opposite or none."
    )
