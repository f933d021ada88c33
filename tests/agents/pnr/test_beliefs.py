"""A table of beliefs as a dict and as arrays: they are the same, whatever is heard."""

from hypothesis import given
from hypothesis import strategies as st

from agents.pnr.beliefs import BeliefArrays, Beliefs, Shares, leaving_out
from agents.pnr.messages import LoadReport

NODES, IDLE = 6, 32

nodes = st.integers(0, NODES - 1)
words = st.builds(LoadReport, st.integers(-40, 32), st.integers(0, 5))
told = st.lists(st.tuples(nodes, words), max_size=8)
steps = st.lists(
    st.one_of(
        st.tuples(st.just("learn"), nodes, words),
        st.tuples(st.just("merge"), told),
        st.tuples(st.just("merge from another"), told, nodes, words),
        st.tuples(st.just("merge from another but"), told, nodes, words),
        st.tuples(st.just("forget"), nodes),
    )
)


def apply(table, kind, step):
    match step:
        case "learn", node, word:
            table.learn(node, word)
        case "merge", heard:
            table.merge(heard)
        case "merge from another", heard, own, word:
            other = kind(NODES, IDLE)
            other.merge(heard)
            table.merge(other.with_report(own, word))
        case "merge from another but", heard, own, word:
            other = kind(NODES, IDLE)
            other.merge(heard)
            table.merge(other.with_report(own, word), exclude=(own + 1) % NODES)
        case "forget", node:
            table.pop(node, None)


by = st.none() | st.builds(
    Shares,
    st.lists(st.integers(1, 40), min_size=NODES, max_size=NODES),
    st.sampled_from([None, 3, 20]),
)


@given(steps, st.lists(nodes), nodes, words, by)
def test_both_know_the_same_and_choose_alike(taken, but, own, word, shares):
    tables = Beliefs(NODES, IDLE), BeliefArrays(NODES, IDLE)
    for step in taken:
        for table in tables:
            apply(table, type(table), step)
    plain, arrays = tables
    assert dict(plain) == arrays
    assert [plain.load(node) for node in range(NODES)] == list(map(arrays.load, range(NODES)))
    assert plain.with_report(own, word) == tuple(arrays.with_report(own, word))
    in_order = sorted(plain, key=lambda node: (-plain[node].stated_ns, node))
    assert plain.newest_first(iter(plain)) == arrays.newest_first(iter(plain)) == in_order
    but = leaving_out(NODES, but)
    for lenders in (range(NODES), range(2, 4), range(0, NODES, 3)):
        own_load = own, word.load
        (most, tied), (same, alike) = (
            table.best(lenders, but, own_load, shares) for table in tables
        )
        assert (most, list(tied)) == (same, list(alike))


def test_who_asks_late_knows_all_that_was_told_before_but_about_itself():
    for kind in (Beliefs, BeliefArrays):
        table, told = kind(NODES, IDLE), 200
        for instant in range(told):
            other = kind(NODES, IDLE)
            other.learn(instant % NODES, LoadReport(instant, instant))
            table.merge(other.with_report(5, LoadReport(1, instant)), exclude=5)
        newest = {node: max(range(node, told, NODES)) for node in range(5)}
        assert dict(table) == {
            node: LoadReport(instant, instant) for node, instant in newest.items()
        }


def test_the_newest_word_counts_and_of_equally_old_ones_the_last():
    for kind in (Beliefs, BeliefArrays):
        table = kind(NODES, IDLE)
        for load, stated_ns in ((5, 3), (6, 2), (7, 3)):
            table.learn(1, LoadReport(load, stated_ns))
        assert (dict(table), table.load(1), table.load(2)) == ({1: LoadReport(7, 3)}, 7, IDLE)


def test_the_best_is_among_the_others_and_the_own_node_counts_as_it_is():
    for kind in (Beliefs, BeliefArrays):
        table = kind(4, IDLE)
        table.learn(1, LoadReport(20, 0))
        table.learn(2, LoadReport(20, 0))
        for but, own_load, most, tied in (
            ([0], 10, 20, [1, 2]),
            ([], 32, 32, [0, 3]),  # nobody knows of node 0
            ([0, 1, 2, 3], 32, None, []),
        ):
            found = table.best(range(4), leaving_out(4, but), own=(3, own_load))
            assert (found[0], list(found[1])) == (most, tied)


def test_shares_are_of_the_ram_of_each_node_and_who_is_full_comes_last():
    # Of 40, 10, 100 and 20: node 0 has 10 (25 %), node 1 has 6 (60 %), node 2 has 50 (50 %).
    for kind in (Beliefs, BeliefArrays):
        table = kind(4, IDLE)
        for node, load in ((1, 6), (2, 50), (3, 1)):
            table.learn(node, LoadReport(load, 0))
        rams = [40, 10, 100, 20]
        for full, but, most, best in (
            (None, [], 0.6, 1),
            (6, [], 0.5, 2),  # 6 bytes are none
            (None, [1, 2], 0.25, 0),
        ):
            found = table.best(range(4), leaving_out(4, but), (0, 10), Shares(rams, full))
            assert (found[0], list(found[1])) == (most, [best])
        table.pop(3)  # of which nothing is heard: it is idle, all 20 of it
        assert table.best(range(4), leaving_out(4, []), (0, 10), Shares(rams))[0] == 1
