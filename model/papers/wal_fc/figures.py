"""Figures 4.1 to 5.5 of Qin, Jiang, Zhu and Swanson.

Each figure is a part of `wal-fc.toml`; the parameter with a list there is its axis.
"""

from itertools import product

from model.papers.cases import Case, declared
from model.papers.figures import Panel, PaperFigure, Scale, Style, linear, logarithmic
from model.papers.measurements import Value, geometric, shows

STYLES = {
    "NLB": Style("#000000"),
    "CM": Style("#E69F00"),
    "IO": Style("#009E73"),
    "WAL": Style("#CC79A7"),
    "WAL_FC": Style("#0072B2"),
}
_AXES = {
    "io_weight": "Weight of I/O",
    "buffer_mb": "I/O buffer of a node (MB)",
    "faults_per_ms": "Page fault rate (per ms)",
    "io_kb": "Mean size of an I/O request (KB)",
}
_NO_CASE = ("policies", "seed", "across")
_SLOWDOWN = "Mean slowdown"
_SEEDS = "geometric means of seeds"  # seeds differ by more than policies do
_GEOMETRIC = geometric()


def cases(part: str) -> dict[tuple[float, ...], Case]:
    """The cases of a part of the sweep, by the values of its parameters with a list."""
    fixed, lists = _declared(part)
    return {
        values: Case(**fixed, **dict(zip(lists, values, strict=True)))
        for values in product(*lists.values())
    }


def readings(part: str) -> dict[str, Case]:
    """The cases of a part for each reading of the text alone, and for all of them together."""
    fixed, _ = _declared(part)
    alone = declared("wal-fc")["choice"]["reading"]
    cases = {name: Case(**fixed, **parameters) for name, parameters in alone.items()}
    return {**cases, "together": Case(**fixed)}


def along(figure: str) -> tuple[Case, ...]:
    """The cases of a figure, in the order of its axis."""
    return tuple(cases(f"figure {figure}").values())


def policies(figure: str) -> list[str]:
    """The policies of a figure."""
    return [*declared("wal-fc")["runs"][f"figure {figure}"]["policies"]]


def _declared(part: str) -> tuple[dict[str, float], dict[str, list[float]]]:
    """The parameters of a part that have a single value, and those that have a list."""
    every = declared("wal-fc")["runs"][part]
    every = {name: value for name, value in every.items() if name not in _NO_CASE}
    lists = {name: values for name, values in every.items() if isinstance(values, list)}
    return {name: value for name, value in every.items() if name not in lists}, lists


def _figure(
    number: str,
    caption: str,
    label: str = _SLOWDOWN,
    value: Value = _GEOMETRIC,
    scale: Scale = logarithmic,
) -> PaperFigure:
    _, lists = _declared(f"figure {number}")
    ((axis, ticks),) = lists.items()
    return PaperFigure(
        number,
        caption,
        (Panel(along(number), tuple(ticks), _AXES[axis]),),
        {policy: STYLES[policy] for policy in policies(number)},
        label,
        value,
        scale=scale,
    )


FIGURES = (
    _figure("4.1", f"Mean slowdown by weight of I/O: 2.0 faults, 2.8 I/Os per ms; {_SEEDS}"),
    _figure("4.2", f"Mean slowdown by buffer: 5.0 faults, 2.3 I/Os per ms; {_SEEDS}"),
    _figure("5.1", "Hit rate by buffer", "Buffer hit rate", shows("hit_rate"), linear),
    _figure("5.2", f"Memory-intensive: 0.1 I/Os per ms; {_SEEDS}"),
    _figure("5.3", f"I/O-intensive: 2.8 I/Os per ms; {_SEEDS}"),
    _figure("5.4", f"Memory- and I/O-intensive: 1.5 I/Os per ms; {_SEEDS}"),
    _figure("5.5", f"Size of requests: 0.5 faults, 2.6 I/Os per ms; {_SEEDS}"),
)
