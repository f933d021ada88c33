"""Stories of a job and of a record, on a run followed by hand in tests/model/views/test_flow.py."""

import re
from dataclasses import replace

import pytest

from model.core.journal.words import short
from model.ground.errors import InputError
from model.pnr.scenario import make_scenario
from model.views.recording import Selection, record
from model.views.story import repeats, tell
from tests.model.views.test_diff import recorded as of_two_processes


def recorded(level="protocol", **parameters):
    return of_two_processes("CEN", level, **parameters)


def searching():
    """A process of job 7 that asks nine nodes in vain, since others fill them."""
    jobs = [
        {"processes": 9, "memory_mb": 32, "demand_s": 1, "number": 6},
        {"processes": 1, "memory_mb": 60, "demand_s": 0.005, "number": 7, "submit_s": 0.1},
    ]
    scenario = make_scenario(job=jobs, nodes=10, minimum_demand_s=0.001, page_bytes=2**24)
    return record(scenario, "CEN")


def number_of(recording, kind, what=None, node=None):
    records = recording.records[recording.records["kind"] == kind]
    if what is not None:
        records = records[records["what"] == what]
    if node is not None:
        records = records[records["node"] == node]
    return int(records["id"].iloc[0])


def without_ids(text):
    return [line.split("  #")[0].strip() for line in text.splitlines()]


def test_a_job_has_a_line_for_each_record_with_its_cause():
    recording = recorded()
    run, head, *lines = tell(recording, Selection(job=7)).splitlines()
    assert "design CEN" in run
    assert head == "Job 7, CEN: 39 records"
    assert len(lines) == (recording.records["kind"] != "queued").sum() == 39
    first, placed, *_ = lines
    submitted = number_of(recording, "submitted")
    assert first.strip() == (
        f"0.000000 s  scheduler  job 7 is submitted  #{short(submitted)}  <- nothing before it"
    )
    assert placed.endswith(f"<- job 7 is submitted, #{short(submitted)}")
    lent = next(line for line in lines if " lends " in line)
    assert "0.000201 s  node 2     lends 16.00 MB" in lent
    assert "<- ServerRequest from node 0 to node 2, #" in lent
    finished = next(line for line in lines if "rank 1 of job 7 finishes  #" in line)
    assert "0.005405 s  node 1 " in finished
    assert "<- node 1: rank 1 of job 7 starts, #" in finished


def test_a_record_has_its_causes_from_the_root_and_what_it_caused():
    recording = recorded()
    text = tell(recording, Selection(), short(number_of(recording, "sent", "ServerReply")))
    _, title, *lines = without_ids(text)
    assert title.endswith("CEN: what led to it")
    assert lines == [
        "0.000000 s  scheduler  job 7 is submitted",
        "0.000000 s  scheduler  job 7 is placed in slot 0 on nodes 0, 1, 40.00 MB per process",
        "0.000000 s  node 1     sends RamRequest to node 0 about 8.00 MB",
        "0.000101 s  node 0     receives RamRequest from node 1",
        "0.000101 s  node 0     sends ServerRequest to node 2 about 16.00 MB",
        "0.000201 s  node 2     receives ServerRequest from node 0",
        "0.000201 s  node 2     sends ServerReply to node 0 about 16.00 MB",
        "0.000302 s  node 0     receives ServerReply from node 2",
        "What it caused directly",
        "0.000302 s  node 0     sends RamGrant to node 0 about 8.00 MB",
        "0.000302 s  node 0     sends RamGrant to node 1 about 8.00 MB",
    ]


def test_a_line_names_a_cause_that_was_not_journaled():
    # one barrier: rank 0 waits there for rank 1, which started later, and goes on because of its
    # arrival; the protocol level does not write it
    recording = recorded(barrier_s=0.003)
    finished = number_of(recording, "finished", node=0)
    for text in (tell(recording, Selection(job=7)), tell(recording, Selection(), short(finished))):
        assert "which is not in this journal (its level is protocol)" in text
    whole = recorded(barrier_s=0.003, level="all")
    for text in (tell(whole, Selection(job=7)), tell(whole, Selection(), short(finished))):
        assert "leaves out" not in text
        assert "rank 1 of job 7 is at a barrier" in text


def test_a_part_of_a_journal_leaves_causes_out_for_being_one():
    # messages sent in the first 0.2 ms are there, and what those after it led to
    part = replace(recorded(barrier_s=0.003, level="all"), part=("0 to 0.0002 s",))
    late = (part.records["kind"] == "sent") & (part.records["time_ns"] >= 200_000)
    part = replace(part, records=part.records[~part.records["id"].isin(part.records["id"][late])])
    text = tell(part, Selection(job=7))
    assert "which is not in this journal (it is a part)" in text
    assert "level" not in text


def test_a_story_needs_a_job_or_a_known_record():
    with pytest.raises(InputError, match="--job: a story is about one job"):
        tell(recorded(), Selection())
    with pytest.raises(InputError, match=r"record f0\.5 is not in the journal of CEN"):
        tell(recorded(), Selection(), "5")


def test_what_is_repeated_has_one_line():
    letters = "abbbcdcdcdcee"
    blocks = list(repeats(list(letters)))
    found = [(letters[first : first + length], times) for first, length, times in blocks]
    assert found == [("a", 1), ("b", 3), ("cd", 3), ("c", 1), ("e", 1), ("e", 1)]
    assert sum(length * times for _, length, times in blocks) == len(letters)


def test_a_search_is_folded():
    made = searching()  # each asking is alike
    text = tell(made, Selection(job=7))
    asked = (made.records["what"] == "ServerRequest") & (made.records["kind"] == "sent")
    asked = int((asked & (made.records["job"] == 7)).sum())
    folded = re.findall(r"x (\d+) alike, as these? ?(\d*)", text)
    assert (str(asked - 2), "") not in folded
    shown = sum("sends ServerRequest" in line for line in text.splitlines())
    assert shown < asked
    assert all(int(times) >= 2 for times, _ in folded)


def test_a_time_and_a_node_find_the_record():
    recording = recorded()
    # 0.000201160 s: node 2 lends, and answers; node 1 has nothing between 0 and 0.0004 s
    reply = short(number_of(recording, "sent", "ServerReply"))
    text = tell(recording, Selection(), at_s=0.000205, node=2)
    assert text == tell(recording, Selection(), reply)
    with pytest.raises(InputError, match="node 2 has no record before then"):
        tell(recording, Selection(), at_s=0.0001, node=2)
    with pytest.raises(InputError, match="--at and --node: give both"):
        tell(recording, Selection(), node=2)
    with pytest.raises(InputError, match=r"such as m6\.25"):
        tell(recording, Selection(), "x6")


def test_a_choice_has_what_its_search_has_written_before():
    # Of the second choice the journal has only what is new of node 0, the manager itself.
    made = searching()
    decided = made.records[made.records["kind"] == "decided"]
    second = decided.iloc[1]
    assert f'"{second.peer}"' not in second.payload.split("candidates")[1]
    believed = f"node {second.peer}, believed to have 0.00 MB since 0.000000 s; it has 0.00 MB"
    assert f"chooses {believed}" in tell(made, Selection(job=7))
    assert f"chooses {believed}" in tell(made, Selection(), short(second.id))
