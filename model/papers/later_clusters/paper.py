"""The study: how it was done, and how to read it."""

from model.papers.later_clusters.figures import FIGURES
from model.papers.later_clusters.findings import FINDINGS
from model.papers.later_clusters.tables import TABLES
from model.papers.paper import Paper

PAPER = Paper(
    "later-clusters",
    "Clusters of later years",
    "mean_response_s",
    FIGURES,
    FINDINGS,
    "The clusters are the presets cm5 (the thesis's), beowulf-2004 and rdma-2020, each with "
    "five windows of 20 jobs of the bundled log, whose memory is multiplied by that of the "
    "nodes over 32 MB; and hpc2n-2002 with three windows of 20 jobs of its own log, "
    "HPC2N-2002 of the Parallel Workloads Archive: of the last 170 records (numbers 6990 to "
    "7183) in the copy of the simulator Alea, those from the 1st, 71st and 115th on. They are "
    "not in the tree; [hpc2n-log.toml](hpc2n-log.toml) says how to get them. That log knows "
    "little of memory: all of these jobs have 864 to 900 MB, whatever their size, so what it "
    "states was allotted rather than used. On all of them, cm5 too, links carry a message in each "
    'direction at a time (`duplex = "full"`), as switched networks do; the thesis\'s carry one in '
    "all. Under the *light* load nodes have all of their "
    "RAM; under the *heavy* one half of it, and jobs arrive four times as fast. As these jobs "
    "then still left so much memory idle that MAN found all that it asked for, a third load "
    "was added when those results were known, and before its own were: *scarce*, with 35 % of "
    "the RAM and all jobs at once, in those three windows in which MAN, with seed 1 on cm5, "
    "misses a tenth of what it asks for or more. The *bus*, where all nodes share one medium "
    "of the same bandwidth, is under that load too, since nothing pages under the light one. "
    "Windows were chosen by what the logs say of them. How long runs take was tried with seed "
    "1, which showed response times of MAN and DP on beowulf-2004, after its constants had "
    "said what to expect.",
    "*By seeds* tells how sure a number is for exactly these jobs, *by windows* for jobs like "
    "them.",
    TABLES,
    {"protocol_messages": r"^messages\.(?!Page|Barrier)"},
    ours=True,
)
