"""The study: how it was done, and how to read it."""

from model.papers.later_clusters.figures import FIGURES
from model.papers.later_clusters.findings import FINDINGS
from model.papers.later_clusters.tables import tables
from model.papers.paper import Paper

PAPER = Paper(
    "later-clusters",
    "Clusters of later years",
    "mean_response_s",
    FIGURES,
    FINDINGS,
    "The clusters are the presets cm5 (the thesis's), beowulf-2004 and rdma-2020, each with five "
    "windows of 20 jobs of the bundled log, whose memory is multiplied by that of the nodes over "
    "32 MB; and hpc2n-2002 with three windows of 20 jobs of its own log, HPC2N-2002 of the "
    "Parallel Workloads Archive: records 1, 71 and 115 on of those numbered 6990 to 7183 in the copy of the "
    "simulator Alea (`hpc2n-log.toml` says how to get them; they are not in the tree). That log "
    "knows little of memory: its jobs there have 864 to 900 MB each, whatever their size, so what "
    "is stated is what was allotted rather than used. Under the light load nodes have all of "
    "their RAM; under the heavy one half of it, and jobs arrive four times as fast. Windows were "
    "chosen by what the log says of them; how long runs take was tried with seed 1.",
    "*By seeds* tells how sure a number is for exactly these jobs, *by windows* for jobs like "
    "them.",
    tables,
    {"protocol_messages": r"^messages\.(?!Page|Barrier)"},
    ours=True,
)
