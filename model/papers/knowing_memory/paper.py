"""The study: how it was done, and how to read it."""

from model.papers.knowing_memory.figures import FIGURES
from model.papers.knowing_memory.findings import FINDINGS
from model.papers.knowing_memory.tables import TABLES
from model.papers.paper import Paper

PAPER = Paper(
    "knowing-memory",
    "Knowing memory, or borrowing it",
    "mean_response_s",
    FIGURES,
    FINDINGS,
    "The scheduler knows *nothing* (`gang`), or places jobs by their memory (`gang-memory`): "
    "*exact*, *requested* (what users asked for, or the exact amount where they did not say), or "
    "*user*, the mean of a user's earlier jobs. The bundled log does not know its users, so *user* "
    "is here what they asked for, and all of a node's RAM where they did not say. The jobs are "
    "those of five windows of 120 at 85 % of the RAM: those disjoint windows in which paging "
    "makes jobs a tenth longer with DP, and runs are short. They were chosen with seed 1, by DP "
    "and plain gang scheduling alone. So those are left out in which paging costs most (up to 3.6 "
    "times the response time): there, knowing memory may gain more. "
    'Links carry a message in each direction at a time (`duplex = "full"`), as switched networks '
    "do; the thesis's carry one in all.",
    "*Faster* means by more than 1 %. Seeds tell how sure a number is for exactly these jobs; *by "
    "windows* tells it for jobs like them, from five windows. "
    "The hypotheses were written before the runs, when single runs of "
    "other windows were known.",
    TABLES,
    ours=True,
)
