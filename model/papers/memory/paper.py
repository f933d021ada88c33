"""CPU-memory load sharing: what is drawn, found, and named on its page, `text/page.md`."""

from model.papers.memory.figures import FIGURES
from model.papers.memory.findings import FINDINGS
from model.papers.memory.tables import ACTING_CT, TABLES
from model.papers.paper import Paper

PAPER = Paper(
    "memory",
    "slowdown_of_sums",
    FIGURES,
    FINDINGS,
    named={**TABLES, "acting_ct": lambda _: ACTING_CT},
    later=("scarce-memory-more", "cpu-bound-more", "cpu-bound-more-whatever-ct"),
)
