"""ShiViz's log: read with the expressions that it begins with, as ShiViz reads it.

"The vector clocks order events just as causality does": Mattern, "Virtual Time and Global States of
Distributed Systems", 1989, theorem 10.
"""

import itertools
import json
import re

import networkx as nx

from model.views.exports.shiviz import log
from model.views.recording import Selection
from tests.model.views.exports.conftest import BARRIER, BORROWER, recorded


def read(path):
    """The executions by label: (host, clock, event) in order, as ShiViz's LogParser reads them."""
    event, execution, *rest = path.read_text().splitlines()
    event, execution = (re.sub(r"\(\?<", "(?P<", one) for one in (event, execution))
    text = "\n".join(rest)
    labels = [found["trace"] for found in re.finditer(execution, text, re.MULTILINE)]
    parts = re.split(re.sub(r"\?P<trace>", "?:", execution), text, flags=re.MULTILINE)
    assert parts[0].strip() == ""
    return {
        label: [
            (found["host"], json.loads(found["clock"]), found["event"])
            for found in re.finditer(event, part)
        ]
        for label, part in zip(labels, parts[1:], strict=True)
    }


def test_clocks_order_events_as_causality_does(borrowing, tmp_path):
    selection = Selection(job=7)
    log([borrowing], selection, tmp_path / "a.shiviz")
    ((label, events),) = read(tmp_path / "a.shiviz").items()
    assert label == "design MAN"
    records = selection.of(borrowing)
    records = records[records["kind"].isin(["sent", "delivered"])]
    assert [host for host, *_ in events] == [f"node{node}" for node in records["node"]]

    # causality: each event after the one before it on its node, a delivery after its sending
    causes = nx.DiGraph()
    last, sent = {}, {}
    for place, row in enumerate(records.itertuples()):
        causes.add_node(place)
        if row.node in last:
            causes.add_edge(last[row.node], place)
        last[row.node] = place
        if row.kind == "sent":
            sent[row.id] = place
        else:
            causes.add_edge(sent[row.id], place)
    after = {place: nx.descendants(causes, place) for place in causes}
    for one, other in itertools.permutations(range(len(events)), 2):
        mine, others = events[one][1], events[other][1]
        less = mine != others and all(count <= others.get(node, 0) for node, count in mine.items())
        assert less == (other in after[one])
    # each node counts its own events from 1
    for host in {host for host, *_ in events}:
        counts = [clock[host] for its, clock, _ in events if its == host]
        assert counts == [*range(1, len(counts) + 1)]
    assert "sends RamRequest to node" in events[0][2]


def test_each_design_is_an_execution(tmp_path):
    both = [recorded(BARRIER, BORROWER, nodes=4, design=design) for design in ("CLI", "MAN")]
    log(both, Selection(job=7), tmp_path / "a.shiviz")
    executions = read(tmp_path / "a.shiviz")
    assert [*executions] == ["design CLI", "design MAN"]
    for recording, events in zip(both, executions.values(), strict=True):
        its = Selection(job=7).of(recording)
        assert len(events) == int(its["kind"].isin(["sent", "delivered"]).sum())
