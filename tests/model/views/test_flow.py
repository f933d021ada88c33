"""The messages of one job as a diagram, checked by hand."""

from model.pnr.scenario import make_scenario
from model.views.flow import arrows_of, mermaid
from tests.journaled import journaled


def arrows(design, nodes, processes):
    """The messages of a job of 5 ms; pages so large that it does not fault."""
    job = {"processes": processes, "memory_mb": 40, "demand_s": 0.005, "number": 7}
    scenario = make_scenario(
        job=[job], nodes=nodes, minimum_demand_s=0.001, page_bytes=2**29, ram_mb=32
    )
    _, records = journaled(scenario, design, journal_level="protocol")
    return arrows_of(record for record in records if record.job == 7)


# Two processes of 40 MB on nodes of 32 MB: 8 MB lack on each. Node 0 manages, node 2 is idle.
# A message of 128 B holds a link 8 · 128 B / 100 Mbps = 10,240 ns, so through the star it takes
# 2 · 10,240 + 2 · 50 + 80,000 = 100,580 ns; one with a pair, 144 B, 2 · 11,520 + … = 103,140 ns.
#   RamRequest of node 1     0         ->   100,580
#   ServerRequest              100,580 ->   201,160
#   ServerReply                201,160 ->   301,740   rank 0 starts
#   RamGrant to node 1         301,740 ->   404,880   rank 1 starts
#   rank 0 finishes 5 ms later, at 5,301,740; rank 1 at 5,404,880
#   ReleaseNotice of node 1  5,404,880 -> 5,508,020
#   ServerRelease            5,508,020 -> 5,608,600
#   ReleaseAck               5,608,600 -> 5,709,180
CENTRAL_DIAGRAM = """\
sequenceDiagram
    participant N0 as node 0 (manager)
    participant N1 as node 1
    participant N2 as node 2
    Note over N0: start of job 7, 0.000000 s
    N0->>N0: RamRequest · 8.00 MB
    N1->>N0: RamRequest · 8.00 MB · 0.101 ms
    N0->>N2: ServerRequest · 16.00 MB · 0.101 ms
    N2-->>N0: ServerReply · 16.00 MB · 0.101 ms
    N0->>N0: RamGrant · 8.00 MB
    N0->>N1: RamGrant · 8.00 MB · 0.103 ms
    Note over N0: end of job 7, 0.005302 s
    N0->>N0: ReleaseNotice · 8.00 MB
    N1->>N0: ReleaseNotice · 8.00 MB · 0.103 ms
    N0->>N2: ServerRelease · 16.00 MB · 0.101 ms
    N2-->>N0: ReleaseAck · 0.101 ms"""


def test_the_messages_of_two_processes():
    assert mermaid(arrows("CEN", nodes=3, processes=2)) == CENTRAL_DIAGRAM
