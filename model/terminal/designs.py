"""The tables of a comparison of designs."""

from collections.abc import Sequence
from typing import Any

from model.core.result import RunResult
from model.pnr.metrics import PAGING, submitted
from model.pnr.waste import MEASURE_OF_USE, USED
from model.terminal.printing import Table, number


def tables(results: Sequence[RunResult]) -> list[Table]:
    """A table with one row per design, and one of messages with one column per design."""
    summaries = [result.summary for result in results]
    moves = any(summary.get("migrations") for summary in summaries)
    lacking = any("jobs_compared" in summary for summary in summaries)
    rows = []
    for summary in summaries:
        ratio = summary["optimization_ratio_pct"]
        told = "-" if ratio is None or summary["design"] == PAGING else f"{ratio:+.2f}"
        rows.append(
            (
                summary["design"],
                number(summary["mean_response_s"]),
                told,
                *(_ended(summary) if lacking else ()),
                f"{summary['faults_disk']:,}",
                f"{summary['faults_network']:,}",
                f"{sum(summary['messages'].values()):,}",
                f"{summary['pcs']:,}",
                *(_told_moves(summary) if moves else ()),
            )
        )
    first = summaries[0]
    faults = ("disk faults", "network faults")
    of_moves = ("moves", "moved, MB") if moves else ()
    of_ended = ("ended", "all that ended, s *") if lacking else ()
    kinds = dict.fromkeys(kind for summary in summaries for kind in summary["messages"])
    counts = {kind: [summary["messages"].get(kind, 0) for summary in summaries] for kind in kinds}
    return [
        Table(
            ["design"],
            ["response, s", "vs DP, %", *of_ended, *faults, "messages", "PCS", *of_moves],
            rows,
            f"mean response time of {_compared(first)}, seed {first['seed']}",
        ),
        Table(
            ["kind"],
            [summary["design"] for summary in summaries],
            [(kind, *(f"{n:,}" for n in sent)) for kind, sent in counts.items() if any(sent)],
            "messages over the network, by kind",
        ),
        *_of_faults(summaries),
    ]


def observed_tables(results: Sequence[RunResult]) -> list[Table]:
    """What messages were good for, how good beliefs were, and what was idle meanwhile."""
    return _of_waste([result.summary for result in results])


_COUNTED = (
    "jobs_stuck",
    "jobs_failed",
    "attempts",
    "messages_lost",
    "messages_ignored",
    "restarts",
)


def _of_faults(summaries: Sequence[dict[str, Any]]) -> list[Table]:
    """What came of faults, one row per design; nothing if the scenario has none."""
    rows = [
        (
            summary["design"],
            f"{summary['jobs']:,}",
            *(f"{summary['faults'][key]:,}" for key in _COUNTED),
            f"{summary['faults']['leaked_mb']:,.1f}",
            number(summary["faults"]["mean_time_to_recover_s"]),
        )
        for summary in summaries
        if "faults" in summary
    ]
    headings = (
        "ended",
        "stuck",
        "failed",
        "attempts",
        "lost",
        "ignored",
        "restarts",
        "leaked, MB",
        "recovery, s",
    )
    title = "faults: jobs, messages, servents and memory"
    return [Table(["design"], headings, rows, title)] if rows else []


def _of_waste(summaries: Sequence[dict[str, Any]]) -> list[Table]:
    rows = []
    for summary in summaries:
        counts = [sum(summary[key].values()) for key in MEASURE_OF_USE.values()]
        told = [f"{count:,} ({_percent(count, sum(counts))})" for count in counts]
        rows.append((summary["design"], *told))
    kinds = dict.fromkeys(kind for summary in summaries for kind in summary["messages"])
    in_vain = []
    for kind in kinds:
        of_kind = [
            {use: s[key].get(kind, 0) for use, key in MEASURE_OF_USE.items()} for s in summaries
        ]
        wasted = [sum(uses.values()) - uses[USED] for uses in of_kind]
        if any(wasted):
            told = [
                f"{count:,} ({_percent(count, sum(uses.values()))})"
                for count, uses in zip(wasted, of_kind, strict=True)
            ]
            in_vain.append((kind, *told))
    beliefs = [
        (
            summary["design"],
            f"{summary['servers_chosen_unheard']:,} of {summary['servers_chosen']:,}",
            *_spread(summary, "word_age_s", "word_error_mb", "prior_error_mb"),
        )
        for summary in summaries
    ]
    words = ("never heard of", "age, s", "95 %", "error, MB", "95 %")
    prior = ("unheard: error, MB", "95 %")
    missed = [
        (
            summary["design"],
            *_spread(summary, "regret_mb"),
            number(summary["unmet_while_idle_mb_s"]),
        )
        for summary in summaries
    ]
    designs = [summary["design"] for summary in summaries]
    return [
        Table(
            ["design"],
            [*MEASURE_OF_USE],
            rows,
            "protocol messages over the network, by what they were good for",
        ),
        Table(["kind"], designs, in_vain, "of these not used, by kind"),
        Table(
            ["design"],
            [*words, *prior],
            beliefs,
            "the servers chosen: what had been heard of them, and how wrong it was to believe idle "
            "those never heard of",
        ),
        Table(
            ["design"],
            ("regret, MB", "95 %", "unmet while idle, MB s"),
            missed,
            "memory that was there, and was not found",
        ),
    ]


def _spread(summary: dict[str, Any], *names: str) -> list[str]:
    """The mean and the 95th percentile of each measure."""
    return [
        number(summary[name] and summary[name][what]) for name in names for what in ("mean", "p95")
    ]


def _compared(summary: dict[str, Any]) -> str:
    """Over which jobs the means are."""
    if "jobs_compared" not in summary:
        return f"{summary['jobs']} jobs"
    return (
        f"the {summary['jobs_compared']} jobs that ended under every design (* not to be "
        "compared: means of different jobs)"
    )


def _ended(summary: dict[str, Any]) -> tuple[str, str]:
    """How many of the jobs ended, and the mean response time of these."""
    ended_s = summary["over_all_ended"]["mean_response_s"]
    return f"{summary['jobs']:,} of {submitted(summary):,}", number(ended_s)


def _percent(part: int, whole: int) -> str:
    return f"{100 * part / whole:.0f} %" if whole else "-"


def _told_moves(summary: dict[str, Any]) -> tuple[str, str]:
    """How many processes have moved, and how much memory; of a design that moves none, nothing."""
    if "migrations" not in summary:
        return "-", "-"
    return f"{summary['migrations']:,}", f"{summary['migrated_mb']:,.1f}"
