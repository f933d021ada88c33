"""The thesis: what it leaves open, and what was assumed."""

from functools import partial

from model.papers.cases import Case
from model.papers.measurements import Measurements
from model.papers.paper import Paper
from model.papers.tables import columns, number, section
from model.papers.thesis.cases import (
    LOADS,
    OTHER_LOADS,
    PNR,
    base,
    load,
    slower,
    windows,
    windows_in_words,
)
from model.papers.thesis.claims import TELLING_PCT
from model.papers.thesis.cliff import curve_errors, implications
from model.papers.thesis.design_map import designs_by_place, sentence
from model.papers.thesis.directions import directions
from model.papers.thesis.figures import FIGURES
from model.papers.thesis.findings import FINDINGS
from model.papers.thesis.in_brief import PICTURES, in_brief
from model.papers.thesis.sensitivities import sensitivities
from model.pnr.measures import PAGING
from model.sweeps.statistics import Estimate


def _error(measured: Measurements) -> str:
    """How far the curve is off where its answer is known."""
    errors = curve_errors(measured)
    if not errors:
        return ""
    return (
        f" So on our own stars of {min(slower()):g} to {max(slower()):g} Mbps the curve is off by "
        f"{min(errors):.1f} to {max(errors):.1f} ms."
    )


def _pictured(measured: Measurements) -> str:
    """The map, and what follows from it."""
    if not (advice := sentence(measured)):
        return ""
    words = "Response times in multiples of disk paging's, by network, load and RAM"
    return f"![{words}]({PICTURES}/thesis_2.png)\n\n{advice}"


def _in_window(
    measured: Measurements, case: Case, design: str, first: int, jobs: int
) -> Estimate | None:
    """The optimization ratio of a base case in a window, %."""
    there = case.but(first=first, jobs=jobs)
    return measured.reduction_pct((there, design), (there, PAGING))


TABLES = (
    section(
        "What the thesis's numbers imply",
        lambda measured: (
            "If every page cost the same, how long jobs take would follow from that cost (figure "
            "1), and each optimization ratio of the thesis implies what a page cost there, if its "
            "jobs were these; *by chance*: if its single run was as far off as one may be (empty: "
            "no seeds tell how far that is). *Ours implies* is what our own response time implies, "
            "beside what a page cost in fact. Pages over a network do not all cost the same: they "
            "queue behind each other where many fault at once, and barriers wait for the last."
            f"{_error(measured)}"
        ),
        implications,
    ),
    section(
        "Where the directions hold",
        "Each finding's direction if its cases were on another network, under another load or "
        "another reading (a fault swaps pages; links carry a message in each direction), or of "
        f"other jobs (how many of {windows_in_words()} say yes). Empty: not run, or "
        "the finding is about just that.",
        directions,
    ),
    section("Which design, where", _pictured, designs_by_place),
    section(
        "What hangs on settings",
        "Optimization ratios if what the thesis leaves open is read in other ways, or if what it "
        "states (a quantum of 60 s, two jobs a node) were otherwise, each alone and by one seed "
        "(`alternatives.toml`). Empty: not run.",
        sensitivities,
    ),
    section(
        "The base case on other jobs",
        f"Optimization ratios, %, by the first records of {windows_in_words()}.",
        columns(
            ("",),
            {
                f"{nodes} nodes: {design}": (base(nodes, LOADS[0]), design)
                for nodes, designs in PNR.items()
                for design in designs
            },
            {
                f"{first:,}": number(
                    "{:.1f}", partial(_in_window, first=first, jobs=jobs), missing=""
                )
                for first, jobs in windows()
            },
        ),
    ),
)


def _jobs(name: str) -> str:
    """A load in words."""
    factor = load(name).get("load_factor", 1)
    return f"{load(name)['jobs']:,} jobs" + (f" at load factor {factor:g}" if factor != 1 else "")


PAPER = Paper(
    "thesis",
    "The thesis (Oleszkiewicz)",
    "mean_response_s",
    FIGURES,
    FINDINGS,
    f"The light load is {_jobs('light')}, the heavy one {_jobs('heavy')}, as in the thesis, which "
    f"does not say which jobs of the log it took. Two more were chosen before any finding was "
    f"judged: {OTHER_LOADS[0]}, {_jobs(OTHER_LOADS[0])}, and {OTHER_LOADS[1]}, "
    f"{_jobs(OTHER_LOADS[1])}. The thesis ran each experiment once.",
    "Intervals in brackets are those of single runs; relative to the number they are as wide as "
    "for these designs in cases with as many nodes and several seeds: where jobs wait for a place "
    "for as large a share of their time, by the straight line between the next smaller and the "
    "next larger (beyond all of these as where they wait the longest), and never narrower than "
    "where they wait for less. The thesis's numbers are of single runs, too: its ranges are "
    "widened by as much (*a single run*) as in our light case, under heavy load, where its jobs "
    '"are starting to get backlogged" (section 4.1.1), as in the onset case, and with scarce '
    "RAM as in the deep one, which is chosen, not known; a range that then includes no effect at "
    "all, or everything, tells nothing. Our thresholds: designs whose response times differ by "
    f"less than {TELLING_PCT:g} % are alike; where the thesis calls them alike, by 2 %, or 5 "
    "where memory is scarce; *an order of magnitude* is from 3.2 times on. In square brackets are "
    f"the least and the most over {windows_in_words()}, which were run for the base case only, and "
    "hold fewer jobs than the thesis's runs, so that they differ by more.",
    TABLES,
    later=(
        "scarce-seeds-man",
        "scarce-seeds-large",
        "ample-seeds",
        "fast-seeds",
        "scarce-seeds-again",
        "scarce-seeds-heavy-again",
        "slow-seeds",
        "allocation-seeds",
    ),
    opening=in_brief,
    sums={"faults": r"^faults_(disk|network)$", "messages": r"^messages\."},
)
