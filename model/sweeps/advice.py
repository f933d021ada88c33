"""The thesis's table 5.1, which design to use, recomputed from runs of the thesis's sweep.

The thesis says neither which experiments its table rests on nor where "slow" begins. Here, with RAM
at 100 % and gang scheduling, as table 3.1 varies the network:

- slow: 10 Mbps, or the bus. Section 5.1.2 calls 100 Mbps the minimum, and congestion the trouble;
- base: the star of 100 Mbps;
- fast: 1,000 Mbps and more, or all nodes connected, which "has the same effect" (5.1.2).

Low and high load are `light` and `heavy` of thesis.toml; clusters are those declared there. Designs
are compared by their mean response time in percent of DP's under the same conditions and seed; its
mean over a network's cases, with equal weights, is a replication, one for each seed.
"""

from collections.abc import Iterator
from typing import Any, NamedTuple

import pandas as pd

from model.core.scenario import read_toml
from model.pnr.measures import PAGING
from model.pnr.scenario import Scenario
from model.sweeps.statistics import Estimate, estimate, leaders, ranked
from model.sweeps.sweep import BUNDLED

NETWORKS: dict[str, list[dict[str, Any]]] = {
    "slow": [{"bandwidth_mbps": 10}, {"topology": "bus"}],
    "base": [{}],
    "fast": [
        *({"bandwidth_mbps": mbps} for mbps in (1_000, 10_000, 100_000)),
        {"topology": "connected"},
    ],
}
#: Table 5.1, which has no row for the base case.
THESIS = {
    ("fast", "light"): "any",
    ("fast", "heavy"): "CEN, BBx, MAN",
    ("slow", "light"): "CLI",
    ("slow", "heavy"): "BBx",
}


class Advice(NamedTuple):
    """Which designs to use on a cluster with such a network, under such a load."""

    nodes: int
    network: str
    load: str
    cases: int  # how many of the network's cases are stored
    # The design with the lowest mean, and those that its replications cannot tell from it.
    best: list[str]
    ahead_pct: Estimate  # how far ahead of the runner-up, in percent of the runner-up's mean
    vs_dp_pct: Estimate  # how far the design with the lowest mean is below DP
    thesis: str

    @property
    def use(self) -> str:
        """Which designs to use: disk paging where it is surely better than the best."""
        if self.ahead_pct.n == 1:
            return f"perhaps {PAGING if self.vs_dp_pct.mean < 0 else self.best[0]}"
        best = ", ".join(self.best)
        return f"{PAGING}; of the others {best}" if self.vs_dp_pct.high < 0 else best


def advise(results: pd.DataFrame) -> list[Advice]:
    """One row per cluster, network and load with runs of DP and two other designs; see above."""
    rows = []
    for nodes, network, load, cases in _cells():
        found = [share for case in cases if (share := _share_of_dp(results, case)) is not None]
        if not found:
            continue
        mean = sum(found) / len(found)  # nan where a design or a seed is not in every case
        ranks = ranked({design: mean[design].to_numpy() for design in mean})
        if len(ranks) < 2:
            continue
        rows.append(
            Advice(
                nodes,
                network,
                load,
                cases=len(found),
                best=leaders(ranks),
                ahead_pct=ranks[1].behind_pct,
                vs_dp_pct=estimate((100 - mean[ranks[0].design].dropna()).tolist()),
                thesis=THESIS.get((network, load), ""),
            )
        )
    return rows


def _cells() -> Iterator[tuple[int, str, str, list[Scenario]]]:
    """Each cluster, network and load of the table, with the scenarios of its cases."""
    declared = read_toml(BUNDLED["thesis"])
    common = {name: value for name, value in declared.items() if not isinstance(value, dict)}
    for cluster in declared["choice"]["cluster"].values():
        for network, cases in NETWORKS.items():
            for load, jobs in declared["choice"]["load"].items():
                scenarios = [Scenario(**{**common, **cluster, **jobs, **case}) for case in cases]
                yield cluster["nodes"], network, load, scenarios


def _share_of_dp(results: pd.DataFrame, case: Scenario) -> pd.DataFrame | None:
    """Mean response times in percent of DP's, one row per seed, one column per design.

    None if there is no run of DP.
    """
    own = results
    for name, value in case.model_dump(mode="json", exclude={"designs", "job", "seed"}).items():
        if name not in own and value is None:  # runs have it only where it is given
            continue
        if name not in own:  # runs of load sharing
            return None
        own = own[own[name].isna() if value is None else own[name] == value]
    if PAGING not in set(own.design):
        return None
    table = own.pivot(index="seed", columns="design", values="mean_response_s")
    return table.div(table[PAGING], axis=0).mul(100).drop(columns=PAGING)
