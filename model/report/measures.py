"""What runs measured, as tables and in words."""

from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from typing import Any

from agents.messages import DATA_PHASES
from model.core.measures import SHORT, Measure, Summary, of_topic
from model.core.result import RunResult
from model.ground.units import BYTES_PER_MB
from model.pnr.measures import FAULTS, GRANTS, MEASURES, MEMORY, PAGING, submitted
from model.pnr.waste import BELIEFS, MEASURE_OF_USE, MISSED, OBSERVED, USES
from model.report.designs import COLORS, heading_of, parts_in

NONE = "–"  # unknown, or without meaning

Row = tuple[str, list[str]]  # a heading, and one cell per design

# What messages are for, by phase; other phases are called by their names.
PURPOSES = {
    "page": "Pages",
    "barrier": "Barriers",
    "start": "Requests and grants",
    "telling": "Load broadcasts",
    "end": "Releases",
}


@dataclass(frozen=True)
class Table:
    """One row per measure, with the unit in its heading, and one column per design."""

    name: str
    caption: str
    rows: list[Row]


#: Ties alone move a design's mean by up to this share: a smaller difference may be chance.
ONE_SEED_TELLS = 0.1


def in_words(results: list[RunResult]) -> list[str]:
    """Sentences on which design is fastest, if that can be told, and on each against DP."""
    summaries = [result.summary for result in results]
    sentences = []
    for summary in summaries:
        if lacking := submitted(summary) - summary["jobs"]:
            sentences.append(
                f"Under {summary['design']}, {lacking:,} of {submitted(summary):,} jobs never end."
            )
    if "jobs_compared" in summaries[0]:
        sentences.append(
            f"Means are over the {summaries[0]['jobs_compared']:,} jobs that end under every "
            "design."
        )
    elif sentences:
        sentences.append("Means are over the others.")
    elif len(summaries) > 1:  # a design under which jobs never end is not the fastest
        sentences.append(_fastest(summaries))
    paging = next((s for s in summaries if s["design"] == PAGING), None)
    for summary in summaries:
        if paging is None or summary is paging or not (gains := _gains(summary, paging)):
            continue
        total_s = _total(gains)
        words = [
            f"{summary['design']} takes {abs(total_s):,.2f} s "
            f"{'less' if total_s < 0 else 'more'} than disk paging"
        ]
        if abs(total_s) < ONE_SEED_TELLS * paging["mean_response_s"]:
            words[0] += ", which one seed cannot tell from chance"
        for choose, verb in ((min, "gains"), (max, "loses")):
            part = choose(gains, key=gains.get)
            change = _number("{:+,.2f}", gains[part])
            if change[0] == ("+" if choose is max else "\N{MINUS SIGN}"):
                words.append(f"it {verb} most in “{heading_of(part).lower()}” ({change} s)")
        sentences.append("; ".join(words) + ".")
    return sentences


def _fastest(summaries: Sequence[Summary]) -> str:
    """Which design is fastest, or which ones one seed cannot tell from the fastest."""
    best, second, *_ = ranked = sorted(summaries, key=lambda it: it["mean_response_s"])
    least_s = best["mean_response_s"]
    if second["mean_response_s"] > (1 + ONE_SEED_TELLS) * least_s:
        percent = 100 * (second["mean_response_s"] / least_s - 1)
        return (
            f"{best['design']} has the shortest mean response time, {least_s:,.2f} s; that of the "
            f"next, {second['design']}, is {percent:,.0f} % longer."
        )
    alike = [it for it in ranked if it["mean_response_s"] <= (1 + ONE_SEED_TELLS) * least_s]
    *some, last = (it["design"] for it in alike)
    return (
        f"Which design is fastest one seed cannot tell: the mean response times of "
        f"{', '.join(some)} and {last} are {least_s:,.2f} to {alike[-1]['mean_response_s']:,.2f} s."
    )


def tables(results: list[RunResult], nodes: int) -> list[Table]:
    """The measures of the runs, by topic."""
    summaries = [result.summary for result in results]
    kinds: dict[str, type] = {}
    for result in results:
        kinds |= result.kinds
    faults = _of_topic(FAULTS, summaries) if "faults" in summaries[0] else []
    observed = "unmet_while_idle_mb_s" in summaries[0]
    titles = "What messages were good for, and what was believed"
    return [
        Table("in_short", "The comparison", _of_topic(SHORT, summaries)),
        Table("faults", "What came of faults", faults),
        Table("breakdown", "Where the mean response time goes", _breakdown_rows(summaries)),
        Table("against", "Difference from DP", _against_rows(summaries)),
        Table("grants", "Requests and grants", _grant_rows(summaries, kinds)),
        Table("kinds", "Messages over the network, by kind", _kind_rows(summaries, kinds)),
        Table("bytes", "Bytes over the network, by purpose", _byte_rows(summaries, kinds)),
        Table("waste", titles, _waste_rows(summaries) if observed else []),
        Table("stations", "Links, switches and disks", _station_rows(results, nodes)),
        Table("memory", "Memory: means over the run's samples", _of_topic(MEMORY, summaries)),
    ]


def _row(
    heading: str,
    form: str,
    summaries: Sequence[Summary],
    value: Callable[[Summary], Any],
) -> Row:
    return heading, [_number(form, value(summary)) for summary in summaries]


def _of_topic(
    topic: str, summaries: Sequence[Summary], measures: Sequence[Measure] = MEASURES
) -> list[Row]:
    """A row for each measure of a topic."""
    return [
        _row(measure.title, measure.form, summaries, measure.shown)
        for measure in of_topic(measures, topic, summaries)
    ]


def _breakdown_rows(summaries: Sequence[Summary]) -> list[Row]:
    """The parts of the mean response time, and their sum."""
    rows = [
        _row(
            f"{heading_of(part)} (s)",
            "{:,.2f}",
            summaries,
            lambda s, part=part: s["breakdown"].get(part, 0.0),
        )
        for part in parts_in(summaries)
    ]
    return [*rows, _row("Response time (s)", "{:,.2f}", summaries, lambda s: s["mean_response_s"])]


def _against_rows(summaries: Sequence[Summary]) -> list[Row]:
    """By how much each part differs from disk paging's; none without anything to compare."""
    paging = next((s for s in summaries if s["design"] == PAGING), None)
    if paging is None or len(summaries) == 1:
        return []
    gains = {s["design"]: _gains(s, paging) for s in summaries if s is not paging}
    rows = [
        _row(
            f"{heading_of(part)} (s)",
            "{:+,.2f}",
            summaries,
            lambda s, part=part: gains.get(s["design"], {}).get(part),
        )
        for part in parts_in(summaries)
    ]
    of_all = _row(
        "Response time (s)", "{:+,.2f}", summaries, lambda s: _total(gains.get(s["design"]))
    )
    return [*rows, of_all]


def _grant_rows(summaries: Sequence[Summary], kinds: dict[str, type]) -> list[Row]:
    """What clients asked for and got, and how often servers were asked."""
    asking = [name for name, k in kinds.items() if (k.phase, k.hears) == ("start", "server")]
    return [
        *_of_topic(GRANTS, summaries),
        _row("Times a server was asked", "{:,}", summaries, lambda s: _sent(s, asking)),
        _row(
            "Servers asked per request in need",
            "{:.2f}",
            summaries,
            lambda s: _ratio(_sent(s, asking), s["requests_in_need"]),
        ),
    ]


def _kind_rows(summaries: Sequence[Summary], kinds: dict[str, type]) -> list[Row]:
    """How many messages of each kind were sent."""
    counts = [
        _row(name, "{:,}", summaries, lambda s, name=name: _sent(s, [name])) for name in kinds
    ]
    return [
        *counts,
        _row("All messages", "{:,}", summaries, lambda s: sum(s["messages"].values())),
    ]


def _byte_rows(summaries: Sequence[Summary], kinds: dict[str, type]) -> list[Row]:
    """How many bytes were sent, by what they were for, and what broadcasts had of them."""
    by_phase: dict[str, list[str]] = {}
    for name, kind in kinds.items():
        by_phase.setdefault(kind.phase, []).append(name)
    telling = by_phase.get("telling", [])
    protocol = [name for name, kind in kinds.items() if kind.phase not in DATA_PHASES]
    purposes = [
        _row(
            f"{PURPOSES.get(phase, phase.capitalize())} (MB)",
            "{:,.3f}",
            summaries,
            lambda s, sent=sent: _sent_mb(s, sent),
        )
        for phase, sent in by_phase.items()
    ]
    return [
        *purposes,
        _row("All bytes (MB)", "{:,.3f}", summaries, lambda s: _sent_mb(s, s["bytes"])),
        _row(
            "Load broadcasts' share of the protocol's bytes (%)",
            "{:.1f}",
            summaries,
            lambda s: _ratio(100 * _sent_mb(s, telling), _sent_mb(s, protocol)),
        ),
        _row(
            "Mean size of a load broadcast (bytes)",
            "{:,.0f}",
            summaries,
            lambda s: _ratio(_sent(s, telling, "bytes"), _sent(s, telling)),
        ),
    ]


def _waste_rows(summaries: Sequence[Summary]) -> list[Row]:
    """Rows on the use of messages and beliefs."""
    uses = [
        _row(
            f"Messages {use} (%)",
            "{:.1f}",
            summaries,
            lambda s, use=use: _ratio(100 * _of_use(s, use), sum(_of_use(s, it) for it in USES)),
        )
        for use in USES
    ]
    beliefs, missed = (_of_topic(topic, summaries, OBSERVED) for topic in (BELIEFS, MISSED))
    return [*uses, *beliefs, *missed]


def _station_rows(results: list[RunResult], nodes: int) -> list[tuple[str, list[str]]]:
    """Rows on the busiest station of the network and on the disks."""
    network = [result.stations.iloc[:-nodes] for result in results]  # disks come last, one per node
    disks = [result.stations.iloc[-nodes:] for result in results]
    busiest = [
        None if stations.empty else stations.loc[stations["utilization"].idxmax()]
        for stations in network
    ]

    def row(heading: str, number: str, column: str, factor: float) -> tuple[str, list[str]]:
        values = [None if best is None else factor * best[column] for best in busiest]
        return heading, [_number(number, value) for value in values]

    return [
        (
            "Busiest link or switch",
            [NONE if best is None else str(best["station"]) for best in busiest],
        ),
        row("Its utilization (%)", "{:.3f}", "utilization", 100),
        row("Mean wait in its queue (µs)", "{:,.1f}", "mean_wait_s", 1e6),
        row("Longest wait in its queue (ms)", "{:,.3f}", "max_wait_s", 1e3),
        (
            "Mean utilization of the disks (%)",
            [_number("{:.3f}", 100 * stations["utilization"].mean()) for stations in disks],
        ),
        (
            "Utilization of the busiest disk (%)",
            [_number("{:.3f}", 100 * stations["utilization"].max()) for stations in disks],
        ),
    ]


def _number(form: str, value: float | None) -> str:
    if value is None:
        return NONE
    text = form.format(value)
    if not text.strip("+-0.,"):
        return text.lstrip("+-")  # zero has no sign
    return text.replace("-", "\N{MINUS SIGN}")


def _ratio(part: float | None, whole: float) -> float | None:
    """The ratio of a part to a whole; None if the whole is nothing."""
    return part / whole if whole and part is not None else None


def _gains(summary: Summary, paging: Summary) -> dict[str, float]:
    """By how many s each part of the mean response time differs from disk paging's.

    Empty if there is no job that ended under both.
    """
    if None in (summary["mean_response_s"], paging["mean_response_s"]):
        return {}
    own, others = summary["breakdown"], paging["breakdown"]
    parts = [part for part in COLORS if part in own or part in others]
    return {part: own.get(part, 0.0) - others.get(part, 0.0) for part in parts}


def _total(gains: dict[str, float] | None) -> float | None:
    return sum(gains.values()) if gains else None


def _sent(summary: Summary, kinds: Iterable[str], what: str = "messages") -> int:
    """How many messages (or "bytes") of these kinds were sent; a run may not know all of them."""
    return sum(summary[what].get(kind, 0) for kind in kinds)


def _of_use(summary: Summary, use: str) -> int:
    """How many protocol messages were of this use."""
    return sum(summary[MEASURE_OF_USE[use]].values())


def _sent_mb(summary: Summary, kinds: Iterable[str]) -> float:
    return _sent(summary, kinds, "bytes") / BYTES_PER_MB
