"""What the page offers works: Mesa has no place for a complaint about it."""

import pytest

from model.dashboard.page import controls
from model.dashboard.watched import Pace, WatchedCluster
from model.pnr.scenario import make_scenario

JOBS = [{"processes": 1, "memory_mb": 1, "demand_s": 1}]


@pytest.mark.parametrize("nodes", [1, 7, 16])
def test_every_design_and_topology_on_offer_can_be_taken(nodes):
    scenario = make_scenario(nodes=nodes, job=JOBS, designs="DP,MAN")
    menus = controls(scenario)
    for design in menus["design"]["values"]:
        WatchedCluster(scenario, Pace(), design)
    for topology in menus["topology"]["values"]:
        WatchedCluster(scenario, Pace(), "MAN", topology=topology)
    assert ("BB32" in menus["design"]["values"]) == (nodes >= 32)


@pytest.mark.parametrize(
    "window", [{}, {"first": 6000}, {"first": 6055, "jobs": 1}, {"first": 1}, {"jobs": 500}]
)
def test_no_window_on_offer_reaches_beyond_the_trace(window):
    menus = controls(make_scenario(**window))
    first, jobs = menus["first"], menus["jobs"]
    assert first["max"] + jobs["max"] - 1 <= 6055  # records of the bundled trace
    assert first["min"] <= first["value"] <= first["max"]
    assert jobs["min"] <= jobs["value"] <= jobs["max"]


def test_the_page_begins_as_the_scenario_says():
    menus = controls(make_scenario(ram=42, bandwidth_mbps=25, seed=1234, topology="ring", jobs=9))
    values = {name: menu["value"] for name, menu in menus.items()}
    expected = {
        "ram": 42,
        "bandwidth_mbps": 25,
        "seed": 1234,
        "topology": "ring",
        "jobs": 9,
        "first": 1,
    }
    assert values == {"design": "MAN", **expected}
    assert 42 in menus["ram"]["values"]
    assert menus["seed"]["max"] >= 1234


def test_jobs_of_a_scenario_file_have_no_window():
    assert not {"first", "jobs"} & controls(make_scenario(nodes=2, job=JOBS)).keys()
