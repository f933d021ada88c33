"""What messages carry, in words: expected texts by hand."""

import json

import pytest

from model.core.journal.kinds import Record
from model.views.page.contents import contents

MB = 2**20


@pytest.mark.parametrize(
    ("payload", "text"),
    [
        ({"granted": 4 * MB, "refused": True}, "granted 4.00 MB"),
        ({"amount": 8 * MB}, ""),  # its sentence says so
        (
            {"loans": [[3, MB, [0, 10**9]], [4, 2 * MB]], "need": 5 * MB},
            "loans: 1.00 MB of node 3, 2.00 MB of node 4; need 5.00 MB",
        ),
        ({"returns": []}, ""),
        ({"word": [-MB, 2 * 10**9]}, "node 7 lacks 1.00 MB, as of 2.000000 s"),
        ({"words": [["group", [MB, 0]]]}, "the group of node 7 has 1.00 MB, as of 0.000000 s"),
        ({"turn": 3, "way": {"to": [1, 2]}}, "turn 3; way to 1, 2"),
    ],
)
def test_a_payload_reads_as_words(payload, text):
    record = Record(0, "sent", node=7, amount_bytes=8 * MB, payload=json.dumps(payload))
    assert contents(record) == text


def test_of_many_words_the_rest_is_counted():
    words = [[node, [MB, 0]] for node in range(63)]
    text = contents(Record(0, "sent", node=7, payload=json.dumps({"words": words})))
    assert text.count("has 1.00 MB") == 8
    assert text.endswith("; and of 55 more nodes")
