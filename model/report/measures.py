"""What runs measured, as tables and in words."""

from collections.abc import Callable, Iterable
from dataclasses import dataclass
from typing import Any

from agents.messages import DATA_PHASES
from model.core.result import RunResult
from model.ground.units import BYTES_PER_MB
from model.pnr.metrics import PAGING, submitted
from model.pnr.waste import MEASURE_OF_USE, USES
from model.report.designs import PARTS, parts_in

NONE = "–"  # unknown, or without meaning

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
    rows: list[tuple[str, list[str]]]


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
                words.append(f"it {verb} most in “{PARTS[part][0].lower()}” ({change} s)")
        sentences.append("; ".join(words) + ".")
    return sentences


def _fastest(summaries: list[dict[str, Any]]) -> str:
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
    by_phase: dict[str, list[str]] = {}
    for name, kind in kinds.items():
        by_phase.setdefault(kind.phase, []).append(name)
    telling = by_phase.get("telling", [])
    protocol = [name for name, kind in kinds.items() if kind.phase not in DATA_PHASES]
    asking = [name for name, k in kinds.items() if (k.phase, k.hears) == ("start", "server")]

    def row(heading: str, number: str, of: Callable[[dict[str, Any]], Any]) -> tuple[str, list]:
        return heading, [_number(number, of(summary)) for summary in summaries]

    paging = next((s for s in summaries if s["design"] == PAGING), None)
    in_short = [
        row("Mean response time (s)", "{:,.2f}", lambda s: s["mean_response_s"]),
        row(
            "Shorter than DP by (%)",
            "{:+.2f}",
            lambda s: None if s is paging else s["optimization_ratio_pct"],
        ),
        *_of_all_ended(summaries),
        row("Mean slowdown", "{:,.2f}", lambda s: s["mean_slowdown"]),
        row("Mean bounded slowdown", "{:,.2f}", lambda s: s["mean_bounded_slowdown"]),
        row("Page faults from disk", "{:,}", lambda s: s["faults_disk"]),
        row("Page faults over the network", "{:,}", lambda s: s["faults_network"]),
        row("Parallel context switches", "{:,}", lambda s: s["pcs"]),
    ]
    where = [
        row(f"{label} (s)", "{:,.2f}", lambda s, part=part: s["breakdown"].get(part, 0.0))
        for part, (label, _) in parts_in(summaries).items()
    ]
    where.append(row("Response time (s)", "{:,.2f}", lambda s: s["mean_response_s"]))
    against = []
    if paging is not None and len(summaries) > 1:
        gains = {s["design"]: _gains(s, paging) for s in summaries if s is not paging}
        against = [
            row(f"{label} (s)", "{:+,.2f}", lambda s, n=name: gains.get(s["design"], {}).get(n))
            for name, (label, _) in parts_in(summaries).items()
        ]
        against.append(
            row("Response time (s)", "{:+,.2f}", lambda s: _total(gains.get(s["design"])))
        )
    grants = [
        row("Requests from clients", "{:,}", lambda s: s["requests"]),
        row("Of these, from clients in need", "{:,}", lambda s: s["requests_in_need"]),
        row("Memory that they needed (MB)", "{:,.1f}", lambda s: s["need_mb"]),
        row("Need left unmet (MB)", "{:,.1f}", lambda s: s["need_unmet_mb"]),
        row(
            "Need left unmet (%)",
            "{:.1f}",
            lambda s: _ratio(100 * s["need_unmet_mb"], s["need_mb"]),
        ),
        row("Requests granted nothing", "{:,}", lambda s: s["requests_granted_nothing"]),
        row("Times a server was asked", "{:,}", lambda s: _sent(s, asking)),
        row(
            "Servers asked per request in need",
            "{:.2f}",
            lambda s: _ratio(_sent(s, asking), s["requests_in_need"]),
        ),
        row(
            "Mean time from request to grant (ms)",
            "{:,.3f}",
            lambda s: _ratio(s["mean_request_to_grant_s"], 1e-3),
        ),
    ]
    counts = [row(name, "{:,}", lambda s, name=name: _sent(s, [name])) for name in kinds]
    counts.append(row("All messages", "{:,}", lambda s: sum(s["messages"].values())))
    sizes = [
        row(
            f"{PURPOSES.get(phase, phase.capitalize())} (MB)",
            "{:,.3f}",
            lambda s, sent=sent: _sent_mb(s, sent),
        )
        for phase, sent in by_phase.items()
    ]
    sizes += [
        row("All bytes (MB)", "{:,.3f}", lambda s: _sent_mb(s, s["bytes"])),
        row(
            "Load broadcasts' share of the protocol's bytes (%)",
            "{:.1f}",
            lambda s: _ratio(100 * _sent_mb(s, telling), _sent_mb(s, protocol)),
        ),
        row(
            "Mean size of a load broadcast (bytes)",
            "{:,.0f}",
            lambda s: _ratio(_sent(s, telling, "bytes"), _sent(s, telling)),
        ),
    ]
    memory = [
        row("RAM allocated, mean over nodes (MB)", "{:.2f}", lambda s: s["allocated_mb_mean"]),
        row("RAM allocated, deviation over nodes (MB)", "{:.2f}", lambda s: s["allocated_mb_sd"]),
        row("Swapped to disk, mean over nodes (MB)", "{:.2f}", lambda s: s["disk_mb_mean"]),
        row("Swapped to disk, deviation over nodes (MB)", "{:.2f}", lambda s: s["disk_mb_sd"]),
    ]
    failed = [
        row(heading, number, lambda s, key=key: s["faults"][key])
        for heading, number, key in (
            ("Jobs that never end", "{:,}", "jobs_stuck"),
            ("Jobs given up", "{:,}", "jobs_failed"),
            ("Attempts to run jobs", "{:,}", "attempts"),
            ("Messages lost", "{:,}", "messages_lost"),
            ("Messages that no role expected", "{:,}", "messages_ignored"),
            ("Restarts of servents", "{:,}", "restarts"),
            ("Memory still lent at the end (MB)", "{:,.2f}", "leaked_mb"),
            ("Mean time to recover from a crash (s)", "{:,.2f}", "mean_time_to_recover_s"),
        )
        if "faults" in summaries[0]
    ]
    return [
        Table("in_short", "The comparison", in_short),
        Table("faults", "What came of faults", failed),
        Table("breakdown", "Where the mean response time goes", where),
        Table("against", "Difference from DP", against),
        Table("grants", "Requests and grants", grants),
        Table("kinds", "Messages over the network, by kind", counts),
        Table("bytes", "Bytes over the network, by purpose", sizes),
        Table(
            "waste", "What messages were good for, and what was believed", _waste_rows(summaries)
        ),
        Table("stations", "Links, switches and disks", _station_rows(results, nodes)),
        Table("memory", "Memory: means over the run's samples", memory),
    ]


def _of_all_ended(summaries: list[dict[str, Any]]) -> list[tuple[str, list[str]]]:
    """Where jobs are missing: how many ended, and their means, which are of different jobs."""
    if "jobs_compared" not in summaries[0]:
        return []
    ended = [f"{summary['jobs']:,} of {submitted(summary):,}" for summary in summaries]
    of_all = [summary["over_all_ended"]["mean_response_s"] for summary in summaries]
    return [
        ("Jobs that ended", ended),
        (
            "Mean response time of all that ended (s): different jobs, not to be compared",
            [_number("{:,.2f}", value) for value in of_all],
        ),
    ]


def _waste_rows(summaries: list[dict[str, Any]]) -> list[tuple[str, list[str]]]:
    """Rows on the use of messages and beliefs; none if that was not measured."""
    if "unmet_while_idle_mb_s" not in summaries[0]:
        return []
    uses = {use: [_of_use(summary, use) for summary in summaries] for use in USES}
    totals = [sum(counts) for counts in zip(*uses.values(), strict=True)]
    rows = [
        (
            f"Messages {use} (%)",
            [
                _number("{:.1f}", _ratio(100 * count, total))
                for count, total in zip(counts, totals, strict=True)
            ],
        )
        for use, counts in uses.items()
    ]
    for heading, key in (
        ("Servers chosen", "servers_chosen"),
        ("Of these, never heard of", "servers_chosen_unheard"),
    ):
        rows.append((heading, [_number("{:,}", summary[key]) for summary in summaries]))
    for heading, unit, key in (
        ("Age of the word about a server chosen", "s", "word_age_s"),
        ("Error of this word, stated less true load", "MB", "word_error_mb"),
        ("Error of believing idle a server never heard of", "MB", "prior_error_mb"),
        ("Regret of a search", "MB", "regret_mb"),
    ):
        for what, name in (("mean", "mean"), ("95th percentile", "p95")):
            values = [summary[key] and summary[key][name] for summary in summaries]
            rows.append(
                (f"{heading}, {what} ({unit})", [_number("{:,.2f}", value) for value in values])
            )
    unmet = [_number("{:,.1f}", summary["unmet_while_idle_mb_s"]) for summary in summaries]
    return [*rows, ("Need unmet while idle (MB·s)", unmet)]


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


def _gains(summary: dict[str, Any], paging: dict[str, Any]) -> dict[str, float]:
    """By how many s each part of the mean response time differs from disk paging's.

    Empty if there is no job that ended under both.
    """
    if None in (summary["mean_response_s"], paging["mean_response_s"]):
        return {}
    own, others = summary["breakdown"], paging["breakdown"]
    parts = [part for part in PARTS if part in own or part in others]
    return {part: own.get(part, 0.0) - others.get(part, 0.0) for part in parts}


def _total(gains: dict[str, float] | None) -> float | None:
    return sum(gains.values()) if gains else None


def _sent(summary: dict[str, Any], kinds: Iterable[str], what: str = "messages") -> int:
    """How many messages (or "bytes") of these kinds were sent; a run may not know all of them."""
    return sum(summary[what].get(kind, 0) for kind in kinds)


def _of_use(summary: dict[str, Any], use: str) -> int:
    """How many protocol messages were of this use."""
    return sum(summary[MEASURE_OF_USE[use]].values())


def _sent_mb(summary: dict[str, Any], kinds: Iterable[str]) -> float:
    return _sent(summary, kinds, "bytes") / BYTES_PER_MB
