"""All states of a small setting: as many as a search sees, and how far each is from a good end."""

import networkx as nx
import pytest

from model.pnr.explore.atlas import DOOMED, OUTSIDE, UNKNOWN, atlas_of, outlook
from model.pnr.explore.properties import Properties
from model.pnr.explore.search import search
from model.pnr.explore.setting import Setting

SETTINGS = [
    Setting("CLI", jobs=1),
    Setting("RELIABLE(CEN)", jobs=1, losses=1, late_timers=True),
    Setting("ADAPT", nodes=2, jobs=1),  # compares times of different nodes
    Setting("MAN", jobs=1, duplicates=1, order="any"),
    Setting("CEN", jobs=1, crashes=1),
]


def name(setting):
    return setting.declared


@pytest.mark.parametrize("setting", SETTINGS, ids=name)
def test_an_atlas_has_the_states_that_a_search_sees(setting):
    atlas, found = atlas_of(setting, 20_000), search(setting)
    if found.finding is None:
        assert atlas.whole
        assert not atlas.broken
        assert (len(atlas.states), sum(map(len, atlas.steps))) == (found.states, found.steps)
    else:
        first = min(atlas.broken)
        assert atlas.broken[first] == found.finding.complaint
        assert atlas.search.path(first) == found.finding.path


@pytest.mark.parametrize("setting", SETTINGS, ids=name)
def test_how_far_a_good_end_is(setting):
    atlas = atlas_of(setting, 20_000)
    assert atlas.world.is_done(atlas.states[0]) is False
    graph = nx.DiGraph((a, b) for a, steps in enumerate(atlas.steps) for _, b in steps)
    graph.add_nodes_from(range(len(atlas.states)))
    done = {
        number
        for number, state in enumerate(atlas.states)
        if number not in atlas.broken and atlas.world.is_done(state)
    }
    for number, away in enumerate(atlas.outlooks):
        following = [target for _, target in atlas.steps[number]]
        nearest = [
            atlas.outlooks[target] for target in following if atlas.outlooks[target] != DOOMED
        ]
        is_good = number in done and nx.descendants(graph, number) <= done
        assert away == (0 if is_good else 1 + min(nearest) if nearest else DOOMED)


def test_without_an_atlas_a_good_end_is_found_or_known_to_be_out_of_reach():
    atlas = atlas_of(SETTINGS[4], 20_000)
    properties = Properties(atlas.world.setting)
    for number in range(0, len(atlas.states), 25):
        if number not in atlas.broken:
            away = atlas.outlooks[number]
            found = outlook(atlas.world, properties, atlas.states[number])
            assert found == DOOMED if away == DOOMED else found >= away


@pytest.mark.parametrize("limits", [{"most_states": 60}, {"most_states": 10**6, "most_depth": 6}])
def test_what_an_atlas_has_no_room_for_may_end_well(limits):
    setting = Setting("MAN", jobs=1, losses=1)
    part, whole = atlas_of(setting, **limits), atlas_of(setting, 20_000)
    assert not part.whole
    assert part.full == (limits["most_states"] == 60)
    assert any(target == OUTSIDE for steps in part.steps for _, target in steps)
    for away, truth in zip(part.outlooks, whole.outlooks, strict=False):
        assert away == UNKNOWN or (away == DOOMED == truth) or away >= truth != DOOMED
