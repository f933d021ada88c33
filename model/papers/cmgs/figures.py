"""Figures 2 and 3 of Alves and others; `model/papers/cmgs/cmgs.toml` declares their runs."""

from model.papers.cases import Case, declared
from model.papers.figures import Panel, PaperFigure, Style
from model.papers.measurements import Measurements, geometric_mean, shows
from model.sweeps.statistics import Estimate

STYLES = {"CPU_MEM": Style("#E69F00"), "CMGS": Style("#0072B2")}
PLATFORMS, LOADS = ("I", "II"), ("mixed", "memory")
#: What is measured in a run, and what the paper calls it.
RESPONSES = {
    "slowdown_of_sums": "Performance loss",
    "faults": "Page faults",
    "remote_submissions": "Remote executions",
}
_LOSS = next(iter(RESPONSES))
_JOBS = declared("cmgs")["runs"]["factorial"]["jobs"]


def case(platform: str, load: str) -> Case:
    """The runs on a platform under a load."""
    return Case(platform=platform, load=load, jobs=_JOBS)


def _loss(measured: Measurements, where: Case, policy: str) -> Estimate | None:
    """The geometric mean of the losses: rare seeds that thrash to the end would decide the mean."""
    values = measured.values(where, policy, _LOSS)
    return geometric_mean(values.tolist()) if len(values) else None


FIGURES = tuple(
    PaperFigure(
        f"{number}{letter}",
        f"{title} on platform {platform}"
        + (" (geometric mean over seeds)" if response == _LOSS else ""),
        (
            Panel(
                tuple(case(platform, load) for load in LOADS), ("mixed", "memory-intensive"), "Load"
            ),
        ),
        STYLES,
        title,
        _loss if response == _LOSS else shows(response),
        form="bars",
    )
    for number, platform in zip((2, 3), PLATFORMS, strict=True)
    for letter, (response, title) in zip("abc", RESPONSES.items(), strict=True)
)
