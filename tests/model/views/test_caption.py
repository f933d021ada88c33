"""Every picture says what it shows."""

import pytest

from model.pnr.scenario import make_scenario
from model.sharing.scenarios import make_sharing_scenario
from model.views import animation, space_time
from model.views.caption import caption
from model.views.recording import Recording, Selection, record

JOBS = [{"processes": 2, "memory_mb": 40, "demand_s": 0.05}]


def recorded(level="protocol", **parameters):
    given = {"job": JOBS, "nodes": 4, "page_bytes": 2**20, "minimum_demand_s": 0.001}
    return record(make_scenario(**given | parameters), "MAN", level)


def test_it_names_system_design_cluster_workload_seed_and_what_is_left_out():
    assert caption(recorded(topology="bus", ram=65, seed=7), Selection()) == (
        "Parallel Network RAM · design MAN · 4 nodes, bus, 100 Mbps · "
        "20.8 MB of RAM (65 % of 32) · 1 job · seed 7 · "
        "single pages and barriers are not in the journal"
    )
    assert caption(recorded("all", load_factor=2), Selection()) == (
        "Parallel Network RAM · design MAN · 4 nodes, star, 100 Mbps · 32 MB of RAM · "
        "1 job, load factor 2 · seed 1"
    )


def test_it_names_what_is_selected():
    selection = Selection(1, 0, 0.02, nodes=(3, 0), messages=("RamGrant",))
    told = caption(recorded("all", fault=[{"kind": "loss", "rate": 0}]), selection)
    assert told.endswith("with faults · job 1 only · 0 to 0.02 s · nodes 0, 3 only · RamGrant only")


def test_a_load_sharing_system_is_named():
    scenario = make_sharing_scenario(job=[{"submit_s": 0, "memory_mb": 30, "demand_s": 1}])
    made = Recording(scenario, "NO_LS", recorded().records)
    assert caption(made, Selection()).startswith(
        "load sharing (memory) · policy NO_LS · 6 nodes, bus, 10 Mbps · 48 MB of RAM"
    )


@pytest.fixture(scope="module")
def scarce():
    return recorded("all", ram=65)


@pytest.mark.parametrize(
    "draw",
    [
        space_time.draw,
        lambda recording, selection: animation.animate(recording, selection)[0],
    ],
)
def test_it_stands_whole_in_every_picture_and_over_nothing(draw, scarce):
    figure = draw(scarce, Selection())
    figure.draw_without_rendering()
    (legend,) = figure.legends
    title = legend.get_title()
    assert " ".join(title.get_text().split()) == caption(scarce, Selection())
    box, page = title.get_window_extent(), figure.bbox
    assert box.x0 >= 0
    assert box.y0 >= 0
    assert box.x1 <= page.x1
    for axes in figure.axes:
        assert not box.overlaps(axes.get_tightbbox())
