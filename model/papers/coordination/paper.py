"""The study: how it was done, and how to read it."""

from model.papers.coordination.figures import FIGURES
from model.papers.coordination.findings import FINDINGS
from model.papers.coordination.tables import TABLES
from model.papers.paper import Paper

_DATA = "(?!Page|Barrier)"

PAPER = Paper(
    "coordination",
    "Coordination and its price",
    "mean_response_s",
    FIGURES,
    FINDINGS,
    "Memory is scarce in four windows of 20 jobs at 50 % of the RAM: those disjoint windows "
    "in which MAN does not find a tenth of the memory that it asks for, DP is a tenth slower than "
    "MAN, and runs are short. They were chosen with seed 1, and by DP and MAN alone. Clusters of "
    "several sizes run 19 jobs from record 4,621 on at 65 % of the RAM, each with as many more "
    "processes as the cluster has more nodes; so do the runs with faults, on 64 nodes. "
    'Links carry a message in each direction at a time (`duplex = "full"`), as switched networks '
    "do; the thesis's carry one in all.",
    "Seeds tell how sure a number is for exactly these jobs; *by windows* tells it for jobs like "
    "them, from four windows. *Reaching* MAN means at most 5 % above its mean response time.",
    TABLES,
    {
        "messages": r"^messages\.",
        "protocol_messages": rf"^messages\.{_DATA}",
        "telling_messages": r"^messages\.(LoadBroadcast|Gossip|OwnWord|LoadPush|RackSum)$",
        "protocol_traffic_bytes": rf"^bytes\.{_DATA}",
    },
    ours=True,
)
