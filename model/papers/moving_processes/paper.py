"""The study: how it was done, and how to read it."""

from model.papers.moving_processes.figures import FIGURES
from model.papers.moving_processes.findings import FINDINGS
from model.papers.moving_processes.tables import TABLES
from model.papers.paper import Paper

PAPER = Paper(
    "moving-processes",
    "Moving memory, or processes",
    "mean_response_s",
    FIGURES,
    FINDINGS,
    "Memory moves with MAN, processes with MIGRATE(DP), both with MIGRATE(MAN), neither with DP. A "
    "process may move when its job is suspended, to a node that has room for all of it, if the "
    "disk took longer in its last quantum than the move would. The jobs are those of the study "
    "[coordination](../coordination/findings.md): four windows of 20 jobs at 50 % of the RAM, and "
    "19 jobs from record 4,621 on at 65 %; and those of the study "
    "[knowing-memory](../knowing_memory/findings.md), five windows of 120 jobs at 85 %. "
    'Links carry a message in each direction at a time (`duplex = "full"`), as switched networks '
    "do; the thesis's carry one in all.",
    "*Faster* means by more than 1 %. Seeds tell how sure a number is for exactly these jobs; *by "
    "windows* tells it for jobs like them, from four or five windows. "
    "The hypotheses were written before the runs; "
    "those on less scarce memory when the others had been run. That *faster* means by more than "
    "1 % was set then, too, since equal times had counted as faster where nothing moves.",
    TABLES,
    ours=True,
)
