"""What pages cost: counted, and drawn by the disks of another run."""

import pandas as pd
import pytest
from hypothesis import given
from hypothesis import strategies as st

from agents.pnr.page_costs import QUANTILES
from model.ground.errors import InputError
from model.ground.page_classes import fine_class, least_in
from model.pnr.comparison import DesignComparison
from model.pnr.metrics import measure
from model.pnr.page_costs import COLUMNS, page_costs_of
from model.pnr.scenario import make_scenario

# Two wide jobs in turn on six nodes, each of which pages, and a third that fits.
JOBS = [
    {"processes": 4, "memory_mb": 18, "demand_s": 25},
    {"processes": 3, "memory_mb": 17, "demand_s": 20, "submit_s": 1},
    {"processes": 2, "memory_mb": 3, "demand_s": 30, "submit_s": 2},
]
PLANES = ("actors", "compiled")


def run(design, plane="compiled", jobs=JOBS, **given):
    scenario = make_scenario(job=jobs, designs=design, nodes=6, quantum_s=8, **given)
    return measure(DesignComparison(scenario).run(design, plane=plane))


def stated(file, rows):
    pd.DataFrame(rows, columns=COLUMNS).to_csv(file, index=False)
    return file


@pytest.mark.parametrize(
    ("design", "given"),
    [
        ("MAN", {"reading": "ethernet"}),
        ("CLI", {"ram": 80}),  # some pages are on the disk, others on the network
        ("MAN", {"cores": 2}),
    ],
)
def test_both_planes_count_the_same_pages(design, given):
    actors, compiled = (run(design, plane, count_pages=True, **given) for plane in PLANES)
    pd.testing.assert_frame_equal(actors.pages, compiled.pages)
    pd.testing.assert_frame_equal(actors.jobs, compiled.jobs)
    faults = compiled.summary["faults_disk"] + compiled.summary["faults_network"]
    assert compiled.pages["pages"].sum() == faults


def test_counting_changes_nothing():
    plain, counted = run("MAN"), run("MAN", count_pages=True)
    pd.testing.assert_frame_equal(plain.jobs, counted.jobs)
    pd.testing.assert_frame_equal(plain.stations, counted.stations)
    assert plain.pages.empty


def test_a_page_of_an_idle_disk_costs_one_service_whoever_else_waits():
    pages = run("DP", count_pages=True).pages
    assert pages["page_ms"].max() < 2 * 13.244792  # one is in flight when its process goes on
    usual = pages.loc[pages["page_ms"].between(13.24479, 13.24480), "pages"].sum()
    assert usual > 0.99 * pages["pages"].sum()
    assert set(pages["waiting"]) > {1, 2, 3, 4}
    assert (pages["loaded_pages"].isin([0, *(2**power for power in range(13))])).all()


@pytest.mark.parametrize("by", ["nothing", "loaded", "waiting"])
def test_both_planes_draw_the_same_costs(by, tmp_path):
    rows = [(0, 1, 1.0, 5), (0, 1, 9.0, 3), (64, 3, 4.0, 2), (1024, 3, 30.0, 2)]
    costs = {"page_costs": stated(tmp_path / "costs.csv", rows), "page_costs_by": by}
    actors, compiled = (run("DP", plane, count_pages=True, **costs) for plane in PLANES)
    for name in ("pages", "jobs", "stations"):
        pd.testing.assert_frame_equal(getattr(actors, name), getattr(compiled, name))


def test_draws_have_the_costs_of_their_class(tmp_path):
    """Of pages of up to 63 loaded: 5 ms; of those beyond: half 1 ms, half 3 ms."""
    rows = [(0, 1, 5.0, 7), (64, 1, 1.0, 2), (64, 1, 3.0, 2)]
    file = stated(tmp_path / "costs.csv", rows)
    pages = run("DP", count_pages=True, page_costs=file, page_costs_by="loaded").pages
    alone = pages[pages["page_ms"] < 5.5]  # did not wait for the page of a process switched out
    assert set(alone.loc[alone["loaded_pages"] < 64, "page_ms"].round(6)) == {5.0}
    later = alone[alone["loaded_pages"] >= 64]
    share = later.loc[later["page_ms"] == 1, "pages"].sum() / later["pages"].sum()
    assert share == pytest.approx(0.5, abs=4 * 0.5 / later["pages"].sum() ** 0.5)


def test_the_mean_of_draws_is_that_of_the_table(tmp_path):
    """1,024 quantiles of 3 pages of 2 ms and one of 6: 768 and 256 of them, 3 ms on average."""
    file = stated(tmp_path / "costs.csv", [(0, 1, 2.0, 3), (512, 4, 6.0, 1)])
    costs = page_costs_of(make_scenario(page_costs=file))
    assert costs.table.shape == (1, QUANTILES)
    assert costs.table.mean() == 3_000_000


def test_a_class_without_pages_has_the_costs_of_the_one_below(tmp_path):
    file = stated(tmp_path / "costs.csv", [(0, 2, 2.0, 1), (0, 5, 7.0, 1)])
    costs = page_costs_of(make_scenario(page_costs=file, page_costs_by="waiting"))
    assert [row[0] for row in costs.table.tolist()] == [2e6, 2e6, 2e6, 2e6, 2e6, 7e6]


@given(st.integers(0, 10**9))
def test_a_class_begins_with_its_least_number_and_is_an_eighth_wide(number):
    least = least_in(fine_class(number))
    assert least <= number < max(least + 1, least * 9 / 8 + 1)
    assert fine_class(least) == fine_class(number)


@pytest.mark.parametrize(
    ("text", "complaint"),
    [
        ("page_ms,pages\n-1,2\n", "column page_ms: give numbers"),
        ("page_ms,pages\n1,0.5\n", "column pages: give whole numbers"),
        ("page_ms,pages\n1,0\n", "has no pages"),
        ("pages\n1\n", "column page_ms"),
        ("source,page_ms,pages\ndisk,1,1\nnetwork,1,1\n", "several in its column source"),
        ("", "give a table like pages.csv"),
    ],
)
def test_a_table_that_is_none_is_refused_in_one_line(text, complaint, tmp_path):
    file = tmp_path / "costs.csv"
    file.write_text(text, encoding="utf-8")
    with pytest.raises(InputError, match=complaint) as caught:
        page_costs_of(make_scenario(page_costs=file))
    assert "\n" not in str(caught.value)


def test_pages_are_not_counted_where_some_never_come():
    with pytest.raises(InputError, match="need a cluster without faults"):
        make_scenario(count_pages=True, fault=[{"kind": "loss", "rate": 0.1}])


def test_a_drawn_cost_is_no_service_where_processes_share_a_disk():
    with pytest.raises(InputError, match="needs nodes of one core"):
        make_scenario(page_costs="pages.csv", cores=2)
