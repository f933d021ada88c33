"""Which messages changed a choice: by hand, and for managers rebuilt without one message each."""

from fractions import Fraction

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from agents.messages import Message
from agents.pnr.messages import LoadReport, Request
from agents.pnr.protocol import ByLoad, Content, Decided, message
from model.core.journal.hearing import Hearing
from model.core.journal.kinds import MESSAGE, identity
from model.core.journal.kinds import Decided as DecidedKind
from model.ground.errors import InputError, ProtocolMistake
from model.ground.randomness import TIE, draws
from model.pnr.scenario import make_scenario
from model.systems import comparison_of
from tests.journaled import journaled

MB = 2**20
ME, IDLE = 0, 32


@message("telling", hears="manager", size_bytes=64)
class News(Content):
    words: tuple


SENDER = 9
FIRST, SECOND, THIRD = (identity(MESSAGE, SENDER, number) for number in (1, 2, 3))


def heard(*messages):
    """A role that was sent these by a node, each with (node, MB, stated)."""
    hearing = Hearing()
    for number, words in enumerate(messages, 1):
        news = News(tuple((node, LoadReport(load, at)) for node, load, at in words))
        hearing.hears(Message(SENDER, ME, number, news, 64, 0))
    return hearing


def most(believed):
    """Whoever is believed to have the most, and of those the last."""
    loads = {node: IDLE if word is None else word.load for node, word in believed.items()}
    return max(loads, key=lambda node: (loads[node], node))


def decided(again=most, groups=(), **believed):
    words = {int(node[1:]): word and LoadReport(*word) for node, word in believed.items()}
    of_each = tuple(words.items())
    group = {node: (node,) for node in groups}
    return Decided(Request(0, "manager", 0, 1), 1, again(words), of_each, group, again)


def test_a_word_that_decides_is_the_newest_and_what_it_replaced_decides_nothing():
    # Without the second word node 2 would have 30 MB, by the first.
    hearing = heard([(2, 30, 1)], [(2, 20, 2)], [(1, 25, 3)])
    assert hearing.changed(ME, decided(n1=(25, 3), n2=(20, 2))) == [SECOND]


def test_a_word_of_a_group_is_another_than_that_of_its_leader():
    hearing = heard([(2, 20, 1)], [(1, 25, 1)])
    assert hearing.changed(ME, decided(n1=(25, 1), n2=(20, 1), groups=(1, 2))) == []


def test_words_that_are_no_pairs_are_a_mistake_of_their_kind():
    hearing = Hearing()
    hearing.hears(Message(SENDER, ME, 1, News((1, 2)), 64, 0))
    with pytest.raises(InputError, match=r"News.words: give pairs of a node .* and a LoadReport"):
        hearing.changed(ME, decided(n1=(25, 1)))


BELIEVED = st.none() | st.builds(LoadReport, st.integers(29, 34), st.integers(0, 1))


@given(
    st.dictionaries(st.integers(0, 4), BELIEVED, min_size=1),
    st.dictionaries(st.integers(1, 6), st.dictionaries(st.integers(0, 4), BELIEVED, min_size=1)),
    st.integers(28, 33),
)
def test_a_choice_by_load_is_asked_only_where_it_may_differ(believed, without, least):
    """The same messages change it as if it were any function, asked of each message."""
    without = {
        message: kept
        for message, words in without.items()
        if (kept := {node: word for node, word in words.items() if node in believed})
    }
    by_load = ByLoad(lambda node: IDLE, lambda most, tied: tied[-1] if most > least else None)
    choice = decided(by_load)._replace(believed=tuple(believed.items()), chosen=by_load(believed))
    asked_of_each = choice._replace(again=lambda beliefs: by_load(beliefs))
    assert choice.changed_by(without) == asked_of_each.changed_by(without)


# Whole runs


class Rebuilt:
    """Follows a run, and rebuilds managers from what was delivered to them, but for one message."""

    def __init__(self, cluster):
        self.cluster, self.letters, self.ties, self.found = cluster, {}, {}, []
        journal = cluster.journal
        deliver, decide, fail = journal.delivered, journal.decided, journal.failed

        def delivered(message):
            role = message.target, message.content.hears
            self.letters.setdefault(role, []).append(message)
            deliver(message)

        def decided(node, role, choice, true):
            if role == "manager":
                self.found.append(self.changed(node, choice))
            decide(node, role, choice, true)

        def failed(kind, node, what):
            if kind == "crashed":
                self.letters.pop((node, "manager"), None)
            fail(kind, node, what)

        journal.delivered, journal.decided, journal.failed = delivered, decided, failed

    def changed(self, node, choice):
        """The ids of the messages without which another node would be chosen."""
        letters = self.letters.get((node, "manager"), [])
        draw = self._next_draw(node, choice)
        chosen, tied = self._choice(node, choice, letters, draw)
        assert chosen == choice.chosen
        self.ties[choice.search] += tied
        return {
            identity(MESSAGE, one.source, one.number)
            for one in letters
            if self._choice(node, choice, [it for it in letters if it is not one], draw)[0]
            != chosen
        }

    def _next_draw(self, node, choice):
        """The draw that a tie takes now: as many were taken as there were ties in this search."""
        drawn = self.ties.setdefault(choice.search, 0)
        stream = draws(self.cluster.parameters.seed, TIE, self.cluster.journal.job, node)
        for _ in range(drawn):
            next(stream)
        return next(stream)

    def _choice(self, node, choice, letters, draw):
        """Who has the most of the candidates by these letters alone, and whether it was drawn."""
        newest = {}
        for letter in letters:
            content = letter.content
            words = list(content.words)
            words += [(None, content.word)] if hasattr(content, "word") else []
            for about, (load, stated_ns) in words:
                of = letter.source if about is None else about
                if of not in newest or newest[of][1] <= stated_ns:
                    newest[of] = load, stated_ns
        memory, limit = self.cluster.nodes[node].memory, self.cluster.constants.skip_below
        newest[node] = memory.load, 0
        rams = {it: memory.ram for it, _ in choice.believed}
        if by_share := "share" in self.cluster.design.name:
            rams = {it: self.cluster.nodes[it].memory.ram for it in rams}
        loads = {it: newest.get(it, (ram, 0))[0] for it, ram in rams.items()}
        if limit is not None:
            loads = {it: load for it, load in loads.items() if load > limit}
        worth = {it: Fraction(load, rams[it]) if by_share else load for it, load in loads.items()}
        tied = sorted(it for it in worth if worth[it] == max(worth.values()))
        if not tied:
            return None, False
        return tied[int(draw * len(tied))] if len(tied) > 1 else tied[0], len(tied) > 1


JOB = st.fixed_dictionaries(
    {
        "processes": st.integers(1, 2),
        "memory_mb": st.sampled_from([4, 12, 20, 40, 60]),
        "demand_s": st.sampled_from([0.5, 3]),
        "submit_s": st.sampled_from([0, 0.3, 1, 2]),
    }
)
#: Those in which managers choose among all nodes.
BY_SHARE = ["MAN(load=share)", "BB2(load=share)", "RELIABLE(CEN(load=share))"]
DESIGN = st.sampled_from(
    ["CLI", "CEN", "MAN", "BB2", "GOSSIP", "TREE2", "LEASE", "RELIABLE(MAN)", *BY_SHARE]
)
RAMS_MB = st.lists(st.sampled_from([16, 32, 100]), min_size=3, max_size=5)


@settings(max_examples=40, deadline=None)
@given(DESIGN, RAMS_MB, st.lists(JOB, min_size=3, max_size=8), st.booleans(), st.booleans())
def test_a_manager_rebuilt_without_one_message_chooses_as_the_journal_says(
    design, rams_mb, jobs, skip_full, crashes
):
    groups, nodes = [{"ram_mb": ram} for ram in rams_mb], len(rams_mb)
    faults = [{"kind": "servent", "nodes": [1], "from_s": 1, "restart_s": 0.5}] if crashes else None
    jobs = [{**job, "processes": min(job["processes"], nodes)} for job in jobs]
    small = {"page_bytes": 2**20, "grant_timeout_s": 5, "drain_s": 5, "threshold_mb": 2}
    scenario = make_scenario(node=groups, job=jobs, skip_full=skip_full, fault=faults, **small)
    comparison, records = comparison_of(scenario.comparing(design)), []
    (name,) = comparison.contestants
    cluster = comparison.emulation(name, (records.append,), "protocol", "actors")
    rebuilt = Rebuilt(cluster)
    while cluster.clock.run(1):
        pass
    choices = [r for r in records if r.kind == "decided" and r.hears == "manager"]
    found = [{*DecidedKind.contents(r.payload).changed_by} for r in choices]
    assert found == rebuilt.found


#: Node 0 is full at 1 s, asks the next one that it believes to have the most, and asks once more.
OWN = """
from agents.pnr.protocol import Decided, Manager, Protocol
from topologies.managers.man import man

class Careful(Manager):
    def _why(self, allocation, server, ties, now_ns):
        [why] = super()._why(allocation, server, ties, now_ns)
        return [why._replace(again=AGAIN)]

def own(nodes):
    graph = man(nodes)
    graph.graph |= {"name": "OWN", "protocol": Protocol(manager=Careful)}
    return graph
"""
SCARCE = [
    {"processes": 1, "memory_mb": 30, "demand_s": 2, "submit_s": 0},
    {"processes": 1, "memory_mb": 50, "demand_s": 2, "submit_s": 0.5},
    {"processes": 2, "memory_mb": 40, "demand_s": 2, "submit_s": 1},
    {"processes": 1, "memory_mb": 60, "demand_s": 2, "submit_s": 1.5},
    {"processes": 1, "memory_mb": 60, "demand_s": 2, "submit_s": 5},
]


def changed_in(design, plane="actors"):
    """What changed each choice of a run."""
    scenario = make_scenario(nodes=5, job=SCARCE, page_bytes=2**20)
    _, records = journaled(scenario, design, journal_level="protocol", plane=plane)
    choices = [r for r in records if r.kind == "decided"]
    return [DecidedKind.contents(r.payload).changed_by for r in choices]


def own(tmp_path, again):
    file = tmp_path / "own.py"
    file.write_text(OWN.replace("AGAIN", again))
    return f"{file}:own"


@pytest.mark.parametrize("design", ["MAN", "CEN", "RACK2", "PROBE2", "GOSSIP"])
def test_both_planes_find_the_same_and_something(design):
    found = changed_in(design)
    assert any(found)
    assert changed_in(design, "compiled") == found


def test_a_role_of_ones_own_is_asked_if_it_gives_a_function(tmp_path):
    assert changed_in(own(tmp_path, "why.again")) == changed_in("MAN")
    assert not any(changed_in(own(tmp_path, "None")))


def test_a_function_that_chooses_otherwise_by_the_same_beliefs_is_a_mistake(tmp_path):
    with pytest.raises(ProtocolMistake, match="and for 9 by the same beliefs; let `again` be"):
        changed_in(own(tmp_path, "lambda believed: 9"))
