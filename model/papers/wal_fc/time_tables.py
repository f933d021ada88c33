"""Where the jobs' time goes, by policy and setting: the numbers behind what explains a finding."""

from collections.abc import Iterator

from model.papers.cases import Case
from model.papers.measurements import Measurements, geometric_mean
from model.papers.page import table
from model.papers.wal_fc.figures import cases, policies

_AT = {"5.2": 8.0, "5.3": 2.1, "5.4": 8.4, "5.5": 400.0}  # a point of each figure
_UNITS = {"4.1": "weight {:g}", "4.2": "{:g} MB", "5.5": "{:g} KB"}
_FAULTS = "{:g} faults/ms"
_SPENT = ("cpu", "queueing", "paging", "io", "migration")


def tables(measured: Measurements) -> str:
    """The table, in Markdown."""
    return "\n".join(_times(measured))


def _times(measured: Measurements) -> Iterator[str]:
    yield "## Where the time goes"
    yield ""
    yield (
        "On what a job spends its time in the mean, in seconds; the page faults of all jobs, how "
        "many of them moved, and how busy the busiest disk was. These are arithmetic means over "
        "seeds, in which seeds that page much weigh most; slowdowns are geometric ones, as in the "
        "figures."
    )
    yield ""
    headings = (
        *("In figure", "At", "Policy", "Slowdown", "CPU", "Queue", "Paging", "I/O", "Moving"),
        *("Faults, 1,000", "Moved", "Busiest disk, %"),
    )
    yield from table(headings, _rows(measured))


def _rows(measured: Measurements) -> Iterator[tuple[str, ...]]:
    for figure in ("4.1", "4.2", *_AT):
        for (value,), case in cases(f"figure {figure}").items():
            if value == _AT.get(figure, value):
                at = _UNITS.get(figure, _FAULTS).format(value)
                for policy in policies(figure):
                    yield (figure, at, policy, *_spent(measured, case, policy))


def _spent(measured: Measurements, case: Case, policy: str) -> tuple[str, ...]:
    slowdowns = measured.values(case, policy)
    if slowdowns.empty:
        return ("not run", *[""] * (len(_SPENT) + 3))

    def mean(measure: str) -> float:
        return measured.values(case, policy, measure).mean()

    return (
        f"{geometric_mean(slowdowns.tolist()).mean:.1f}",
        *(f"{mean(f'breakdown.{what}_s'):.2f}" for what in _SPENT),
        f"{mean('faults') / 1000:.1f}",
        f"{mean('remote_submissions'):.0f}",
        f"{100 * mean('stations.disks.utilization_max'):.0f}",
    )
