"""What the study draws; `coordination.toml` declares the runs."""

from model.papers.coordination.cases import SIZES, WINDOWS, gain_pct, of_size
from model.papers.figures import Panel, PaperFigure, Style, logarithmic
from model.papers.measurements import in_multiples, shows

#: How designs are drawn; MAN is what the others are compared with.
STYLES = {
    "CLI": Style("#000000"),
    "PROBE2": Style("#56B4E9"),
    "PROBE4": Style("#0072B2"),
    "GOSSIP": Style("#009E73"),
    "RECLAIM(MAN)": Style("#D55E00"),
}
TELLING = {"MAN": Style("#CC79A7"), "TREE4": Style("#E69F00", True), "GOSSIP": STYLES["GOSSIP"]}


_CASES = (*WINDOWS, of_size(64))
_WINDOWS = (
    Panel(
        _CASES,
        tuple(f"{case.parameters['first']:,} ({case.parameters['ram']} %)" for case in _CASES),
        "First record of the window (RAM)",
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
