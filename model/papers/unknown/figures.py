"""Figures 2 to 5 of Chen, Xiao and Zhang; `unknown.toml` declares their runs."""

from model.papers.cases import Case, declared
from model.papers.figures import Panel, PaperFigure, Style
from model.papers.measurements import shows

STYLES = {
    "NO_LS_BLOCKING": Style("#000000"),
    "PF_RATE": Style("#E69F00"),
    "WORKSIZE": Style("#56B4E9"),
    "AGE": Style("#009E73"),
    "COMBINED": Style("#CC79A7"),
}
FOUR = {name: style for name, style in STYLES.items() if name != "NO_LS_BLOCKING"}
PAGING, MIGRATION, QUEUEING = (
    f"breakdown.{name}_s" for name in ("paging", "migration", "queueing")
)
_RUNS = declared("unknown")["runs"]
TRACES = _RUNS["figure-2"]["trace"]
THRESHOLDS = _RUNS["figures-3-and-4"]["mt"]
FAST = _RUNS["figure-5-left"]["bandwidth_mbps"]
#: At 10 Mbps and a memory threshold of 0 %.
ALL_TRACES = tuple(Case(trace=trace) for trace in TRACES)
_MT = "MT: memory threshold (%)"
_MEAN, _TIME = "Mean slowdown", "Time of a job, mean (s)"


def thresholds(**parameters: int) -> tuple[Case, ...]:
    """Trace 1 at increasing memory thresholds."""
    return tuple(Case(trace="1", mt=mt, **parameters) for mt in THRESHOLDS)


def _traces(number: str, caption: str, cases: tuple[Case, ...]) -> PaperFigure:
    panel = Panel(cases, tuple(TRACES), "Trace")
    return PaperFigure(number, caption, (panel,), STYLES, _MEAN, form="bars")


def _rising(
    number: str, what: str, measure: str | None, label: str, **parameters: int
) -> PaperFigure:
    panel = Panel(thresholds(**parameters), tuple(THRESHOLDS), _MT)
    caption = f"{what} on trace 1 as the memory threshold changes, "
    network = parameters.get("bandwidth_mbps", 10)
    return PaperFigure(number, f"{caption}{network} Mbps", (panel,), FOUR, label, shows(measure))


FIGURES = (
    _traces("2a", "Slowdowns of the three traces, MT 0 %, 10 Mbps", ALL_TRACES),
    PaperFigure(
        "2b",
        "Overheads of trace 1, MT 0 %, 10 Mbps",
        tuple(
            Panel(ALL_TRACES[:1], ("",), "Policy", heading, shows(measure))
            for heading, measure in (
                ("Paging", PAGING),
                ("Migration, remote submission", MIGRATION),
                ("Queueing (CPU, and held back)", QUEUEING),
            )
        ),
        STYLES,
        _TIME,
        form="bars",
    ),
    _rising("3a", "Slowdowns", None, _MEAN),
    _rising("3b", "Paging times", PAGING, _TIME),
    _rising("4a", "Migration times", MIGRATION, _TIME),
    _rising("4b", "Queueing times", QUEUEING, _TIME),
    _traces(
        "5a",
        f"Slowdowns of the three traces, MT 0 %, {FAST} Mbps",
        tuple(case.but(bandwidth_mbps=FAST) for case in ALL_TRACES),
    ),
    _rising("5b", "Migration times", MIGRATION, _TIME, bandwidth_mbps=FAST),
)
