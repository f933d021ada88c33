"""Tables: read again by programs that are not ours, and parts that can be viewed again."""

from dataclasses import replace

import pandas as pd
import pyarrow.parquet as pq
import pytest
from hypothesis import assume, given, settings
from hypothesis import strategies as st

from model.ground.errors import InputError
from model.pnr.waste import USES
from model.views import diff, gantt, memory, sequence, story
from model.views.caption import caption
from model.views.exports.tables import csv, parquet
from model.views.recording import Selection, read_recordings
from tests.model.views.exports.conftest import BARRIER, BORROWER, recorded


def plain(frame):
    """A table whose equality does not depend on how a reader types what is missing."""
    return frame.astype(object).where(frame.notna(), None)


@pytest.mark.parametrize("read", [pd.read_parquet, lambda path: pq.read_table(path).to_pandas()])
def test_a_whole_run_reads_back_equal(borrowing, tmp_path, read):
    parquet([borrowing], Selection(), tmp_path / "a.parquet")
    again = read(tmp_path / "a.parquet")
    assert set(again["design"]) == {"MAN"}
    pd.testing.assert_frame_equal(plain(again.drop(columns="design")), plain(borrowing.records))


def test_a_csv_file_reads_back_equal(borrowing, tmp_path):
    csv(borrowing, Selection(), tmp_path / "a.csv")
    again = pd.read_csv(tmp_path / "a.csv", dtype=borrowing.records.dtypes.to_dict())
    pd.testing.assert_frame_equal(plain(again), plain(borrowing.records))
    assert borrowing.records["payload"].str.contains('","|,"', na=False).any()  # that need quotes


# Parts that can be viewed again


def cut(recording, selection, path):
    parquet([recording], selection, path)
    (part,) = read_recordings(path)
    return part


def test_a_part_keeps_the_scenario_and_managers_and_says_that_it_is_one(borrowing, tmp_path):
    part = cut(borrowing, Selection(job=7), tmp_path / "part.parquet")
    assert (part.scenario, part.managers) == (borrowing.scenario, borrowing.managers)
    assert "a part" not in caption(borrowing, Selection())
    assert "from a part of the journal with the messages of job 7 only" in caption(
        part, Selection()
    )


def test_a_part_of_a_part_says_both(borrowing, tmp_path):
    once = cut(borrowing, Selection(job=7), tmp_path / "once.parquet")
    twice = cut(once, Selection(nodes=(3,)), tmp_path / "twice.parquet")
    assert twice.part == ("job 7 only", "nodes 3 only")
    assert "of job 7 only, nodes 3 only" in caption(twice, Selection())


def test_a_part_has_the_selected_messages_whole_and_no_others(borrowing, tmp_path):
    # job 7's request is sent at 0 s, and what it borrowed is given back later
    early = Selection(job=7, to_s=0.0001)
    part = cut(borrowing, early, tmp_path / "part.parquet").records
    sent = early.of(borrowing)
    wanted = set(sent.loc[sent["kind"] == "sent", "id"])
    assert wanted
    kept = part[part["kind"].isin(["sent", "hop", "delivered"])]
    whole = borrowing.records[borrowing.records["id"].isin(wanted)]
    assert kept["id"].tolist() == whole["id"].tolist()
    assert whole["time_ns"].max() > 100_000  # it arrives after the window
    assert "barrier" in set(borrowing.records["kind"])
    assert "barrier" not in set(part["kind"])


@settings(max_examples=4)
@given(
    job=st.sampled_from([None, 3, 7]),
    from_s=st.sampled_from([None, 0.0, 0.01, 1.0]),
    to_s=st.sampled_from([None, 0.02, 3.0]),
    nodes=st.sampled_from([(), (3,), (0, 1)]),
)
def test_a_part_shows_the_memory_and_the_jobs_of_the_whole_run(
    borrowing, tmp_path_factory, job, from_s, to_s, nodes
):
    selection = Selection(job, from_s, to_s, nodes)
    try:
        chosen = selection.of(borrowing)
    except InputError:
        assume(False)
    part = cut(borrowing, selection, tmp_path_factory.mktemp("part") / "part.parquet")
    of_both = [memory.memory_of(one) for one in (borrowing, part)]
    for name in ("times_ns", "own", "lent", "borrowed", "asked"):
        whole, again = (getattr(held, name) for held in of_both)
        assert whole.tolist() == again.tolist()
    whole, again = (
        [vars(stint) for stint in gantt.stints(one.job_spans)] for one in (borrowing, part)
    )
    assert whole == again
    assert set(chosen["id"]) <= set(part.records["id"])


def test_a_part_tells_what_the_whole_tells_of_it(borrowing, tmp_path):
    part = cut(borrowing, Selection(job=7), tmp_path / "part.parquet")
    useless = replace(borrowing, part=part.part)  # nobody knows what messages of a part were for
    for tell, one in ((sequence.mermaid, useless), (story.tell, borrowing)):
        whole, again = (tell(it, Selection(job=7)).splitlines() for it in (one, part))
        assert whole[1:] == again[1:]  # but for the caption


def test_a_part_of_several_runs_can_be_compared(tmp_path):
    both = [recorded(BARRIER, BORROWER, nodes=4, design=design) for design in ("CLI", "MAN")]
    parquet(both, Selection(job=7), tmp_path / "part.parquet")
    read = read_recordings(tmp_path / "part.parquet")
    whole, again = (
        diff.tell(two[0], Selection(job=7), two[1]).splitlines()[1:] for two in (both, read)
    )
    # A part does not know what its messages were good for: that depends on those left out.
    only_whole = ("·", *USES, "equal rows")
    told = [line for line in whole if not any(one in line for one in only_whole)]
    assert told == [line for line in again if not any(one in line for one in only_whole)]
    assert not any(use in line for line in again for use in USES)


def test_an_empty_part_is_refused(borrowing, tmp_path):
    with pytest.raises(InputError, match="job 5 is not in the journal"):
        parquet([borrowing], Selection(job=5), tmp_path / "none")
    assert not (tmp_path / "none").exists()
