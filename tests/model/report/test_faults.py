"""What comes of faults is told: at the terminal, in summary.json, in the report and in pictures."""

import json
import re

import pandas as pd
import pytest

from model.pnr.scenario import make_scenario
from model.report.reproduction import scenario_file

LOSSY = """
designs = ["DP", "CLI", "MAN"]
nodes = 4
page_bytes = 1048576
minimum_demand_s = 0.001
job = [
    { processes = 1, memory_mb = 40, demand_s = 0.5 },
    { processes = 1, memory_mb = 40, demand_s = 0.5, submit_s = 20 },
]

[[fault]]
kind = "loss"
messages = ["ServerRequest"]
"""
UNTIL = "until_s = 10\n"  # job 1 never ends; without this line, job 2 does not either


def test_a_run_that_was_given_up_is_no_run_whose_jobs_never_end(here, command):
    job = "[[job]]\nprocesses = 1\nmemory_mb = 1\ndemand_s = 20\n"
    two = f'nodes = 1\nscheduler = "space"\ndesigns = ["DP", "CLI"]\n{job}{job}'
    for limit_s, told in (
        (25, "was given up: its mean response time is certain to exceed 25 s"),
        (
            35,  # they take 20 and 40 s
            "Lending memory shortens the mean response time of DP, 30 s, by 0 %",
        ),
    ):
        (here / "two.toml").write_text(f"give_up_response_s = {limit_s}\n{two}")
        status, *_ = command("compare --scenario two.toml --report r.html")
        page = (here / "r.html").read_text()
        assert status == 0
        assert told in page
        assert "never end" not in page


@pytest.mark.parametrize(("until", "ended"), [(UNTIL, 1), ("", 0)])
def test_a_comparison_in_which_jobs_never_end_is_told_whole(here, command, until, ended):
    (here / "lossy.toml").write_text(LOSSY + until)
    status, shown, _ = command("compare --scenario lossy.toml --out out --report r.html")
    assert status == 0
    assert "stuck" in shown
    summary = json.loads((here / "out" / "summary.json").read_text(), parse_constant=pytest.fail)
    paging, alone, man = summary["runs"]
    assert (paging["jobs"], paging["optimization_ratio_pct"]) == (2, 0)
    for run in (alone, man):
        assert (run["jobs"], run["faults"]["jobs_stuck"]) == (ended, 2 - ended)
        assert (run["optimization_ratio_pct"] is None) == (not ended)
    page = (here / "r.html").read_text()
    assert f"Under CLI, {2 - ended} of 2 jobs never end" in page
    assert "Memory still lent at the end" in page


def test_a_run_in_which_the_job_did_not_end_is_told_of_with_the_others(here, command):
    # servers do not hear of what CLI and MAN ask them; under DP nobody asks
    (here / "lossy.toml").write_text(LOSSY)
    status, *_ = command("compare --scenario lossy.toml --report r.html")
    assert status == 0
    page = (here / "r.html").read_text().partition('<section id="job">')[2]
    paging, alone, man = re.findall("<h3>(.*?)</h3>\n(.*?)\n", page)[:3]
    assert [alone[0], man[0]] == [f"{it}: the job did not end" for it in ("CLI", "MAN")]
    assert alone[1].startswith("<figure>")
    assert paging[0].startswith("DP: response time ")
    assert "no client asked for memory in this run" in paging[1]


HANGING = """
designs = ["DP", "MAN", "RELIABLE(MAN)"]
nodes = 8
page_bytes = 1048576
minimum_demand_s = 0.001
job = [
    { processes = 1, memory_mb = 40, demand_s = 0.5, submit_s = 0 },
    { processes = 1, memory_mb = 40, demand_s = 0.5, submit_s = 1 },
    { processes = 1, memory_mb = 40, demand_s = 0.5, submit_s = 20 },
    { processes = 1, memory_mb = 40, demand_s = 0.5, submit_s = 40 },
    { processes = 1, memory_mb = 40, demand_s = 0.5, submit_s = 60 },
]
fault = [{ kind = "loss", messages = ["ServerRequest"], until_s = 10 }]
"""


def test_means_are_over_the_jobs_that_ended_under_every_design(here, command):
    # Under MAN, jobs 1 and 2 never start: the requests of their manager are lost. Under RELIABLE
    # they wait ten seconds and more for them, so its mean over all five jobs is worse than MAN's
    # over three, though no job of these three differs.
    (here / "hanging.toml").write_text(HANGING)
    status, shown, _ = command("compare --scenario hanging.toml --out out --report r.html")
    assert status == 0
    paging, man, reliable = json.loads((here / "out" / "summary.json").read_text())["runs"]
    jobs = pd.read_csv(here / "out" / "jobs.csv")
    of = {
        (design, three): own.loc[own["job"].isin((3, 4, 5)) | (not three)]
        for design, own in jobs.groupby("design")
        for three in (True, False)
    }
    assert list(of["MAN", False]["job"]) == [3, 4, 5]
    assert reliable["over_all_ended"]["mean_response_s"] > 2 * man["mean_response_s"]
    for run in (paging, man, reliable):
        design = run["design"]
        assert run["jobs_compared"] == 3
        for three, means in ((True, run), (False, run["over_all_ended"])):
            table = of[design, three]
            assert means["mean_response_s"] == pytest.approx(sum(table["response_s"]) / len(table))
            assert means["mean_slowdown"] == pytest.approx(sum(table["slowdown"]) / len(table))
            assert sum(means["breakdown"].values()) == pytest.approx(means["mean_response_s"])
        saved = 1 - run["mean_response_s"] / paging["mean_response_s"]
        assert run["optimization_ratio_pct"] == pytest.approx(100 * saved)
    assert (man["jobs"], man["faults"]["jobs_stuck"], reliable["jobs"]) == (3, 2, 5)
    assert reliable["mean_response_s"] == pytest.approx(man["mean_response_s"], rel=0.01)
    assert "3 of 5" in shown
    assert "the 3 jobs that ended under every design" in " ".join(shown.split())
    page = (here / "r.html").read_text()
    assert "Means are over the 3 jobs that end under every design." in page
    assert "3 of 5" in page
    assert "has the shortest mean" not in page


def test_where_all_jobs_end_there_is_nothing_beside_the_means(here, command):
    (here / "whole.toml").write_text(HANGING.replace("until_s = 10", "until_s = 0.001"))
    status, _, _ = command("compare --scenario whole.toml --designs DP,RELIABLE(MAN) --out out")
    assert status == 0
    for run in json.loads((here / "out" / "summary.json").read_text())["runs"]:
        assert run["jobs"] == 5
        assert not {"jobs_compared", "over_all_ended"} & run.keys()


def test_the_scenario_file_of_a_report_has_the_faults(here):
    (here / "lossy.toml").write_text(LOSSY + UNTIL)
    scenario = make_scenario(here / "lossy.toml")
    (here / "again.toml").write_text(scenario_file(scenario))
    assert make_scenario(here / "again.toml") == scenario
