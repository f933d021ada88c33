"""The journal tells why a manager chose a server: what it believed of each, and what was true."""

import json

import pytest

from agents.pnr.messages import Request
from agents.pnr.role import Decided
from model.core.journal.past import Past
from model.core.journal.writer import Journal
from model.ground.clock import Clock
from model.ground.units import BYTES_PER_MB
from model.pnr.scenario import make_scenario
from model.views.knowledge import glimpses
from model.views.recording import recording_of
from tests.journaled import journaled

MB = BYTES_PER_MB
#: Node 0 lacks 30 MB of its 32. Nodes 1 to 3 hold 12, 4 and 20 MB, of which its manager knows not.
JOBS = [
    {"processes": 1, "memory_mb": 12, "demand_s": 5},
    {"processes": 1, "memory_mb": 4, "demand_s": 5},
    {"processes": 1, "memory_mb": 20, "demand_s": 5},
    {"processes": 1, "memory_mb": 62, "demand_s": 1, "submit_s": 1},
]


@pytest.mark.parametrize("plane", ["actors", "compiled"])
def test_each_choice_is_recorded_with_what_was_believed_and_true(plane):
    # CLI: the manager of node 3, where job 4 starts, has heard of nobody.
    scenario = make_scenario(job=JOBS, nodes=4, page_bytes=2**20, threshold_mb=0)
    _, records = journaled(scenario, "CLI", journal_level="protocol", plane=plane)
    choices = [r for r in records if r.kind == "decided"]
    told = [{int(n): it for n, it in json.loads(r.payload)["candidates"].items()} for r in choices]
    assert [(r.node, r.hears, r.job) for r in choices] == [(3, "manager", 4)] * len(choices)
    true = {0: 20 * MB, 1: 28 * MB, 2: 12 * MB}
    assert told[0] == {node: [None, None, load] for node, load in true.items()}
    # What was lent since is true from then on; nobody has told the manager of the others.
    first = choices[0].peer
    assert told[1] == {}  # of the two others, nothing has changed
    assert choices[1].peer != first
    asked = [r.peer for r in records if (r.kind, r.what) == ("sent", "ServerRequest")]
    assert [r.peer for r in choices] == asked
    # It lacks 30 MB, of which the servers have 12, 20 and 28; two or three of them suffice, so the
    # search ends with a choice, unless all three have been asked and something is missing.
    missing = [json.loads(r.payload)["missing"] for r in choices]
    lent = [r.amount_bytes for r in records if r.kind == "lent"]
    assert missing == [30 * MB - sum(lent[:place]) for place in range(len(choices))]


@pytest.mark.parametrize("plane", ["actors", "compiled"])
def test_a_node_that_is_down_has_no_free_memory(plane):
    # Node 3 crashes between the jobs. The second, on node 0, lacks 30 MB.
    jobs = [{"processes": 1, "memory_mb": 1, "demand_s": 0.1}, JOBS[3]]
    crash = {"kind": "node", "nodes": [3], "from_s": 0.5}
    scenario = make_scenario(job=jobs, fault=[crash], nodes=4, page_bytes=2**20, threshold_mb=0)
    _, records = journaled(scenario, "CLI", journal_level="protocol", plane=plane)
    first = next(record for record in records if record.kind == "decided")
    true = {int(n): it[2] for n, it in json.loads(first.payload)["candidates"].items()}
    assert true == {1: 32 * MB, 2: 32 * MB, 3: 0}
    made = recording_of(scenario, "CLI", records, ())
    assert next(it for _, it in glimpses(made)).true.tolist() == [-30 * MB, 32 * MB, 32 * MB, 0]


@pytest.mark.parametrize("crash", ["servent", "node"])
def test_after_a_crash_a_search_names_its_candidates_again(crash):
    """The request comes again, since its answer was lost, to a manager that has forgotten it."""
    past = Past(4)
    journal = Journal(Clock(), [past.read])
    choice = Decided(Request(1, "client", 0, 1), 10, 3, ((2, None), (3, None)))
    journal.decided(0, "manager", choice, {2: 5, 3: 9})
    journal.failed("crashed", 0, crash)
    journal.failed("restarted", 0, crash)
    journal.decided(0, "manager", choice, {2: 5, 3: 9})
    candidates = past.decisions[0, "manager"].candidates
    assert {node: belief.true for node, belief in candidates.items()} == {2: 5, 3: 9}
