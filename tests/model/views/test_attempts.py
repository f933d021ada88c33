"""Since which record a job waits in vain: records written by hand."""

import json

import pytest

from model.core.journal.kinds import Record
from model.views.outcomes import Outcomes

#: A coordinated job of ranks 0 and 1 on nodes 0 and 1, whose manager is node 5.
PLACED = {
    "kind": "placed",
    "job": 7,
    "id": 1,
    "slot": 0,
    "payload": json.dumps({"nodes": [0, 1]}),
}
START = {"phase": "start", "job": 7}


def sent(what, source, target, rank=None, cause=1, again=0, **more):
    """A message's sending; its id is told by its way."""
    way = {"what": what, "node": source, "peer": target, "rank": rank, "cause": cause}
    return {"kind": "sent", "id": 100 * source + target + 10_000 * again} | START | way | more


def came(of):
    """Its arrival."""
    return of | {"kind": "delivered", "node": of["peer"], "peer": of["node"]}


def lost(of):
    return came(of) | {"kind": "lost"}


def of_servent(kind, node, what="servent"):
    return {"kind": kind, "what": what, "node": node, "id": 9_000_000 + node}


ASKS = [sent("Request", 0, 5, 0), sent("Request", 1, 5, 1)]
HEARD = [PLACED, *ASKS, *map(came, ASKS)]
SEARCH = sent("Search", 5, 3, cause=ASKS[1]["id"])
REPEATED = sent("Search", 5, 3, cause=ASKS[1]["id"], again=1)
AGAIN = sent("Search", 5, 3, cause=ASKS[1]["id"], again=2, payload="{}")
GRANTS = [sent("Grant", 5, rank, rank, SEARCH["id"]) for rank in (0, 1)]
KILLED = {"kind": "killed", "job": 7, "cause": 9_000_001}
STARTED = {"kind": "started", "job": 7, "id": 2, "node": 0, "rank": 0}


def attempts_of(records, apart_ns=1):
    """The attempts of job 7, by its records at equal distances."""
    outcomes = Outcomes()
    for place, record in enumerate(records):
        outcomes.read(Record(**{"time_ns": place * apart_ns} | record))
    return outcomes[7].attempts


@pytest.mark.parametrize(
    ("records", "doomed_at"),
    [
        # the search that the second request has set off is lost: both wait for it
        ([*HEARD, SEARCH, lost(SEARCH)], 6),
        # a request is lost: the manager waits for it, and the other client for the manager
        ([PLACED, *ASKS, came(ASKS[1]), lost(ASKS[0])], 4),
        # rank 0 has started, and rank 1's grant is lost
        ([*HEARD, *GRANTS, came(GRANTS[0]), STARTED, lost(GRANTS[1])], 9),
        # it is repeated, and on its way: nobody knows yet whether that is in vain
        ([*HEARD, SEARCH, lost(SEARCH), REPEATED], 6),
        # who asks again, for something else, waits since the first loss
        ([*HEARD, SEARCH, lost(SEARCH), AGAIN, lost(AGAIN)], 6),
        # or it has arrived: what is missing is not told
        ([*HEARD, SEARCH, lost(SEARCH), REPEATED, came(REPEATED)], None),
        # the manager has forgotten what it was asked
        ([*HEARD, of_servent("crashed", 5)], 5),
        # not if it has answered before, and the grant is still on its way
        ([*HEARD, *GRANTS, *map(came, GRANTS), of_servent("crashed", 5)], None),
        # one that was asked handles nothing, until it goes on
        ([*HEARD, SEARCH, of_servent("paused", 3)], 6),
        ([*HEARD, SEARCH, of_servent("paused", 3), of_servent("continued", 3)], None),
        ([of_servent("paused", 3), *HEARD, SEARCH], 0),
        # a client that is down asks for nothing, so that the manager waits for it
        ([of_servent("crashed", 1), PLACED, ASKS[0], came(ASKS[0])], 0),
        # nobody waits for news
        ([*HEARD, lost(sent("News", 5, 3) | {"phase": "telling"})], None),
        # the crash that kills it is not why it has waited
        ([*HEARD, SEARCH, of_servent("crashed", 1, "node"), KILLED | {"time_ns": 6}], None),
        # nor is what is lost after the job was killed
        ([*HEARD, SEARCH, {"kind": "killed", "job": 7}, lost(SEARCH)], None),
    ],
)
def test_the_record_since_which_a_process_waits_in_vain(records, doomed_at):
    (attempt,) = attempts_of(records)
    doomed = attempt.doomed_by
    assert (None if doomed is None else doomed.time_ns) == doomed_at


def test_what_comes_when_it_is_over_is_no_loan_of_it():
    """Its grant arrives after the crash of node 1 has killed it; it had asked for 8 bytes."""
    loan = {"job": 7, "node": 0, "amount_bytes": 8}
    records = [
        *[PLACED, {"kind": "asked", "id": 3} | loan, *ASKS, *map(came, ASKS), GRANTS[0]],
        *[of_servent("crashed", 1, "node"), KILLED],
        PLACED | {"id": 4, "payload": json.dumps({"nodes": [0, 2]})},
        came(GRANTS[0]),
        {"kind": "borrowed", "id": 5, "peer": 3, "cause": GRANTS[0]["id"]} | loan,
    ]
    first, second = attempts_of(records)
    assert (first.lenders, second.lenders, len(first.late_loans)) == ({}, {}, 1)
    assert (first.unmet, first.crash.node) == ({0: 8}, 1)
    told = dict(first.told(last_ns=99, has_ended=True))
    assert told["borrowed"] == "nothing, 8 bytes more when it was over"
    assert told["killed"] == "at 0.000000 s, when node 1 crashed"


def told_of(*records):
    """What is told of the only attempt, by headings."""
    (attempt,) = attempts_of(records, apart_ns=10**9)
    return dict(attempt.told(last_ns=99 * 10**9, has_ended=True))


def test_each_process_that_waits_in_vain_is_told_with_its_own_loss():
    """Both grants are lost, one after the other."""
    told = told_of(*HEARD, *GRANTS, *map(lost, GRANTS))
    assert told["hangs"] == (
        "since 7.000000 s, when Grant from node 5 to node 0 was lost: rank 0 on node 0, and "
        "since 8.000000 s, when Grant from node 5 to node 1 was lost: rank 1 on node 1"
    )


def test_a_process_that_starts_without_an_answer_is_told_with_what_it_asked_in_vain():
    asks = {"kind": "asked", "job": 7, "node": 0, "amount_bytes": 8, "id": 3}
    told = told_of(PLACED, asks, ASKS[0], lost(ASKS[0]), STARTED)
    assert told["started unserved"] == (
        "since 3.000000 s, when Request from node 0 to node 5 was lost: rank 0 on node 0"
    )
    assert "started unserved" not in told_of(PLACED, asks, ASKS[0], came(ASKS[0]))
