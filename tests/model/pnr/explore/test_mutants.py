"""One mistake in a role, and explore finds it: on a shortest path, whose length is known.

The docstring of each mutant's role says what is wrong with it.
"""

from dataclasses import replace
from pathlib import Path
from typing import NamedTuple

import pytest

from model.pnr.explore.narrator import retrace
from model.pnr.explore.properties import Properties
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
    of_thesis("ForgetsToRelease", "MAN", 12, f"3.00 MB that node 1 lends {ASTRAY}", nodes=2),
    of_thesis("RepliesForAnotherJob", "CEN", 14, f"3.00 MB that node 2 lends {ASTRAY}"),
    of_thesis("LosesMerge", "MAN", 11, f"2.00 MB that node 2 lends {ASTRAY}", jobs=1),
    of_thesis("LendsAll", "MAN", 8, "node 1 lends memory that is not free", nodes=2),
    of_thesis(
        "StartsAtOnce", "MAN", 4, "node 0 starts the process of job 1 twice", nodes=2, jobs=1
    ),
    of_thesis(
        "BorrowsDouble", "MAN", 12, "14.00 MB of node 1 are borrowed, but it lends 7.00 MB", nodes=2
    ),
    of_thesis("GivesUp", "MAN", 13, WAITS, nodes=2),
    of_thesis("KeepsSome", "MAN", 16, f"1 bytes that node 1 lends {ASTRAY}", nodes=2),
    of_thesis("SilentServer", "MAN", 18, WAITS, nodes=2),
    of_thesis("Raises", "MAN", 7, "KeyError", nodes=2),
    of_thesis("OneAtATime", "CEN", 7, "KeyError", nodes=2),
    of_thesis("Overtaken", "CEN", 15, f"7.00 MB that node 0 lends {ASTRAY}"),
    of_thesis("WaitsForReturns", "CEN", 18, WAITS, nodes=2),
    of_thesis("ForgetsGrants", "CLI", 22, LENT, jobs=1, order="any", duplicates=1),
    of_thesis("NeverCloses", "BB2", 3, "asks nobody for job 1 any more", nodes=2, jobs=1),
    of_thesis("EndsAtTheFirst", "CEN", 26, "KeyError: (2, 1)"),
    of_thesis("TellsTheNearest", "BB2", 12, WAITS, jobs=1),
    of_thesis("Vouches", "MAN", 7, WAITS, jobs=1, joins=2),
    of_protocol("TakesLoansTwice", "PROBE2", 10, TWICE, duplicates=1),
    of_protocol("TakesBackAnyLoan", "PROBE2", 17, BORROWED, duplicates=1),
    of_protocol("AsksAllAtOnce", "PROBE3", 11, f"2.00 MB that node 3 lends {ASTRAY}", nodes=4),
    of_protocol("KeepsItsWord", "PROBE2", 8, "node 2 lends memory that is not free", jobs=2),
    of_protocol(
        "TellsOfAll",
        "GOSSIP",
        4,
        "is to tell of node 1, of which it knows nothing",
        late_timers=False,
    ),
    of_protocol("HearsNeighbours", "TREE1", 5, f"4.00 MB that node 2 lends {ASTRAY}"),
    of_protocol("NamesTheWrongLoan", "RACK1", 19, f"4.00 MB that node 2 lends {ASTRAY}"),
    of_protocol("AsksTheAsker", "RACK1", 15, WAITS, jobs=2),
    of_protocol("EndsEarly", "LEASE", 9, BORROWED, late_timers=False),
    of_protocol("TrustsItsRenewal", "LEASE", 10, BORROWED, late_timers=False),
    of_protocol("ReturnsWhatItUses", "MASTER", 13, BORROWED, duplicates=1),
    of_protocol("WaitsForServers", "MASTER", 19, WAITS, losses=1),
    of_protocol("EndsWhatIsAnswered", "SURVIVOR(lost_s=none)", 10, TWICE),
    of_protocol("EndsAllChecks", "SURVIVOR(lost_s=none)", 11, LENT, losses=1),
    of_protocol("ChecksAfterOneCrash", "SURVIVOR(lost_s=none)", 13, LENT, crashes=2),
    of_protocol("OwnBooks", "SURVIVOR(lost_s=none)", 6, "it borrows 0", leaves=1),
    of_protocol("ExpectsToHaveAsked", "ADAPT", 10, "KeyError: (1, 0, 1)", crashes=1),
    of_wrapper("HandsOverTwice", "RELIABLE(CEN)", 23, WAITS, duplicates=1),
    of_wrapper("RepeatsOnce", "RELIABLE(CEN)", 5, WAITS, losses=2),
    of_wrapper("SparesNotices", "RELIABLE(CEN)", 15, WAITS, losses=1),
    of_wrapper("LeavesTimersSet", "RELIABLE(CEN)", 12, "sets a timer and has no `timer`"),
    of_wrapper(
        "AcknowledgesToManagers",
        "RELIABLE(CEN)",
        2,
        "sends ManagerAck to node 1, which has no manager",
    ),
    of_wrapper(
        "RecallsAtOnce",
        "RECLAIM(CEN)",
        7,
        "4.00 MB are borrowed, held or carried that node 2 does not lend",
        jobs=2,
    ),
    of_wrapper("AsksForItsJob", "RECLAIM(CEN)", 10, WAITS, nodes=2),
    of_wrapper(
        "GivesBackInSilence", "RECLAIM(CEN)", 9, f"2.00 MB that node 2 lends {ASTRAY}", jobs=2
    ),
]


@pytest.mark.parametrize("mutant", FOUND, ids=lambda mutant: mutant.setting.declared.split(":")[-1])
def test_a_mistake_is_found(mutant):
    finding = search(mutant.setting).finding
    assert mutant.complaint in finding.complaint
    assert len(finding.path) == mutant.steps
    assert retrace(mutant.setting, finding.path) == finding


#: Designs in settings in which none of these mutants is, and how many steps deep.
UNHARMED = {
    Setting("CLI", 2, 2, duplicates=1): 20,
    Setting("GOSSIP", 3, 1): 7,
    Setting("GOSSIP", 3, 1, late_timers=True): 27,
    Setting("LEASE", 3, 1, late_timers=True): 20,
    Setting("ADAPT", 3, 1, duplicates=1, late_timers=True): 6,
    Setting("TREE2", 3, 2, late_timers=True): 11,
    Setting("RACK1", 3, 2, late_timers=True): 18,
    Setting("MASTER", 3, 1, leaves=1, late_timers=True): 8,
    Setting("INFINISWAP(slab_mb=2, weight=1)", 3, 1, duplicates=1, late_timers=True): 19,
    Setting("INFINISWAP(slab_mb=2, weight=1)", 3, 1, leaves=1, late_timers=True): 8,
    Setting("SURVIVOR(lost_s=none)", 3, 1, duplicates=1, late_timers=True): 7,
    Setting("SURVIVOR(lost_s=none)", 3, 1, joins=1, late_timers=True): 5,
    Setting("RELIABLE(LEASE)", 3, 1, crashes=1, late_timers=True): 8,
    Setting("RELIABLE(MAN)", 3, 1, losses=1, late_timers=True): 16,
    Setting("RELIABLE(CEN)", 2, 2, late_timers=True): 18,
    Setting("RECLAIM(CEN)", 3, 1, late_timers=True): 13,
    Setting("RECLAIM(CEN)", 3, 2, duplicates=1, late_timers=True): 13,
}


def originals():
    """The design of each mutant in its setting, and the length of the longest path found there."""
    steps = dict(UNHARMED)
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
    setting = Setting(f"{HERE}/mutants.py:Overtaken", 3, 2)
    for turn in (-1, 1):
        told = []
        world = World(setting)
        state = world.beginning().state
        properties = Properties(setting)
        while steps := world.steps(state):
            step = min(steps, key=lambda one, turn=turn: turn * (one.kind == DELIVER))
            state, broken, _ = properties.taken(world, state, step)
            told.append(broken)
        assert set(told) == {None}
    assert search(setting).finding is not None
