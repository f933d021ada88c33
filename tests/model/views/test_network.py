"""The network with its traffic."""

import re
from collections import Counter
from dataclasses import replace
from pathlib import Path

import numpy as np
import pandas as pd
import pytest

from model.core.network import load_network
from model.ground.errors import InputError
from model.pnr.constants import Constants
from model.pnr.scenario import make_scenario
from model.views.exports.tables import parquet
from model.views.network import carried_bytes, draw, utilization
from model.views.recording import Selection, read_recordings, record
from model.views.wiring import places, wires_of

JOB = {"processes": 1, "memory_mb": 40, "demand_s": 0.02}


def recorded(topology, design="CEN", level="protocol", nodes=4, **parameters):
    scenario = make_scenario(
        job=[JOB],
        nodes=nodes,
        topology=topology,
        page_bytes=2**20,
        minimum_demand_s=0.001,
        **parameters,
    )
    made = record(scenario, design, level)
    return made, load_network(scenario, Constants.of(scenario))


def test_on_a_shared_medium_it_counts_between_both_ends_and_the_medium():
    made, graph = recorded("bus")
    carried = carried_bytes(graph, made.records, made.scenario)
    lender = made.records.loc[made.records["kind"] == "lent", "node"].item()
    assert set(carried) == {(0, "bus"), ("bus", 0), (lender, "bus"), ("bus", lender)}


@pytest.mark.parametrize("duplex", ["full", "half"])
@pytest.mark.parametrize(
    ("topology", "routing"),
    [("star", "single"), ("connected", "single"), ("torus", "ecmp"), ("fat-tree", "ecmp")],
)
def test_each_way_over_a_link_carries_and_is_busy_as_the_hops_say(topology, routing, duplex):
    made, graph = recorded(topology, "MAN", "all", nodes=9, routing=routing, duplex=duplex)
    hops = made.records[made.records["kind"] == "hop"]
    vertices = {str(vertex): vertex for vertex in graph}
    sent_bytes, busy_ns, place = Counter(), Counter(), {}
    for hop in hops[~hops["station"].isin(vertices)].itertuples():
        # the name of a half-duplex link has no direction: each message goes on from where it is
        here = place.get(hop.id, hop.node)
        ends = {vertices[end] for end in re.split("<?->", hop.station)}
        (place[hop.id],) = ends - {here}
        sent_bytes[here, place[hop.id]] += hop.size_bytes
        busy_ns[here, place[hop.id]] += hop.end_ns - hop.start_ns
    made_of = (graph, made.records, made.scenario)
    assert carried_bytes(*made_of) == sent_bytes
    shares = {way: busy / 10**9 for way, busy in busy_ns.items()}
    assert utilization(*made_of, 10**9) == pytest.approx(shares)


@pytest.mark.parametrize("topology", ["star", "bus", "connected", "ring", "two-level"])
def test_it_draws_every_node_once_and_every_line(topology):
    made, graph = recorded(topology, "MAN")
    axes = draw(made, Selection()).axes[0]
    switches = sorted(str(vertex) for vertex in wires_of(graph) if vertex not in range(4))
    texts = sorted(text.get_text().replace("\n", " ") for text in axes.texts)
    assert texts == ["0", "1", "2", "3", *switches]
    lines = 2 * (4 if topology == "bus" else graph.number_of_edges())  # both ways
    assert (
        sum(
            len(lines.get_segments())
            for lines in axes.collections
            if hasattr(lines, "get_segments")
        )
        == lines
    )


def test_of_many_switches_of_a_dragonfly_their_groups_are_named():
    made, graph = recorded("dragonfly", nodes=128)
    groups = {vertex.partition(".")[0] for vertex in graph if isinstance(vertex, str)}
    texts = [text.get_text().replace("\n", " ") for text in draw(made, Selection()).axes[0].texts]
    numbers = [text for text in texts if text.isdigit()]
    assert {*texts} - {*numbers} == groups
    assert 16 <= len(numbers) <= 64  # those of all 128 nodes would lie on each other


OWN = """
import networkx as nx

def own(nodes, bandwidth_mbps, latency_ns, switch_ns):
    graph = nx.grid_2d_graph(2, nodes // 2)
    graph = nx.relabel_nodes(graph, {{it: f"s{{it[0] * (nodes // 2) + it[1]}}" for it in graph}})
    nx.set_node_attributes(graph, switch_ns, "switch_ns")
    graph.add_edges_from((node, f"s{{node}}") for node in range(nodes))
    nx.set_edge_attributes(graph, bandwidth_mbps, "bandwidth_mbps")
    nx.set_edge_attributes(graph, latency_ns, "latency_ns")
    for place, vertex in enumerate(graph):
        graph.nodes[vertex]["pos"] = {pos}
    return graph
"""


def test_a_graph_that_says_where_its_vertices_stand_is_drawn_so_from_its_journal_too(here):
    Path("own.py").write_text(OWN.format(pos="(3.0 * place, 7)"))
    scenario = make_scenario(job=[JOB], nodes=4, topology="own.py:own")
    parquet([record(scenario, "DP", "protocol")], Selection(), Path("own.parquet"))
    (again,) = read_recordings(Path("own.parquet"))
    wires = wires_of(again.network)
    where = places(wires, [0, 1, 2, 3], ["s0", "s1", "s2", "s3"])
    xs = [where[vertex][0] for vertex in again.network]
    assert np.diff(xs) == pytest.approx([2 / 7] * 7)  # eight vertices from -1 to 1
    assert {y for _, y in where.values()} == {0}


def test_a_place_that_is_none_is_refused(here):
    Path("own.py").write_text(OWN.format(pos="(place, 'east')"))
    with pytest.raises(InputError, match=r"switch s0: Expected `float`, got `str` - at `\$.pos"):
        record(make_scenario(job=[JOB], nodes=4, topology="own.py:own"), "DP")


@pytest.mark.parametrize(
    ("bytes_sent", "unit"), [(10**6, "%"), (100, "millionths"), (1, "billionths")]
)
def test_how_busy_a_way_was_stands_in_the_unit_that_fits(bytes_sent, unit):
    # at 100 Mbps a byte takes 80 ns, of the 10 s here
    made, _ = recorded("star", nodes=2)
    first = made.records[made.records["kind"] == "sent"].iloc[1:2]
    first = first.assign(time_ns=0, node=0, peer=1, size_bytes=bytes_sent)
    last = first.assign(time_ns=10**10, node=1, peer=0, kind="delivered")
    figure = draw(replace(made, records=pd.concat([first, last])), Selection(to_s=10))
    assert f"({unit} of the time shown)" in figure.axes[1].get_xlabel()


def test_a_picture_of_protocol_messages_does_not_call_ways_unused_that_carry_pages():
    # the job borrows under CEN, so its pages cross two links
    scenario = make_scenario(job=[JOB], nodes=4, minimum_demand_s=0.001)
    whole, protocol = (record(scenario, "CEN", level) for level in ("all", "protocol"))
    assert (whole.records["phase"] == "page").any()
    title = draw(protocol, Selection()).get_suptitle()
    assert "carried no protocol messages" in title
    assert "Pages and barriers are not in this journal" in title
    assert "stations.csv has all traffic" in title
    title = draw(whole, Selection()).get_suptitle()
    assert "carried no messages" in title
    assert "protocol" not in title
    assert "not in this journal" not in title


def test_both_ways_over_a_medium_are_busy_as_long_as_the_hops_say():
    made, graph = recorded("bus", "MAN", "all", nodes=6)
    hops = made.records[made.records["kind"] == "hop"]
    served_ns = (hops["end_ns"] - hops["start_ns"]).sum()
    busy = utilization(graph, made.records, made.scenario, 10**9)
    # each message goes once, but over two ways: to the medium and from it
    assert sum(busy.values()) * 10**9 == pytest.approx(2 * served_ns)


def test_the_areas_of_unequal_nodes_are_as_their_ram_and_those_that_are_away_are_grey():
    node = [{"ram_mb": 64, "count": 2}, {"ram_mb": 16}, {"ram_mb": 16, "joins_s": 1000}]
    made, _ = recorded("star", "CLI", node=node)
    figure = draw(made, Selection())
    assert "areas show RAM" in figure.get_suptitle().replace("\n", " ")
    _, _, circles, *_, grey = figure.axes[0].collections
    assert circles.get_sizes() / circles.get_sizes()[2] == pytest.approx([4, 4, 1, 1])
    assert grey.get_offsets()[0] == pytest.approx(circles.get_offsets()[3])


def test_what_is_sent_in_a_window_keeps_links_busy_until_it_has_arrived():
    """A burst takes much longer to be sent than the window in which it is handed over: of that
    time each way is busy for its messages' bytes by its Mbps, and never for more than all of it.
    """
    made, graph = recorded("star", "MAN", nodes=24)
    sent = made.records[made.records["kind"] == "sent"]
    burst = sent[sent["what"] == "LoadBroadcast"]
    at_ns, node = int(burst["time_ns"].iloc[0]), int(burst["node"].iloc[0])
    figure = draw(made, Selection(from_s=at_ns / 1e9, to_s=(at_ns + 1) / 1e9))
    ends = made.records[made.records["kind"] == "delivered"].set_index("id")["time_ns"]
    last_ns = max(ends[number] for number in sent[sent["time_ns"] == at_ns]["id"])
    its = sent[(sent["time_ns"] == at_ns) & (sent["node"] == node) & (sent["peer"] != node)]
    takes_ns = its["size_bytes"].sum() * 8 * 1000 / graph.edges[node, "switch"]["bandwidth_mbps"]
    bar = figure.axes[-1]
    assert takes_ns > 1  # the window
    assert bar.get_xlim()[1] == pytest.approx(100 * takes_ns / (last_ns - at_ns))
    assert bar.get_xlim()[1] <= 100
    assert "until all had arrived" in bar.get_xlabel()


@pytest.mark.parametrize(("topology", "level"), [("bus", "protocol"), ("connected", "all")])
def test_a_single_node_is_drawn(topology, level):
    """It pages to its disk alone; what its journal leaves out is a matter of the level."""
    made, _ = recorded(topology, nodes=1, level=level)
    figure = draw(made, Selection())
    assert "0" in [text.get_text() for text in figure.axes[0].texts]
    assert ("not in this journal" in figure.get_suptitle()) == (level == "protocol")
