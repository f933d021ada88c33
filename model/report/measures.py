"""What a report's tables show: measures by topic, besides those of a run's summary."""

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import replace
from functools import partial
from typing import Any

import pandas as pd

from agents.messages import DATA_PHASES
from model.core.measures import BEYOND, COUNT, SHORT, Measure, Summary, is_beyond, of_topic
from model.core.result import RunResult
from model.ground.units import BYTES_PER_MB
from model.pnr.measures import FAULTS, GRANTS, MEASURES, MEMORY, OWN, PAGING, TIME, own_measures
from model.pnr.waste import BELIEFS, MEASURE_OF_USE, MISSED, OBSERVED, USES
from model.report.designs import parts_in

NONE = "–"  # unknown, or without meaning

Row = tuple[str, list[str]]  # a heading with the unit, and one cell per design
Kinds = Mapping[str, type[Any]]  # kinds of messages by name

#: What tables are about besides topics of the summary.
AGAINST, KINDS, BYTES, WASTE, STATIONS = "against", "kinds", "bytes", "waste", "stations"
TOPICS = (SHORT, FAULTS, OWN, TIME, AGAINST, GRANTS, WASTE, MEMORY, KINDS, BYTES, STATIONS)

# What messages are for, by phase; other phases are called by their names.
PURPOSES = {
    "page": "Pages",
    "barrier": "Barriers",
    "start": "Requests and grants",
    "telling": "Load broadcasts",
    "end": "Releases",
}


def tables(results: list[RunResult], nodes: int) -> dict[str, list[Row]]:
    """The rows of each table, by its topic; none where nothing is known of it."""
    summaries = [_with_more(result, results, nodes) for result in results]
    kinds = {name: kind for result in results for name, kind in result.kinds.items()}
    measures = [*MEASURES, *_MORE, *_of_kinds(kinds), *own_measures(summaries)]
    if "unmet_while_idle_mb_s" in summaries[0]:
        measures += [
            *_of_uses(),
            *(replace(it, topic=WASTE) for it in OBSERVED if it.topic in (BELIEFS, MISSED)),
        ]
    return {
        topic: [
            (
                measure.title,
                [
                    BEYOND if is_beyond(s) else number(measure.shown(s), measure.form)
                    for s in summaries
                ],
            )
            for measure in of_topic(measures, topic, summaries)
            if topic != KINDS or any(not is_beyond(s) and measure.shown(s) for s in summaries)
        ]
        for topic in TOPICS
    }


def gains(summaries: Sequence[Summary], summary: Summary) -> dict[str, float]:
    """By how many s each part of the mean response time differs from disk paging's.

    Empty if disk paging did not run, for itself, and if there is no job that ended under both.
    """
    paging = next((it for it in summaries if it["design"] == PAGING), summary)
    if paging is summary or None in (summary["mean_response_s"], paging["mean_response_s"]):
        return {}
    own, others = summary["breakdown"], paging["breakdown"]
    return {
        part: own.get(part, 0.0) - others.get(part, 0.0) for part in parts_in((summary, paging))
    }


def _with_more(result: RunResult, results: list[RunResult], nodes: int) -> Summary:
    """A run's summary with what the measures below are about."""
    summaries = [each.summary for each in results]
    parts = gains(summaries, result.summary)
    network = result.stations.iloc[:-nodes]  # disks come last, one per node
    disks: pd.Series = result.stations.iloc[-nodes:]["utilization"]
    busiest = None if network.empty else network.loc[network["utilization"].idxmax()]
    return {
        **result.summary,
        "breakdown": dict.fromkeys(parts_in(summaries), 0.0) | result.summary["breakdown"],
        "gains": {**parts, "response_s": sum(parts.values())} if parts else {},
        "busiest": None if busiest is None else dict(busiest),
        "disks": {"mean": disks.mean(), "max": disks.max()},
    }


_PARTS = [measure for measure in MEASURES if measure.topic == TIME]
_MORE = (
    Measure("mean_response_s", "Response time", "s", topic=TIME),
    *(replace(part, name=part.name.replace("breakdown", "gains"), form="{:+,.2f}", topic=AGAINST) for part in _PARTS),
    Measure("gains.response_s", "Response time", "s", "{:+,.2f}", topic=AGAINST),
    Measure("busiest.station", "Busiest link or switch", form="{}", topic=STATIONS),
    Measure("busiest.utilization", "Its utilization", "%", "{:.3f}", topic=STATIONS, scale=100),
    Measure("busiest.mean_wait_s", "Mean queueing delay at it", "µs", "{:,.1f}", topic=STATIONS, scale=1e6),
    Measure("busiest.max_wait_s", "Longest queueing delay at it", "ms", "{:,.3f}", topic=STATIONS, scale=1e3),
    Measure("disks.mean", "Mean utilization of the disks", "%", "{:.3f}", topic=STATIONS, scale=100),
    Measure("disks.max", "Utilization of the busiest disk", "%", "{:.3f}", topic=STATIONS, scale=100),
)  # fmt: skip


def _of_kinds(kinds: Kinds) -> Iterator[Measure]:
    """Messages and their bytes, by kind and by what they were for; how many servers were asked."""
    asking = [name for name, k in kinds.items() if (k.phase, k.hears) == ("start", "server")]
    telling = [name for name, kind in kinds.items() if kind.phase == "telling"]
    protocol = [name for name, kind in kinds.items() if kind.phase not in DATA_PHASES]
    mb = partial(Measure, "", unit="MB", form="{:,.3f}", topic=BYTES, scale=1 / BYTES_PER_MB)
    # fmt: off
    yield Measure("", "Times a server was asked", form=COUNT, topic=GRANTS, derived=_sent(asking))
    yield Measure("", "Servers asked per request in need", topic=GRANTS, derived=_ratio(_sent(asking), lambda s: s["requests_in_need"]))
    for name in kinds:
        yield Measure("", name, form=COUNT, topic=KINDS, derived=_sent([name]))
    yield Measure("", "All messages", form=COUNT, topic=KINDS, derived=_sent(kinds))
    for phase in dict.fromkeys(kind.phase for kind in kinds.values()):
        of_phase = [name for name, kind in kinds.items() if kind.phase == phase]
        yield mb(PURPOSES.get(phase, phase.capitalize()), derived=_sent(of_phase, "bytes"))
    yield mb("All bytes", derived=_sent(kinds, "bytes"))
    yield Measure("", "Load broadcasts' share of the protocol's bytes", "%", "{:.1f}", topic=BYTES, scale=100, derived=_ratio(_sent(telling, "bytes"), _sent(protocol, "bytes")))
    yield Measure("", "Mean size of a load broadcast", "bytes", COUNT, topic=BYTES, derived=_ratio(_sent(telling, "bytes"), _sent(telling)))
    # fmt: on


def _of_uses() -> Iterator[Measure]:
    """The share of the protocol's messages that were of each use."""

    def of(*uses: str) -> Callable[[Summary], int]:
        return lambda s: sum(sum(s[MEASURE_OF_USE[use]].values()) for use in uses)

    for use in USES:
        share = _ratio(of(use), of(*USES))
        yield Measure("", f"Messages {use}", "%", "{:.1f}", topic=WASTE, scale=100, derived=share)


def _sent(kinds: Iterable[str], what: str = "messages") -> Callable[[Summary], int]:
    """How many messages (or "bytes") of these kinds were sent; a run may not know all of them."""
    names = [*kinds]
    return lambda summary: sum(summary[what].get(kind, 0) for kind in names)


def _ratio(
    part: Callable[[Summary], float], whole: Callable[[Summary], float]
) -> Callable[[Summary], float | None]:
    return lambda summary: part(summary) / whole(summary) if whole(summary) else None


def number(value: object, form: str = "{:,}") -> str:
    """A value as people write it: with a real minus sign, and zero without any."""
    if value is None:
        return NONE
    text = form.format(value)
    if not text.strip("+-0.,"):
        return text.lstrip("+-")
    return text.replace("-", "\N{MINUS SIGN}")
