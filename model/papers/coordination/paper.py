"""The study: what it draws and tabulates, how it was done, and how to read it."""

from functools import partial

from model.papers.coordination.cases import (
    FAULT_DESIGNS,
    FAULTS,
    SIZES,
    WINDOWS,
    gain_pct,
    of_size,
    under,
)
from model.papers.coordination.findings import FINDINGS
from model.papers.figures import Panel, PaperFigure, Style, logarithmic
from model.papers.measurements import Measurements, NotRun, in_multiples, shows
from model.papers.paper import Paper
from model.papers.tables import columns, number, section
from model.papers.windows import multiples, panel_of, side

#: How designs are drawn; MAN is what the others are compared with.
STYLES = {
    "CLI": Style("#000000"),
    "PROBE2": Style("#56B4E9"),
    "PROBE4": Style("#0072B2"),
    "GOSSIP": Style("#009E73"),
    "RECLAIM(MAN)": Style("#D55E00"),
}
TELLING = {"MAN": Style("#CC79A7"), "TREE4": Style("#E69F00", True), "GOSSIP": STYLES["GOSSIP"]}


_WINDOWS = (
    panel_of(
        (*WINDOWS, of_size(64)), "", "{first:,} ({ram} %)", "First record of the window (RAM)"
    ),
)
_SIZES = tuple(map(of_size, SIZES))
_GROWING = (Panel(_SIZES, tuple(f"{nodes:,}" for nodes in SIZES), "Nodes"),)

FIGURES = (
    PaperFigure(
        "1",
        "Mean response times where memory is scarce, in multiples of MAN's",
        _WINDOWS,
        STYLES,
        "Times MAN's response time",
        in_multiples("MAN"),
        "bars",
        level=1,
    ),
    PaperFigure(
        "2",
        "Messages of the protocol in the same runs, in multiples of MAN's (log scale)",
        _WINDOWS,
        STYLES,
        "Times MAN's messages",
        in_multiples("MAN", "protocol_messages"),
        "bars",
        level=1,
        scale=logarithmic,
    ),
    PaperFigure(
        "3",
        "Messages of the protocol as the cluster and its jobs grow (log scale)",
        _GROWING,
        TELLING,
        "Messages of the protocol",
        shows("protocol_messages"),
        scale=logarithmic,
    ),
    PaperFigure(
        "4",
        "Optimization ratio as the cluster and its jobs grow: below 0, disk paging is better",
        _GROWING,
        TELLING,
        "Shorter than with DP (%)",
        gain_pct,
        level=0,
        scale=lambda axes, shown: axes.margins(y=0.12),
    ),
)


_LEAKED_MB = 0.5  # what is less is left out


def _came_of(measured: Measurements, design: str, fault: str) -> str:
    """What came of a fault, by seed: a run hangs if a job never ends.

    Slower is the mean response time of runs that do not hang than without faults, in percent.
    """
    case = under(fault)
    stuck = measured.values(case, design, "faults.jobs_stuck")
    if stuck.empty:
        raise NotRun
    leaked_mb = measured.values(case, design, "faults.leaked_mb").mean()
    hang = stuck[stuck > 0]
    parts = []
    if len(hang):
        parts.append(f"hangs in {len(hang)} of {len(stuck)} ({hang.mean():.1f} jobs)")
    if leaked_mb > _LEAKED_MB:
        parts.append(f"leaks {leaked_mb:.0f} MB")
    times_s = [measured.values(one, design) for one in (case, under(FAULTS[0]))]
    own, before = times_s[0][stuck == 0].align(times_s[1], join="inner")
    if len(own):
        parts.append(f"{100 * (own.sum() / before.sum() - 1):+.1f} %")
    return ", ".join(parts)


#: For each design under each fault: how many runs hang, what leaks, how much slower it is.
faults = columns(
    ("design",),
    {name: (name,) for name in FAULT_DESIGNS},
    {fault: partial(_came_of, fault=fault) for fault in FAULTS[1:]},
)

TABLES = (
    section(
        "Where memory is scarce",
        "Geometric means over all windows in multiples of MAN's, with intervals over windows.",
        columns(
            ("",),
            {name: (WINDOWS, side(name), side("MAN")) for name in STYLES},
            {
                "response time": multiples(),
                "messages": multiples("protocol_messages"),
                "their bytes": multiples("protocol_traffic_bytes"),
                "pages from disk": multiples("faults_disk"),
            },
        ),
    ),
    section(
        "As the cluster grows",
        "Messages of the protocol, those of them that only tell loads, and the bytes of all.",
        columns(
            ("nodes", ""),
            {(f"{nodes:,}", name): (of_size(nodes), name) for nodes in SIZES for name in TELLING},
            {
                "messages": number("{:,.0f}", "protocol_messages"),
                "that tell loads": number("{:,.0f}", "telling_messages"),
                "MB": number("{:,.1f}", "protocol_traffic_bytes", 1e6),
                "shorter than with DP, %": gain_pct,
            },
        ),
    ),
    section("What designs make of a loss", "", faults),
)


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
