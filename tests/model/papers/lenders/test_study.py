"""The study: what its page tells of made-up runs, by hand."""

from model.papers.lenders.cases import EQUAL, FREEST, JOINS, P2C, PROBE, WORST, case, trouble
from model.papers.lenders.paper import PAPER, closed_form, slower
from tests.model.papers.made_up import measured, measured_of, rows


def runs(name, *times_s, design=P2C, **others):
    """Runs of one case with these response times, with seeds of as many workloads."""
    return rows(
        "lenders", *((case(name), design, 21 + n, s) for n, s in enumerate(times_s)), **others
    )


def row(table, design):
    (line,) = (line for line in table.splitlines() if line.startswith(f"| {design} |"))
    return line


def test_intervals_are_over_workloads_which_have_the_mean_of_their_seeds():
    times_s = {21: 100.0, 31: 200.0, 22: 300.0}
    found = measured("lenders", *((case(EQUAL), P2C, seed, s) for seed, s in times_s.items()))
    of_both = found.of(case(EQUAL), P2C)
    assert (of_both.mean, of_both.n) == (225, 2)  # of 150 and 300


def test_troubles_are_told_beside_runs_without_them():
    pages = {"faults_disk": 3, "faults_network": 97}
    leaks = {"faults.jobs_stuck": 0, "faults.leaked_mb": 3}
    found = measured_of(
        "lenders", [*runs(EQUAL, 100.0, 100.0), *runs(JOINS, 110.0, 110.0, **leaks, **pages)]
    )
    assert slower(found, case(JOINS), P2C).mean == 1.1
    told = row(PAPER.named["troubles"](found), P2C)
    joins = "leaks 3 MB, time 1.10 (1.10 to 1.10), 3.0 % from disk"
    assert told == f"| {P2C} | {joins} | not run | not run | not run |"


def test_each_design_loses_replies_of_its_own():
    assert trouble("a lost reply", PROBE).parameters == case("lost LoanReply").parameters
    assert "ServerReply" in trouble("a lost reply", P2C).parameters["fault"]


def test_closed_forms_are_of_nineteen_lenders_as_nobody_asks_itself():
    # Two of 19 are new: 1 - 17·16 / (19·18), and 1 - 17·16·…·12 / (19·18·…·14).
    told = {design: closed_form(None, case(JOINS), design) for design in (P2C, FREEST, WORST)}
    assert told == {P2C: "20", FREEST: "54", WORST: "-"}


def test_the_answer_names_a_case_a_design_and_a_measure():
    found = measured_of("lenders", runs(JOINS, 100.0, 120.0, **{"lenders.storm_60": 0.195}))
    assert PAPER.named["pct"](found)["joins, p2c, lenders.storm_60"] == "20"
    assert PAPER.named["whole"](found)["joins, p2c, mean_response_s"] == "110 (-17 to 237)"
    assert PAPER.named["whole"](found)["joins, probe, mean_response_s"] == "(not run)"
