"""Why findings of the thesis differ here: sentences with the numbers from which they follow.

"The top" is that of the page. A reason without its numbers is empty.
"""

from collections.abc import Callable, Sequence
from itertools import product
from math import isnan, nan
from statistics import fmean

from model.papers.cases import Case
from model.papers.measurements import Measurements
from model.papers.thesis.cases import (
    CASES,
    COORDINATED,
    FAST,
    H64,
    H128,
    L64,
    L128,
    LARGE,
    PNR,
    SMALL,
    on_windows,
    windows,
)
from model.papers.thesis.single_runs import optimization_ratio

CHEAP = (
    "A page over the network costs a fraction of one from the disk here (see the top), so whoever "
    "has its pages there is ahead."
)
FOUND = "As in finding 2, nodes find lenders for nearly all that they need under all designs."
BUS = "Over the bus of 128 nodes, too, a page costs half of one from the disk here (see the top)."


def _of(measured: Measurements, case: Case, design: str, measure: str | None = None) -> float:
    """A mean; nan if there is none."""
    found = measured.of(case, design, measure)
    return nan if found is None else found.mean


def _of_designs(measured: Measurements, cases: Sequence[Case], measure: str) -> list[float]:
    """A measure's means under all designs of network RAM; nan where there is none."""
    return [
        _of(measured, case, name, measure)
        for case in cases
        for name in PNR[case.parameters["nodes"]]
    ]


def lenders_found(measured: Measurements) -> str:
    """Designs differ in how they look for memory; in the base cases all of them find it."""
    sums = [sum(_of_designs(measured, CASES, name)) for name in ("need_unmet_mb", "need_mb")]
    if any(map(isnan, sums)):
        return ""
    unmet, needed = sums
    return (
        "Under all designs pages go straight between a node and its lenders, and in the base cases "
        "under the light and the heavy load nodes find lenders for all that they need but "
        f"{100 * unmet / needed:.1g} % (the mean of all designs), so that designs differ by about "
        "1 % or less (see the top)."
    )


def less_to_gain(measured: Measurements) -> str:
    """More RAM relieves the disk."""
    told = {
        f"{ram} %": _of(measured, H64.but(ram=ram), "DP", "faults_disk") / 10**6
        for ram in (100, 115, 125)
    }
    if any(map(isnan, told.values())):
        return ""
    words = ", ".join(f"{count:,.0f} million at {ram}" for ram, count in told.items())
    return (
        f"Here more RAM relieves the disk more than in the thesis: of page faults, DP makes "
        f"{words} RAM. So there is less to gain."
    )


def less_even(measured: Measurements) -> str:
    """Borrowing lowers what is allocated by more than how much that deviates over nodes."""
    told = []
    for nodes, case in {SMALL: H64, LARGE: H128}.items():
        lower = []
        for measure in ("allocated_mb_mean", "allocated_mb_sd"):
            paging = _of(measured, case, "DP", measure)
            lower.append(fmean(_of_designs(measured, [case], measure)) / paging)
        if any(map(isnan, lower)):
            return ""
        told.append(
            f"{lower[0]:.2f} of DP's with {nodes} nodes, and its deviation to {lower[1]:.2f}"
        )
    return (
        "Under heavy load, where memory is borrowed jobs end sooner, and RAM allocated falls to "
        f"{'; to '.join(told)}: the deviation falls, too, though by less than the mean."
    )


def beyond(*cases: Case) -> Callable[[Measurements], str]:
    """How far disk paging is beyond the cliff in these cases, where it is, and MAN."""

    def why(measured: Measurements) -> str:
        calm_s = _of(measured, L64, "DP")
        found = {
            case: both
            for case in cases
            if not any(map(isnan, both := [_of(measured, case, name) for name in ("DP", "MAN")]))
        }
        if not any(paging_s > 5 * calm_s for paging_s, _ in found.values()):
            return ""
        told = ", ".join(
            f"{paging_s:,.0f} and {borrowing_s:,.0f} s ({case})"
            for case, (paging_s, borrowing_s) in found.items()
        )
        return (
            f"Disk paging is beyond the cliff here: under DP and MAN a job takes {told}. The gain "
            "hangs on how far beyond it each of the two is."
        )

    return why


def pages_or_waits(measured: Measurements) -> str:
    """What space sharing saves and costs."""
    cases = (H64, H64.but(scheduler="space"))
    faults = [_of(measured, case, "DP", "faults_disk") / 10**6 for case in cases]
    waits_s = [_of(measured, case, "DP", "mean_wait_s") for case in cases]
    if any(map(isnan, faults + waits_s)):
        return ""
    return (
        "A job that has its nodes to itself pages less, and waits longer for them: under DP there "
        f"are {faults[1]:,.0f} million page faults instead of {faults[0]:,.0f}, and jobs wait for "
        f"{waits_s[1]:,.0f} s instead of {waits_s[0]:,.0f} (64 nodes, heavy). That may pay where "
        "pages are from the disk (DP); over the network they are cheap here (see the top)."
    )


def pages_ms(measured: Measurements, cases: Sequence[Case]) -> list[float]:
    """What a page over the network costs under each design, ms; nan where there are no runs."""
    return _of_designs(measured, cases, "network_page_ms")


def fast_networks(measured: Measurements) -> str:
    """Pages are cheap on networks that are faster than the base case's."""
    networks = [*({"bandwidth_mbps": mbps} for mbps in FAST), {"topology": "connected"}]
    costs = pages_ms(measured, [case.but(**one) for case, one in product(CASES, networks)])
    if any(map(isnan, costs)):
        return ""
    return (
        f"On these networks a page costs {max(costs):.2f} ms at most, under any design, and with "
        "ample RAM all designs find lenders, so that nobody can be behind by much."
    )


def up_to_the_jobs(measured: Measurements) -> str:
    """How far the gain differs over windows of the log, where those were run."""
    found = [
        optimization_ratio(measured, case, name) for case in on_windows(L128) for name in PNR[LARGE]
    ]
    if None in found:
        return ""
    gains = [one.mean for one in found]
    return (
        f"How much it gains is up to the jobs: on 128 nodes from {min(gains):.1f} to "
        f"{max(gains):.1f} % over {len(windows())} disjoint windows of the log, which were run for "
        "the base case only."
    )


def slow_but_cheaper(measured: Measurements) -> str:
    """A page over the slowest network is still cheaper than one from the disk."""
    told = {}
    for nodes, cases in {SMALL: (L64, H64), LARGE: (L128, H128)}.items():
        costs = pages_ms(measured, [case.but(bandwidth_mbps=10) for case in cases])
        if any(map(isnan, costs)):
            return ""
        told[nodes] = f"{min(costs):.1f} to {max(costs):.1f} ms with {nodes} nodes"
    return (
        f"A page over 10 Mbps costs {' and '.join(told.values())}, which is less than one from the "
        "disk here (see the top), though more than at 100 Mbps, so that there is less to gain."
    )


def dearer_pages(measured: Measurements) -> str:
    """On a slow network CLI has the cheapest pages."""
    case = H64.but(bandwidth_mbps=10)
    costs = {name: _of(measured, case, name, "network_page_ms") for name in ("CLI", "BB16", "CEN")}
    if any(map(isnan, costs.values())):
        return ""
    told = ", ".join(f"{cost:.1f} ms under {name}" for name, cost in costs.items())
    return (
        f"At 10 Mbps a page costs {told} (64 nodes), so CLI is not behind. Among designs that "
        "coordinate, what a page costs does not order how long jobs take."
    )


def more_faults(measured: Measurements) -> str:
    """Over the bus of 128 nodes CLI has more pages to move."""
    case = L128.but(topology="bus")
    others = [_of(measured, case, name, "faults_network") / 10**6 for name in COORDINATED[LARGE]]
    own = _of(measured, case, "CLI", "faults_network") / 10**6
    if any(map(isnan, [own, *others])):
        return ""
    return (
        f"Over the bus of {LARGE} nodes CLI makes {own:,.0f} million page faults over the network, "
        f"the others make {min(others):,.0f} to {max(others):,.0f} million."
    )


def lenders_lacking(measured: Measurements) -> str:
    """Where RAM is scarce, most of what is needed is on disks, under MAN more than under CEN."""
    case = L64.but(ram=65)
    lacking, took = [], []
    for name in PNR[SMALL]:
        unmet, needed = (_of(measured, case, name, one) for one in ("need_unmet_mb", "need_mb"))
        if isnan(unmet):
            return ""
        lacking.append(f"{100 * unmet / needed:.0f} % ({name})")
    for name in ("MAN", "CEN"):
        by_seed_s = measured.values(case, name)
        took.append(f"{min(by_seed_s):,.0f} to {max(by_seed_s):,.0f} s under {name}")
    return (
        f"With 65 % RAM nodes find no lender for {', '.join(lacking)} of what they need. That "
        "is on disks, and disk paging is beyond the cliff there: a job takes "
        f"{' and '.join(took)}, by seed."
    )


def barriers_and_pages(measured: Measurements) -> str:
    """What the connected network saves, it saves under all designs."""

    def spent_s(case: Case, design: str) -> float:
        parts = ("breakdown.barriers_s", "breakdown.network_faults_s")
        return sum(_of(measured, case, design, part) for part in parts)

    told = []
    ways = {"over the star": H64, "where connected": H64.but(topology="connected")}
    for words, case in ways.items():
        others = [spent_s(case, name) for name in PNR[SMALL] if name != "MAN"]
        own = spent_s(case, "MAN")
        if any(map(isnan, [own, *others])):
            return ""
        told.append(f"{own:.1f} s {words} (other designs: {min(others):.1f} to {max(others):.1f})")
    return (
        "MAN's barriers and pages take the same ways as those of the others, and keep a job for "
        f"{' and '.join(told)}. So what the connected network saves, it saves for MAN, too."
    )


def slight_edge(measured: Measurements) -> str:
    """With space sharing CLI is ahead, by less than anybody could see."""
    by_pct = [
        found.mean
        for case in (one.but(scheduler="space", ram=75) for one in CASES)
        for name in COORDINATED[case.parameters["nodes"]]
        if (found := measured.reduction_pct((case, "CLI"), (case, name))) is not None
    ]
    if not by_pct:
        return ""
    return f"CLI is ahead by {min(by_pct):.2f} to {max(by_pct):.2f} %, which no figure would show."
