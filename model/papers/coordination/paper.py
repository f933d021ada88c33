"""The study: its cases, what is drawn, and what names in `text/` stand for."""

from collections.abc import Mapping
from functools import partial

from model.papers import windows
from model.papers.cases import Case, declared, fault_of
from model.papers.figures import Panel, PaperFigure, Style, logarithmic, with_margins
from model.papers.findings import Claims, kinds_of
from model.papers.measurements import Measurements, NotRun, in_multiples, mean_of, shows
from model.papers.paper import Paper
from model.papers.statements import Terms, read_findings
from model.papers.tables import Table, columns, number
from model.papers.windows import multiples, panel_of, side, windows_of
from model.sweeps.statistics import Estimate

_RUNS = declared("coordination")["runs"]

SIZES = tuple(_RUNS["sizes"]["nodes"])
GOSSIP_SIZES = tuple(_RUNS["gossip"]["nodes"])  # with several seeds
FAULTS = tuple(declared("coordination")["choice"]["fault"])
FAULT_DESIGNS = tuple(_RUNS["faults"]["designs"])

#: Windows of the trace at a RAM with which memory is scarce.
WINDOWS = windows_of(_RUNS["scarce"], ram=_RUNS["scarce"]["ram"])


def of_size(nodes: int) -> Case:
    """The same 19 jobs on a cluster of so many nodes."""
    ((first, jobs),) = _RUNS["sizes"]["window"]
    ram = _RUNS["sizes"]["ram"]
    return Case(
        f"{nodes:,} nodes, {ram} % RAM", {"first": first, "jobs": jobs, "ram": ram, "nodes": nodes}
    )


def under(fault: str) -> Case:
    """These jobs on 64 nodes under a fault, as the sweep calls it."""
    tables = declared("coordination")["choice"]["fault"][fault]
    case = of_size(64)
    named = {**case.parameters, **({"fault": fault_of(tables["fault"][0])} if tables else {})}
    return Case(fault, named)


def gain_pct(measured: Measurements, case: Case, design: str) -> Estimate | None:
    """By how many percent jobs are shorter with a design than with disk paging."""
    return measured.reduction_pct((case, design), (case, "DP"))


def everywhere(
    design: str, low: float, high: float, than: str = "MAN", measure: str | None = None
) -> Claims:
    """A design's measure in multiples of another's is between low and high, wherever it was run.

    That is in the mean of all windows, in each of them, and where memory is less scarce.
    """
    words = f"{design} in multiples of {than}"
    return windows.everywhere(
        words,
        WINDOWS,
        side(design),
        side(than),
        low,
        high,
        measure,
        others={"at 65 % RAM": of_size(64)},
    )


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
        scale=with_margins(0.12),
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

TABLES: Mapping[str, Table] = {
    "scarce": columns(
        ("",),
        {name: (WINDOWS, side(name), side("MAN")) for name in STYLES},
        {
            "response time": multiples(),
            "messages": multiples("protocol_messages"),
            "their bytes": multiples("protocol_traffic_bytes"),
            "pages from disk": multiples("faults_disk"),
        },
    ),
    "growing": columns(
        ("nodes", ""),
        {(f"{nodes:,}", name): (of_size(nodes), name) for nodes in SIZES for name in TELLING},
        {
            "messages": number("{:,.0f}", "protocol_messages"),
            "that tell loads": number("{:,.0f}", "telling_messages"),
            "MB": number("{:,.1f}", "protocol_traffic_bytes", 1e6),
            "shorter than with DP, %": gain_pct,
        },
    ),
    "faults": faults,
}


def _protocol_pct(measured: Measurements, case: Case, design: str) -> Estimate | None:
    protocol = measured.values(case, design, "protocol_messages")
    return mean_of(100 * protocol / measured.values(case, design, "messages"))


TERMS = Terms(
    cases={
        "all sizes": _SIZES,
        "gossip sizes": [of_size(nodes) for nodes in GOSSIP_SIZES],
        **{fault: under(fault) for fault in FAULTS},
    },
    kinds={"everywhere": everywhere, **kinds_of({"% of all messages": _protocol_pct})},
)

_DATA = "(?!Page|Barrier)"

PAPER = Paper(
    "coordination",
    "mean_response_s",
    FIGURES,
    read_findings("coordination", TERMS),
    named=TABLES,
    sums={
        "messages": r"^messages\.",
        "protocol_messages": rf"^messages\.{_DATA}",
        "telling_messages": r"^messages\.(LoadBroadcast|Gossip|OwnWord|LoadPush|RackSum)$",
        "protocol_traffic_bytes": rf"^bytes\.{_DATA}",
    },
    ours=True,
)
