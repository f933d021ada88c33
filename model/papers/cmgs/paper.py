"""CMGS: what the paper leaves open, and what was taken."""

from model.papers.cmgs.factorial_tables import tables
from model.papers.cmgs.figures import FIGURES
from model.papers.cmgs.findings import FINDINGS
from model.papers.paper import Paper

PAPER = Paper(
    "cmgs",
    "CMGS (Alves, Santana, Santana, Oliveira)",
    "slowdown_of_sums",
    FIGURES,
    FINDINGS,
    "The paper's traces are lost, and it does not say how heavy they were, nor CT: the trace is "
    "made (`model/sharing/cmgs/workload.py`), it and CT are such that the policies differ on "
    "platform I as there. Nor does it say how a node's pages are allocated: here a job faults "
    "while what others request leaves less than its working set, and requests beyond the RAM are "
    "cut alike. Its algorithm compares active pages, its text available memory, which differ on "
    "platform II: the algorithm was followed.",
    "Shares of variation have no interval, and stand for themselves.",
    tables,
)
