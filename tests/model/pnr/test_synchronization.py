"""Who waits for whom at a barrier, and what processes exchange: counted, and timed by hand."""

import pytest

from agents.pnr.messages import BarrierArrive, BarrierRelease
from agents.pnr.synchronization import SYNCHRONIZATIONS, Exchange, beside
from model.ground.errors import InputError
from model.live.comparison import LiveComparison
from model.live.head import LiveSettings
from model.pnr.explore.setting import Setting
from model.pnr.measures import protocol_messages
from model.pnr.scenario import Scenario, make_scenario
from model.systems import run
from tests.journaled import journaled

WAYS = ("central", "tree", "neighbours", "none")


def cluster(processes, demand_s, journal=None, plane="actors", **parameters):
    job = [{"processes": processes, "memory_mb": 1, "demand_s": demand_s}]
    scenario = make_scenario(job=job, nodes=8, **parameters)
    readers = () if journal is None else (journal.append,)
    return run(scenario, "DP", readers=readers, plane=plane)


def of_kind(journal, kind):
    return [record for record in journal if record.kind == kind]


def test_what_processes_exchange_is_no_message_of_the_protocol():
    sent = {"PageReply": 1, "BarrierArrive": 1, "Exchange": 5, "RamRequest": 2, "LoadBroadcast": 1}
    assert protocol_messages({"messages": sent}) == 3


def test_a_tree_is_told_from_below_and_a_ring_has_two_neighbours_or_one():
    tree = SYNCHRONIZATIONS["tree"]
    assert [tree.parent(rank, 6) for rank in range(6)] == [None, 0, 0, 1, 1, 2]
    assert [[*tree.awaited(rank, 6)] for rank in range(6)] == [[1, 2], [3, 4], [5], [], [], []]
    assert [[*beside(rank, 4)] for rank in range(4)] == [[3, 1], [0, 2], [1, 3], [2, 0]]
    assert [[*beside(rank, 2)] for rank in range(2)] == [[1], [0]]
    assert [*beside(0, 1)] == []


# The demand of 3.5 s has three barriers.
@pytest.mark.parametrize("processes", [1, 2, 3, 6])
@pytest.mark.parametrize("plane", ["actors", "compiled"])
def test_messages_of_an_interval(processes, plane):
    in_ring = {1: 0, 2: 2}.get(processes, 2 * processes)
    of_two_ways = processes - 1
    for way, arrivals, releases in (
        ("central", of_two_ways, of_two_ways),
        ("tree", of_two_ways, of_two_ways),
        ("neighbours", in_ring, 0),
        ("none", 0, 0),
    ):
        for exchange_kb in (0, 2):
            given = {"synchronization": way, "exchange_kb": exchange_kb}
            tallies = cluster(processes, 3.5, plane=plane, **given).network.tallies
            assert tallies[BarrierArrive].sent == 3 * arrivals
            assert tallies[BarrierRelease].sent == 3 * releases
            exchanged = 3 * in_ring if exchange_kb else 0
            assert tallies[Exchange].sent == tallies[Exchange].delivered == exchanged
            assert tallies[Exchange].sent_bytes == 2048 * exchanged
            assert all(tally.sent == tally.delivered for tally in tallies.values())


# A message of 64 B takes 5,120 ns on a link and 50 ns of latency, twice, and 80,000 ns at the
# switch: 90,340 ns. All four processes are at the barrier after 1 s; times below count from there.
#
# tree: ranks 2 and 3 tell 0 and 1; both messages are at the switch at 5,170, first that to 0, which
# is there at 90,340; the other is at 1 at 170,340, which tells 0, and 0 hears that at 260,680. Its
# messages to 1 and 2 leave it one after the other and are at the switch at 265,850 and 270,970,
# through it at 345,850 and 425,850, and there at 351,020 and 431,020. The message of 1 to 3 is at
# the switch at 356,190, which has time for it at 425,850, and there at 511,020.
#
# neighbours: each sends two; the first four are at the switch at 5,170, the others at 10,290, each
# time in the order of receivers. It sends one each 80,000 ns from 85,170 on. The second for rank 0
# is the fifth: 405,170, there at 410,340, and those of ranks 1, 2 and 3 follow.
@pytest.mark.parametrize(
    ("way", "after_ns"),
    [
        ("tree", [260_680, 351_020, 431_020, 511_020]),
        ("neighbours", [410_340, 490_340, 570_340, 650_340]),
        ("none", [0, 0, 0, 0]),
    ],
)
def test_a_barrier_of_four_processes_on_a_star_by_hand(way, after_ns):
    journal = []
    cluster(4, 2, journal, synchronization=way)
    ends_ns = {record.rank: record.time_ns for record in of_kind(journal, "finished")}
    assert [ends_ns[rank] for rank in range(4)] == [2 * 10**9 + ns for ns in after_ns]


# 4 KB take 327,680 ns on a link. Each of two processes sends them after 1 s; both are at the switch
# 327,730 ns later, which has sent the second on after 160,000 more, when it takes the link again.
def test_exchanged_data_take_their_time_and_nobody_waits_for_them():
    journal = []
    done = cluster(2, 2, journal, synchronization="none", exchange_kb=4)
    arrivals = [it.time_ns - 10**9 for it in of_kind(journal, "delivered") if it.what == "Exchange"]
    assert arrivals == [327_730 + 80_000 + 327_730, 327_730 + 160_000 + 327_730]
    assert done.jobs[0].end_ns == 2 * 10**9


# In a ring of seven in which rank 0 computes at a tenth of the speed, rank 1 is at most one barrier
# ahead of it, and rank 2 two, since it hears 1 but not 0.
def test_neighbours_are_at_most_one_interval_apart():
    groups = [{"count": 1, "cpu_mhz": 3.3}, {"count": 7}]
    parameters = {"node": groups, "synchronization": "neighbours"}
    job = [{"processes": 7, "memory_mb": 1, "demand_s": 8}]
    scenario = make_scenario(job=job, nodes=8, **parameters)
    _, journal = journaled(scenario, "DP", plane="actors")
    reached, apart = [0] * 7, {1: 0, 2: 0, 3: 0}
    for record in of_kind(journal, "barrier"):
        reached[record.rank] += 1
        for distance in apart:
            ahead = max(reached[rank] - reached[rank - distance] for rank in range(7))
            apart[distance] = max(apart[distance], ahead)
    assert reached == [7] * 7
    assert apart == {1: 1, 2: 2, 3: 3}


@pytest.mark.parametrize("way", WAYS)
def test_barriers_are_passed_though_messages_are_lost_and_doubled(way):
    faults = [
        {"kind": kind, "rate": 0.3, "messages": ["barrier", "exchange"]}
        for kind in ("loss", "duplicate")
    ]
    done = cluster(7, 9.5, fault=faults, synchronization=way, exchange_kb=1)
    assert not done.stuck
    assert done.network.tallies[Exchange].lost > 0
    assert done.network.tallies[BarrierArrive].lost > 0 or way == "none"


# Of three in a ring all are at the first barrier after 1 s, where rank 2 hears both others, the
# last of six messages at 1.00049034 s; its own are lost. It is at the second barrier 1 s later, and
# from there lets ranks 1 and 0 go on at 2.00058068 and 2.00066068 s, which take 1 s more. So rank 0
# is the last at the second, for rank 1 by 80,000 ns and for rank 2 by 1,000,170,340 ns; at the
# first nobody was late, though two heard nothing for a second.
def test_in_a_ring_who_comes_last_is_late_and_not_whose_message_is():
    faults = [{"kind": "partition", "groups": [[2]], "oneway": True, "until_s": 1.5}]
    faults[0]["messages"] = ["barrier"]
    given = {"barrier_timeout_ms": 2000, "fault": faults}
    (job,) = cluster(3, 2.5, synchronization="neighbours", **given).jobs
    assert [process.awaited_ns for process in job.processes] == [1_000_250_340, 0, 0]
    assert job.behind() == {"node": 0, "waited_ns": 1_000_250_340}


# After the last barrier 10 us are left, in which no message arrives.
@pytest.mark.parametrize("way", ["central", "tree", "neighbours"])
def test_word_of_a_barrier_is_sent_again_though_its_sender_has_finished(way):
    faults = [{"kind": "loss", "rate": 0.5, "messages": ["barrier"]}]
    done = cluster(6, 1.00001, fault=faults, synchronization=way, stall_s=100)
    assert done.network.tallies[BarrierRelease if way != "neighbours" else BarrierArrive].lost
    assert not done.stuck


@pytest.mark.parametrize("way", ["neighbours", "none"])
def test_memory_changes_only_where_all_meet(way):
    for profile in ("ramp", "phases"):
        make_scenario(synchronization="tree", memory_profile=profile)
        with pytest.raises(InputError, match=f"do not with synchronization {way}; take central"):
            make_scenario(synchronization=way, memory_profile=profile)


# 8,192 * 10^6 bits at 10^5 bits/s take 81,920 s; for 2 x 7 processes x 1,000 intervals, and twice
# for each of 8 nodes and a switch, which may be on a path: 14,018 x 81,920 s = 1.148 * 10^9 s.
def test_data_for_which_the_network_has_no_time_are_refused():
    with pytest.raises(InputError, match=r"take 1\.1e\+09 s .* give at most 8\.3e\+05"):
        cluster(7, 1000, exchange_kb=10**6, bandwidth_mbps=0.1)
    cluster(2, 2, exchange_kb=10**6, bandwidth_mbps=0.1)


@pytest.mark.parametrize("parameters", [{"synchronization": "tree"}, {"exchange_kb": 1}])
def test_what_cannot_happen_for_real_is_refused(parameters):
    with pytest.raises(InputError, match="only an emulation has that"):
        LiveComparison(Scenario(nodes=8, **parameters), LiveSettings())


@pytest.mark.parametrize(
    ("line", "why"),
    [
        ('synchronization = "none"', "explore has no CPU time, so no barriers; leave it out$"),
        ("exchange_kb = 1", "explore has no CPU time, so no barriers; leave it out$"),
        ('memory_profile = "ramp"', "explore keeps memory"),
        ('scheduler = "gang-memory"', "explore knows no gang-memo"),
    ],
)
def test_a_search_refuses_what_it_does_not_have(line, why, tmp_path):
    file = tmp_path / "own.toml"
    file.write_text(f"{line}\n[[job]]\nprocesses = 1\nmemory_mb = 1\ndemand_s = 1\n")
    told = rf"own\.toml: {line.split()[0]}: {why}"
    with pytest.raises(InputError, match=told):
        _ = Setting("MAN", scenario_file=str(file)).scenario
