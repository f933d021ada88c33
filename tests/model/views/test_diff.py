"""One job under two designs, with values by hand (times: tests/model/views/test_flow.py)."""

import re

import pytest

from model.core.journal import words
from model.ground.errors import InputError
from model.pnr.scenario import make_scenario
from model.views.diff import tell
from model.views.recording import Selection, record


def recorded(design, level="protocol", processes=2, nodes=3, **parameters):
    job = {"processes": processes, "memory_mb": 40, "demand_s": 0.005, "number": 7}
    values = {"job": [job], "minimum_demand_s": 0.001, "page_bytes": 2**29, **parameters}
    return record(make_scenario(nodes=nodes, **values), design, level)


def rows(text):
    """Name -> the three cells; columns are two spaces or more apart."""
    cells = [re.split(r"  +", line) for line in text.splitlines()]
    return {row[0]: tuple(row[1:]) for row in cells if len(row) == 4}


def test_disk_paging_and_a_central_manager():
    text = tell(recorded("DP"), Selection(job=7), recorded("CEN"))
    one, other, title, *rest = text.splitlines()
    assert "design DP" in one
    assert "design CEN" in other
    assert title == "Job 7"
    assert rest[1] == "  DP: 0.000000 s, node 0: rank 0 of job 7 starts"
    assert rest[2] == "  CEN: 0.000000 s, node 0 asks for 8.00 MB, for job 7"
    assert rest[3] == (
        "At the end job 7 takes 5 ms under DP and 5.405 ms under CEN, a difference that chance "
        "alone can make"
    )
    assert rest[4].split() == ["DP", "CEN", "difference"]
    table = rows(text)
    # DP starts at once; CEN when node 0 and node 1 hold their grants
    assert not {"submitted, s", "until first placed, s"} & set(table)  # equal
    assert table["first process starts, s"] == ("0.000000", "0.000302", "+0.000302")
    assert table["last process starts, s"] == ("0.000000", "0.000405", "+0.000405")
    assert table["response, s"] == ("0.005000", "0.005405", "+0.000405")
    # (0.301740 + 0.404880) / 2 ms; DP asks nobody
    assert table["request to grant, mean ms"] == ("-", "0.353310", "-")
    assert table["request to grant, longest ms"] == ("-", "0.404880", "-")
    # node 0's own request is no message; a grant carries a pair: 128 + 16 B
    assert table["RamRequest, messages"] == ("0", "1", "+1")
    assert table["RamGrant, bytes"] == ("0", "144", "+144")
    assert "LoadBroadcast, messages" not in table
    assert table["borrowed, MB"] == ("0.000000", "16.000000", "+16.000000")
    assert table["borrowed from node 2, MB"] == ("0.000000", "16.000000", "+16.000000")
    assert text.endswith("Page faults are not known: neither journal has all hops")


def test_need_that_is_not_met_is_told_by_rank_and_equal_rows_are_left_out():
    # both lack 34 MB of 64 with 30 MB left over by node 2: 15 MB each are lent, if one manager
    # divides them; alone, the first client takes them all
    cen, cli = (
        recorded(design, job=[{"processes": 2, "memory_mb": 66, "demand_s": 0.01, "number": 7}])
        for design in ("CEN", "CLI")
    )
    text = tell(cli, Selection(job=7), cen)
    table = rows(text)
    for run, column in ((cli, 0), (cen, 1)):
        for rank in (0, 1):
            borrowed = run.records[
                (run.records["kind"] == "borrowed") & (run.records["node"] == rank)
            ]["amount_bytes"].sum()
            unmet_mb = 34 - borrowed / 2**20
            assert float(table[f"unmet by rank {rank}, MB"][column]) == pytest.approx(unmet_mb)
    assert "unmet, MB" not in table  # the same in all
    assert re.search(r"\(\d+ equal rows are left out\)", text)


def test_broadcasts_are_counted_one_by_one():
    table = rows(tell(recorded("CEN", nodes=4), Selection(job=7), recorded("MAN", nodes=4)))
    # two broadcasts to three each; three words: 64 + 3 · 16 B
    assert table["LoadBroadcast, messages"] == ("0", "6", "+6")
    assert table["LoadBroadcast, bytes"] == ("0", "672", "+672")


def test_faults_by_medium_where_every_hop_was_journaled():
    job = {"processes": 1, "memory_mb": 40, "demand_s": 1, "number": 7}
    disk, network = (
        recorded(design, "all", job=[job], page_bytes=2**18) for design in ("DP", "CEN")
    )
    faults = [(each.records["kind"] == "fault").sum() for each in (disk, network)]
    assert min(faults) > 0
    table = rows(tell(disk, Selection(job=7), network))
    # all 8 MB that lack are borrowed, so no fault of CEN goes to the disk
    assert table["faults by disk"] == (str(faults[0]), "0", f"{-faults[0]:+d}")
    assert table["faults by network"] == ("0", str(faults[1]), f"{faults[1]:+d}")
    assert table["PageReply, messages"] == ("0", str(faults[1]), f"{faults[1]:+d}")


def test_faults_known_of_one_side_alone_have_no_difference():
    table = rows(tell(recorded("CEN"), Selection(job=7), recorded("MAN", "all")))
    assert table["faults by disk"] == ("-", "0", "-")


def test_a_named_time_is_each_runs_own():
    """Job 7 is there for longer under CEN than under DP; the memory is released after its end."""
    one, other = recorded("DP"), recorded("CEN")
    whole = tell(one, Selection(job=7), other)
    windowed = tell(one, Selection(job=7, window="job:7"), other)
    assert rows(windowed)["response, s"] == rows(whole)["response, s"]
    assert rows(whole).keys() - rows(windowed).keys() >= {"ServerRelease, messages"}
    left, right, *_ = windowed.splitlines()
    assert "0 to 0.005000001 s" in left
    assert float(re.search(r"0 to ([\d.]+) s", right)[1]) == pytest.approx(0.00540488, abs=2e-9)


def test_it_needs_a_job_that_both_know():
    one, other = recorded("DP"), recorded("CEN")
    with pytest.raises(InputError, match="--job: a diff shows one job under two designs"):
        tell(one, Selection(), other)
    with pytest.raises(InputError, match="job 8 is not in the journal"):
        tell(one, Selection(job=8), other)


def test_the_parts_of_the_processes_time_add_up_to_the_difference_in_response():
    lines = tell(recorded("CLI"), Selection(job=7), recorded("CEN")).splitlines()
    rows = {line[:30].strip(): float(line.split()[-1]) for line in lines if ", s " in line[:32]}
    parts = [rows[f"{label}, s"] for label in words.SPENT.values() if f"{label}, s" in rows]
    assert len(parts) >= 2
    assert sum(parts) == pytest.approx(rows["response, s"], abs=1e-5)  # to six digits each
