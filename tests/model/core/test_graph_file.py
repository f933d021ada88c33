"""Networks in files as other programs write them: which vertices are nodes, and what is refused."""

import json

import networkx as nx
import pytest

from model.core.network import check_network
from model.core.topology import load_topology
from model.ground.errors import InputError
from model.systems import comparison_of, make_any_scenario

#: As yEd writes it: always directed, with names n0, n1, … and labels within its graphics.
YED = """<?xml version="1.0" encoding="UTF-8" standalone="no"?>
<graphml xmlns="http://graphml.graphdrawing.org/xmlns" xmlns:y="http://www.yworks.com/xml/graphml">
  <key for="port" id="d1" yfiles.type="portgraphics"/>
  <key for="node" id="d6" yfiles.type="nodegraphics"/>
  <key for="edge" id="d10" yfiles.type="edgegraphics"/>
  <key attr.name="bandwidth" attr.type="string" for="edge" id="d11">
    <default>1 Gbps</default>
  </key>
  <graph edgedefault="directed" id="G">{}</graph>
</graphml>"""
STAR = ("core", "host0", "host1", "host2", "a note")
SPOKES = ((0, 1), (0, 2), (0, 3))


def yed(labels=STAR, links=SPOKES, **bandwidths):
    nodes = [
        f'<node id="n{place}"><data key="d6"><y:ShapeNode><y:NodeLabel>{label}</y:NodeLabel>'
        "</y:ShapeNode></data></node>"
        for place, label in enumerate(labels)
    ]
    edges = []
    for place, (one, other) in enumerate(links):
        own = bandwidths.get(f"e{place}")
        data = f'<data key="d11">{own}</data>' if own else ""
        edges.append(f'<edge id="e{place}" source="n{one}" target="n{other}">{data}</edge>')
    return YED.format("".join(nodes + edges))


@pytest.fixture
def network(tmp_path):
    """The network of three nodes in a file with this content."""

    def load(content, suffix=".graphml"):
        file = tmp_path / f"mine{suffix}"
        file.write_bytes(content if isinstance(content, bytes) else content.encode())
        graph = load_topology("networks", str(file), 3, 100, 50, 80_000)
        check_network("mine", graph, 3)
        return graph

    return load


def node_link(graph, key="edges"):
    return json.dumps(nx.node_link_data(graph, **{"edges": key}))


def star_of(**data):
    """Vertex 0 is a switch, and 1 to 3 are hosts."""
    graph = nx.star_graph(3)
    nx.set_node_attributes(graph, {0: "Switch", 1: "host", 2: "host", 3: "host"}, "kind")
    nx.set_edge_attributes(graph, dict.fromkeys(graph.edges, data))
    return graph


WIRED = {"bandwidth_mbps": 1000.0, "latency_ns": 50}


@pytest.mark.parametrize("encoding", ["utf-8", "utf-8-sig", "utf-16"])
def test_hosts_in_a_drawing_of_yed_are_those_with_such_labels(network, encoding):
    graph = network(yed().encode(encoding))
    assert dict(graph.nodes(data=True)) == {0: {}, 1: {}, 2: {}, "core": {"switch_ns": 80_000}}
    assert [*graph.edges(data=True)] == [("core", node, WIRED) for node in range(3)]


def test_numbers_at_the_ends_of_names_are_the_order_of_nodes(network):
    graph = network(yed(("h3", "s1", "h1", "h2"), ((0, 1), (1, 2), (1, 3)), e0="5 Mbps"))
    assert graph.edges["s1", 2]["bandwidth_mbps"] == 5
    assert graph.graph["remark"].endswith(
        "h1 to h3 are nodes 0 to 2; 3 of 3 links have no latency_ns and take 50"
    )


@pytest.mark.parametrize("key", ["links", "edges"])  # before and since NetworkX 3.6
@pytest.mark.parametrize("kind", [nx.Graph, nx.MultiGraph, nx.DiGraph])
def test_json_of_networkx_is_a_network_whose_kinds_say_what_is_a_node(network, key, kind):
    graph = network(node_link(kind(star_of(bandwidth_mbps=1000.0)), key), ".json")
    assert {*graph.edges} == {("switch 0", node) for node in range(3)}
    assert graph.edges["switch 0", 2] == WIRED


def test_links_of_d3_name_their_ends_by_place(network):
    stated = {
        "nodes": [{"name": name} for name in ("h1", "h2", "h3", "s1")],
        "links": [{"source": place, "target": 3} for place in range(3)],
    }
    assert {*network(json.dumps(stated), ".json")} == {0, 1, 2, "s1"}


def test_gml_has_labels_and_numbers_of_its_own(network, tmp_path):
    graph = nx.relabel_nodes(nx.star_graph(3), dict(enumerate(("core", "host0", "host1", "host2"))))
    nx.write_gml(graph, tmp_path / "star.gml")
    assert {*network((tmp_path / "star.gml").read_text(), ".gml")} == {0, 1, 2, "core"}


@pytest.mark.parametrize(
    ("said", "mbps", "latency_ns"),
    [
        ({"bandwidth_mbps": "40", "latency_ns": 7.0}, 40, 7),
        ({"bandwidth": "10 Gbit/s", "latency": "1.5us"}, 10_000, 1_500),
        ({"bw": "10G", "delay_ms": 2}, 10_000, 2_000_000),
        ({"capacity": "125MBps", "delay": "5 ms"}, 1_000, 5_000_000),  # bytes
        ({"LinkSpeed": "155", "LinkSpeedUnits": "M", "LinkLabel": "OC-3"}, 155, 50),
        ({"LinkSpeedRaw": 2.5e9}, 2_500, 50),
        ({"label": "1 Gbps"}, 1_000, 50),
        ({"label": "uplink", "weight": 3}, 100, 50),
    ],
)
def test_others_call_bandwidth_and_latency_otherwise_and_say_units(network, said, mbps, latency_ns):
    graph = network(node_link(star_of(**said)), ".json")
    expected = {"bandwidth_mbps": mbps, "latency_ns": latency_ns}
    assert graph.edges["switch 0", 0] == expected


def test_units_may_be_said_of_all_links(network, tmp_path):  # as FNSS does
    graph = star_of(capacity=40, delay=3)
    graph.graph |= {"capacity_unit": "Gbps", "delay_unit": "us"}
    nx.write_graphml(graph, tmp_path / "fnss.graphml")
    read = network((tmp_path / "fnss.graphml").read_bytes())
    assert read.edges["switch 0", 0] == {"bandwidth_mbps": 40_000, "latency_ns": 3_000}


def test_routers_alone_have_a_node_each(tmp_path):
    """As in the Topology Zoo: towns with numbers for names, of which none is a host or a switch."""
    towns = nx.path_graph(3)
    nx.set_node_attributes(towns, {0: "Roma", 1: "Pisa", 2: "Bari"}, "label")
    nx.set_node_attributes(towns, 12.5, "Longitude")
    towns.edges[0, 1]["LinkSpeedRaw"] = 1e9
    file = tmp_path / "zoo.graphml"
    nx.write_graphml(towns, file)
    comparison = comparison_of(make_any_scenario(topology=str(file), nodes=3, jobs=1))
    graph = comparison.loaded.graph
    assert [*nx.shortest_path(graph, 0, 2)] == [0, "switch 0", "switch 1", "switch 2", 2]
    assert graph.edges["switch 0", "switch 1"]["bandwidth_mbps"] == 1000
    assert comparison.remark().partition("\n")[0] == (
        f"note: {file}: Roma to Bari are nodes 0 to 2; without a switch in it, each vertex is one, "
        "with a node of its own; 1 of 2 links have no bandwidth_mbps and take 100; "
        "2 of 2 links have no latency_ns and take 50"
    )


BACK = tuple((other, one) for one, other in SPOKES)


def test_a_link_that_is_there_both_ways_is_one(network):
    assert network(yed(links=SPOKES + BACK)).number_of_edges() == 3


NAMES = ("s", "h0", "h1", "h2")
NODES = "".join(f'node [ id {place} label "{name}" ]\n' for place, name in enumerate(NAMES))
TWICE = f"graph [ {NODES} edge [ source 1 target 0 ] edge [ source 0 target 1 ] ]"


@pytest.mark.parametrize(
    ("content", "suffix", "complaint"),
    [
        ("", ".graphml", "not a GraphML file: no element found"),
        ("<html></html>", ".graphml", "not a GraphML file: file not successfully read"),
        ("graph [", ".gml", "not a GML file: expected '\\]', found EOF"),
        ('{"elements": {}}', ".json", "not a node-link JSON file: it lacks 'nodes'$"),
        ("<platform version='4.1'/>", ".xml", "a platform of SimGrid; write its hosts and links"),
        ("graph { h0 -- s }", ".dot", "a file of Graphviz; gv2gml .*mine.dot -o mine.gml"),
        (yed(links=(*SPOKES, (0, 2))), ".graphml", "the link core - host1 is there twice; write"),
        (TWICE, ".gml", "the link s - h0 is there twice; write it once, with"),
        (yed(links=(*SPOKES, (2, 2))), ".graphml", "the link host1 - host1 leads from a vertex to"),
        (yed(links=SPOKES[:2]), ".graphml", "no path from host0 to host2; link them"),
        (yed(links=(*SPOKES, (2, 0))), ".graphml", "the link core -> host0 leads one way, and oth"),
        (
            yed(links=SPOKES + BACK, e4="1 Mbps"),
            ".graphml",
            "the link host1 - core differs from the link back; give both the same values",
        ),
        (
            yed(e2="100"),
            ".graphml",
            "the link core - host2: bandwidth is '100'; give bandwidth_mbps, or .* as 100Mbps$",
        ),
        (yed(("",) * 4), ".graphml", "nothing says which of its 4 vertices are hosts; give each a"),
        (
            yed(("core", "host0", "host1", "hots2")),
            ".graphml",
            r"it has 2 hosts \(host0, host1\) for a cluster of 3 nodes; give --nodes 2, or each",
        ),
    ],
)
def test_what_is_refused_names_the_cause_and_the_remedy(network, content, suffix, complaint):
    with pytest.raises(InputError, match=rf"mine\{suffix}: {complaint}"):
        network(content, suffix)


def test_a_file_that_is_not_there_is_refused():
    with pytest.raises(InputError, match=r"^gone\.gml: No such file .*; give a readable GML file$"):
        load_topology("networks", "gone.gml", 3, 100, 50, 80_000)
