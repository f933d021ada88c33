"""The study in numbers: what coordination gains and costs, and what designs make of faults."""

from collections.abc import Iterator

from model.papers.coordination.cases import (
    FAULT_DESIGNS,
    FAULTS,
    SIZES,
    WINDOWS,
    gain_pct,
    of_size,
    under,
)
from model.papers.coordination.figures import STYLES, TELLING
from model.papers.measurements import Measurements
from model.papers.page import interval, table
from model.papers.windows import over_windows, side

_LEAKED_MB = 0.5  # what is less is not told


def tables(measured: Measurements) -> str:
    """All tables, in Markdown."""
    return "\n".join(
        [
            *_scarce(measured),
            *_sizes(measured),
            "## What designs make of a loss",
            "",
            *faults(measured),
        ]
    )


def _scarce(measured: Measurements) -> Iterator[str]:
    yield "## Where memory is scarce"
    yield ""
    yield "Geometric means over all windows in multiples of MAN's, with intervals over windows."
    yield ""
    measures = (None, "protocol_messages", "protocol_traffic_bytes", "faults_disk")
    rows = [
        (
            name,
            *(
                interval(
                    over_windows(measured, WINDOWS, side(name), side("MAN"), one)["by windows"]
                )
                for one in measures
            ),
        )
        for name in STYLES
    ]
    yield from table(("", "response time", "messages", "their bytes", "pages from disk"), rows)


def _sizes(measured: Measurements) -> Iterator[str]:
    yield "## As the cluster grows"
    yield ""
    yield "Messages of the protocol, those of them that only tell loads, and the bytes of all."
    yield ""
    rows = []
    for nodes in SIZES:
        for name in TELLING:
            case = of_size(nodes)
            found = [
                measured.of(case, name, one) for one in ("protocol_messages", "telling_messages")
            ]
            size = measured.of(case, name, "protocol_traffic_bytes")
            told = ["not run" if one is None else f"{one.mean:,.0f}" for one in found]
            rows.append(
                (
                    *(f"{nodes:,}", name, *told),
                    "not run" if size is None else f"{size.mean / 1e6:,.1f}",
                    interval(gain_pct(measured, case, name)),
                )
            )
    heads = ("nodes", "", "messages", "that tell loads", "MB", "shorter than with DP, %")
    yield from table(heads, rows)


def faults(measured: Measurements) -> Iterator[str]:
    """For each design under each fault: how many runs hang, what leaks, how much slower it is."""
    rows = [
        (name, *(_came_of(measured, fault, name) for fault in FAULTS[1:])) for name in FAULT_DESIGNS
    ]
    yield from table(("design", *FAULTS[1:]), rows)


def _came_of(measured: Measurements, fault: str, design: str) -> str:
    """What came of a fault, by seed: a run hangs if a job never ends.

    Slower is the mean response time of runs that do not hang than without faults, in percent.
    """
    case = under(fault)
    stuck = measured.values(case, design, "faults.jobs_stuck")
    if stuck.empty:
        return "not run"
    leaked_mb = measured.values(case, design, "faults.leaked_mb").mean()
    hang = stuck[stuck > 0]
    told = []
    if len(hang):
        told.append(f"hangs in {len(hang)} of {len(stuck)} ({hang.mean():.1f} jobs)")
    if leaked_mb > _LEAKED_MB:
        told.append(f"leaks {leaked_mb:.0f} MB")
    of_all = measured.values(case, design, "over_all_ended.mean_response_s")  # where some hang
    own = of_all.combine_first(measured.values(case, design))[stuck == 0]
    if len(own):
        before = measured.values(under(FAULTS[0]), design)[own.index]
        told.append(f"{100 * (own.sum() / before.sum() - 1):+.1f} %")
    return ", ".join(told)
