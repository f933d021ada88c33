"""The thesis's experiments as they were run here: its cases, and what was measured in them.

`thesis.toml` declares the clusters, the loads and what is varied; nothing of that is repeated here.
`data/thesis.parquet` has the results in brief, for the figures, the findings and their tests.
"""

from collections.abc import Mapping
from dataclasses import dataclass
from functools import cache
from itertools import product
from math import nan
from pathlib import Path
from typing import Any

import pandas as pd

from model.core.scenario import read_toml
from model.ground.errors import InputError
from model.papers.paper import PAPERS, RESULTS_FILE
from model.pnr.scenario import Scenario
from model.sweeps.identity import model_version
from model.sweeps.results import load_results
from model.sweeps.statistics import Estimate, estimate, reduction_pct
from model.sweeps.sweep import BUNDLED

CONDENSED = PAPERS / "thesis" / RESULTS_FILE

#: The clusters of `thesis.toml` by their number of nodes, and the loads by their name.
LOADS = ("light", "heavy")

# What tells cases apart; all other parameters of a scenario are the base case's.
_VARIED = (
    "nodes",
    "first",
    "jobs",
    "load_factor",
    "ram",
    "bandwidth_mbps",
    "topology",
    "scheduler",
)

_MEASURES = (
    "mean_response_s",
    "mean_wait_s",
    "mean_slowdown",
    "sim_end_s",
    "utilization",
    "faults",
    "faults_disk",
    "faults_network",
    "allocated_mb_mean",
    "allocated_mb_sd",
    "disk_mb_mean",
    "disk_mb_sd",
    "pcs",
    "messages",
    "need_mb",
    "need_unmet_mb",
    "stations.links.utilization_max",
    "stations.switches.utilization_max",
    "stations.disks.utilization_max",
)


@cache
def _declared() -> dict[str, Any]:
    return read_toml(BUNDLED["thesis"])


@cache
def clusters() -> dict[int, list[str]]:
    """The designs run on a cluster, by its number of nodes; in the order of the figures.

    After disk paging and the clients that do not coordinate, from one manager to one a node.
    """
    first = ["DP", "CLI", "CEN"]
    return {
        cluster["nodes"]: first
        + sorted({*cluster["designs"]} - {*first, "MAN"}, key=lambda name: int(name[2:]))
        + ["MAN"]
        for cluster in _declared()["choice"]["cluster"].values()
    }


def load(name: str) -> dict[str, Any]:
    """What makes the load "light" or "heavy": `jobs`, and a `load_factor` if it is not 1."""
    return _declared()["choice"]["load"][name]


def values(varied: str, parameter: str) -> list[Any]:
    """The values of a parameter in a part of table 3.1, as in `[choice.varied]`."""
    return _declared()["choice"]["varied"][varied][parameter]


def workloads() -> list[int]:
    """The numbers of jobs in figures 4.1 and 4.22."""
    return _declared()["runs"]["figures-4-1-and-4-22"]["jobs"]


def windows() -> list[list[int]]:
    """The disjoint windows of the trace for base cases, each its first record and its jobs."""
    return _declared()["runs"]["base-windows"]["window"]


@dataclass(frozen=True)
class Case:
    """Conditions of the thesis: the base case of a cluster and a load, but for what is `varied`."""

    nodes: int
    load: str
    varied: tuple[tuple[str, Any], ...] = ()

    def but(self, **varied: Any) -> "Case":
        """The same with other values of these parameters."""
        return Case(self.nodes, self.load, (*self.varied, *varied.items()))

    @property
    def parameters(self) -> dict[str, Any]:
        """The values of all that tells cases apart."""
        chosen = {"nodes": self.nodes, **load(self.load), **dict(self.varied)}
        return {name: chosen.get(name, _base()[name]) for name in _VARIED}


@cache
def table_3_1(nodes: int) -> list[Case]:
    """All cases of the table on a cluster, under both loads; the base case stands three times."""
    parts = product(LOADS, _declared()["choice"]["varied"])
    return [case for name, varied in parts for case in cases_of(varied, nodes, name)]


def cases_of(varied: str, nodes: int, name: str) -> list[Case]:
    """The cases of a part of table 3.1, as in `[choice.varied]`, on a cluster under a load."""
    parameters = _declared()["choice"]["varied"][varied]
    lists = [value if isinstance(value, list) else [value] for value in parameters.values()]
    return [
        Case(nodes, name).but(**dict(zip(parameters, chosen, strict=True)))
        for chosen in product(*lists)
    ]


@cache
def _base() -> dict[str, Any]:
    fixed = {name: v for name, v in _declared().items() if not isinstance(v, dict)}
    return Scenario(**fixed).model_dump(mode="json", exclude={"designs", "job", "seed"})


class Measurements:
    """What the runs of the thesis's cases measured; replications differ in their seed."""

    def __init__(self, results: pd.DataFrame) -> None:
        """Of a table as `condense` makes it; runs that are none of the thesis's may be among them.

        Raises InputError if there is no other.
        """
        allowed = {name: [value] for name, value in _base().items() if name not in _VARIED}
        allowed["nodes"] = [*clusters()]
        for name, known in allowed.items():
            column = results[name]
            results = results[column.isna() if known == [None] else column.isin(known)]
        results = results[results["first"].notna()]  # jobs of the trace, not listed ones
        self.runs = results
        if results.empty:
            raise InputError(
                "no run of the thesis's experiments among these results; "
                "`run.py sweep thesis` does them"
            )
        self._spreads: dict[tuple[int | str, ...], float] = {}
        self._by_seed = {
            (_key(dict(zip(_VARIED, key[:-1], strict=True))), key[-1]): runs.set_index("seed")
            for key, runs in results.groupby([*_VARIED, "design"])
        }

    def designs(self, case: Case) -> list[str]:
        """Those that were run in this case, of those that the thesis runs there."""
        key = _key(case.parameters)
        return [name for name in clusters()[case.nodes] if (key, name) in self._by_seed]

    def of(self, case: Case, design: str, measure: str = "mean_response_s") -> Estimate | None:
        """The mean over the seeds; None if there is no run."""
        found = self._values(case, design, measure)
        return None if found.empty else estimate(found.tolist())

    def reduction_pct(
        self,
        case: Case,
        design: str,
        measure: str = "mean_response_s",
        than: tuple[Case, str] | None = None,
    ) -> Estimate | None:
        """By how much a mean is below another's, percent of that; None if no seed has both.

        `than` is the other case and design, by default DP in the same case: of response times it is
        then the optimization ratio. Seeds are compared in pairs.
        """
        own = self._values(case, design, measure)
        other = self._values(*(than or (case, "DP")), measure)
        common = own.index.intersection(other.index)
        if common.empty:
            return None
        return reduction_pct(other[common].tolist(), own[common].tolist())

    def spread_of_one(self, nodes: int, design: str, measure: str, than: str = "") -> float:
        """How far one run may be off, in parts of its value: half of a 95 % interval.

        As in that case of table 3.1 with as many nodes and several seeds in which these differ the
        most, be it a mean or (`than`) the quotient of two designs; nan if there is none.
        """
        asked = (nodes, design, measure, than)
        if asked not in self._spreads:
            spreads = []
            for case in table_3_1(nodes):
                known = self.of(case, design, measure)
                of = known and known.mean
                if than and known:
                    known = self.reduction_pct(case, design, measure, (case, than))
                    of = known and 100 - known.mean
                if known and known.n > 1 and of:
                    spreads.append(known.half_width_of_one / of)
            self._spreads[asked] = max(spreads, default=nan)
        return self._spreads[asked]

    def _values(self, case: Case, design: str, measure: str) -> pd.Series:
        """By seed."""
        runs = self._by_seed.get((_key(case.parameters), design))
        return pd.Series() if runs is None else runs[measure].dropna()


def _key(parameters: Mapping[str, Any]) -> tuple[Any, ...]:
    """In the order of `_VARIED`; 100 and 100.0 are the same."""
    return tuple(parameters[name] for name in _VARIED)


def load_measurements(folder: Path | None, version: str | None = None) -> Measurements:
    """What a sweep's folder holds of the thesis, or (None) what comes with this code.

    `version` is that of the model whose results to take; by default the code's own.

    Raises InputError if that is nothing.
    """
    if folder is None:
        return Measurements(pd.read_parquet(CONDENSED))
    version = version or model_version()
    try:
        return Measurements(condense(load_results(folder, version), version))
    except InputError as error:
        raise InputError(
            str(error) if str(folder) in str(error) else f"{folder}: {error}"
        ) from None


def condense(results: pd.DataFrame, version: str) -> pd.DataFrame:
    """The columns of `load_results` that figures and findings need, and the model's `version`.

    Faults and messages are summed over their kinds.
    """
    sums = {
        "faults": results.faults_disk + results.faults_network,
        "messages": results.filter(regex=r"^messages\.").sum(axis="columns").astype(int),
        "version": version,
    }
    parameters = [name for name in Scenario.model_fields if name in results]
    return results.assign(**sums)[["version", "conditions", "design", *parameters, *_MEASURES]]
