"""WAL-FC: what is drawn, found, and named on its page, `text/page.md`."""

from model.papers.paper import Paper
from model.papers.wal_fc import gain_tables, reading_tables, time_tables
from model.papers.wal_fc.figures import FIGURES
from model.papers.wal_fc.findings import FINDINGS

PAPER = Paper(
    "wal-fc",
    "mean_slowdown",
    FIGURES,
    FINDINGS,
    named={**time_tables.TABLES, **gain_tables.NAMED, **reading_tables.TABLES},
)
