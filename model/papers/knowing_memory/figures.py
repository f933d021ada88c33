"""What the study draws; `knowing-memory.toml` declares the runs."""

from model.papers.cases import Case
from model.papers.figures import Panel, PaperFigure, Style, logarithmic
from model.papers.knowing_memory.cases import EXACT, NOTHING, REQUESTED, WINDOWS, knowing, unknown
from model.papers.measurements import Measurements, shows
from model.sweeps.statistics import Estimate

#: How designs are drawn.
STYLES = {"DP": Style("#000000"), "MAN": Style("#CC79A7")}

_TOLD = {NOTHING: "nothing", EXACT: "memory exactly", REQUESTED: "what users asked for"}

_PANELS = tuple(
    Panel(
        tuple(knowing(known, case) for case in WINDOWS),
        tuple(f"{case.parameters['first']:,}" for case in WINDOWS),
        "First record of the window",
        f"The scheduler knows {_TOLD[known]}",
    )
    for known in (NOTHING, EXACT, REQUESTED)
)


def _in_multiples(measured: Measurements, case: Case, design: str) -> Estimate | None:
    return measured.ratio((case, design), (unknown(case), "DP"))


FIGURES = (
    PaperFigure(
        "1",
        "Mean response times in multiples of those with DP and a scheduler that knows nothing "
        "(log scale)",
        _PANELS,
        STYLES,
        "Times that of DP, nothing known",
        _in_multiples,
        "bars",
        level=1,
        scale=logarithmic,
    ),
    PaperFigure(
        "2",
        "How long jobs wait for their start on average",
        _PANELS,
        STYLES,
        "Mean wait (s)",
        shows("mean_wait_s"),
        "bars",
    ),
)
