"""The message flow of one job, checked by hand."""

import re

from model.pnr.scenario import make_scenario
from model.systems import run
from model.views.flow import Flow


def flow(design, nodes, processes, memory_mb=40, number=7):
    """The flow of a job of 5 ms; pages so large that it does not fault."""
    job = {"processes": processes, "memory_mb": memory_mb, "demand_s": 0.005, "number": number}
    scenario = make_scenario(
        job=[job], nodes=nodes, minimum_demand_s=0.001, page_bytes=2**29, ram_mb=32
    )
    reader = Flow(number)
    run(scenario, design, readers=(reader.read,), journal_level="protocol")
    return reader


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
CENTRAL = """\
0.000000 s  job 7 is submitted
0.000000 s  job 7 is placed in slot 0 on nodes 0, 1, 40.00 MB per process
0.000000 s  node 0 -> node 0         RamRequest 8.00 MB  [0.000 ms]
0.000000 s  node 1 -> node 0         RamRequest 8.00 MB  [0.101 ms]
0.000101 s  node 0 -> node 2         ServerRequest 16.00 MB  [0.101 ms]
0.000201 s  node 2 lends 16.00 MB, for job 7
0.000201 s  node 2 -> node 0         ServerReply 16.00 MB  [0.101 ms]
0.000302 s  node 0 -> node 0         RamGrant 8.00 MB (2: 8.00)  [0.000 ms]
0.000302 s  node 0 -> node 1         RamGrant 8.00 MB (2: 8.00)  [0.103 ms]
0.000302 s  node 0: rank 0 of job 7 starts
0.000405 s  node 1: rank 1 of job 7 starts
0.005302 s  node 0: rank 0 of job 7 finishes
0.005302 s  node 0 -> node 0         ReleaseNotice 8.00 MB (2: 8.00)  [0.000 ms]
0.005405 s  node 1: rank 1 of job 7 finishes
0.005405 s  node 1 -> node 0         ReleaseNotice 8.00 MB (2: 8.00)  [0.103 ms]
0.005405 s  job 7 ends
0.005508 s  node 0 -> node 2         ServerRelease 16.00 MB  [0.101 ms]
0.005609 s  node 2 has 16.00 MB back, for job 7
0.005609 s  node 2 -> node 0         ReleaseAck  [0.101 ms]"""

CENTRAL_DIAGRAM = """\
sequenceDiagram
    participant N0 as node 0 (manager)
    participant N1 as node 1
    participant N2 as node 2
    Note over N0: start of job 7, 0.000000 s
    N0->>N0: RamRequest 8.00 MB
    N1->>N0: RamRequest 8.00 MB [0.101 ms]
    N0->>N2: ServerRequest 16.00 MB [0.101 ms]
    N2-->>N0: ServerReply 16.00 MB [0.101 ms]
    N0->>N0: RamGrant 8.00 MB (2: 8.00)
    N0->>N1: RamGrant 8.00 MB (2: 8.00) [0.103 ms]
    Note over N0: end of job 7, 0.005302 s
    N0->>N0: ReleaseNotice 8.00 MB (2: 8.00)
    N1->>N0: ReleaseNotice 8.00 MB (2: 8.00) [0.103 ms]
    N0->>N2: ServerRelease 16.00 MB [0.101 ms]
    N2-->>N0: ReleaseAck [0.101 ms]"""


def test_the_flow_of_two_processes_as_text():
    lines = flow("CEN", nodes=3, processes=2).text().splitlines()
    assert [line.strip() for line in lines] == CENTRAL.splitlines()


def test_the_flow_of_two_processes_as_a_diagram():
    assert flow("CEN", nodes=3, processes=2).mermaid() == CENTRAL_DIAGRAM


def test_a_broadcast_is_one_line_and_a_note():
    # every node of MAN manages and tells the 3 others, at the start and at the end
    told = flow("MAN", nodes=4, processes=1)
    assert told.text().count("node 0 -> nodes 1-3") == 2
    assert told.mermaid().count("Note over N0: LoadBroadcast to 3 servents") == 2


def test_a_diagram_declares_whom_it_shows_and_has_an_arrow_for_each_message():
    shown = flow("MAN", nodes=5, processes=3)
    head, *lines = shown.mermaid().splitlines()
    assert head == "sequenceDiagram"
    declared = [line.split()[1] for line in lines if "participant" in line]
    arrows = [line.strip() for line in lines if "->>" in line]
    assert len(declared) == len(set(declared))
    assert all(re.fullmatch(r"N\d+--?>>N\d+: [A-Z][^#;\n]*", arrow) for arrow in arrows)
    assert set(re.findall(r"\bN\d+\b", "\n".join(lines))) == set(declared)
    # 3 requests, 3 grants, 3 notices; 24 MB lack and 2 · 31.9 MB are free: one server is enough,
    # so one request, reply, release and acknowledgment
    assert len(arrows) == 3 * 3 + 4


def test_a_job_that_asks_nobody_is_still_a_diagram():
    for quiet in (flow("DP", nodes=2, processes=2), flow("CLI", nodes=2, processes=1, memory_mb=4)):
        assert quiet.mermaid().splitlines() == [
            "sequenceDiagram",
            "    participant N0 as node 0",
            "    Note over N0: job 7 needs no messages",
        ]
        assert [line.split("  ")[-1] for line in quiet.text().splitlines()][-1] == "job 7 ends"


def test_another_jobs_messages_are_left_out():
    jobs = [
        {"processes": 1, "memory_mb": 40, "demand_s": 0.005, "number": number} for number in (3, 4)
    ]
    reader = Flow(4)
    scenario = make_scenario(job=jobs, nodes=4, minimum_demand_s=0.001, page_bytes=2**29)
    run(scenario, "CLI", readers=(reader.read,))
    # job 4 is on node 1, its own manager; job 3 is on node 0 and never a part of it
    assert {arrow.source for arrow in reader.arrows()} <= {1, 2, 3}
    assert "job 3" not in reader.text()


def test_pages_and_barriers_are_no_part_of_the_flow_whatever_the_journal_holds():
    job = {"processes": 2, "memory_mb": 40, "demand_s": 0.1}
    scenario = make_scenario(job=[job], nodes=3, page_bytes=2**16, minimum_demand_s=0.1)
    everything, protocol = Flow(1), Flow(1)
    run(scenario, "CEN", readers=(everything.read,), journal_level="all")
    run(scenario, "CEN", readers=(protocol.read,), journal_level="protocol")
    assert everything.mermaid() == protocol.mermaid()
    assert everything.text() == protocol.text()


def test_memory_that_changes_has_one_line_for_all_processes():
    job = {"processes": 3, "memory_mb": 4, "demand_s": 4, "number": 7}
    profile = {"memory_profile": "ramp", "memory_steps": 1}
    reader = Flow(7)
    run(make_scenario(job=[job], nodes=3, **profile), "DP", readers=(reader.read,))
    sizes = [line.split(" s  ")[1] for line in reader.text().splitlines() if "from now on" in line]
    assert sizes == ["each process of job 7 holds 4.00 MB from now on"]
    assert "1.00 MB per process" in reader.text()
