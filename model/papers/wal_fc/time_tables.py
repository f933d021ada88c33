"""Where the jobs' time goes, by policy and setting: the numbers behind what explains a finding."""

from collections.abc import Mapping

from model.papers.measurements import geometric
from model.papers.tables import Column, Table, columns, number
from model.papers.wal_fc.figures import cases, policies

_AT = {"5.2": 8.0, "5.3": 2.1, "5.4": 8.4, "5.5": 400.0}  # a point of each figure
_UNITS = {"4.1": "weight {:g}", "4.2": "{:g} MB", "5.5": "{:g} KB"}
_FAULTS = "{:g} faults/ms"
_SPENT = {"CPU": "cpu", "Queue": "queueing", "Paging": "paging", "I/O": "io", "Moving": "migration"}


def _mean(form: str, measure: str, unit: float = 1) -> Column:
    """The mean of a measure over the seeds, in units; nothing where nothing was run."""
    return lambda measured, *of: (
        "" if (found := measured.values(*of, measure)).empty else form.format(found.mean() / unit)
    )


TABLES: Mapping[str, Table] = {
    "time": columns(
        ("In figure", "At", "Policy"),
        {
            (figure, _UNITS.get(figure, _FAULTS).format(value), policy): (case, policy)
            for figure in ("4.1", "4.2", *_AT)
            for (value,), case in cases(f"figure {figure}").items()
            if value == _AT.get(figure, value)
            for policy in policies(figure)
        },
        {
            "Slowdown": number("{:.1f}", geometric()),
            **{words: _mean("{:.2f}", f"breakdown.{what}_s") for words, what in _SPENT.items()},
            "Faults, 1,000": _mean("{:.1f}", "faults", 1000),
            "Moved": _mean("{:.0f}", "remote_submissions"),
            "Busiest disk, %": _mean("{:.0f}", "stations.disks.utilization_max", 0.01),
        },
    ),
}
