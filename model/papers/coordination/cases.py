"""The cases of `coordination.toml`, and comparisons of designs in them."""

from model.papers import windows
from model.papers.cases import Case, declared, fault_of
from model.papers.findings import Claims
from model.papers.measurements import Measurements
from model.papers.windows import side, windows_of
from model.sweeps.statistics import Estimate

_RUNS = declared("coordination")["runs"]

SIZES = tuple(_RUNS["sizes"]["nodes"])
GOSSIP_SIZES = tuple(_RUNS["gossip"]["nodes"])  # with several seeds
FAULTS = tuple(declared("coordination")["choice"]["fault"])
FAULT_DESIGNS = tuple(_RUNS["faults"]["designs"])

#: Windows of the trace at a RAM with which memory is scarce.
WINDOWS = windows_of(_RUNS["scarce"], ram=_RUNS["scarce"]["ram"])


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


def gain_pct(measured: Measurements, case: Case, design: str) -> Estimate | None:
    """By how many percent jobs are shorter with a design than with disk paging."""
    return measured.reduction_pct((case, design), (case, "DP"))


def everywhere(
    design: str, low: float, high: float, than: str = "MAN", measure: str | None = None
) -> Claims:
    """A design's measure in multiples of another's is between low and high, wherever it was run.

    That is in the mean of all windows, in each of them, and where memory is less scarce.
    """
    words = f"{design} in multiples of {than}"
    return windows.everywhere(
        words,
        WINDOWS,
        side(design),
        side(than),
        low,
        high,
        measure,
        others={"at 65 % RAM": of_size(64)},
    )
