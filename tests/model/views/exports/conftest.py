"""Small runs to export."""

import pytest

from model.pnr.scenario import make_scenario
from model.views.recording import record

BARRIER = {"processes": 3, "memory_mb": 8, "demand_s": 2, "number": 3}  # meets once, at 1 s
BORROWER = {"processes": 1, "memory_mb": 40, "demand_s": 0.02, "number": 7}


def recorded(*jobs, design="MAN", level="all", **parameters):
    return record(
        make_scenario(job=list(jobs), minimum_demand_s=0.001, **parameters), design, level
    )


@pytest.fixture(scope="session")
def borrowing():
    return recorded(BARRIER, BORROWER, nodes=4, page_bytes=2**16)
