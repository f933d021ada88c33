"""What the lenders' study measures, of a journal whose numbers are worked out by hand."""

import pytest

from model.core.journal.kinds import Record
from model.ground.units import BYTES_PER_MB, NS_PER_S
from model.papers.lenders.balance import Balance
from model.pnr.scenario import make_scenario

NODES = [{"count": 3, "ram_mb": 10}, {"ram_mb": 10, "seats": False, "joins_s": 400}]


def record(time_s, kind, **fields):
    values = {**dict.fromkeys(Record._fields), "id": 1, "cause": 0, **fields}
    return Record(**{**values, "time_ns": round(time_s * NS_PER_S), "kind": kind})


def lent(time_s, node, mb):
    return record(time_s, "lent", node=node, amount_bytes=mb * BYTES_PER_MB)


def placed(time_s, job):
    nodes = {"job": job, "slot": 0, "payload": '{"nodes":[0]}'}
    return record(time_s, "placed", amount_bytes=0, **nodes)


def sent(time_s, payload=None):
    fields = {"what": "ServerReply", "phase": "start", "hears": "client", "payload": payload}
    return record(time_s, "sent", node=0, peer=1, size_bytes=64, **fields)


@pytest.fixture
def measured():
    """Three old nodes lend 4, 2 and 2 of 10 MB; the new one 1 of the next 4, and later 2 more."""
    balance = Balance(make_scenario(node=NODES, designs=("MAN",), jobs=1, first=1))
    for one in (
        record(0, "absent", node=3, what="node"),
        *(lent(1, node, mb) for node, mb in ((0, 4), (1, 2), (2, 2))),
        sent(2, '{"refused":true}'),
        sent(2, '{"amount":7}'),
        placed(3, 1),
        record(400, "joined", node=3, what="node"),
        lent(407, 3, 1),
        lent(408, 0, 3),
        lent(500, 3, 2),
        placed(600, 2),
        record(700, "returned", node=0, amount_bytes=BYTES_PER_MB),
    ):
        balance.read(one)
    return balance.measures(700 * NS_PER_S)["lenders"]


def test_who_joins_gets_a_part_of_the_first_loans(measured):
    assert measured["storm_60"] == 1 / 2  # of two loans one
    assert measured["storm_60_of_bytes"] == 1 / 4
    assert measured["storm_300"] == 2 / 3


def test_a_storm_is_told_by_minute(measured):
    by_minute = measured["storm_by_minute"]
    assert [by_minute[f"{minute}"] for minute in (1, 2, 3)] == [1 / 2, 1, None]


def test_closed_forms_are_of_loans_while_all_others_are_fuller(measured):
    # All three are made while it has 0 or 0.1, and the others 0.2 or more; two of them are its own.
    assert (measured["storm_while_emptiest"], measured["loans_while_emptiest"]) == (2 / 3, 3)


def test_it_has_converged_when_its_share_is_within_5_percent_of_the_others(measured):
    # It has 0.1 from 407 s on, and 0.3 from 500 s on; the others have 0.8 / 3 and then 1.1 / 3.
    assert (measured["converged"], measured["converges_s"]) == (0, 200)
    assert measured["newcomer"]["60"] == pytest.approx(0.1)
    assert measured["others"]["60"] == pytest.approx(1.1 / 3)
    assert measured["fullest"]["60"] == pytest.approx(0.7)
    assert measured["emptiest"]["60"] == pytest.approx(0.2)


def test_messages_and_refusals_are_counted_by_loans(measured):
    assert measured["loans"] == 6
    assert measured["messages_a_loan"] == pytest.approx(2 / 6)
    assert measured["refusals_a_loan"] == pytest.approx(1 / 6)


def test_shares_are_looked_at_from_300_s_to_the_last_placement(measured):
    # Every 5 s from 300 to 600: 20 looks at three nodes, then with the new one 2 looks before it
    # lends, 18 with 0.1 and 21 with 0.3.
    shares = 20 * 0.8 / 3 + 2 * 0.8 / 4 + 18 * 1.2 / 4 + 21 * 1.4 / 4
    assert measured["used_mean"] == pytest.approx(shares / 61)
    assert measured["most_over_least"] == pytest.approx(0.7 / 0.2)  # that of most looks
