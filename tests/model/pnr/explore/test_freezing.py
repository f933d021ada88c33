"""Contents as bytes: equal for equal contents, another for others, and thawed as they were."""

import math
import re
from collections import Counter, OrderedDict, defaultdict, deque
from dataclasses import dataclass
from fractions import Fraction

import pytest
from hypothesis import given
from hypothesis import strategies as st

from agents.pnr.manager import Allocation
from agents.pnr.messages import LoadReport, Loan, RamGrant, Request
from model.ground.errors import InputError
from model.ground.randomness import Stream
from model.pnr.explore.freezing import Freezer
from model.pnr.explore.instants import STEP_BITS, Instant, Watch

scalars = st.none() | st.booleans() | st.integers() | st.floats(allow_nan=False) | st.text()
keys = st.integers() | st.text() | st.tuples(st.integers(), st.text())
contents = st.recursive(
    scalars,
    lambda inner: (
        st.lists(inner)
        | st.lists(inner).map(tuple)
        | st.dictionaries(keys, inner)
        | st.sets(st.integers())
        | st.builds(Stream, st.integers())
    ),
    max_leaves=20,
)


@given(contents)
def test_what_is_thawed_is_what_was_frozen(content):
    freezer = Freezer(Watch())
    frozen = freezer.freeze(content)
    thawed = freezer.thaw(frozen)
    assert thawed == content
    assert freezer.freeze(thawed) == frozen


@given(contents, contents)
def test_bytes_are_equal_where_contents_are(one, other):
    freezer = Freezer(Watch())
    alike = repr(one) == repr(other)  # 1 == True, but a role may tell them apart
    if alike or one != other:
        assert (freezer.freeze(one) == freezer.freeze(other)) == alike


@given(st.dictionaries(keys, st.integers()), st.randoms())
def test_the_order_of_keys_is_no_content(content, random):
    items = list(content.items())
    random.shuffle(items)
    freezer = Freezer(Watch())
    assert freezer.freeze(dict(items)) == freezer.freeze(content)


@pytest.mark.parametrize(
    "content",
    [
        RamGrant(1, 0, (Loan(2, 5, LoadReport(3, 4)),), Request(0, "client", 0, 1), (None,)),
        Allocation(1, Stream(7), 2, {0: (1, 2, Request(0, "client", 0, 1))}),
        *(deque([1, 2]), defaultdict(list, {1: [2]}), Counter("aab"), Fraction(1, 3)),
        *(OrderedDict([(2, "b"), (1, "a")]), OrderedDict([(1, "a"), (2, "b")])),
        *(frozenset({3, 1}), range(1, 9, 2), LoadReport, bytes(3)),
    ],
)
def test_messages_and_other_objects_come_back(content):
    freezer = Freezer(Watch())
    thawed = freezer.thaw(freezer.freeze(content))
    assert thawed == content
    assert type(thawed) is type(content)


@dataclass
class Counted:
    """A dataclass with an attribute that is no field."""

    most: int

    def __post_init__(self):
        self.left = self.most


class Tagged(Counted):
    """A subclass that is no dataclass, with an attribute more."""


def test_what_a_dataclass_holds_beside_its_fields_comes_back_and_is_content():
    freezer = Freezer(Watch())
    full, used, tagged = Counted(3), Counted(3), Tagged(3)
    used.left, tagged.tag = 1, [5]
    assert freezer.thaw(freezer.freeze(used)).left == 1
    assert freezer.thaw(freezer.freeze(tagged)).tag == [5]
    assert freezer.freeze(used) != freezer.freeze(full)


@pytest.mark.parametrize("wrapped", [lambda key: key, lambda key: (1, key)])
def test_sets_as_keys_have_an_order_of_their_own(wrapped):
    """Of sets `<` says whether one is a part of the other, which puts no two of these in order."""
    keys = [wrapped(frozenset({number})) for number in range(5)]
    freezer = Freezer(Watch())
    one, other = dict.fromkeys(keys), dict.fromkeys(keys[::-1])
    assert freezer.freeze(one) == freezer.freeze(other)
    assert freezer.thaw(freezer.freeze(one)) == one


def test_what_is_shared_stays_shared_even_in_a_ring():
    shared, ring = [1], []
    ring += [shared, shared, [1], ring]
    freezer = Freezer(Watch())
    thawed = freezer.thaw(freezer.freeze(ring))
    thawed[0].append(2)
    assert thawed[:3] == [[1, 2], [1, 2], [1]]
    assert thawed[3] is thawed


@pytest.mark.parametrize("content", [(one for one in [1]), lambda: 1, open, {1, object()}])
def test_what_has_no_content_is_refused(content):
    with pytest.raises(InputError, match=re.escape("cannot be compared")):
        Freezer(Watch()).freeze([content])


def test_only_the_order_of_a_nodes_times_is_in_the_bytes():
    watch = Watch()
    freezer = Freezer(watch)

    def words(first_ns, second_ns, third_ns):
        times = [Instant(first_ns, watch, 0), Instant(second_ns, watch, 0)]
        return [LoadReport(1, time) for time in (*times, Instant(third_ns, watch, 1))]

    shape, stamps = freezer.freeze(words(5, 9, 7))
    assert freezer.freeze(words(6, 8, 1))[0] == shape
    assert freezer.freeze(words(6, 5, 1))[0] != shape
    assert freezer.thaw((shape, stamps)) == words(5, 9, 7)
    assert freezer.freeze(words(6, 6, 1))[0] != shape


def test_who_compares_times_of_one_node_is_not_noticed():
    watch = Watch()
    early, late = Instant(3, watch, 0), Instant(5, watch, 0)
    assert early < late
    assert late >= early
    assert late != early
    assert max(early, late) is late
    assert late > -1
    assert (watch.compared, watch.calculated) == (False, False)


@pytest.mark.parametrize(
    "does",
    [
        lambda early, late: late - early > 1,
        lambda early, late: early + 1,
        lambda early, late: late - 1,
        lambda early, late: late % 2,
        lambda early, late: late // 2,
        lambda early, late: late < 4,
        lambda early, late: 7 - early,
        lambda early, late: float(late),
        lambda early, late: bool(late),
        lambda early, late: int(late - early),
        lambda early, late: 1 & late,
        lambda early, late: f"{late - early:d}" and (late - early) * 2,
    ],
)
def test_who_calculates_with_times_is_noticed(does):
    watch = Watch()
    does(Instant(3, watch, 0), Instant(5, watch, 0))
    assert watch.calculated


def test_steps_take_no_time():
    """A moment is a time and a step: who calculates with moments sees times alone."""
    watch = Watch()
    second = 10**9
    first, later = (Instant(second << STEP_BITS | step, watch, 0) for step in (3, 9))
    assert first < later
    assert later - first == 0
    assert first + 5 > later
    assert (first + 5) - later == 5
    assert later > second - 1
    assert float(later) == second
    assert later // 10 == second // 10


def test_who_compares_times_of_different_nodes_is_noticed_and_who_keeps_a_time_between_is_not():
    watch = Watch()
    assert isinstance(Instant(5, watch, 0) - Instant(3, watch, 0), int)
    assert (watch.compared, watch.calculated) == (False, False)
    assert Instant(3, watch, 0) < Instant(5, watch, 1)
    assert (watch.compared, watch.calculated) == (True, False)


@pytest.mark.parametrize(
    "converts",
    [int, math.floor, math.ceil, math.trunc, round, Instant.__index__, "{:d}".format, repr],
)
def test_who_takes_a_time_for_a_number_or_text_gets_ns_and_has_calculated_with_it(converts):
    watch = Watch()
    assert int(converts(watch.of_stamp(7 << STEP_BITS | 3))) == 7  # no step, which nobody may know
    assert (watch.calculated, watch.absolute) == (True, True)


@pytest.mark.parametrize("makes", [lambda early, late: late - early + late, lambda _, late: +-late])
def test_who_makes_a_number_of_the_time_since_the_beginning_is_noticed(makes):
    watch = Watch()
    second = 10**9
    early, late = (watch.of_stamp(time << STEP_BITS) for time in (second, 3 * second))
    assert makes(early, late) in (5 * second, -3 * second)
    assert watch.absolute
