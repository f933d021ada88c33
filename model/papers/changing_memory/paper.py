"""The study: how it was done, and how to read it."""

from model.papers.changing_memory.figures import FIGURES
from model.papers.changing_memory.findings import FINDINGS
from model.papers.changing_memory.tables import TABLES
from model.papers.paper import Paper

PAPER = Paper(
    "changing-memory",
    "Memory that changes",
    "mean_response_s",
    FIGURES,
    FINDINGS,
    "The jobs are those of the study [coordination](../coordination/findings.md): four windows of "
    "20 jobs at 50 % of the RAM, which were chosen there for static memory, and 19 jobs from "
    "record 4,621 on at 65 %. With a *ramp* a process begins with a quarter of its memory and "
    "reaches all of it in eight equal steps; with *phases* it holds at each of them a share drawn "
    "from a quarter to all. "
    'Links carry a message in each direction at a time (`duplex = "full"`), as switched networks '
    "do; the thesis's carry one in all.",
    "*Faster* means by more than 1 %. Seeds tell how sure a number is for exactly these jobs; *by "
    "windows* tells it for jobs like them, from four windows. "
    "The hypotheses were written before the runs, but for the ramp at "
    "65 % RAM, of which one run was known.",
    TABLES,
    {"protocol_messages": r"^messages\.(?!Page|Barrier)", "recalls": r"^messages\.Recall$"},
    ours=True,
)
