"""What a node and its roles held at a time, told of runs of a protocol that shows its state."""

import pytest

from model.ground.errors import InputError
from model.pnr.scenario import make_scenario
from model.views import state
from model.views.recording import Selection, record

OWN = """
from agents.pnr.protocol import Manager, Protocol, SetTimer
from topologies.managers.cen import cen

class Counting(Manager):
    shows = ("turns", "last")

    def __init__(self, site):
        super().__init__(site)
        self.turns, self.last = 0, None

    def start(self, now_ns):
        return [SetTimer("turn", 10**9)]

    def timer(self, name, now_ns):
        self.turns, self.last = self.turns + 1, f"turn at {now_ns}"
        self.gauge("queue", 2.5 * self.turns)
        return [SetTimer("turn", 10**9)]

def own(nodes):
    graph = cen(nodes)
    graph.graph |= {"name": "OWN", "protocol": Protocol(manager=Counting)}
    return graph
"""
#: At 0 s node 0 lacks 8 of 40 MB, which node 1 lends; its servent crashes at 2.5 s, for 1 s.
JOBS = [{"processes": 1, "memory_mb": 40, "demand_s": 3}]
CRASH = [{"kind": "servent", "nodes": [0], "from_s": 2.5, "restart_s": 1}]


@pytest.fixture(scope="module")
def recording(tmp_path_factory):
    file = tmp_path_factory.mktemp("own") / "own.py"
    file.write_text(OWN)
    given = {"page_bytes": 2**20, "barrier_s": 100, "disk_mb_per_s": 10**9, "seek_ms": 0}
    scenario = make_scenario(nodes=2, job=JOBS, fault=CRASH, **given)
    return record(scenario, f"{file}:own", "protocol")


def told(recording, at_s, node):
    return [
        line.strip() for line in state.tell(recording, Selection(), at_s, node).splitlines()[1:]
    ]


def test_a_node_is_told_with_all_that_its_roles_have_noted_last(recording):
    head, ram, over, loans, process, whose, *notes, chose = told(recording, 2.2, 0)
    assert head == "Node 0, OWN, at 2.200000 s"
    assert ram == "RAM 32.00 MB: own 32.00 MB"
    assert (over, loans) == ("over-allocated: borrowed 8.00 MB", "borrows from node 1 (8.00 MB)")
    assert process.startswith("rank 0 of job 1, 40.00 MB: running since 0.0")
    assert whose == "its manager:"
    assert notes == ["turns: 2", "last: turn at 2000000000", "queue: 5.0"]
    assert chose.startswith("chose last, at 0.0")
    assert chose.endswith("s, node 1, without a load report; it has 32.00 MB")


def test_a_node_that_lends_says_to_whom(recording):
    assert told(recording, 2.2, 1)[1:4] == [
        "RAM 32.00 MB: lent 8.00 MB, idle 24.00 MB",
        "over-allocated: nothing",
        "lends to node 0 (8.00 MB)",
    ]


def test_a_crash_forgets_what_roles_held_and_a_restart_begins_anew(recording):
    lines = told(recording, 3, 0)
    assert lines[1] == "the servent is crashed since 2.500000 s"
    assert "its manager:" not in lines
    again = told(recording, 3.6, 0)
    assert again[again.index("its manager:") + 1 :] == ["turns: 0", "last: null"]


def test_before_anything_has_happened_all_is_idle(recording):
    assert told(recording, -1, 1)[1:] == ["RAM 32.00 MB: idle 32.00 MB", "over-allocated: nothing"]


@pytest.mark.parametrize(
    ("at_s", "node", "says"),
    [(1, None, "give both"), (None, 0, "give both"), (1, 2, "--node 2: nodes are 0 to 1")],
)
def test_what_is_missing_or_wrong_is_a_line(recording, at_s, node, says):
    with pytest.raises(InputError, match=says):
        state.tell(recording, Selection(), at_s, node)
