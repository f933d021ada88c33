"""The tables of a comparison of load sharing policies."""

from collections.abc import Sequence

from model.core.result import RunResult
from model.terminal.printing import Table

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
                    f"{summary['slowdown_of_sums']:,.2f}",
                    f"{summary['mean_slowdown']:,.2f}",
                    f"{summary['faults']:,}",
                    f"{summary['remote_submissions']:,}",
                    f"{summary['migrations']:,}",
                    f"{summary['killed']:,}",
                )
                for summary in summaries
            ],
            f"slowdown of {first['jobs']} jobs, seed {first['seed']}{faults}",
        ),
        Table(
            ["policy"],
            _PARTS,
            [
                (summary["policy"], *(f"{100 * part:.1f}" for part in summary["shares"].values()))
                for summary in summaries
            ],
            "where response time goes, %",
        ),
    ]


def observed_tables(results: Sequence[RunResult]) -> list[Table]:
    """None: what messages were good for is not measured where jobs move."""
    return []
