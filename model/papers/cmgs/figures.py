"""Figures 2 and 3 of Alves and others; `model/papers/cmgs/cmgs.toml` declares their runs."""

from model.papers.cases import Case, declared
from model.papers.figures import Panel, PaperFigure, Style
from model.papers.measurements import geometric, shows

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
        # Rare seeds that thrash to the end would decide the mean of the losses.
        geometric(response) if response == _LOSS else shows(response),
        form="bars",
    )
    for number, platform in zip((2, 3), PLATFORMS, strict=True)
    for letter, (response, title) in zip("abc", RESPONSES.items(), strict=True)
)
