"""What a page costs over the network decides how long jobs take, and who coordinates does not."""

from model.papers.cases import Case
from model.papers.figures import Panel, PaperFigure, Style
from model.papers.measurements import Measurements
from model.papers.study import study_of
from model.sweeps.statistics import Estimate

#: By bandwidth in Mbps what a page costs over a star if nothing is in its way, as a tick says it.
PAGE = {100: "0.84 ms", 10: "6.9 ms", 5: "14 ms"}
STYLES = {"CLI": Style("#000000"), "MAN": Style("#CC79A7"), "NULL": Style("#0072B2", True)}


def _of_disk(measured: Measurements, case: Case, design: str) -> Estimate | None:
    """Response times in multiples of disk paging's, over the windows."""
    study = study_of("paying")
    entry = {"runs": case.parameters, "design": design, "to": "DP"}
    (claim,) = study.evaluator(measured).claims(study.states.entries([entry]))
    return claim.parts[0].value


FIGURES = (
    PaperFigure(
        "1",
        "Response times in multiples of disk paging's (13 ms a page), by what a page costs over "
        "the network; NULL: a disk of 2.1 ms a page, without any network",
        (
            Panel(
                tuple(Case(bandwidth_mbps=mbps) for mbps in PAGE),
                tuple(PAGE.values()),
                "A page over the network",
                "40 % RAM",
            ),
        ),
        STYLES,
        "Times DP's response time",
        _of_disk,
        "bars",
        level=1,
        summary=True,
    ),
)
