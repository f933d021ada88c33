"""Unknown memory demands: what the paper leaves open, and what was assumed."""

from model.papers.cases import Case
from model.papers.measurements import Measurements
from model.papers.page import table
from model.papers.paper import Paper
from model.papers.unknown.figures import ALL_TRACES, FIGURES, OTHER_MIX, STYLES
from model.papers.unknown.findings import FINDINGS
from model.sharing.unknown.scenario import FITTED


def of_the_mix(measured: Measurements) -> str:
    """Slowdowns under the fitted mix and another one, in Markdown, which show its influence."""
    lines = [
        "## How much depends on the mix of programs",
        "",
        "The paper does not state the mix, and its three counts of jobs that NO_LS completes do "
        "not identify it. The table gives mean slowdowns, and in brackets multiples of "
        "COMBINED's, under two mixes that fit (shares of bit-r, m-sort, m-m, t-sim, metis, "
        "r-sphere, r-wing):",
        "",
    ]
    rows = []
    for mix in (FITTED, OTHER_MIX):
        shares = ", ".join(f"{share:.3f}" for share in mix)
        for case in ALL_TRACES:
            cells = [_cell(measured, case.but(mix=mix), policy) for policy in STYLES]
            rows.append([shares, case.parameters["trace"], *cells])
    return "\n".join([*lines, *table(["Mix", "Trace", *STYLES], rows)])


def _cell(measured: Measurements, case: Case, policy: str) -> str:
    own = measured.of(case, policy)
    if own is None:
        return "no runs"
    times = measured.ratio((case, policy), (case, "COMBINED"))
    error = f" ± {own.half_width:.2f}" if own.n > 1 else ""
    return f"{own.mean:.2f}{error}" + (f" ({times.mean:.2f})" if times else "")


PAPER = Paper(
    "unknown",
    "Load sharing with unknown memory demands (Chen, Xiao, Zhang)",
    "mean_slowdown",
    FIGURES,
    FINDINGS,
    "The paper's traces are lost. Here gaps between jobs are lognormal with its sigma, rescaled "
    "to its number of jobs and seconds (equation 6 as printed gives neither), homes are uniform, "
    "and programs are those of table 1 in a mix fitted to how many jobs NO_LS completes "
    "(`model/papers/unknown/fit.py`, seeds 1 to 8). Working sets given as ranges grow through "
    "them in 9 equal stretches. The paper does not state the following either: CT (here 8), how "
    "often loads are reported and the loop turns (1 s), what the buffer cache holds (counted as "
    "in use), the cost estimate of AGE (a job moves if it is older than its migration takes), and "
    "what bounds equation 4 (here each of its two parts is at least 0, and both are 0 while "
    "memory suffices). A job held back at its home counts as queueing.",
    tables=of_the_mix,
)
