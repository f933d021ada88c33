"""The results in a sweep's folder as one table, with one row per run."""

import json
import sys
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
from model.sweeps.store import Failed, Result, Store
from model.systems import kind_of, parameter_names, scenarios


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
    - of a run that was given up: every number infinite, and `beyond.response_s`, its limit;
    - `stations.links.utilization_max` and so on for links, switches and disks
      (`model/sweeps/store.py`), and `took_s`;
    - `version` of the model, and in `code` the commit that made the result.

    Rows are in the order of their parameters, with the design last. Damaged results, those of other
    versions and failed runs are reported on stderr. Raises InputError if there are no rows.
    """
    store, wanted = _store_in(folder), [version] if version else current_versions()
    found, damaged = store.results(wanted)
    for key in damaged:
        _warn(f"{store.file}: the result of run {cut(key)} is damaged; run the sweep again")
    for other, (code, count) in store.versions().items():
        if other not in wanted:
            _warn(
                f"{count} results of model version {cut(other)} ({cut(code)}) are ignored; this "
                f"code has version {' or '.join(wanted)} (--model-version reads others)"
            )
    if failed := len(store.failures(wanted)):
        _warn(f"{failed} runs have failed (--failures says why)")
    if not found:
        raise InputError(
            f"{folder}: no results of version {' or '.join(wanted)} of the model there"
        )
    return _table([_row(result) for result in over_the_same_jobs(found)])


def failures_in(folder: Path | str, version: str | None = None) -> list[Failed]:
    """Why runs of this version of the model (default: the code's own) have no result."""
    return _store_in(folder).failures([version] if version else current_versions())


def _store_in(folder: Path | str) -> Store:
    if not Path(folder).is_dir():
        raise InputError(f"{folder}: no such folder; give the one that a sweep wrote")
    return Store(Path(folder))


def current_versions() -> list[str]:
    """The versions of the model as this code is, of any system."""
    return [*dict.fromkeys(map(model_version, scenarios()))]


def _warn(message: str) -> None:
    print(escaped(f"warning: {message}"), file=sys.stderr)


def as_table(result: Result) -> pd.DataFrame:
    """One result as `load_results` shows it."""
    return _table([_row(result)])


def load_jobs(folder: Path | str, key: str) -> pd.DataFrame:
    """The jobs of one stored run, with the columns that `store.py` lists; raises InputError."""
    return pd.DataFrame(Store(Path(folder)).get(key)["jobs"])


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
        name: as_cell(values[name])
        for name in parameter_names()
        if name in values and name not in apart
    }


def as_cell(value: object) -> object:
    """A value by which rows can be sorted and grouped: no list, and tables as text."""
    if not isinstance(value, list):
        return value
    if value and isinstance(value[0], dict):
        stated = [{key: v for key, v in table.items() if v is not None} for table in value]
        return json.dumps(stated, sort_keys=True)
    return tuple(value)


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
        "version": result["version"],
        "code": result["code"],
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
    """Rows in order, with the optimization ratio where DP was run under the same conditions."""
    table = pd.json_normalize(rows)
    paging = table[table.design == PAGING].set_index("conditions").mean_response_s
    ratio = optimization_ratio_pct(table.conditions.map(paging), table.mean_response_s)
    order = [*(name for name in parameter_names() if name in table.columns), "design"]
    table = table.assign(optimization_ratio_pct=ratio)
    return table.sort_values(order, kind="stable", ignore_index=True)
