"""CMGS: what the paper leaves open, and what was assumed."""

from model.papers.cmgs.factorial_tables import TABLES
from model.papers.cmgs.figures import FIGURES
from model.papers.cmgs.findings import FINDINGS
from model.papers.paper import Paper

PAPER = Paper(
    "cmgs",
    "CMGS (Alves, Santana, Santana, Oliveira)",
    "slowdown_of_sums",
    FIGURES,
    FINDINGS,
    "The paper's traces are lost, and it states neither their load nor CT. Here the trace is "
    "generated (`model/sharing/cmgs/workload.py`), and the trace and CT are such that the "
    "policies differ on platform I as in the paper; with which seeds they were chosen was not "
    "recorded. Nor does it say how a node's pages are allocated: here a job faults while the "
    "requests of the others leave less than its working set, and requests beyond the RAM are cut "
    "in proportion. By its equation 1 as printed a job would fault the less, the less of its "
    "request is allocated, so the quotient was turned. A loss is the time of jobs in multiples of "
    "their CPU time where they ran; platform I's nodes differ in speed, so policies may differ in "
    "the latter, too. Its algorithm compares active pages, but its text available memory, which "
    "differ on platform II; the algorithm was followed. CT is 16. Page faults, of which some runs "
    "have none, are compared by the ratio of means.",
    "Losses and remote executions are compared by the geometric mean of the seeds' ratios; shares "
    "of variation are of seeds 1 to 20, and have no intervals.",
    TABLES,
    later=("memory-intensive-on-I", "memory-intensive-on-II", "mixed-on-II", "still-more-on-I"),
)
