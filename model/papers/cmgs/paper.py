"""CMGS: what is drawn, found, and named on its page, `text/page.md`."""

from model.papers.cmgs.factorial_tables import NAMED
from model.papers.cmgs.figures import FIGURES
from model.papers.cmgs.findings import FINDINGS
from model.papers.paper import Paper

PAPER = Paper(
    "cmgs",
    "slowdown_of_sums",
    FIGURES,
    FINDINGS,
    named=NAMED,
    later=("memory-intensive-on-I", "memory-intensive-on-II", "mixed-on-II", "still-more-on-I"),
)
