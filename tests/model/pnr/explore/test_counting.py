"""States recur though roles count: ids of requests, heartbeats, terms."""

from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

import model
from model.pnr.explore.alike import Alike, as_alike_as_possible
from model.pnr.explore.narrator import retrace
from model.pnr.explore.numbers import Number, Numbers, codes_in, plain, smallest, with_codes
from model.pnr.explore.search import Search, kind_of, search, without_garbage_collection
from model.pnr.explore.setting import Setting
from model.pnr.explore.world import World

HERE = Path(__file__).parent
COUNTING, ELECTIONS = HERE / "counting.py", HERE / "elections.py"


def test_who_is_refused_and_asks_again_with_a_new_id_goes_round_in_a_circle(command):
    """The manager asks both other servers, which have nothing, and then the last one for ever."""
    setting = Setting(f"{COUNTING}:asks_again", jobs=2)
    found = search(setting)
    assert found.whole
    assert "somebody waits for ever" in found.finding.complaint
    records = []
    again = retrace(setting, found.finding.path, records.append, found.finding.repeat)
    assert again == found.finding
    asked = [record.payload for record in records if record.what == "ServerRequest"]
    assert len({*asked}) > 1  # whoever reads the path sees each id as it is
    status, out, _ = command(f"explore {COUNTING}:asks_again")
    assert status == 1
    assert "repeat for ever" in out
    assert "\ue000" not in out


@pytest.mark.parametrize(
    ("design", "exact"), [("beats", False), ("remainders", True), ("looks_back", True)]
)
def test_numbered_heartbeats_come_round_unless_a_role_sees_how_many_there_were(design, exact):
    found = model.explore(f"{COUNTING}:{design}", nodes=2, jobs=1, late_timers=True, states=900)
    assert found.holds is (None if exact else True)
    assert ("beats" in [growth.field for growth in found.growing]) is exact


def test_a_timer_that_is_not_set_again_repeats_a_message_that_is_on_its_way():
    search_of = search(Setting(f"{COUNTING}:says_twice", nodes=2, jobs=1)).search
    on_their_way = (len(state.messages(0, 1)) for state in search_of.states)
    assert max(on_their_way) == 2


def test_numbers_that_two_nodes_compare_are_one_series():
    """What node 2 has, which takes no part, does not keep them from coming round."""
    few = {"nodes": 3, "jobs": 1, "losses": 1, "late_timers": True}
    found = search(Setting(f"{COUNTING}:stops_and_waits", **few))
    assert (found.whole, found.finding) == (True, None)
    assert [len(group) for group in found.search.world.alike.joined] == [2]
    found = search(Setting(f"{COUNTING}:skips_one", **few))
    assert "a number is missing" in found.finding.complaint


def test_a_number_that_a_role_reads_from_a_text_is_plain():
    """With a mark in its place, the role would raise an error."""
    found = model.explore(f"{COUNTING}:reads", nodes=2, jobs=1, late_timers=True, states=900)
    assert (found.holds, found.found.finding) == (None, None)


def test_an_election_is_searched_whole_and_two_leaders_of_a_term_are_found():
    few = {"jobs": 1, "losses": 1, "late_timers": True, "early": 1}
    assert search(Setting(f"{ELECTIONS}:elects", **few)).whole
    found = search(Setting(f"{ELECTIONS}:votes_twice", **few | {"early": 2}))
    assert found.finding.complaint == "two lead in a term"


VIEWED = """
from tests.model.pnr.explore.counting import Remainders
from tests.model.pnr.explore.mistakes import mistake
from topologies.managers.dp import dp


class Viewed(Remainders):
    def view(self):
        hidden = ("beats", "heard")
        return {name: it for name, it in self.state().items() if name not in hidden}


viewed = mistake(dp)(Viewed)
"""
PRUNED = """
from topologies.managers.cli import cli as pruned


def prune_after_two_requests(before, step, after):
    return len(after.messages) == 2
"""


def test_what_a_role_does_not_show_makes_no_states(tmp_path):
    """What it has counted is then that of the first of these states."""
    few = {"nodes": 1, "jobs": 1, "late_timers": True, "states": 900}
    assert model.explore(f"{COUNTING}:remainders", **few).holds is None
    (tmp_path / "mine.py").write_text(VIEWED)
    assert model.explore(f"{tmp_path}/mine.py:viewed", **few).holds is True


def test_a_search_does_not_go_on_from_what_is_pruned_nor_take_it_for_a_failure(tmp_path):
    (tmp_path / "mine.py").write_text(PRUNED)
    every, some = search(Setting("CLI")), search(Setting(f"{tmp_path}/mine.py:pruned"))
    assert some.sometimes["prune after two requests"] is True
    assert (some.whole, some.finding) == (True, None)
    assert some.states < every.states / 10
    depths = some.search.depths()
    assert all(not some.search.ends_of(number) for number in some.search.pruned)
    assert all(depths[number] for number in some.search.pruned)


def test_where_another_step_leads_is_gone_on_from_though_one_that_leads_there_is_pruned(tmp_path):
    """The process on node 0 may end first or last; the search finds first what is pruned."""
    last = "step[:2] == (1, 1) and not before.nodes[0].residents"
    mine = PRUNED.replace("len(after.messages) == 2", last).replace("cli", "dp")
    (tmp_path / "mine.py").write_text(mine)
    one = search(Setting(f"{tmp_path}/mine.py:pruned", nodes=2, jobs=1)).search
    done = {at for at, state in enumerate(one.states) if one.world.is_done(state)}
    assert (len(done), len(done - one.pruned)) == (2, 1)


# Numbers themselves


@given(st.lists(st.integers(0, 99), min_size=1, unique=True), st.booleans())
def test_numbers_become_as_small_as_their_order_or_differences_allow(values, are_ids):
    of = Numbers(Alike())
    series = 0 if are_ids else 3 << 50
    codes = [Number(value, series, of).stamp for value in values]
    new = {code: code for code in codes} | dict(smallest(frozenset(codes)))
    after = [int.__int__(of.of_code(new[code])) for code in codes]
    if are_ids:
        expected = [sum(0 < other <= value for other in values) for value in values]
    else:
        expected = [value - max(0, min(values) - 1) for value in values]
    assert after == expected


def test_a_text_keeps_its_numbers_apart_from_its_words():
    text = f"no answer to {Number(7, 0, Numbers(Alike()))} from 12"
    (code,) = codes_in(text)
    assert plain(text) == "no answer to 7 from 12"
    assert plain(with_codes(text, lambda it: it + 3)) == "no answer to 10 from 12"
    assert codes_in(with_codes(text, lambda it: it + 3)) == [code + 3]


@pytest.mark.parametrize(
    "setting",
    [
        Setting("CLI", nodes=2, losses=1),
        Setting("CEN", crashes=1, for_ever=True),
        Setting("RACK2", duplicates=1, order="any", jobs=1),
        Setting("RELIABLE(MAN)", nodes=2, jobs=1, losses=1, late_timers=True),
        Setting("SURVIVOR", jobs=1, crashes=1, late_timers=True),
        Setting("LEASE", jobs=1, late_timers=True),
        Setting(f"{HERE}/livelocks.py:takes_up_one"),
    ],
    ids=lambda setting: setting.declared.rpartition("/")[2],
)
def test_the_same_is_found_as_with_all_numbers_as_they_are(setting):
    """Kinds of complaints, shortest paths, what was seen: of fewer states or as many."""

    def searched(alike):
        search = Search(World(setting, alike), all_rules=True)
        found = search.with_circle(search.run())
        assert all(search.world.smallest(state) == state for state in search.states)
        return found

    with without_garbage_collection():
        alike = as_alike_as_possible(searched)
        exact = as_alike_as_possible(searched, Alike(requests=False, idle=False))
    assert (alike.whole, exact.whole) == (True, True)
    assert alike.states <= exact.states
    assert alike.sometimes == exact.sometimes
    assert lengths(alike) == lengths(exact)


def lengths(found):
    """The steps of a shortest path, by kind of complaint."""
    return {kind_of(it.complaint): len(it.path) for it in found.findings}
