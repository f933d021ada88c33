"""The tables of a comparison of load sharing policies."""

from collections.abc import Sequence
from typing import Any

from model.core.result import RunResult
from model.terminal.printing import Table, number

_PARTS = ("CPU", "queueing", "paging", "I/O", "moving")


def tables(results: Sequence[RunResult]) -> list[Table]:
    """Two tables with one row per policy: slowdowns and moves, and where response time goes."""
    summaries = [result.summary for result in results]
    first = summaries[0]
    rate = first.get("faults_per_mi")
    faults = f", {rate:g} faults per million instructions" if rate is not None else ""
    return [
        Table(
            ["policy"],
            ["ratio of sums", "mean", "faults", "remote", "migrated", "killed"],
            [
                (
                    summary["policy"],
                    number(summary["slowdown_of_sums"]),
                    number(summary["mean_slowdown"]),
                    f"{summary['faults']:,}",
                    f"{summary['remote_submissions']:,}",
                    f"{summary['migrations']:,}",
                    f"{summary['killed']:,}",
                )
                for summary in summaries
            ],
            f"slowdown of {_compared(first)}, seed {first['seed']}{faults}",
        ),
        Table(
            ["policy"],
            _PARTS,
            [
                (
                    summary["policy"],
                    *(number(part and 100 * part, "{:.1f}") for part in summary["shares"].values()),
                )
                for summary in summaries
            ],
            "where response time goes, %",
        ),
    ]


def _compared(summary: dict[str, Any]) -> str:
    """Over which jobs the means are."""
    if "jobs_compared" not in summary:
        return f"{summary['jobs']} jobs"
    return f"the {summary['jobs_compared']} jobs that no policy killed"


def observed_tables(results: Sequence[RunResult]) -> list[Table]:
    """None: what messages were good for is not measured where jobs move."""
    return []
