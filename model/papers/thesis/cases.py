"""The thesis's cases, as `thesis.toml` declares them: clusters, loads, and what is varied."""

from collections.abc import Mapping
from functools import cache
from itertools import product
from typing import Any

from model.papers.cases import Case, base_case, declared, over, reading

_SWEEP = declared("thesis")
_CHOICE: dict[str, dict[str, dict[str, Any]]] = _SWEEP["choice"]
_RUNS: dict[str, dict[str, list[Any]]] = _SWEEP["runs"]
_UNDER_ANOTHER: dict[str, Any] = _RUNS["ethernet-table-3-1-small"]
_UNDER_A_THIRD: dict[str, Any] = _RUNS["ethernet-fair"]
BARE = "bare"  # the reading that findings are judged under
_LIMIT = "give_up_response_s"
LOADS = ("light", "heavy")
OTHER_LOADS = ("onset", "deep")


@cache
def clusters() -> dict[int, list[str]]:
    """The designs run on a cluster, by its number of nodes; in the order of the figures.

    After disk paging and uncoordinated clients, they go from one manager to one per node.
    """
    first = ["DP", "CLI", "CEN"]
    return {
        cluster["nodes"]: first
        + sorted({*cluster["designs"]} - {*first, "MAN"}, key=lambda name: int(name[2:]))
        + ["MAN"]
        for cluster in _CHOICE["cluster"].values()
    }


def load(name: str) -> dict[str, Any]:
    """The parameters of a load, one of `LOADS` or `OTHER_LOADS`: `jobs`, `load_factor` if not 1."""
    return (_CHOICE["load"] | _CHOICE["other-load"])[name]


def values(varied: str, parameter: str) -> list[Any]:
    """The values of a parameter in a part of table 3.1, as in `[choice.varied]`."""
    return [*_CHOICE["varied"][varied][parameter]]


def workloads() -> list[int]:
    """The numbers of jobs in figures 4.1 and 4.22."""
    return _RUNS["figures-4-1-and-4-22"]["jobs"]


def windows() -> list[list[int]]:
    """The disjoint windows of the trace: each one's first record and jobs."""
    return [*_CHOICE["log"]["windows"]["window"]]


def windows_in_words() -> str:
    """These windows in words."""
    return f"{len(windows())} disjoint windows of {windows()[0][1]:,} jobs"


def on_windows(case: Case) -> list[Case]:
    """A case on the jobs of each of these windows."""
    return [case.but(first=first, jobs=jobs) for first, jobs in windows()]


def limit_s() -> float:
    """The mean response time beyond which runs are given up, s, in all parts in which some are."""
    parts: list[dict[str, Any]] = [*_SWEEP["runs"].values()]
    (limit_s,) = {float(part[_LIMIT]) for part in parts if _LIMIT in part}
    return limit_s


def other_readings() -> dict[str, dict[str, object]]:
    """What every case has under another reading of a page on the network, by the reading's name."""
    return {_UNDER_ANOTHER["reading"]: _moved_by(_UNDER_ANOTHER)}


def base_case_readings() -> dict[str, dict[str, object]]:
    """The same for the base cases: all readings, and submissions that are shaken."""
    return {
        BARE: {},
        **other_readings(),
        "ethernet-fair": _moved_by(_UNDER_A_THIRD),
        "shaken": _moved_by(_RUNS["shaken"]),
        "ethernet, shaken": _moved_by(_RUNS["ethernet-shaken"]),
    }


def _moved_by(part: Mapping[str, object]) -> dict[str, object]:
    """What a part of the sweep changes in the cases in which it is run."""
    moved = reading(str(part["reading"])) if "reading" in part else {}
    return moved | {key: part[key] for key in ("arrival_jitter",) if key in part}


def disks() -> list[float]:
    """The seek times, ms, of the disks that show what a page may cost; none of them rotates."""
    return _RUNS["cliff"]["seek_ms"]


def slower() -> list[float]:
    """The bandwidths, Mbps, below that of the base case: of table 3.1, and between."""
    between = _RUNS["slower-networks"]["bandwidth_mbps"]
    return sorted([min(values("bandwidth", "bandwidth_mbps")), *between])


def base(nodes: int, name: str) -> Case:
    """The base case of a cluster under a load: RAM 100 %, 100 Mbps, star, gang scheduling."""
    return Case(f"{nodes} nodes, {name}", {"nodes": nodes, **load(name)})


def table_3_1(nodes: int) -> list[Case]:
    """All cases of the table on a cluster under both loads; the base case occurs three times."""
    parts = product(LOADS, _CHOICE["varied"])
    return [case for name, varied in parts for case in cases_of(varied, nodes, name)]


def cases_of(varied: str, nodes: int, name: str) -> list[Case]:
    """The cases of a part of table 3.1, as in `[choice.varied]`, on a cluster under a load."""
    return [*over(base(nodes, name), **_CHOICE["varied"][varied])]


SMALL, LARGE = clusters()
#: The base cases: 64 and 128 nodes, under the light and the heavy load.
L64, H64, L128, H128 = CASES = tuple(base(nodes, name) for nodes in clusters() for name in LOADS)


def distinct_cases() -> list[Case]:
    """All cases of table 3.1 on both clusters; base cases, which occur thrice, by their names."""
    found: dict[frozenset[tuple[str, object]], Case] = {}
    for case in (*CASES, *table_3_1(SMALL), *table_3_1(LARGE)):
        parameters = {**base_case("thesis"), **case.parameters}
        found.setdefault(frozenset(parameters.items()), case)
    return [*found.values()]


#: By number of nodes: the designs of network RAM, and those among them that coordinate.
PNR = {nodes: [name for name in designs if name != "DP"] for nodes, designs in clusters().items()}
COORDINATED = {nodes: [name for name in names if name != "CLI"] for nodes, names in PNR.items()}


def every(case: Case) -> list[str]:
    """The designs that are run in a case, with disk paging."""
    return clusters()[case.parameters["nodes"]]


def pnr(case: Case) -> list[str]:
    """The designs of network RAM that are run in a case."""
    return PNR[case.parameters["nodes"]]


def coordinated(case: Case) -> list[str]:
    """Those among them that coordinate."""
    return COORDINATED[case.parameters["nodes"]]


#: The bandwidths of table 3.1, Mbps, above that of the base case.
FAST = tuple(mbps for mbps in values("bandwidth", "bandwidth_mbps") if mbps > 100)
