"""Links, switches and disks: one thing at a time, in the order of arrival, each for so long."""

from dataclasses import replace
from itertools import accumulate

import mesa
import networkx as nx
import pytest
import simpy
from hypothesis import given
from hypothesis import strategies as st

from agents.disk import Disk
from agents.link import Link
from agents.messages import Message
from agents.pnr.messages import PageReply, PageRequest
from agents.pnr.processing_element import ProcessingElement
from agents.switch import Switch
from model.ground.clock import DELIVERY, Clock
from model.ground.delays import transmission_ns
from model.pnr.cluster import Cluster
from model.pnr.constants import Constants
from model.pnr.scenario import make_scenario
from tests.journaled import journaled

SIZE = 1250  # bytes, 10,000 bits: 100,000 ns at 100 Mbps


class Bench(mesa.Model):
    """What a station needs of its model, and the two ends of each message's route."""

    def __init__(self, **parameters):
        super().__init__(rng=1)
        self.constants = Constants.of(make_scenario(**parameters))
        self.clock = Clock()
        self.journal = self.network = None
        self.sent = 0
        self.arrived_ns = []  # in order of arrival

    def send(self, now_ns, *stations, size_bytes=SIZE):
        """Have a message reach the first station then, and pass the others."""
        self.sent += 1
        message = Message(0, 1, self.sent, None, size_bytes, now_ns)
        message.route = (*(station.accept for station in stations), self.arrive)
        key = (now_ns, DELIVERY, message.target, message.source, message.number)
        self.clock.schedule((*key, message.route[0], message))

    def arrive(self, message):
        self.arrived_ns.append(self.clock.now_ns)

    def run(self):
        while self.clock.run(1000):
            pass
        return self.arrived_ns


class Reader:
    """A process as a disk sees it."""

    def __init__(self, bench):
        self.clock = bench.clock
        self.loaded_ns = []

    def page_loaded(self):
        self.loaded_ns.append(self.clock.now_ns)


def cluster(**parameters):
    """Nodes that take every message and answer none, and the journal of what they send."""
    job = {"processes": 1, "memory_mb": 1, "demand_s": 1}  # computes, sends nothing
    records = []
    cluster = Cluster(make_scenario(job=[job], **parameters), "DP", (records.append,))
    for node in cluster.nodes:
        node.takes = dict.fromkeys(node.takes, lambda message: None)
    return cluster, records


def deliveries(cluster, records):
    """When each message arrived, by sender and receiver."""
    cluster.run()
    return {(r.peer, r.node): r.time_ns for r in records if r.kind == "delivered"}


REPLY = PageReply(1, 0)  # 4,160 bytes, 33,280 bits: 332,800 ns at 100 Mbps
REQUEST = PageRequest(1, 0)  # 64 bytes, 512 bits: 5,120 ns


# Links


def test_latency_does_not_occupy_the_link():
    bench = Bench()
    link = Link(bench, "link", latency_ns=10**9, bandwidth_mbps=100)
    bench.send(0, link)
    bench.send(0, link)
    # both are on their way for a second, 0.1 ms apart; held, the second would take 2.0002 s
    assert bench.run() == [10**9 + 100_000, 10**9 + 200_000]
    assert (link.wait_ns, link.busy_ns) == (100_000, 200_000)


@given(
    st.lists(st.tuples(st.integers(0, 200_000), st.integers(0, 5000)), min_size=1, max_size=30),
    st.sampled_from([10, 100, 1000]),
)
def test_a_link_is_a_resource_of_simpy_that_one_message_holds(gaps_and_sizes, mbps):
    sizes = [size for _, size in gaps_and_sizes]
    at_ns = list(accumulate(gap for gap, _ in gaps_and_sizes))

    env = simpy.Environment()
    resource = simpy.Resource(env)
    expected = []

    def message(size):
        with resource.request() as turn:
            yield turn
            yield env.timeout(size * 8 * 1000 // mbps)  # whole for each of these bandwidths
        expected.append(env.now)

    def arrivals():
        for (gap, _), size in zip(gaps_and_sizes, sizes, strict=True):
            yield env.timeout(gap)
            env.process(message(size))

    env.process(arrivals())
    env.run()

    bench = Bench()
    link = Link(bench, "link", latency_ns=0, bandwidth_mbps=mbps)
    for now_ns, size in zip(at_ns, sizes, strict=True):
        bench.send(now_ns, link, size_bytes=size)
    assert bench.run() == expected


@pytest.mark.parametrize(
    ("size_bytes", "mbps", "time_ns"),
    [
        (64, 100, 5_120),  # 512 bits at 0.1 bits/ns
        (4160, 100, 332_800),
        (4160, 10, 3_328_000),
        (0, 100, 0),
        (1, 3, 2_667),  # 8000 / 3 = 2666.67
        (1, 16_000, 1),  # 0.5: halves upwards
        (5, 16_000, 3),  # 2.5: also where the even neighbour is below
        (1, 25.6, 313),  # 312.5: the decimal 25.6 counts, not the binary fraction just above it
        (2**30, 0.001, 8_589_934_592_000_000),  # 2^33 bits at 1000 bits a second, without drift
    ],
)
def test_a_message_holds_a_link_for_its_bits_over_the_bandwidth(size_bytes, mbps, time_ns):
    assert transmission_ns(size_bytes, mbps) == time_ns


@pytest.mark.parametrize(
    ("duplex", "of_the_link", "second_ns"),
    [
        ("full", {}, 332_850),
        ("half", {}, 665_650),
        ("full", {"duplex": "half"}, 665_650),
        ("half", {"duplex": "full"}, 332_850),
    ],
)
def test_opposite_directions_share_a_link_only_if_it_is_half_duplex(
    tmp_path, duplex, of_the_link, second_ns
):
    wire = nx.Graph([(0, 1, {"bandwidth_mbps": 100, "latency_ns": 50, **of_the_link})])
    nx.write_graphml(wire, tmp_path / "wire.graphml")
    pair, records = cluster(nodes=2, topology=f"{tmp_path}/wire.graphml", duplex=duplex)
    pair.nodes[0].send(1, REPLY)
    pair.nodes[1].send(0, REPLY)
    # 332,800 + 50; half duplex the other way begins at 332,800
    assert deliveries(pair, records) == {(0, 1): 332_850, (1, 0): second_ns}


@pytest.mark.parametrize("duplex", ["full", "half"])
def test_a_bus_carries_one_message_in_all_whatever_its_duplex(duplex):
    four, records = cluster(nodes=4, topology="bus", duplex=duplex)
    for source, target in ((0, 1), (1, 0), (2, 3)):
        four.nodes[source].send(target, REPLY)
    # they leave the bus at 1, 2 and 3 · 332,800
    expected = {(0, 1): 332_850, (1, 0): 665_650, (2, 3): 998_450}
    assert deliveries(four, records) == expected


@pytest.mark.parametrize("plane", ["actors", "compiled"])
@pytest.mark.parametrize(
    ("exchange", "frame_bytes", "request_bytes", "frames"),
    # of 4,160 B two frames hold 3,000, a third the rest; 64 B are one
    [
        ("read", None, 64, (1, 1)),
        ("swap", None, 4160, (1, 1)),
        ("read", 1500, 64, (1, 3)),
        ("swap", 1500, 4160, (3, 3)),
        ("swap", 2080, 4160, (2, 2)),
    ],
)
def test_a_swap_sends_a_page_there_and_one_back_frame_by_frame_through_the_switch(
    plane, exchange, frame_bytes, request_bytes, frames
):
    alone = {"processes": 1, "memory_mb": 40, "demand_s": 0.5}
    of_network = {"page_exchange": exchange, "frame_bytes": frame_bytes}
    scenario = make_scenario(job=[alone], nodes=2, threshold_mb=0, **of_network)
    _, records = journaled(scenario, "CLI", plane=plane)
    of_pages = [one for one in records if one.what in ("PageRequest", "PageReply")]
    sent, heard = ([r for r in of_pages if r.kind == kind] for kind in ("sent", "delivered"))
    # over the idle star: two links of 8 · size / 100 Mbps + 50 ns and a switch of 80 us a frame,
    # there and back
    there_ns, back_ns = (
        2 * (80 * size + 50) + 80_000 * count
        for size, count in zip((request_bytes, 4160), frames, strict=True)
    )
    took = {
        (one.what, one.size_bytes, arrived.time_ns - one.time_ns)
        for one, arrived in zip(sent, heard, strict=True)
    }
    assert len(sent) > 100
    assert took == {("PageRequest", request_bytes, there_ns), ("PageReply", 4160, back_ns)}


# Switches


def test_a_switch_takes_its_delay_for_each_frame_of_a_message():
    bench = Bench()
    switch = Switch(bench, "switch", 80_000, frame_bytes=1500)
    for size_bytes in (0, 1500, 1501, 4500):  # a message of nothing is a frame, too
        bench.send(0, switch, size_bytes=size_bytes)
    # 1, 1, 2 and 3 frames, one after another
    assert bench.run() == [80_000, 160_000, 320_000, 560_000]


def test_what_reaches_a_switch_at_one_instant_is_ordered_by_receiver_then_sender():
    five, records = cluster(nodes=5)
    for source, target in ((4, 1), (3, 0), (2, 1), (1, 0)):  # sent in another order
        five.nodes[source].send(target, REQUEST)
    deliveries(five, records)
    hops = [r for r in records if r.kind == "hop" and r.station == "switch"]
    served = [(r.start_ns, r.peer, r.node) for r in hops]
    assert served == [
        (5_170, 0, 1),
        (85_170, 0, 3),
        (165_170, 1, 2),
        (245_170, 1, 4),
    ]


# Disks


@pytest.mark.parametrize(
    ("parameters", "page_ns"),
    [
        # seek 9,000,000 + half of 60 s / 7200 = 4,166,666.67
        # + 4096 B / (50 · 1,048,576 B/s) = 1 s / 12,800 = 78,125: 13,244,791.67 in all
        ({}, 13_244_792),
        ({"rotation": False}, 9_078_125),
        ({"rotation": False, "seek_ms": 0}, 78_125),
        ({"seek_ms": 0, "page_bytes": 52_428_800}, 1_004_166_667),  # a second and half a turn
        ({"disk_writes": True}, 26_489_584),  # one is written, then one is read: 2 · 13,244,792
    ],
)
def test_a_disk_page_takes_seek_half_a_turn_and_transfer(parameters, page_ns):
    bench = Bench(**parameters)
    reader = Reader(bench)
    Disk(bench, 0).read(reader)
    bench.run()
    assert reader.loaded_ns == [page_ns]


def test_a_disk_reads_one_page_at_a_time():
    bench = Bench(rotation=False)  # 9,078,125 ns a page
    disk, readers = Disk(bench, 0), [Reader(bench) for _ in range(3)]
    for reader in readers:
        disk.read(reader)
    bench.run()
    loaded_ns = [reader.loaded_ns for reader in readers]
    assert loaded_ns == [[9_078_125], [18_156_250], [27_234_375]]
    assert (disk.served, disk.bytes) == (3, 3 * 4096)
    assert disk.wait_ns == 9_078_125 + 18_156_250


class TwoQueues(Disk):
    """An NVMe of two queues: a page is read by the one that is free first."""

    other_free_ns = 0

    def enter(self, service_ns, size_bytes):
        self.free_ns, self.other_free_ns = sorted((self.free_ns, self.other_free_ns))
        return super().enter(service_ns, size_bytes)


def test_the_constants_name_what_serves_the_pages_of_a_node():
    bench = Bench(rotation=False)  # 9,078,125 ns a page
    bench.constants = replace(bench.constants, disk=TwoQueues)
    disk, readers = ProcessingElement(bench, 0).disk, [Reader(bench) for _ in range(3)]
    for reader in readers:
        disk.read(reader)
    bench.run()
    loaded_ns = [reader.loaded_ns for reader in readers]
    assert loaded_ns == [[9_078_125], [9_078_125], [18_156_250]]
    assert disk.wait_ns == 9_078_125
