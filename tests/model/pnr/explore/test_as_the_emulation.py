"""A servent that is explored does what it does in an emulation: the second implementation of it.

The order in which things happen in a run is a path of explore; taken there, all nodes must send,
lend, borrow and give back the same, one after another.
"""

import pytest

from model.pnr.explore.narrator import retrace
from model.pnr.explore.setting import Setting
from model.pnr.explore.world import DELIVER, END, PLACE, Step
from model.systems import run

DESIGNS = ["DP", "CLI", "CEN", "MAN", "BB2", "PROBE2", "TREE2", "RACK2", "RECLAIM(MAN)"]
SAID = ("sent", "delivered", "lent", "returned", "borrowed", "given back")


def steps(records):
    for record in records:
        match record.kind:
            case "placed":
                yield Step(PLACE)
            case "finished":
                yield Step(END, record.node, record.job)
            case "delivered":
                yield Step(DELIVER, record.peer, record.node)


def told(records):
    return [
        (one.kind, one.what, one.node, one.peer, one.amount_bytes)
        for one in records
        if one.kind in SAID
    ]


@pytest.mark.parametrize("design", [*DESIGNS, "RELIABLE(CLI)", "RELIABLE(MAN)"])
def test_a_run_is_a_path(design):
    setting = Setting(design, nodes=8, jobs=4)
    emulated, explored = [], []
    run(setting.scenario, design, readers=(emulated.append,), journal_level="protocol")
    path = [*steps(emulated)]
    assert retrace(setting, path, explored.append) is None
    assert told(explored) == told(emulated)
    assert design == "DP" or any(one.kind == "borrowed" for one in emulated)
