"""The study: its cases, what is drawn, and what names in `text/` stand for."""

from collections.abc import Iterator, Mapping
from functools import partial

from model.papers.cases import Case, declared, fault_of
from model.papers.figures import PaperFigure, Style
from model.papers.findings import Claim, Designs, claim, claiming, designs_of, of_each
from model.papers.measurements import Measurements, NotRun, geometric_mean_of, in_multiples
from model.papers.paper import Paper
from model.papers.statements import Terms, read_findings
from model.papers.tables import NOT_RUN, Table, columns
from model.papers.windows import panel_of, windows_of
from model.sweeps.statistics import Estimate

_STUDY = declared("surviving")
DESIGNS = tuple(_STUDY["designs"])
FIRST = DESIGNS[0]  # what others are compared with

NONE, ALL = "no faults", "all faults"
_FAULTS = {ALL: {"fault": fault_of(_STUDY["choice"]["fault"]["all"]["fault"][0])}, NONE: {}}

#: The windows without and with all faults.
CASES: Mapping[str, tuple[Case, ...]] = {
    name: tuple(
        Case(f"{window}, {name}", {**window.parameters, **fault})
        for window in windows_of(_STUDY["runs"]["windows"])
    )
    for name, fault in _FAULTS.items()
}


def longer(measured: Measurements, case: Case, design: str) -> Estimate | None:
    """Response times under all faults in multiples of those without, where all jobs ended."""
    sound = CASES[NONE][CASES[ALL].index(case)]
    stuck = measured.values(case, design, "faults.jobs_stuck")
    ratios = measured.values(case, design)[stuck == 0] / measured.values(sound, design)
    return geometric_mean_of(ratios.dropna())


@of_each
@claiming
def under_all(
    measured: Measurements, case: Case, designs: Designs, low: float, high: float
) -> Iterator[Claim]:
    """Response times under all faults, in multiples of those without, are in a range."""
    parts = [(name, longer(measured, case, name)) for name in designs_of(designs, case)]
    yield claim(f"{case}: response time in multiples of that without, {{}}", parts, low, high)


STYLES = {
    "RELIABLE(MAN)": Style("#CC79A7", True),
    "LEASE": Style("#E69F00"),
    "PROBE2": Style("#56B4E9"),
    "SURVIVOR": Style("#009E73"),
}

_WINDOWS = (panel_of(CASES[NONE], "", "{first:,}", "First record of the window"),)

FIGURES = (
    PaperFigure(
        "1",
        "Messages of the protocol without faults, in multiples of MAN's",
        _WINDOWS,
        STYLES,
        "Times MAN's messages",
        in_multiples(FIRST, "protocol_messages"),
        "bars",
        level=1,
    ),
    PaperFigure(
        "2",
        "Mean response times without faults, in multiples of MAN's",
        _WINDOWS,
        STYLES,
        "Times MAN's response time",
        in_multiples(FIRST),
        "bars",
        level=1,
    ),
)


def _of_runs(measured: Measurements, design: str, measure: str, least: float) -> str:
    """In how many runs under all faults a measure is above the least, and its mean over all."""
    found = [
        value for case in CASES[ALL] for value in measured.values(case, design, measure).to_list()
    ]
    if not found:
        raise NotRun
    above = sum(value > least for value in found)
    return f"{sum(found) / len(found):.1f} (in {above} of {len(found)} runs)"


def _price(
    measured: Measurements, design: str, name: str, of: str, measure: str | None = None
) -> str:
    """A measure in multiples of MAN's without faults, by window."""
    sound = CASES[NONE]
    found = [
        measured.ratio((case, design), (sound[place], of), measure=measure)
        for place, case in enumerate(CASES[name])
    ]
    return ", ".join(NOT_RUN if one is None else f"{one.mean:.2f}" for one in found)


def _longer(measured: Measurements, design: str) -> str:
    found = [longer(measured, case, design) for case in CASES[ALL]]
    return ", ".join("-" if one is None else f"{one.mean:.2f} ({one.n})" for one in found)


TABLES: Mapping[str, Table] = {
    "surviving": columns(
        ("",),
        {name: (name,) for name in DESIGNS},
        {
            "jobs stuck": partial(_of_runs, measure="faults.jobs_stuck", least=0),
            "MB leaked": partial(_of_runs, measure="faults.leaked_mb", least=0),
            "jobs begun again": partial(_of_runs, measure="faults.jobs_restarted", least=0),
            "messages without faults": partial(
                _price, name=NONE, of=FIRST, measure="protocol_messages"
            ),
            "messages with all": partial(_price, name=ALL, of=FIRST, measure="protocol_messages"),
            "time without faults": partial(_price, name=NONE, of=FIRST),
            "time with all / without (runs)": _longer,
        },
    )
}

TERMS = Terms(cases=CASES, kinds={"under all": under_all})

PAPER = Paper(
    "surviving",
    "mean_response_s",
    FIGURES,
    read_findings("surviving", TERMS),
    named=TABLES,
    sums={"protocol_messages": r"^messages\.(?!Page|Barrier)"},
    ours=True,
)
