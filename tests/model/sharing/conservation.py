"""Jobs of load sharing, and what holds of every run that has ended, whatever the system."""

import pytest
from hypothesis import strategies as st

from model.core.result import RunResult
from model.sharing.cluster import SharingCluster
from model.sharing.measures import BREAKDOWN
from model.sharing.metrics import measure


def lists_of_jobs(most_ms: int, sizes_mb: tuple[int, int], homes: int, **more: st.SearchStrategy):
    """Jobs of at most so much CPU time each, as scenarios have them; more is of the system."""
    job = {
        "demand_s": st.integers(1, most_ms).map(lambda n: n / 1000),
        "memory_mb": st.integers(*sizes_mb),
        "submit_s": st.integers(0, 40).map(lambda n: n / 10),
        "home": st.integers(0, homes - 1),
    }
    return st.lists(st.fixed_dictionaries(job | more), min_size=1, max_size=25)


def measured_whole(cluster: SharingCluster) -> RunResult:
    """What it measured; the parts of a response time add up, for each job and in all."""
    result = measure(cluster)
    parts = result.jobs[list(BREAKDOWN)].sum(axis=1)
    assert parts.to_list() == pytest.approx(result.jobs["response_s"].to_list())
    assert sum(result.summary["shares"].values()) == pytest.approx(1)
    return result
