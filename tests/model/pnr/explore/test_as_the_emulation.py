"""A servent that is explored does what it does in an emulation: the second implementation of it.

The order in which things happen in a run is a path of explore; taken there, all nodes must send,
lend, borrow and give back the same, one after another.
"""

import pytest

from model.pnr.explore.narrator import retrace
from model.pnr.explore.setting import Setting
from model.pnr.explore.steps import DELIVER, END, GO, JOIN, LEAVE, PLACE, Step
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
            case "delivered" | "lost":
                yield Step(DELIVER, record.peer, record.node)
            case "joined" | "leaving" | "gone" as kind:
                yield Step({"joined": JOIN, "leaving": LEAVE, "gone": GO}[kind], record.node)


def told(records):
    return [
        (one.kind, one.what, one.node, one.peer, one.amount_bytes)
        for one in records
        if one.kind in SAID
    ]


def taken_again(setting):
    """The records of a run, and its steps, which explore takes to the same effect."""
    emulated, explored = [], []
    how = {"journal_level": "protocol", "plane": "actors"}  # which compiles nothing
    run(setting.scenario, setting.declared, readers=(emulated.append,), **how)
    path = [*steps(emulated)]
    assert retrace(setting, path, explored.append) is None
    assert told(explored) == told(emulated)
    return emulated, path


@pytest.mark.parametrize("design", [*DESIGNS, "RELIABLE(CLI)", "RELIABLE(MAN)"])
def test_a_run_is_a_path(design):
    emulated, _ = taken_again(Setting(design, nodes=8, jobs=4))
    assert design == "DP" or any(one.kind == "borrowed" for one in emulated)


CHANGING = """
ram_mb = 8
threshold_mb = 1
page_bytes = 1_048_576
node = [{}, {leaves_s = 5, leave_grace_s = 2}, {joins_s = 4}]
job = [
  {processes = 1, memory_mb = 20, demand_s = 20},
  {processes = 2, memory_mb = 10, demand_s = 1, submit_s = 6},
]
"""


@pytest.mark.parametrize("design", ["CLI", "MAN"])
def test_a_run_in_which_nodes_join_and_leave_is_a_path(design, tmp_path):
    file = tmp_path / "changing.toml"
    file.write_text(CHANGING)
    emulated, path = taken_again(Setting(design, scenario_file=str(file)))
    assert {step.kind for step in path} >= {JOIN, LEAVE, GO}
    assert any(one.kind == "given back" and one.peer == 1 for one in emulated)  # it has gone
