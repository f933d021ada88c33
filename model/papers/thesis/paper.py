"""The thesis: what it leaves open, and what was assumed."""

from collections.abc import Iterator

from model.papers.measurements import Measurements
from model.papers.page import table
from model.papers.paper import Paper
from model.papers.thesis.cases import LOADS, load, windows
from model.papers.thesis.figures import FIGURES
from model.papers.thesis.findings import CASES, FINDINGS, PNR, TELLING_PCT


def _on_other_jobs(measured: Measurements) -> Iterator[str]:
    """A table of the base case on disjoint windows of the trace."""
    yield "## The base case on other jobs"
    yield ""
    yield "Optimization ratios, %, by the first records of six disjoint windows of 1,000 jobs."
    yield ""
    rows = []
    for case in CASES:
        windowed = [case.but(first=first, jobs=jobs) for first, jobs in windows()]
        for design in PNR[case.parameters["nodes"]]:
            found = [measured.reduction_pct((one, design), (one, "DP")) for one in windowed]
            told = ("" if ratio is None else f"{ratio.mean:.1f}" for ratio in found)
            rows.append((f"{case}: {design}", *told))
    yield from table(("", *(f"{first:,}" for first, _ in windows())), rows)


_LOADS = {
    name: f"{load(name)['jobs']:,} jobs at load factor {load(name).get('load_factor', 1):g}"
    for name in LOADS
}

PAPER = Paper(
    "thesis",
    "The thesis (Oleszkiewicz)",
    "mean_response_s",
    FIGURES,
    FINDINGS,
    f"The light load is {_LOADS['light']}, the heavy one {_LOADS['heavy']}. The thesis does not "
    "say which jobs of the log it took; its loads are regimes to match, not backlogged and "
    "backlogged. It ran each experiment once.",
    "Intervals in brackets are those of single runs; relative to the number they are as wide as "
    "in the case with as many nodes in which seeds of these designs differ the most. Designs whose "
    f"response times differ by less than {TELLING_PCT:g} % are alike: less is visible in none of "
    "the thesis's figures.\n\n"
    "Seeds tell how sure a number is for exactly these jobs. The last table tells how much it "
    "depends on the jobs: optimization ratios of the base case range from 0 to 90 %, and the "
    "designs are as alike as here.",
    lambda measured: "\n".join(_on_other_jobs(measured)),
    {"faults": r"^faults_(disk|network)$", "messages": r"^messages\."},
)
