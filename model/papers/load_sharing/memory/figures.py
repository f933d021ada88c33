"""Slowdowns of Zhang, Qu and Xiao's figures 2, 3, 8 and 9, and over CT, which they do not state."""

from model.papers.cases import Case, declared, over
from model.papers.figures import Panel, PaperFigure, Style
from model.sharing.memory.scenario import ALL_POLICIES

_COLORS = {
    "NO": "#000000",
    "CPU": "#E69F00",
    "MEM": "#56B4E9",
    "CPU_MEM_HP": "#009E73",
    "CPU_MEM_HT": "#CC79A7",
}
#: Each index has a color; preemptive migration is dashed, or hatched.
STYLES = {
    policy: Style(_COLORS[policy.rpartition("_")[0]], policy.endswith("PM"))
    for policy in ALL_POLICIES
}
_RUNS = declared("memory")["runs"]
_RATES, _TRACES = _RUNS["figures-2-to-7"]["fault_pct"], _RUNS["figures-8-and-9"]["trace"]
_CTS = declared("memory")["choice"]["cpu-bound"]["at-each-ct"]["ct"]
_SLOWDOWN = "Slowdown (ratio of sums)"


def _varied(
    heading: str, parameter: str, values: list[float | str], words: str, **fixed: object
) -> Panel:
    cases = over(Case(**fixed), **{parameter: values})
    return Panel(cases, tuple(values), words, heading)


FIGURES = (
    PaperFigure(
        "2",
        "Slowdowns on trace 0, by the fault rate in percent of the one with NO_LS near 20",
        tuple(
            _varied(f"Mean {mb} MB", "fault_pct", _RATES, "Fault rate (%)", mean_mb=mb)
            for mb in _RUNS["figures-2-to-7"]["mean_mb"]
        ),
        STYLES,
        _SLOWDOWN,
    ),
    PaperFigure(
        "8",
        "Slowdowns on all traces",
        tuple(
            _varied(f"Mean {mb} MB", "trace", _TRACES, "Trace", mean_mb=mb)
            for mb in _RUNS["figures-8-and-9"]["mean_mb"]
        ),
        STYLES,
        _SLOWDOWN,
        form="bars",
    ),
    PaperFigure(
        "10",
        "Slowdowns on trace 0 by the CPU threshold CT: without faults, and at the highest rate",
        (
            _varied("No faults", "ct", _CTS, "CT", mean_mb=4, draws="stratified", fault_rate=0),
            _varied("Mean 4 MB, highest fault rate", "ct", _CTS, "CT", mean_mb=4),
        ),
        STYLES,
        _SLOWDOWN,
    ),
)
