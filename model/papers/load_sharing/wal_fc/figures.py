"""Figures 4.1 to 5.5 of Qin, Jiang, Zhu and Swanson, each of a part of `runs.toml`."""

from model.papers.cases import Case, declared
from model.papers.figures import Panel, PaperFigure, Style, linear, logarithmic
from model.papers.measurements import geometric, shows

STYLES = {
    "NLB": Style("#000000"),
    "CM": Style("#E69F00"),
    "IO": Style("#009E73"),
    "WAL": Style("#CC79A7"),
    "WAL_FC": Style("#0072B2"),
}
AXES = {
    "io_weight": "Weight of I/O",
    "buffer_mb": "I/O buffer of a node (MB)",
    "faults_per_ms": "Page fault rate (per ms)",
    "io_kb": "Mean size of an I/O request (KB)",
}
CAPTIONS = {
    "4.1": "Mean slowdown by weight of I/O: 2.0 faults, 2.8 I/Os per ms",
    "4.2": "Mean slowdown by buffer: 5.0 faults, 2.3 I/Os per ms",
    "5.1": "Hit rate by buffer",
    "5.2": "Memory-intensive: 0.1 I/Os per ms",
    "5.3": "I/O-intensive: 2.8 I/Os per ms",
    "5.4": "Memory- and I/O-intensive: 1.5 I/Os per ms",
    "5.5": "Size of requests: 0.5 faults, 2.6 I/Os per ms",
}


def _figure(number: str, caption: str) -> PaperFigure:
    part = declared("wal-fc")["runs"][f"figure {number}"]
    (axis,) = AXES.keys() & {name for name, value in part.items() if isinstance(value, list)}
    fixed = {name: part[name] for name in ("faults_per_ms", "io_per_ms") if name != axis}
    is_rate = caption.startswith("Hit rate")
    return PaperFigure(
        number,
        caption if is_rate else f"{caption}; geometric means of seeds",
        (
            Panel(
                tuple(Case(**fixed, **{axis: value}) for value in part[axis]),
                tuple(part[axis]),
                AXES[axis],
            ),
        ),
        {policy: STYLES[policy] for policy in part.get("policies", STYLES)},
        "Buffer hit rate" if is_rate else "Mean slowdown",
        shows("hit_rate") if is_rate else geometric(),  # seeds differ by more than policies do
        scale=linear if is_rate else logarithmic,
    )


FIGURES = tuple(_figure(number, caption) for number, caption in CAPTIONS.items())
