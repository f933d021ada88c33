"""What messages were good for and what was believed, against examples worked out by hand."""

import json

import pytest

from model.core.journal.kinds import MESSAGE, Record, identity
from model.ground.units import BYTES_PER_MB
from model.pnr.scenario import make_scenario
from model.pnr.waste import (
    DECISIVE,
    MEASURE_OF_USE,
    OUTDATED,
    REFUSED,
    UNUSED,
    USED,
    Waste,
)
from model.systems import comparison_of, run
from tests.model.pnr.test_decisions import JOBS

MB, S = BYTES_PER_MB, 10**9


class Tale:
    """Tells a journal of a cluster of 4 nodes with 32 MB, of which servers keep 2 MB."""

    def __init__(self):
        self.waste = Waste((32 * MB,) * 4, 2 * MB)
        self.ids = 0

    def record(self, time_s, kind, says=None, **fields):
        payload = None if says is None else json.dumps(says)
        self.waste.read(Record(round(time_s * S), kind, payload=payload, **fields))

    def message(self, sent_s, node, peer, says=None, arrives_s=None, amount=None, hears="manager"):
        """A message, delivered 0.1 s after it was sent by default; returns its id."""
        self.ids += 1
        number = identity(MESSAGE, node, self.ids)
        common = {"what": "News", "phase": "telling", "hears": hears, "id": number}
        about = None if amount is None else amount * MB
        self.record(sent_s, "sent", says, node=node, peer=peer, amount_bytes=about, **common)
        at_s = sent_s + 0.1 if arrives_s is None else arrives_s
        if at_s < float("inf"):
            self.record(at_s, "delivered", node=peer, peer=node, **common)
        return number

    def lends(self, time_s, asker, server, amount=1):
        """A server lends what it is asked for in a message."""
        asked = self.message(time_s, asker, server, amount=amount, hears="server")
        self.record(
            time_s + 0.1, "lent", node=server, cause=asked, amount_bytes=amount * MB, job=None
        )

    def decision(self, time_s, node, chosen, candidates, missing=8, search=1, **more):
        """Candidates: node -> (believed MB, stated s, true MB), as the journal tells of them."""
        told = {
            str(n): [b if b is None else b * MB, s if s is None else round(s * S), true * MB]
            for n, (b, s, true) in candidates.items()
        }
        says = {"search": [0, "client", 0, search], "missing": missing * MB, "candidates": told}
        self.record(time_s, "decided", says | more, node=node, peer=chosen, hears="manager")

    def uses(self, *ids):
        return [self.waste.use_of.get(one) for one in ids]


def words(*told):
    """(node, MB, stated s) as the payload of a message that is only words."""
    return {"words": [[node, [load * MB, round(stated * S)]] for node, load, stated in told]}


def test_only_words_are_used_if_a_decision_there_has_that_node_as_a_candidate():
    tale = Tale()
    for_one = tale.message(1, 1, 0, words((1, 5, 1), (2, 9, 0.5)))
    elsewhere = tale.message(1, 1, 3, words((1, 5, 1)))
    tale.decision(2, 0, 2, {2: (9, 0.5, 9), 3: (None, None, 32)})
    assert tale.uses(for_one, elsewhere) == [USED, OUTDATED]


def test_words_that_are_overwritten_or_old_before_a_decision_are_outdated():
    tale = Tale()
    first = tale.message(1, 1, 0, words((1, 5, 1)))
    second = tale.message(2, 1, 0, words((1, 6, 2)))
    late = tale.message(0.5, 1, 0, words((1, 4, 0.5)), arrives_s=3)  # stated before both
    same = tale.message(3, 2, 0, words((1, 6, 2)))  # what is known already
    tale.decision(4, 0, 1, {1: (6, 2, 6)})
    assert tale.uses(first, second, late, same) == [OUTDATED, USED, OUTDATED, OUTDATED]


def test_what_changed_a_choice_is_that_whatever_else_it_was():
    tale = Tale()
    looked_up, decides = (tale.message(1, node, 0, words((node, 5, 1))) for node in (1, 2))
    refused = tale.message(1, 3, 0, {"refused": True, "word": [0, S]}, amount=0)
    candidates = {1: (5, 1, 5), 2: (5, 1, 5), 3: (0, 1, 0)}
    tale.decision(2, 0, 1, candidates, changed_by=[decides, refused])
    assert tale.uses(looked_up, decides, refused) == [USED, DECISIVE, DECISIVE]
    measured = tale.waste.measures(3 * S)
    assert measured["messages_changed_the_choice"] == {"News": 2}
    assert measured["messages_used"] == {"News": 1}
    assert measured["messages_refused"] == {}


def test_words_that_come_beside_something_else_overwrite_and_are_no_use_of_theirs():
    tale = Tale()
    news = tale.message(1, 1, 0, words((1, 5, 1)))
    reply = tale.message(2, 1, 0, {"granted": 3 * MB, "word": [2 * MB, 2 * S]}, amount=3)
    tale.decision(3, 0, 1, {1: (2, 2, 2)})
    assert tale.uses(news, reply) == [OUTDATED, USED]


def test_what_a_crash_makes_a_node_forget_was_for_nothing():
    tale = Tale()
    news = tale.message(1, 1, 0, words((1, 5, 1)))
    tale.record(2, "crashed", node=0, what="servent")
    tale.decision(3, 0, 1, {1: (None, None, 5)})
    assert tale.uses(news) == [OUTDATED]


def test_refusals_come_first_then_what_is_unused():
    tale = Tale()
    refused = tale.message(1, 1, 0, {"refused": True, "word": [0, S]}, amount=0)
    nothing = tale.message(1, 1, 0, {"need": 0, "word": [32 * MB, S]}, amount=0)
    news_too = tale.message(1, 1, 0, words((2, 9, 0.5)), amount=0)
    own_news = tale.message(1, 1, 0, words((None, 9, 1)), amount=0)
    ack = tale.message(1, 1, 0, {"word": [32 * MB, S]})
    assert tale.uses(refused, nothing, news_too) == [REFUSED, UNUSED, USED]
    assert tale.uses(own_news, ack) == [UNUSED, USED]


def test_lost_messages_and_those_to_oneself_have_no_use():
    tale = Tale()
    own = tale.message(1, 0, 0, {"need": 0, "word": [0, S]}, amount=0)
    tale.message(1, 1, 0, amount=4)
    lost = tale.message(1, 2, 0, words((2, 5, 1)), arrives_s=float("inf"))
    tale.record(1.1, "lost", {"by": "loss"}, node=0, peer=2, id=lost)
    measured = tale.waste.measures(2 * S)
    assert tale.uses(lost, own) == [None, None]
    counts = [measured[MEASURE_OF_USE[use]] for use in (UNUSED, OUTDATED)]
    assert counts == [{}, {}]
    assert measured["messages_used"] == {"News": 1}


def test_a_group_of_nodes_is_another_subject_than_the_node_that_stands_for_it():
    tale = Tale()
    of_rack = tale.message(1, 2, 0, words(("group", 40, 1)))
    tale.message(2, 2, 0, {"word": [7 * MB, 2 * S]}, amount=1)  # of node 2 alone
    tale.decision(3, 0, 2, {2: (40, 1, 44)}, groups=True)
    assert tale.uses(of_rack) == [USED]
    assert tale.waste.measures(4 * S)["servers_chosen"] == 0


def test_age_and_error_are_those_of_the_words_about_the_chosen_servers():
    tale = Tale()
    tale.decision(10, 0, 1, {1: (20, 4, 12), 2: (14, 9, 16), 3: (None, None, 30)})
    tale.decision(11, 0, 2, {}, missing=5)  # nothing has changed: 14 MB since 9 s
    tale.decision(12, 0, 3, {}, missing=4)  # nothing was heard of it, so it was believed idle
    measured = tale.waste.measures(20 * S)
    # Ages 6 and 2 s; errors 20 - 12 and 14 - 16 MB. The 95th percentile of two values lies at 0.95
    # of the way: 2 + 0.95 · 4 and 2 + 0.95 · 6. In the bias the errors cancel.
    assert measured["word_age_s"] == {"mean": 4, "p95": pytest.approx(5.8)}
    assert measured["word_error_mb"] == {"mean": 5, "p95": pytest.approx(7.7)}
    assert measured["word_bias_mb"] == 3
    # Of node 3 there is no word that could be 12 s old; it had 30 of the 32 MB.
    assert (measured["servers_chosen"], measured["servers_chosen_unheard"]) == (3, 1)
    assert (measured["prior_error_mb"], measured["prior_bias_mb"]) == ({"mean": 2, "p95": 2}, 2)


def test_the_regret_of_a_search_is_what_its_candidates_had_and_it_did_not_find():
    tale = Tale()
    # 8 MB are wanted; beyond the 2 MB that servers keep the candidates have 1 + 3 + 0 MB = 4 MB.
    tale.decision(1, 0, 1, {1: (9, 0, 3), 2: (9, 0, 5), 3: (9, 0, 2)})
    tale.lends(1, 0, 1)
    tale.decision(2, 0, None, {}, missing=7)  # it found 1 MB: 3 MB too little
    tale.decision(3, 0, 1, {1: (9, 0, 32)}, missing=6, search=2)
    tale.lends(3, 0, 1, amount=6)  # all
    tale.decision(4, 0, None, {3: (0, 0, 10)}, missing=6, search=3)  # found nothing of min(6, 8)
    assert tale.waste.measures(5 * S)["regret_mb"]["mean"] == pytest.approx((3 + 0 + 6) / 3)


def test_a_search_that_is_never_answered_found_nothing():
    tale = Tale()
    tale.decision(1, 0, 1, {1: (9, 0, 12)})  # 8 MB are wanted, and were there
    tale.message(1, 0, 1, amount=8, hears="server", arrives_s=float("inf"))
    assert tale.waste.measures(5 * S)["regret_mb"]["mean"] == 8


def test_a_request_that_is_sent_again_is_of_the_same_search():
    tale = Tale()
    tale.decision(1, 0, 1, {1: (9, 0, 12)}, missing=8)
    tale.message(1, 0, 1, amount=8, hears="server", arrives_s=float("inf"))
    tale.lends(2, 0, 1, amount=5)
    assert tale.waste.measures(5 * S)["regret_mb"]["mean"] == 8 - 5


def test_a_node_that_has_crashed_has_no_idle_memory():
    tale = Tale()
    tale.record(0, "placed", {"nodes": [0]}, job=1, amount_bytes=40 * MB)  # 8 MB are unmet
    tale.record(0, "placed", {"nodes": [1, 2]}, job=2, amount_bytes=32 * MB)  # node 3: 30 MB idle
    tale.record(3, "crashed", node=3, what="node")
    tale.record(5, "restarted", node=3, what="node")
    tale.record(6, "crashed", node=3, what="servent")
    # from then on there are no records: a run that hangs is looked at for a while
    assert tale.waste.measures(99 * S)["unmet_while_idle_mb_s"] == (3 + 1) * 8


def test_need_unmet_while_idle_is_an_integral_of_the_lesser_of_both():
    tale = Tale()
    # From 1 s on node 0 has 40 of 32 MB: 8 are unmet; 3 · 30 MB are idle.
    tale.record(1, "placed", {"nodes": [0]}, job=1, amount_bytes=40 * MB)
    # From 3 s on the others have 29 MB: 3 - 2 MB are left of each.
    tale.record(3, "placed", {"nodes": [1, 2, 3]}, job=2, amount_bytes=29 * MB)
    tale.record(5, "lent", node=1, amount_bytes=1 * MB, job=1)  # now 2 · 1 MB are idle
    tale.record(6, "borrowed", node=0, peer=1, amount_bytes=1 * MB, job=1)  # 7 are unmet
    tale.record(7, "finished", node=2, job=2, rank=1)  # 30 + 1 MB are idle, 7 unmet
    tale.record(9, "killed", job=1)
    # 2 s · 8 + 2 s · 3 + 1 s · 2 + 1 s · 2 + 2 s · 7 MB, then nothing is unmet.
    assert tale.waste.measures(100 * S)["unmet_while_idle_mb_s"] == 16 + 6 + 2 + 2 + 14


@pytest.mark.parametrize("plane", ["actors", "compiled"])
@pytest.mark.parametrize("design", ["CLI", "MAN"])
def test_a_run_on_both_planes(plane, design):
    scenario = make_scenario(designs=[design], job=JOBS, nodes=4, page_bytes=2**20, threshold_mb=0)
    [result] = comparison_of(scenario).results(plane=plane, observed=True, journal_level="protocol")
    summary = result.summary
    for kind, sent in summary["messages"].items():
        uses = [summary[name].get(kind, 0) for name in MEASURE_OF_USE.values()]
        assert sum(uses) == (0 if kind.startswith(("Page", "Barrier")) else sent), kind
    assert summary["messages_refused"] == {}  # nobody is asked who has nothing
    # The manager that is asked at 1 s has heard of nobody and believes three nodes idle that have
    # 20, 28 and 12 MB: any two of them suffice.
    errors_mb = (12 + 4) / 2, (4 + 20) / 2, (12 + 20) / 2
    assert (summary["servers_chosen"], summary["servers_chosen_unheard"]) == (2, 2)
    assert summary["word_age_s"] is None
    assert summary["prior_error_mb"]["mean"] in errors_mb
    assert summary["regret_mb"] == {"mean": 0, "p95": 0}
    assert 0 < summary["unmet_while_idle_mb_s"] < 30 * 0.01  # until the grant has come


def test_what_processes_come_to_hold_counts_for_what_is_unmet_and_idle():
    # node 0 holds 30 MB for 1 s, then 40 MB for 2 s, of which 8 MB are on its disk, then 4 MB;
    # node 1 has 2 MB to lend until it shrinks at 2 s: 2 MB s and 8 MB s
    tale = Tale()
    tale.record(0, "placed", {"nodes": [0]}, job=1, amount_bytes=30 * MB)
    tale.record(0, "placed", {"nodes": [1]}, job=2, amount_bytes=28 * MB)
    for node in (2, 3):
        tale.record(0, "placed", {"nodes": [node]}, job=3 + node, amount_bytes=32 * MB)
    for time_s, job, node, size in ((1, 1, 0, 40), (2, 2, 1, 10), (3, 1, 0, 4)):
        tale.record(time_s, "resized", job=job, rank=0, node=node, amount_bytes=size * MB)
    tale.record(4, "finished", job=1, rank=0, node=0)
    assert tale.waste.measures(5 * S)["unmet_while_idle_mb_s"] == 2 + 8


def test_it_reads_a_whole_journal_like_that_of_the_protocol_alone():
    scenario = make_scenario(job=JOBS, nodes=4, page_bytes=2**20, threshold_mb=0)
    measured = []
    for level in ("all", "protocol"):
        waste = comparison_of(scenario).observer()
        emulation = run(scenario, "MAN", readers=(waste.read,), journal_level=level)
        measured.append(waste.measures(emulation.clock.now_ns))
    assert measured[0] == measured[1]
