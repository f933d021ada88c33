"""The tables of a comparison of load sharing policies."""

from collections.abc import Sequence

from model.core.measures import SHORT, Table
from model.core.result import RunResult
from model.sharing.measures import MEASURES, SHARES
from model.terminal.printing import table_of


def tables(results: Sequence[RunResult]) -> list[Table]:
    """Two tables with one row per policy: slowdowns and moves, and where response time goes."""
    summaries = [result.summary for result in results]
    first = summaries[0]
    rate = first.get("faults_per_mi")
    faults = f", {rate:g} faults per million instructions" if rate is not None else ""
    jobs = f"{first['jobs']} jobs"
    if "jobs_compared" in first:
        jobs = (
            f"the {first['jobs_compared']} jobs that no policy killed (* not to be compared: "
            "means of different jobs)"
        )
    title = f"slowdown of {jobs}, seed {first['seed']}{faults}"
    return [
        table_of(MEASURES, SHORT, summaries, ["policy"], title),
        table_of(MEASURES, SHARES, summaries, ["policy"], "where response time goes, % of all"),
    ]
