"""The cases of `coordination.toml`, and comparisons with MAN."""

from collections.abc import Iterator

import numpy as np

from model.papers.cases import Case, declared, fault_of
from model.papers.findings import Claim, Claims, claim, ratios
from model.papers.measurements import Measurements, geometric_mean
from model.sweeps.statistics import Estimate

_RUNS = declared("coordination")["runs"]

SIZES = tuple(_RUNS["sizes"]["nodes"])
GOSSIP_SIZES = tuple(_RUNS["gossip"]["nodes"])  # with several seeds
FAULTS = tuple(declared("coordination")["choice"]["fault"])
FAULT_DESIGNS = tuple(_RUNS["faults"]["designs"])

#: Windows of the trace at a RAM with which memory is scarce, by their first records.
WINDOWS = {
    first: Case(f"records {first:,} on", {"first": first, "jobs": jobs, "ram": ram})
    for ram in [_RUNS["scarce"]["ram"]]
    for first, jobs in _RUNS["scarce"]["window"]
}


def of_size(nodes: int) -> Case:
    """The same 19 jobs on a cluster of so many nodes."""
    ((first, jobs),) = _RUNS["sizes"]["window"]
    ram = _RUNS["sizes"]["ram"]
    return Case(
        f"{nodes:,} nodes, {ram} % RAM", {"first": first, "jobs": jobs, "ram": ram, "nodes": nodes}
    )


def under(fault: str) -> Case:
    """These jobs on 64 nodes under a fault, as the sweep calls it."""
    tables = declared("coordination")["choice"]["fault"][fault]
    case = of_size(64)
    named = {**case.parameters, **({"fault": fault_of(tables["fault"][0])} if tables else {})}
    return Case(fault, named)


def in_mans(
    measured: Measurements, case: Case, design: str, measure: str | None = None
) -> Estimate | None:
    """A design's measure in multiples of MAN's."""
    return measured.ratio((case, design), (case, "MAN"), measure=measure)


def over_windows(
    measured: Measurements, design: str, than: str, measure: str | None = None
) -> dict[str, Estimate | None]:
    """The geometric mean over windows and seeds of a measure in multiples of another design's.

    Its interval is told over seeds (for exactly these jobs) and over windows (for jobs like them).
    """
    logs = [
        np.log(measured.values(case, design, measure) / measured.values(case, than, measure))
        for case in WINDOWS.values()
    ]
    if not all(len(one.dropna()) for one in logs):
        return {"by seeds": None, "by windows": None}
    by_seed = np.exp(sum(logs) / len(logs)).dropna()
    by_window = [float(np.exp(one.mean())) for one in logs]
    return {"by seeds": geometric_mean([*by_seed]), "by windows": geometric_mean(by_window)}


def gain_pct(measured: Measurements, case: Case, design: str) -> Estimate | None:
    """By how many percent jobs are shorter with a design than with disk paging."""
    return measured.reduction_pct((case, design), (case, "DP"))


def everywhere(
    design: str, low: float, high: float, than: str = "MAN", measure: str | None = None
) -> tuple[Claims, ...]:
    """A design's measure in multiples of another's is between low and high, wherever it was run.

    That is in the mean of all windows, in each of them, and where memory is less scarce.
    """

    def in_the_mean(measured: Measurements) -> Iterator[Claim]:
        found = over_windows(measured, design, than, measure)
        says = f"mean of the windows: {design} in multiples of {than}, {{}}"
        yield claim(says, [*found.items()], low, high)

    return (
        in_the_mean,
        *(
            ratios(case, design, low, high, [than], measure)
            for case in (*WINDOWS.values(), of_size(64))
        ),
    )
