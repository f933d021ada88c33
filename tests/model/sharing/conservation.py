"""What holds of every run of load sharing that has ended, whatever the system."""

import pytest

from model.core.result import RunResult
from model.sharing.cluster import SharingCluster
from model.sharing.measures import BREAKDOWN
from model.sharing.metrics import measure


def measured_whole(cluster: SharingCluster) -> RunResult:
    """What it measured; the parts of a response time add up, for each job and in all."""
    result = measure(cluster)
    parts = result.jobs[list(BREAKDOWN)].sum(axis=1)
    assert parts.to_list() == pytest.approx(result.jobs["response_s"].to_list())
    assert sum(result.summary["shares"].values()) == pytest.approx(1)
    return result
