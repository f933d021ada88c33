"""Why findings of the thesis differ here: sentences with the numbers from which they follow.

"The top" is that of the page. A reason without its numbers raises NotRun, and is left out.
"""

from collections.abc import Callable, Sequence
from statistics import fmean

from model.papers.cases import Case, over
from model.papers.measurements import Measurements, NotRun
from model.papers.thesis.cases import (
    CASES,
    FAST,
    H64,
    H128,
    L64,
    L128,
    LARGE,
    PNR,
    SMALL,
    coordinated,
    on_windows,
    pnr,
    windows,
)
from model.papers.thesis.single_runs import optimization_ratio

CHEAP = (
    "A page over the network costs a fraction of one from the disk here (see the top), so whoever "
    "has its pages there is ahead."
)
FOUND = "As in finding 2, nodes find lenders for nearly all that they need under all designs."
BUS = "Over the bus of 128 nodes, too, a page costs half of one from the disk here (see the top)."


def _of_designs(measured: Measurements, cases: Sequence[Case], measure: str) -> list[float]:
    """A measure's means under all designs of network RAM."""
    return [measured.mean(case, name, measure) for case in cases for name in pnr(case)]


def lenders_found(measured: Measurements) -> str:
    """Designs differ in how they look for memory; in the base cases all of them find it."""
    unmet, needed = (
        sum(_of_designs(measured, CASES, name)) for name in ("need_unmet_mb", "need_mb")
    )
    return (
        "Under all designs pages go straight between a node and its lenders, and in the base cases "
        "under the light and the heavy load nodes find lenders for all that they need but "
        f"{100 * unmet / needed:.1g} % (the mean of all designs), so that designs differ by about "
        "1 % or less (see the top)."
    )


def less_to_gain(measured: Measurements) -> str:
    """More RAM relieves the disk."""
    faults = ", ".join(
        f"{measured.mean(H64.but(ram=ram), 'DP', 'faults_disk') / 10**6:,.0f} million at {ram} %"
        for ram in (100, 115, 125)
    )
    return (
        f"Here more RAM relieves the disk more than in the thesis: of page faults, DP makes "
        f"{faults} RAM. So there is less to gain."
    )


def less_even(measured: Measurements) -> str:
    """Borrowing lowers what is allocated by more than how much that deviates over nodes."""

    def lower(case: Case, measure: str) -> float:
        return fmean(_of_designs(measured, [case], measure)) / measured.mean(case, "DP", measure)

    falls = "; to ".join(
        f"{lower(case, 'allocated_mb_mean'):.2f} of DP's with {nodes} nodes, and its deviation to "
        f"{lower(case, 'allocated_mb_sd'):.2f}"
        for nodes, case in {SMALL: H64, LARGE: H128}.items()
    )
    return (
        "Under heavy load, where memory is borrowed jobs end sooner, and RAM allocated falls to "
        f"{falls}: the deviation falls, too, though by less than the mean."
    )


def beyond(*cases: Case) -> Callable[[Measurements], str]:
    """How far disk paging is beyond the cliff in these cases, where it is, and MAN."""

    def why(measured: Measurements) -> str:
        both = {case: [measured.of(case, name) for name in ("DP", "MAN")] for case in cases}
        found = {case: [one.mean for one in of] for case, of in both.items() if None not in of}
        if not any(paging_s > 5 * measured.mean(L64, "DP") for paging_s, _ in found.values()):
            raise NotRun
        times = ", ".join(
            f"{paging_s:,.0f} and {borrowing_s:,.0f} s ({case})"
            for case, (paging_s, borrowing_s) in found.items()
        )
        return (
            f"Disk paging is beyond the cliff here: under DP and MAN a job takes {times}. The gain "
            "hangs on how far beyond it each of the two is."
        )

    return why


def pages_or_waits(measured: Measurements) -> str:
    """What space sharing saves and costs."""
    faults, waits_s = (
        [measured.mean(case, "DP", measure) for case in (H64, H64.but(scheduler="space"))]
        for measure in ("faults_disk", "mean_wait_s")
    )
    return (
        "A job that has its nodes to itself pages less, and waits longer for them: under DP there "
        f"are {faults[1] / 10**6:,.0f} million page faults instead of {faults[0] / 10**6:,.0f}, "
        f"and jobs wait for {waits_s[1]:,.0f} s instead of {waits_s[0]:,.0f} (64 nodes, heavy). "
        "That may pay where pages are from the disk (DP); over the network they are cheap here "
        "(see the top)."
    )


def pages_ms(measured: Measurements, cases: Sequence[Case]) -> list[float]:
    """What a page over the network costs under each design, ms."""
    return _of_designs(measured, cases, "network_page_ms")


def fast_networks(measured: Measurements) -> str:
    """Pages are cheap on networks that are faster than the base case's."""
    networks = (*over(CASES, bandwidth_mbps=FAST), *over(CASES, topology="connected"))
    return (
        f"On these networks a page costs {max(pages_ms(measured, networks)):.2f} ms at most, under "
        "any design, and with ample RAM all designs find lenders, so that nobody can be behind by "
        "much."
    )


def up_to_the_jobs(measured: Measurements) -> str:
    """How far the gain differs over windows of the log, where those were run."""
    found = [
        optimization_ratio(measured, case, name) for case in on_windows(L128) for name in PNR[LARGE]
    ]
    if None in found:
        raise NotRun
    gains = [one.mean for one in found]
    return (
        f"How much it gains is up to the jobs: on 128 nodes from {min(gains):.1f} to "
        f"{max(gains):.1f} % over {len(windows())} disjoint windows of the log, which were run for "
        "the base case only."
    )


def slow_but_cheaper(measured: Measurements) -> str:
    """A page over the slowest network is still cheaper than one from the disk."""
    costs = " and ".join(
        f"{min(found):.1f} to {max(found):.1f} ms with {nodes} nodes"
        for nodes, cases in {SMALL: (L64, H64), LARGE: (L128, H128)}.items()
        for found in [pages_ms(measured, over(cases, bandwidth_mbps=10))]
    )
    return (
        f"A page over 10 Mbps costs {costs}, which is less than one from the "
        "disk here (see the top), though more than at 100 Mbps, so that there is less to gain."
    )


def dearer_pages(measured: Measurements) -> str:
    """On a slow network CLI has the cheapest pages."""
    case = H64.but(bandwidth_mbps=10)
    costs = ", ".join(
        f"{measured.mean(case, name, 'network_page_ms'):.1f} ms under {name}"
        for name in ("CLI", "BB16", "CEN")
    )
    return (
        f"At 10 Mbps a page costs {costs} (64 nodes), so CLI is not behind. Among designs that "
        "coordinate, what a page costs does not order how long jobs take."
    )


def more_faults(measured: Measurements) -> str:
    """Over the bus of 128 nodes CLI has more pages to move."""
    case = L128.but(topology="bus")
    own, *others = (
        measured.mean(case, name, "faults_network") / 10**6 for name in ("CLI", *coordinated(case))
    )
    return (
        f"Over the bus of {LARGE} nodes CLI makes {own:,.0f} million page faults over the network, "
        f"the others make {min(others):,.0f} to {max(others):,.0f} million."
    )


def lenders_lacking(measured: Measurements) -> str:
    """Where RAM is scarce, most of what is needed is on disks, under MAN more than under CEN."""
    case = L64.but(ram=65)
    lacking = []
    for name in pnr(case):
        unmet, needed = (measured.mean(case, name, one) for one in ("need_unmet_mb", "need_mb"))
        lacking.append(f"{100 * unmet / needed:.0f} % ({name})")
    took = []
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
        return sum(measured.mean(case, design, part) for part in parts)

    times = []
    ways = {"over the star": H64, "where connected": H64.but(topology="connected")}
    for words, case in ways.items():
        others = [spent_s(case, name) for name in pnr(case) if name != "MAN"]
        own_s = spent_s(case, "MAN")
        times.append(
            f"{own_s:.1f} s {words} (other designs: {min(others):.1f} to {max(others):.1f})"
        )
    return (
        "MAN's barriers and pages take the same ways as those of the others, and keep a job for "
        f"{' and '.join(times)}. So what the connected network saves, it saves for MAN, too."
    )


def slight_edge(measured: Measurements) -> str:
    """With space sharing CLI is ahead, by less than anybody could see."""
    by_pct = [
        found.mean
        for case in over(CASES, scheduler="space", ram=75)
        for name in coordinated(case)
        if (found := measured.reduction_pct((case, "CLI"), (case, name))) is not None
    ]
    if not by_pct:
        raise NotRun
    return f"CLI is ahead by {min(by_pct):.2f} to {max(by_pct):.2f} %, which no figure would show."
