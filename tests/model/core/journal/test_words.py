"""Records in words: every kind has a sentence, whatever a record lacks."""

import pytest

from model.core.journal import words
from model.core.journal.kinds import Record
from model.pnr.scenario import make_scenario
from model.sharing.scenarios import make_sharing_scenario
from model.systems import comparison_of
from tests.model.pnr.compiled.test_equality import SCARCE, SMALL


def record_of(kind, **fields):
    return Record(0, kind, id=1, **fields)


@pytest.mark.parametrize(
    ("record", "sentence", "clause"),
    [
        (
            record_of("lost", what="Ask", node=2, peer=1, payload='{"by":"loss"}'),
            "node 2: Ask from node 1 is lost (loss)",
            "Ask from node 1 is lost (loss)",
        ),
        (
            record_of(
                "placed",
                job=7,
                slot=1,
                amount_bytes=2**21,
                payload='{"nodes":[0,2],"limit":1048576}',
            ),
            "job 7 is placed in slot 1 on nodes 0, 2, 2.00 MB per process of which 1.00 MB may be "
            "in RAM",
            "job 7 is placed in slot 1 on nodes 0, 2, 2.00 MB per process of which 1.00 MB may be "
            "in RAM",
        ),
        (  # what a role says may look like a template
            record_of("note", what="x", hears="client", node=0, payload='{"a":["{b}"]}'),
            'node 0: the client notes x: {"a":["{b}"]}',
            'the client notes x: {"a":["{b}"]}',
        ),
    ],
)
def test_a_sentence_and_its_clause(record, sentence, clause):
    assert words.sentence(record) == sentence
    assert words.clause(record) == clause


def test_what_was_believed_of_the_node_chosen_and_of_a_group():
    candidates = '"8":[33554432,2000000,1048576]'
    payload = '{"search":[0,"manager",0,1],"missing":5,"candidates":{%s},"groups":true}'
    one = record_of("decided", hears="manager", node=0, peer=8, payload=payload % candidates)
    assert words.sentence(one) == (
        "node 0 chooses the group of node 8, believed to have 32.00 MB since 0.002000 s; "
        "it has 1.00 MB"
    )
    unheard = one._replace(
        payload=payload.replace(',"groups":true', "") % '"8":[null,null,5242880]'
    )
    assert words.clause(unheard) == "chooses node 8, without a load report; it has 5.00 MB"
    assert words.clause(unheard._replace(peer=None)) == "chooses nobody"
    shares = payload.replace(',"groups":true', "") % '"8":[2097152,2000000,-1048576,8388608]'
    assert words.clause(one._replace(payload=shares)) == (
        "chooses node 8, believed to have 2.00 MB (25.0% of its RAM) since 0.002000 s; "
        "it lacks 1.00 MB (12.5% of its RAM)"
    )


def test_every_record_of_a_run_has_a_sentence():
    faults = [
        {"kind": "loss", "rate": 0.1},
        {"kind": "node", "nodes": [1], "from_s": 0.05, "restart_s": 0.1},
        {"kind": "pause", "nodes": [2], "from_s": 0.01, "until_s": 0.03},
    ]
    records = []
    designs = {"RELIABLE(MAN)": faults, "RACK2": None, "GOSSIP": None}
    for design, fault in designs.items():
        scenario = make_scenario(job=SCARCE, fault=fault, designs=(design,), **SMALL)
        comparison_of(scenario).run(design, readers=(records.append,))
    sharing = make_sharing_scenario(jobs=30, policies=("CPU_MEM_HP_PM",))
    comparison_of(sharing).run("CPU_MEM_HP_PM", readers=(records.append,))
    assert len({it.kind for it in records}) > 25
    for record in records:
        sentence = words.sentence(record)
        assert "None" not in sentence
        if record.kind != "note":
            assert not {*"{}[]"} & {*sentence.replace(str(record.station), "")}
        assert words.place(record) in ("scheduler", f"node {record.node}")
