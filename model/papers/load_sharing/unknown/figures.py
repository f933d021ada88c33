"""Figures 2 to 5 of Chen, Xiao and Zhang: slowdowns, and where time goes on trace 1."""

from model.papers.cases import Case, declared, over
from model.papers.figures import Panel, PaperFigure, Style
from model.papers.measurements import shows

STYLES = {
    "NO_LS_BLOCKING": Style("#000000"),
    "PF_RATE": Style("#E69F00"),
    "WORKSIZE": Style("#56B4E9"),
    "AGE": Style("#009E73"),
    "COMBINED": Style("#CC79A7"),
}
_RUNS = declared("unknown")["runs"]
_TRACES, _MT = _RUNS["figure-2"]["trace"], _RUNS["figures-3-and-4"]["mt"]
_FAST = _RUNS["figure-5-left"]["bandwidth_mbps"]
_TIMES = ("paging", "migration", "queueing")


def _of_all_traces(mbps: int) -> Panel:
    cases = over(Case(bandwidth_mbps=mbps), trace=_TRACES)
    return Panel(cases, tuple(_TRACES), "Trace", f"{mbps} Mbps")


def _by_threshold(heading: str, measure: str | None, mbps: int = 10) -> Panel:
    cases = over(Case(trace="1", bandwidth_mbps=mbps), mt=_MT)
    return Panel(cases, tuple(_MT), "MT: memory threshold (%)", heading, shows(measure))


FIGURES = (
    PaperFigure(
        "2",
        "Slowdowns of the three traces, MT 0 %",
        (_of_all_traces(10), _of_all_traces(_FAST)),
        STYLES,
        "Mean slowdown",
        form="bars",
    ),
    PaperFigure(
        "3",
        "Slowdowns on trace 1 as the memory threshold changes, 10 Mbps",
        (_by_threshold("", None),),
        {name: style for name, style in STYLES.items() if name != "NO_LS_BLOCKING"},
        "Mean slowdown",
    ),
    PaperFigure(
        "4",
        "Where time goes on trace 1 as the memory threshold changes",
        (
            *(_by_threshold(name, f"breakdown.{name}_s") for name in _TIMES),
            _by_threshold(f"migration, {_FAST} Mbps", "breakdown.migration_s", _FAST),
        ),
        {name: style for name, style in STYLES.items() if name != "NO_LS_BLOCKING"},
        "Time of a job, mean (s)",
    ),
)
