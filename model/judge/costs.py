"""What designs cost, besides time."""

from collections.abc import Callable
from statistics import fmean
from typing import Any, NamedTuple

from model.ground.units import BYTES_PER_KB
from model.judge.judging import Judgement
from model.pnr.faults import DATA_KINDS
from model.pnr.measures import protocol_messages
from model.pnr.waste import MEASURE_OF_USE, WASTED
from model.sweeps.store import Result


class Cost(NamedTuple):
    """What is measured of a run, besides time; None where there is nothing to measure."""

    name: str
    heading: str
    form: str
    of: Callable[[Result], float | None]


def _a_job(number: float, result: Result) -> float:
    jobs: int = result["summary"]["jobs"]
    return number / max(1, jobs)


def messages_a_job(result: Result) -> float:
    messages = protocol_messages(result["summary"])
    assert isinstance(messages, int)
    return _a_job(messages, result)


def _kb(result: Result) -> float:
    sizes = result["summary"]["bytes"]
    sent = sum(size for kind, size in sizes.items() if kind not in DATA_KINDS)
    return _a_job(sent, result) / BYTES_PER_KB


def _not_used_pct(result: Result) -> float | None:
    """Of messages that arrived, those that were refusals, about nothing or outdated."""
    summary = result["summary"]
    of_use = {use: sum(summary[name].values()) for use, name in MEASURE_OF_USE.items()}
    total = sum(of_use.values())
    return 100 * sum(of_use[use] for use in WASTED) / total if total else None


def _at_a_manager(result: Result) -> float:
    return _a_job(result["summary"]["busiest_manager_messages"], result)


def _busiest_pct(result: Result) -> float:
    shares: list[float] = [kind["utilization_max"] for kind in result["stations"].values()]
    return 100 * max(shares, default=0)


def _regret_mb(result: Result) -> float | None:
    regret = result["summary"]["regret_mb"]
    return None if regret is None else float(regret["mean"])


def _stuck(result: Result) -> float | None:
    faults = result["summary"].get("faults")
    return None if faults is None else float(faults["jobs_stuck"] + faults["jobs_failed"])


COSTS = (
    Cost("mean_response_s", "response, s", "{:,.0f}", lambda it: it["summary"]["mean_response_s"]),
    Cost("messages_per_job", "messages a job", "{:,.1f}", messages_a_job),
    Cost("kb_per_job", "KB a job", "{:,.1f}", _kb),
    Cost("not_used_pct", "not used, %", "{:.0f}", _not_used_pct),
    Cost("busiest_manager_per_job", "at busiest manager", "{:,.1f}", _at_a_manager),
    Cost("busiest_station_pct", "busiest station, %", "{:.1f}", _busiest_pct),
    Cost("jobs_stuck", "jobs that never end, a window", "{:,.1f}", _stuck),
    Cost("regret_mb", "regret, MB", "{:,.2f}", _regret_mb),
)


def costs(judgement: Judgement) -> list[dict[str, Any]]:
    """By design what it costs, over the leading windows that all designs have run in."""
    names = [name for name in judgement.question.declared if judgement.result(0, name)]
    windows = [
        found
        for window in judgement.windows_with(*names)
        if None not in (found := [judgement.result(window, name) for name in names])
    ]
    rows = []
    for name, results in zip(names, zip(*windows, strict=True), strict=False):
        row: dict[str, Any] = {"design": name, "windows": len(windows)}
        for cost in COSTS:
            known = [value for it in results if it and (value := cost.of(it)) is not None]
            row[cost.name] = fmean(known) if known else None
        rows.append(row)
    return rows
