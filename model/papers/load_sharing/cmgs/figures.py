"""Figures 2 and 3 of Alves and others: what a policy costs on each platform."""

from model.papers.cases import Case
from model.papers.figures import Panel, PaperFigure, Style
from model.papers.measurements import geometric, shows

STYLES = {"CPU_MEM": Style("#E69F00"), "CMGS": Style("#0072B2")}
#: Of losses the geometric mean, since rare seeds that thrash to the end would decide the other.
RESPONSES = {
    "Performance loss (geometric mean over seeds)": geometric("slowdown_of_sums"),
    "Page faults": shows("faults"),
    "Remote executions": shows("remote_submissions"),
}

FIGURES = tuple(
    PaperFigure(
        f"{number}{letter}",
        f"{title} on platform {platform}",
        (
            Panel(
                tuple(Case(platform=platform, load=load) for load in ("mixed", "memory")),
                ("mixed", "memory-intensive"),
                "Load",
            ),
        ),
        STYLES,
        title.partition(" (")[0],
        value,
        form="bars",
    )
    for number, platform in ((2, "I"), (3, "II"))
    for letter, (title, value) in zip("abc", RESPONSES.items(), strict=True)
)
