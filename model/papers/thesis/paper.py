"""The thesis: what is drawn, found, and named on its page, `text/page.md`."""

from collections.abc import Mapping
from functools import partial

from model.papers.cases import Case
from model.papers.measurements import Measurements
from model.papers.paper import Paper
from model.papers.tables import columns, number
from model.papers.text import Named
from model.papers.thesis.cases import (
    BARE,
    LOADS,
    OTHER_LOADS,
    PNR,
    base,
    distinct_cases,
    every,
    limit_s,
    load,
    other_readings,
    slower,
    windows,
    windows_in_words,
)
from model.papers.thesis.claims import TELLING_PCT
from model.papers.thesis.cliff import curve_errors, disk_ms, implications
from model.papers.thesis.design_map import WHICH_DESIGN, designs_by_place
from model.papers.thesis.directions import directions
from model.papers.thesis.figures import FIGURES
from model.papers.thesis.findings import FINDINGS
from model.papers.thesis.in_brief import IN_BRIEF, IN_NUMBERS, passed_by
from model.papers.thesis.readings import CLI_TRIED, GAINS, cli_alone_behind, single_shaken_runs
from model.papers.thesis.sensitivities import sensitivities
from model.pnr.measures import PAGING
from model.sweeps.statistics import Estimate

#: A disk of the cliff's, whose pages cost about 2.1 ms: the null model, without any network.
NULL_DISK = {"seek_ms": 2, "rotation": False}


def _in_window(
    measured: Measurements, case: Case, design: str, first: int, jobs: int
) -> Estimate | None:
    """The optimization ratio of a base case in a window, %."""
    there = case.but(first=first, jobs=jobs)
    return measured.reduction_pct((there, design), (there, PAGING))


def _runs_under_readings(measured: Measurements) -> str:
    """How many runs of table 3.1 there are under each other reading."""
    runs = [(case, design) for case in distinct_cases() for design in every(case)]
    counts = {
        name: sum(measured.elsewhere(**moved).of(*run) is not None for run in runs)
        for name, moved in other_readings().items()
    }
    return ", ".join(f"`{name}`, {count} of {len(runs)} runs" for name, count in counts.items())


def _jobs(_: Measurements, name: str) -> str:
    """A load in words."""
    factor = load(name).get("load_factor", 1)
    return f"{load(name)['jobs']:,} jobs" + (f" at load factor {factor:g}" if factor != 1 else "")


NAMED: Mapping[str, Named] = {
    "in_brief": IN_BRIEF,
    "in_numbers": IN_NUMBERS,
    "null_ms": lambda _: disk_ms(NULL_DISK["seek_ms"]),
    "null": partial(passed_by, disk=NULL_DISK),
    **{name: partial(_jobs, name=name) for name in (*LOADS, *OTHER_LOADS)},
    "windows": lambda _: windows_in_words(),
    "readings": _runs_under_readings,
    "limit_s": lambda _: limit_s(),
    "telling_pct": lambda _: TELLING_PCT,
    "slower_mbps": lambda _: slower(),
    "curve_errors_ms": curve_errors,
    "which_design": WHICH_DESIGN,
    "readings_gains": GAINS,
    "single_shaken_runs": single_shaken_runs,
    "cli_tried": CLI_TRIED,
    "cli_alone_behind": cli_alone_behind,
    "implications": implications,
    "directions": directions,
    "places": designs_by_place,
    "settings": sensitivities,
    "windows_gains": columns(
        ("",),
        {
            f"{nodes} nodes: {design}": (base(nodes, LOADS[0]), design)
            for nodes, designs in PNR.items()
            for design in designs
        },
        {
            f"{first:,}": number("{:.1f}", partial(_in_window, first=first, jobs=jobs), missing="")
            for first, jobs in windows()
        },
    ),
}


PAPER = Paper(
    "thesis",
    "mean_response_s",
    FIGURES,
    FINDINGS,
    named=NAMED,
    null=NULL_DISK,
    reading=BARE,
    readings=other_readings(),
    later=(
        "scarce-seeds-man",
        "scarce-seeds-large",
        "ample-seeds",
        "fast-seeds",
        "scarce-seeds-again",
        "scarce-seeds-heavy-again",
        "slow-seeds",
        "allocation-seeds",
        "space-seeds-large",
        "ethernet-space-seeds-small",
        "ethernet-space-seeds-large",
        "windows-out-of-range",
    ),
    sums={"faults": r"^faults_(disk|network)$", "messages": r"^messages\."},
)
