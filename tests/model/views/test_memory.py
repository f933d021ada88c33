"""Whose memory is where, against the model's own ledger."""

import numpy as np
import pytest

from model.core.journal.kinds import Record
from model.core.journal.over_time import memory, outages
from model.ground.errors import Stalled
from model.pnr.cluster import Cluster
from model.pnr.scenario import make_scenario
from model.sharing.scenarios import make_sharing_scenario
from model.views.memory import draw, largest_loans_mb, memory_of
from model.views.recording import Selection, record, recording_of

MB = 2**20
JOBS = [
    {"processes": 2, "memory_mb": 40, "demand_s": 0.5},
    {"processes": 3, "memory_mb": 20, "demand_s": 0.6, "submit_s": 0.1},
    {"processes": 3, "memory_mb": 30, "demand_s": 0.4, "submit_s": 0.2},
]


def scenario_of(jobs=JOBS, **parameters):
    given = {"nodes": 5, "page_bytes": 2**20, "minimum_demand_s": 0.001, "quantum_s": 0.1}
    return make_scenario(job=list(jobs), **{**given, **parameters})


def test_a_loan_by_hand():
    # node 0 lacks 8 MB of 40; CLI: node 1 lends them at 100,580 ns, they are known at 201,160 ns
    made = record(scenario_of([{**JOBS[0], "processes": 1}], nodes=2), "CLI")
    held = memory(made.records, 2)
    times = held.times_ns.tolist()
    assert times[:3] == [0, 100_580, 201_160]
    own, lent, idle, _, borrowed, asked, disk = (part / MB for part in held.parts(32 * MB))
    assert own[0, :4].tolist() == [32, 32, 32, 0]
    assert lent[1].tolist() == [0, 8, 8, 8, 0]
    assert idle[0, :4].tolist() == [0, 0, 0, 32]
    assert idle[1].tolist() == [32, 24, 24, 24, 32]
    assert borrowed[0].tolist() == [0, 0, 8, 0, 0]
    assert asked[0].tolist() == [8, 8, 0, 0, 0]  # until the grant: nothing has been computed yet
    assert not disk.any()
    last_ns = int(made.records["time_ns"].max())
    matrix = largest_loans_mb(made, [0, 1], (0, last_ns))
    assert (matrix.index.item(), matrix.columns.item(), matrix.iat[0, 0]) == (1, 0, 8)
    assert largest_loans_mb(made, [0, 1], (0, 100_000)).empty
    assert largest_loans_mb(made, [0, 1], (300_000, 400_000)).iat[0, 0] == 8  # held throughout


CRASHES = [{"kind": "node", "nodes": [0, 3], "from_s": 0.21, "restart_s": 0.1}]


@pytest.mark.parametrize(
    ("design", "faults", "profile"),
    [
        *((design, None, "static") for design in ("CLI", "BB2")),
        *(("CLI", CRASHES, "static"), ("MAN", CRASHES, "static")),
        *(("DP", None, "ramp"), ("RECLAIM(MAN)", None, "phases"), ("CLI", CRASHES, "ramp")),
    ],
)
def test_it_is_the_ledger_of_the_model_at_every_event(design, faults, profile):
    records = []
    scenario = scenario_of(fault=faults, memory_profile=profile, memory_start=0.9, barrier_s=0.05)
    cluster = Cluster(scenario, design, readers=(records.append,))
    held = {}  # ns -> (processes, lent, borrowed) of all nodes, after the last event then
    cluster.running = True
    while cluster.running and cluster.clock.now_ns < 10**12:  # MAN waits for ever for an answer
        try:
            cluster.step()
        except Stalled:
            break
        held[cluster.clock.now_ns] = [
            [sum(node.memory.processes.values()) for node in cluster.nodes],
            [node.memory.lent for node in cluster.nodes],
            [node.memory.borrowed for node in cluster.nodes],
            [node.memory.unmet for node in cluster.nodes],
        ]
    ram = cluster.constants.rams[0]
    over_time = memory(records, 5)
    split = over_time.parts(ram)
    columns = np.searchsorted(over_time.times_ns, list(held), side="right") - 1
    for column, values in zip(columns, held.values(), strict=True):
        found = over_time.own, over_time.lent, over_time.borrowed, split.asked + split.on_disk
        assert [part[:, column].tolist() for part in found] == values
    kinds = {record.kind for record in records}
    assert faults is None or "killed" in kinds
    down = np.zeros(over_time.own.shape, bool)
    for crash in outages(records, 5):
        lasts = (over_time.times_ns >= crash.start_ns) & (over_time.times_ns < crash.end_ns)
        down[crash.node] |= lasts & (crash.what == "node")
    assert not split.idle[down].any()
    assert (split.idle == ram - split.own - split.lent)[~down].all()
    assert (split.own + split.lent + split.idle + split.crashed == ram).all()
    assert down.any() == (faults is not None and "node" in str(faults))
    assert ("resized" in kinds) == (profile != "static")
    assert ("lent" in kinds) == (design != "DP")


def test_it_says_how_much_is_idle_while_something_is_on_disk():
    # node 0 pages 8 MB to its disk from beginning to end, while node 1's 32 MB are idle
    made = record(scenario_of([{**JOBS[0], "processes": 1}], nodes=2), "DP", "protocol")
    title = draw(made, Selection()).get_suptitle().replace("\n", " ")
    assert "8.0 MB of 1 node on disk, while 32.0 MB are idle" in title
    assert title.count("1 node without a job") == 1
    assert "from 0.000000 s on" in title


def test_lenders_and_borrowers_are_in_the_order_of_their_numbers():
    # node 20 stood before node 16, as the first lender's borrower, once another loan had ended
    pairs = (0, 5), (0, 20), (0, 21), (1, 19), (2, 16)
    rows = [(0, "borrowed", *pair) for pair in pairs] + [(10**9, "given back", 0, 5)]
    records = [
        Record(time_ns, kind, peer=lender, node=borrower, amount_bytes=MB)
        for time_ns, kind, lender, borrower in rows
    ]
    made = recording_of(scenario_of(nodes=22), "MAN", records, ())
    matrix = largest_loans_mb(made, range(22), (2 * 10**9, 3 * 10**9))
    assert matrix.index.tolist() == [0, 1, 2]
    assert matrix.columns.tolist() == [16, 19, 20, 21]


def test_load_sharing_has_the_memory_of_its_jobs_where_they_are():
    # 60 MB of 48 on node 0 from 0 s; NO_LS keeps a job at home; node 1 is idle
    job = [{"memory_mb": 60, "demand_s": 1, "submit_s": 0, "home": 0}]
    made = record(make_sharing_scenario(job=job, nodes=2, policies="NO_LS"), "NO_LS")
    held = memory_of(made)
    assert held.own[:, 0].tolist() == [60 * MB, 0]
    split = {name: part[:, 0] / MB for name, part in held.parts(48 * MB)._asdict().items()}
    assert {name: part.tolist() for name, part in split.items() if part.any()} == {
        **{"own": [48, 0], "idle": [0, 48], "on_disk": [12, 0]}
    }
    assert held.own[:, -1].tolist() == [0, 0]  # it has ended
    assert "12.0 MB of 1 node on disk" in draw(made, Selection()).get_suptitle().replace("\n", " ")


def test_the_worst_time_is_the_longest_though_its_byte_nanoseconds_fill_more_than_63_bits():
    # 8 MB are on node 0's disk throughout; that node 1's job comes and goes parts the time in three
    jobs = [
        {"processes": 1, "memory_mb": 40, "demand_s": 1700},
        {"processes": 1, "memory_mb": 1, "demand_s": 100, "submit_s": 10},
    ]
    made = record(scenario_of(jobs, nodes=2, quantum_s=60), "DP", "protocol")
    ends = made.records[made.records.kind == "ended"].set_index("job")["time_ns"].tolist()
    assert 2**63 < 8 * MB * (ends[1] - ends[0]) < 2**64  # negative in 64 bits
    title = draw(made, Selection()).get_suptitle().replace("\n", " ")
    assert f"from {ends[0] / 10**9:.6f} s on, 8.0 MB of 1 node on disk" in title
