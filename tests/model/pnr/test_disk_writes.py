"""Where pages are written out, a fault from the disk takes two services of it."""

import pytest

from model.pnr.scenario import make_scenario
from model.systems import run
from tests.journaled import journaled

# All of its 4 MB of 36 that exceed the RAM are loaded once: 1,024 faults of 4 KB.
JOB = {"processes": 1, "memory_mb": 36, "demand_s": 60}
FAULTS, SERVICE_NS, PAGE = 4 * 2**20 // 4096, 13_244_792, 4096


@pytest.mark.parametrize("plane", ["actors", "compiled"])
@pytest.mark.parametrize(("writes", "services"), [(False, 1), (True, 2)])
def test_a_fault_takes_a_write_and_a_read(plane, writes, services):
    scenario = make_scenario(job=[JOB], nodes=1, relocality=False, disk_writes=writes)
    cluster = run(scenario, "DP", plane=plane)
    node, (job,) = cluster.nodes[0], cluster.jobs
    assert (node.faults_disk, node.disk.served) == (FAULTS, FAULTS)
    assert node.disk.bytes == FAULTS * services * PAGE
    assert node.disk.busy_ns == FAULTS * services * SERVICE_NS
    assert job.end_ns - job.start_ns == 60 * 10**9 + FAULTS * services * SERVICE_NS


def test_a_record_of_a_fault_is_of_both_pages():
    scenario = make_scenario(job=[JOB], nodes=1, relocality=False, disk_writes=True)
    _, records = journaled(scenario, "DP", plane="compiled")
    first = next(record for record in records if record.kind == "disk")
    assert first.size_bytes == 2 * PAGE
    assert first.end_ns - first.start_ns == 2 * SERVICE_NS
