"""The results in a sweep's folder as one table, with one row per run."""

import json
import sys
from collections import Counter
from collections.abc import Iterable, Sequence, Set
from math import inf
from pathlib import Path
from statistics import fmean
from typing import Any

import pandas as pd

from model.core.measures import Summary, is_beyond, names_of_means
from model.ground.errors import InputError, cut
from model.ground.text import escaped
from model.ground.units import seconds
from model.pnr.measures import MEASURES, PAGING, optimization_ratio_pct, submitted
from model.sweeps.identity import model_version
from model.sweeps.store import Damaged, Result, Store
from model.systems import PARAMETERS, SCENARIOS, kind_of


def load_results(folder: Path | str, version: str | None = None) -> pd.DataFrame:
    """One row per undamaged result of this version of the model (default: the code's own).

    Columns, besides `key` and `conditions` (the same for runs that differ in the design alone):

    - `design` (of load sharing: the policy) and every parameter of the scenario by its name (`job`,
      a listed workload, left out; `first` and `jobs` are the window that was run; `fault` is text);
    - every field of a run in summary.json; those in groups are called `messages.RamRequest`,
      `bytes.RamRequest`, `breakdown.waiting_s`; `optimization_ratio_pct` compares with DP's run
      under the same conditions, and is missing if that is not stored;
    - where jobs never ended under some design: means over those that ended under all designs under
      the same conditions (missing where results do not hold what they are made of), their number
      `jobs_compared`, `jobs_ended`, and `over_all_ended.mean_response_s` and so on, which are means
      over different jobs;
    - of a run that was given up: every number infinite, so that whatever follows from it is, or
      is unknown, and `beyond.response_s`, what it was beyond;
    - `stations.links.utilization_max` and so on for links, switches and disks
      (`model/sweeps/store.py`), and `took_s`.

    Rows are in the order of their parameters, with the design last. Damaged files, results of other
    versions and failed runs are reported on stderr; `attrs["carried"]` lists what was carried over
    from other versions. Raises InputError if there are no rows.
    """
    store = Store(Path(folder))
    if not store.folder.is_dir():
        raise InputError(f"{folder}: no such folder; give the one that a sweep wrote")
    found: list[Result] = []
    others: Counter[tuple[str, str]] = Counter()
    for key in store.all_keys():
        try:
            result = store.of(key)
        except Damaged as damage:
            print(escaped(f"warning: {damage}; run the sweep again"), file=sys.stderr)
            continue
        wanted = version or model_version(result["scenario"].get("system"))
        if result["version"] == wanted:
            found.append(without_needless_jobs(result))
        else:
            others[result["version"], wanted] += 1
    for (other, wanted), count in others.items():
        print(
            f"warning: {count} results of version {cut(other)} of the model are ignored, this is "
            f"{wanted} (--model-version reads them)",
            file=sys.stderr,
        )
    failed = sum(_is_of(error, version) for error in store.errors().values())
    if failed:
        print(f"warning: {failed} runs have failed: *.error.json there say why", file=sys.stderr)
    if not found:
        wanted = " or ".join({mine: None for _, mine in others} or [version or model_version()])
        raise InputError(f"{folder}: no results of version {wanted} of the model there")
    try:
        table = _table([_row(result) for result in over_the_same_jobs(found)])
    except (TypeError, ValueError) as error:  # values of one column that cannot be compared
        raise InputError(f"{folder}: its results do not make a table: {cut(str(error))}") from None
    table.attrs["carried"] = store.notes()
    return table


def as_table(result: Result) -> pd.DataFrame:
    """One result as `load_results` shows it."""
    return _table([_row(result)])


def load_jobs(folder: Path | str, key: str) -> pd.DataFrame:
    """The jobs of one stored run, with the columns that `store.py` lists; raises InputError."""
    try:
        return pd.DataFrame(Store(Path(folder)).of(key)["jobs"])
    except Damaged as damage:
        raise InputError(f"{damage}; run the sweep again") from None


def parameters_of(scenario: dict[str, object]) -> dict[str, Any]:
    """The parameters in the row of a run with this scenario, written out.

    Those that are younger than the run's result have their defaults.
    """
    kind = kind_of(scenario)
    later = kind.defaults_of_later()
    given = {name: value for name, value in later.items() if value is not None}
    values = {**given, **kind.as_run(scenario)}
    apart = (kind.compares, "job")
    return {
        name: as_cell(values[name]) for name in PARAMETERS if name in values and name not in apart
    }


def as_cell(value: object) -> object:
    """A value by which rows can be sorted and grouped: no list, and tables as text."""
    if not isinstance(value, list):
        return value
    if value and isinstance(value[0], dict):
        stated = [{key: v for key, v in table.items() if v is not None} for table in value]
        return json.dumps(stated, sort_keys=True)
    return tuple(value)


def _is_of(error: dict[str, Any], version: str | None) -> bool:
    """Whether an error is that of a run of this version (default: the code's own)."""
    system = error.get("run", {}).get("system")
    known = system is None or system in SCENARIOS
    return known and error.get("version") == (version or model_version(system))


def _row(result: Result) -> dict[str, object]:
    """A result as a row; its scenario stays as stored, since other versions' may be invalid now."""
    kind = kind_of(result["scenario"])
    summary = result["summary"]
    if is_beyond(summary):
        summary = _infinite(summary)
    parameters = parameters_of(result["scenario"])
    listed = len(result["scenario"].get("job") or ())
    return {
        "key": result["key"],
        "conditions": result["conditions"],
        "design": summary[kind.noun],
        **parameters,
        **summary,
        "jobs": parameters.get("jobs") or listed or submitted(summary),
        "stations": result["stations"],
        "took_s": result["took_s"],
    }


_MEANS = names_of_means(MEASURES)


def over_the_same_jobs(results: Sequence[Result]) -> list[Result]:
    """The results with means over the jobs that ended under all designs in the same conditions.

    Those of conditions under which every job ended stay as they are.
    """
    together: dict[str, list[Result]] = {}
    for result in results:
        together.setdefault(result["conditions"], []).append(result)
    common = {
        conditions: jobs_in_common(own)
        for conditions, own in together.items()
        if any(_lacks_jobs(result["summary"]) for result in own)
    }
    return [
        result
        if result["conditions"] not in common or is_beyond(result["summary"])
        else _over(common[result["conditions"]], result)
        for result in results
    ]


def _lacks_jobs(summary: Summary) -> bool:
    """Whether jobs never ended in a run that went on to its end."""
    return submitted(summary) > summary["jobs"] and not is_beyond(summary)


def _infinite(values: dict[str, object]) -> dict[str, object]:
    """What a run that was given up measured: infinitely much, and so is what follows from it."""
    return {
        name: _infinite(value) if isinstance(value, dict) else inf if value is None else value
        for name, value in values.items()
    }


def jobs_in_common(results: Iterable[Result]) -> set[int]:
    """The numbers of the jobs that ended in all runs, but for runs in which none did."""
    ended = [set(result["jobs"]["number"]) for result in results]
    return set.intersection(*filter(None, ended)) if any(ended) else set()


def mean_s(result: Result, column: str, numbers: Set[int]) -> float | None:
    """The mean of a stored time in ns over these jobs, in s; None if none of them ended."""
    jobs = result["jobs"]
    values = [
        seconds(time_ns)
        for number, time_ns in zip(jobs["number"], jobs[column], strict=True)
        if number in numbers
    ]
    return fmean(values) if values else None


def without_needless_jobs(result: Result) -> Result:
    """The result without its jobs, which are large, unless some may never have ended."""
    can_hang = isinstance(result["summary"].get("faults"), dict)
    return result if can_hang else {**result, "jobs": {}}


def _over(numbers: Set[int], result: Result) -> Result:
    """A result with means over these jobs, as far as it holds what they are made of."""
    summary = result["summary"]
    known = {"mean_response_s": mean_s(result, "response_ns", numbers)}
    if "lost_s" not in summary["breakdown"]:  # else a part of what is stored was no waiting
        known["mean_wait_s"] = mean_s(result, "wait_ns", numbers)
    beside = {"jobs_compared": len(numbers), "jobs_ended": summary["jobs"]}
    means = {**dict.fromkeys(_MEANS), "breakdown": dict.fromkeys(summary["breakdown"]), **known}
    beside["over_all_ended"] = {name: summary[name] for name in _MEANS}
    return {**result, "summary": {**summary, **means, **beside}}


def _table(rows: list[dict[str, object]]) -> pd.DataFrame:
    table = pd.json_normalize(rows)
    return _compared(table).sort_values(_order(table), kind="stable", ignore_index=True)


def _compared(table: pd.DataFrame) -> pd.DataFrame:
    """Add the optimization ratio where disk paging was run under the same conditions."""
    paging = table[table.design == PAGING].set_index("conditions").mean_response_s
    paging_s = table.conditions.map(paging)
    ratio = optimization_ratio_pct(paging_s, table.mean_response_s)
    return table.assign(optimization_ratio_pct=ratio)


def _order(table: pd.DataFrame) -> list[str]:
    return [*(name for name in PARAMETERS if name in table.columns), "design"]
