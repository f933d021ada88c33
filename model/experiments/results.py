"""What a sweep's folder holds, as one table: a row a run."""

import sys
from pathlib import Path
from typing import Any

import pandas as pd

from model.experiments.identity import model_version
from model.experiments.store import Damaged, Result, Store
from model.metrics import optimization_ratio_pct
from model.scenario import InputError, Scenario


def load_results(folder: Path | str, version: str | None = None) -> pd.DataFrame:
    """A row for each whole result of this version of the model (default: the code's own).

    Columns, besides `key` and `conditions` (the same for runs that differ in the design alone):

    - `design` and every parameter of the scenario by its name (`job`, a listed workload, left out;
      `first` and `jobs` are the window that was run);
    - every field of a run in summary.json, those in groups as `messages.RamRequest`,
      `bytes.RamRequest`, `breakdown.waiting_s`; `optimization_ratio_pct` compares with DP's run
      under the same conditions, and is missing where that is not stored;
    - `stations.links.utilization_max` and so on for links, switches and disks
      (`model/experiments/store.py`), and `took_s`.

    Rows stand in the order of their parameters, the design last. Damaged files, results of other
    versions and runs that failed are reported on stderr. Raises InputError if there is no row.
    """
    version = version or model_version()
    store = Store(Path(folder))
    rows, others = [], {}
    for key in store.all_keys():
        try:
            result = store.get(key)
        except Damaged as damage:
            print(f"warning: {damage}; run the sweep again", file=sys.stderr)
            continue
        if result["version"] == version:
            rows.append(_row(result))
        else:
            others[result["version"]] = others.get(result["version"], 0) + 1
    for other, count in others.items():
        print(
            f"warning: {count} results of version {other} of the model are ignored, this is "
            f"{version} (--model-version)",
            file=sys.stderr,
        )
    if failed := len(store.errors()):
        print(f"warning: {failed} runs have failed: *.error.json there say why", file=sys.stderr)
    if not rows:
        raise InputError(f"{folder}: no results of version {version} of the model there")
    table = pd.json_normalize(rows)
    return _compared(table).sort_values(_order(table), kind="stable", ignore_index=True)


def load_jobs(folder: Path | str, key: str) -> pd.DataFrame:
    """The jobs of one stored run: `number`, `wait_ns`, `response_ns`; raises InputError."""
    try:
        result = Store(Path(folder)).get(key)
    except Damaged as damage:
        raise InputError(f"{damage}; run the sweep again") from None
    if result is None:
        raise InputError(f"{folder}: has no run {key}")
    return pd.DataFrame(result["jobs"])


def _row(result: Result) -> dict[str, Any]:
    scenario = Scenario(**result["scenario"])
    parameters = scenario.model_dump(mode="json", exclude={"designs", "job"})
    first, _ = (None, None) if scenario.job else scenario.window
    return {
        "key": result["key"],
        "conditions": result["conditions"],
        "design": None,
        **parameters,
        "first": first,
        **result["summary"],
        "stations": result["stations"],
        "took_s": result["took_s"],
    }


def _compared(table: pd.DataFrame) -> pd.DataFrame:
    """With the optimization ratio, where disk paging was run under the same conditions."""
    paging = table[table.design == "DP"].set_index("conditions").mean_response_s
    paging_s = table.conditions.map(paging)
    ratio = optimization_ratio_pct(paging_s, table.mean_response_s)
    return table.assign(optimization_ratio_pct=ratio)


def _order(table: pd.DataFrame) -> list[str]:
    parameters = [name for name in Scenario.model_fields if name in table.columns]
    return [*parameters, "design"]
