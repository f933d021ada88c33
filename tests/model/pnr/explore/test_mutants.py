"""One mistake in a role, and explore finds it: on a shortest path, whose length is known.

The docstring of each mutant's role says what is wrong with it.
"""

from dataclasses import replace
from pathlib import Path
from typing import NamedTuple

import pytest

from model.pnr.explore.narrator import retrace
from model.pnr.explore.properties import Look, Properties
from model.pnr.explore.search import search
from model.pnr.explore.setting import Setting
from model.pnr.explore.steps import DELIVER
from model.pnr.explore.world import World

HERE = Path(__file__).parent
WAITS, LENT = "somebody waits for ever", "memory stays lent for ever"
ASTRAY = "are neither borrowed nor held by a role nor carried by a message"
BORROWED = "2.00 MB of node 2 are borrowed, but it lends 0 bytes"
TWICE = "4.00 MB of node 2 are borrowed, but it lends 2.00 MB"


class Mutant(NamedTuple):
    """A design with one mistake, and what is found: on a shortest path of so many steps."""

    original: str  # the design without the mistake
    setting: Setting  # of the mutant
    steps: int
    complaint: str


def of_thesis(mutant, original, steps, complaint, nodes=3, jobs=2, **faults):
    return _mutant("mutants.py", mutant, original, steps, complaint, nodes, jobs, faults)


def of_protocol(mutant, original, steps, complaint, nodes=3, jobs=1, **faults):
    faults = {"late_timers": True} | faults
    return _mutant(
        "mutants_of_protocols.py", mutant, original, steps, complaint, nodes, jobs, faults
    )


def of_wrapper(mutant, original, steps, complaint, nodes=3, jobs=1, **faults):
    faults = {"late_timers": True} | faults
    return _mutant(
        "mutants_of_wrappers.py", mutant, original, steps, complaint, nodes, jobs, faults
    )


def _mutant(file, mutant, original, steps, complaint, nodes, jobs, faults):
    setting = Setting(f"{HERE / file}:{mutant}", nodes, jobs, **faults)
    return Mutant(original, setting, steps, complaint)


#: Nodes, jobs and faults are named where they differ from the defaults of the functions above.
FOUND = [
    of_thesis("forgotten_release", "MAN", 12, f"3.00 MB that node 1 lends {ASTRAY}", nodes=2),
    of_thesis("grant_twice", "CLI", 20, LENT, nodes=2, duplicates=1),
    of_thesis("reply_to_the_wrong_client", "MAN", 5, WAITS, nodes=2, jobs=1),
    of_thesis("reply_to_the_wrong_job", "CEN", 14, f"3.00 MB that node 2 lends {ASTRAY}"),
    of_thesis("lost_merge", "MAN", 11, f"2.00 MB that node 2 lends {ASTRAY}", jobs=1),
    of_thesis("no_threshold", "MAN", 8, "node 1 lends memory that is not free", nodes=2),
    of_thesis(
        "starts_twice", "MAN", 4, "node 0 starts the process of job 1 twice", nodes=2, jobs=1
    ),
    of_thesis(
        "counts_double", "MAN", 12, "14.00 MB of node 1 are borrowed, but it lends 7.00 MB", nodes=2
    ),
    of_thesis("gives_up_when_refused", "MAN", 13, WAITS, nodes=2),
    of_thesis("returns_too_little", "MAN", 16, f"1 bytes that node 1 lends {ASTRAY}", nodes=2),
    of_thesis(
        "takes_back_from_all",
        "MAN",
        16,
        "4.00 MB of node 1 are borrowed, but it lends 0 bytes",
        nodes=2,
    ),
    of_thesis("waits_for_one_more", "MAN", 9, WAITS, nodes=2, jobs=1),
    of_thesis("no_acknowledgment", "MAN", 18, WAITS, nodes=2),
    of_thesis("raises_when_refused", "MAN", 7, "KeyError", nodes=2),
    of_thesis("one_job_at_a_time", "CEN", 7, "KeyError", nodes=2),
    of_thesis("planted_race", "CEN", 15, f"7.00 MB that node 0 lends {ASTRAY}"),
    of_thesis("asks_for_a_byte_more", "CEN", 5, f"1 bytes that node 2 lends {ASTRAY}", jobs=1),
    of_thesis("ignores_an_empty_notice", "CEN", 18, WAITS, nodes=2),
    of_thesis("forgets_what_it_granted", "CLI", 22, LENT, jobs=1, order="any", duplicates=1),
    of_thesis(
        "lends_once_per_job",
        "CLI",
        9,
        "2.00 MB are borrowed, held or carried that node 2 does not lend",
        jobs=1,
    ),
    of_thesis("forgets_earlier_loans", "CLI", 13, "node 1 lends memory that is not free"),
    of_thesis("waits_on_when_refused", "CLI", 9, WAITS, nodes=2, jobs=1),
    of_thesis(
        "keeps_a_search_that_is_over", "BB2", 3, "asks nobody for job 1 any more", nodes=2, jobs=1
    ),
    of_thesis("ends_at_the_first_acknowledgment", "CEN", 26, "KeyError: (2, 1)"),
    of_thesis("gives_notice_twice", "CEN", 11, WAITS, nodes=2, jobs=1),
    of_thesis("gives_notice_to_the_nearest", "BB2", 12, WAITS, jobs=1),
    of_thesis("vouches_for_the_absent", "MAN", 7, WAITS, jobs=1, joins=2),
    of_thesis("grants_what_was_asked", "MAN", 3, "IndexError", nodes=2),
    of_thesis("one_release_at_a_time", "CEN", 20, "ValueError: list.remove(x)"),
    of_protocol("takes_loans_twice", "PROBE2", 10, TWICE, duplicates=1),
    of_protocol("takes_back_any_loan", "PROBE2", 17, BORROWED, duplicates=1),
    of_protocol("asks_all_at_once", "PROBE3", 11, f"2.00 MB that node 3 lends {ASTRAY}", nodes=4),
    of_protocol("keeps_its_word", "PROBE2", 8, "node 2 lends memory that is not free", jobs=2),
    of_protocol("has_no_use_for_acknowledgments", "GOSSIP", 27, WAITS),
    of_protocol(
        "passes_all_on",
        "GOSSIP",
        7,
        "is to tell of node 0, of which it knows nothing",
        late_timers=False,
    ),
    of_protocol(
        "counts_children_that_are_missing",
        "TREE2",
        11,
        "sends LoadBroadcast to node 5; nodes are 0 to 2",
        jobs=2,
    ),
    of_protocol("hears_its_neighbours_only", "TREE1", 5, f"4.00 MB that node 2 lends {ASTRAY}"),
    of_protocol("names_the_wrong_loan", "RACK1", 19, f"4.00 MB that node 2 lends {ASTRAY}"),
    of_protocol("asks_the_rack_that_asks", "RACK1", 15, WAITS, jobs=2),
    of_protocol("one_search_at_a_time", "RACK1", 18, "KeyError", jobs=2),
    of_protocol("ends_leases_early", "LEASE", 9, BORROWED, late_timers=False),
    of_protocol("trusts_its_renewal", "LEASE", 10, BORROWED, late_timers=False),
    of_protocol("counts_from_the_grant", "LEASE", 9, BORROWED, late_timers=False),
    of_protocol("leaves_timers_set", "LEASE", 20, "sets a timer and has no `timer`"),
    of_protocol("takes_grants_twice", "MASTER", 12, TWICE, duplicates=1),
    of_protocol("returns_what_it_uses", "MASTER", 13, BORROWED, duplicates=1),
    of_protocol("gives_no_server_up", "MASTER", 19, WAITS, losses=1),
    of_protocol("asks_the_master_once", "MASTER", 18, WAITS, losses=1),
    of_protocol(
        "leases_while_leaving", "MASTER", 8, "node 2 lends memory, and is leaving", leaves=1
    ),
    of_protocol("lends_slabs_twice", "INFINISWAP(slab_mb=2, weight=1)", 14, LENT, duplicates=1),
    of_protocol("takes_slabs_twice", "INFINISWAP(slab_mb=2, weight=1)", 10, TWICE, duplicates=1),
    of_protocol(
        "takes_back_any_slab", "INFINISWAP(slab_mb=2, weight=1)", 19, BORROWED, duplicates=1
    ),
    of_protocol(
        "lends_slabs_while_leaving",
        "INFINISWAP(slab_mb=2, weight=1)",
        8,
        "node 2 lends memory, and is leaving",
        leaves=1,
    ),
    of_protocol("believes_servers", "SURVIVOR(lost_s=none)", 7, BORROWED, duplicates=1),
    of_protocol("takes_a_report_for_the_end", "SURVIVOR(lost_s=none)", 10, TWICE),
    of_protocol("checks_once", "SURVIVOR(lost_s=none)", 12, LENT, losses=1),
    of_protocol("ends_all_checks", "SURVIVOR(lost_s=none)", 11, LENT, losses=1),
    of_protocol("checks_after_one_crash", "SURVIVOR(lost_s=none)", 13, LENT, crashes=2),
    of_protocol("keeps_its_own_books", "SURVIVOR(lost_s=none)", 6, "it borrows 0", leaves=1),
    of_protocol("leaves_with_what_it_lends", "SURVIVOR(lost_s=none)", 4, BORROWED, leaves=1),
    of_protocol("waits_for_who_has_not_joined", "SURVIVOR(lost_s=none)", 5, WAITS, joins=1),
    of_protocol("expects_to_have_asked", "ADAPT", 10, "KeyError: (1, 1)", crashes=1),
    of_protocol("measures_what_comes_twice", "ADAPT", 6, "KeyError", duplicates=1),
    of_wrapper("hands_over_twice", "RELIABLE(CEN)", 23, WAITS, duplicates=1),
    of_wrapper("repeats_once", "RELIABLE(CEN)", 5, WAITS, losses=2),
    of_wrapper("spares_notices", "RELIABLE(CEN)", 15, WAITS, losses=1),
    of_wrapper("acknowledges_all_before", "RELIABLE(MAN)", 16, WAITS, losses=1),
    of_wrapper("counts_nodes_and_not_roles", "RELIABLE(CEN)", 18, WAITS, nodes=2, jobs=2),
    of_wrapper("leaves_timers_set", "RELIABLE(CEN)", 12, "sets a timer and has no `timer`"),
    of_wrapper("numbers_repeats_anew", "RELIABLE(CEN)", 23, WAITS, losses=1),
    of_wrapper(
        "acknowledges_to_managers",
        "RELIABLE(CEN)",
        2,
        "sends ManagerAck to node 1, which has no manager",
    ),
    of_wrapper(
        "forgets_leases_in_a_crash", "RELIABLE(LEASE)", 8, "has leases [], but lends for", crashes=1
    ),
    of_wrapper(
        "recalls_at_once",
        "RECLAIM(CEN)",
        7,
        "4.00 MB are borrowed, held or carried that node 2 does not lend",
        jobs=2,
    ),
    of_wrapper("asks_again_for_its_job", "RECLAIM(CEN)", 10, WAITS, nodes=2),
    of_wrapper("takes_back_twice", "RECLAIM(CEN)", 13, BORROWED, jobs=2, duplicates=1),
    of_wrapper(
        "acknowledges_recalls",
        "RECLAIM(CEN)",
        9,
        "sends ReleaseAck to node 1, which has no manager",
        jobs=2,
    ),
    of_wrapper("hears_names_only", "RECLAIM(CEN)", 13, WAITS),
    of_wrapper(
        "gives_back_in_silence", "RECLAIM(CEN)", 9, f"2.00 MB that node 2 lends {ASTRAY}", jobs=2
    ),
]


@pytest.mark.parametrize("mutant", FOUND, ids=lambda mutant: mutant.setting.declared.split(":")[-1])
def test_a_mistake_is_found(mutant):
    finding = search(mutant.setting).finding
    assert mutant.complaint in finding.complaint
    assert len(finding.path) == mutant.steps
    assert retrace(mutant.setting, finding.path) == finding


def originals():
    """The design of each mutant in its setting, and the length of the longest path found there."""
    steps = {}
    for mutant in FOUND:
        setting = replace(mutant.setting, declared=mutant.original)
        steps[setting] = max(mutant.steps, steps.get(setting, 0))
    return steps.items()


@pytest.mark.parametrize(
    ("setting", "steps"), originals(), ids=lambda it: getattr(it, "declared", str(it))
)
def test_without_the_mistake_nothing_is_found_on_paths_as_long(setting, steps):
    assert search(setting, most_depth=steps).finding is None


def test_a_planted_race_shows_in_few_orders_only():
    """Not where each message is delivered before anything else happens, nor where it comes last."""
    setting = Setting(f"{HERE}/mutants.py:planted_race", 3, 2)
    for turn in (-1, 1):
        told = []
        world = World(setting)
        state = world.beginning().state
        properties = Properties(setting)
        while steps := world.steps(state):
            step = min(steps, key=lambda one, turn=turn: turn * (one.kind == DELIVER))
            before = Look(world, state)
            state, broken, _ = world.take(state, step)
            told.append(broken or properties.complaint(before, step, Look(world, state)))
        assert set(told) == {None}
    assert search(setting).finding is not None
