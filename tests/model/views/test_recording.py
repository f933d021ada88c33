"""Reading a journal again, and choosing a part of it."""

import pandas as pd
import pyarrow.parquet as pq
import pytest

from model.core.journal.file import JournalFile
from model.core.journal.kinds import Record
from model.ground.errors import InputError
from model.pnr.scenario import make_scenario
from model.systems import run
from model.views.recording import Recording, Selection, read_recordings, record

JOBS = [
    {"processes": 2, "memory_mb": 40, "demand_s": 0.03, "number": 7},
    {"processes": 1, "memory_mb": 8, "demand_s": 0.02, "submit_s": 0.01, "number": 9},
]


@pytest.fixture
def scenario():
    return make_scenario(job=JOBS, nodes=4, page_bytes=2**20, minimum_demand_s=0.001)


@pytest.fixture
def journal(tmp_path, scenario):
    """A file with the journals of two runs."""
    path = tmp_path / "journal.parquet"
    file = JournalFile(path, scenario.model_dump_json())
    for design in ("DP", "CEN"):
        run(scenario, design, readers=(file.of(design),), journal_level="protocol")
    file.close()
    return path


def test_the_window_of_a_run_that_was_stopped_is_whole_though_nothing_happens_at_its_end(scenario):
    # 9 ms after the start nothing is sent, and job 9 comes 1 ms later
    window = Selection(to_s=0.0095)
    made = record(scenario, "CEN", "protocol", hops_of=window, stop=True)
    assert made.stopped
    assert made.records["time_ns"].max() < 9_500_000
    assert window.window_ns(made) == (0, 9_500_000)


def test_what_is_read_is_what_was_recorded(journal, scenario):
    recordings = read_recordings(journal)
    assert [recording.design for recording in recordings] == ["DP", "CEN"]
    for read in recordings:
        made = record(scenario, read.design, "protocol")
        assert read.scenario == scenario
        assert not read.every_hop
        pd.testing.assert_frame_equal(
            read.records.astype(object).where(read.records.notna(), None),
            made.records.astype(object).where(made.records.notna(), None),
        )


def say(path, scenario):
    """Let a journal file name another scenario."""
    table = pq.read_table(path)
    pq.write_table(table.replace_schema_metadata({b"scenario": scenario}), path)


@pytest.mark.parametrize(
    ("spoil", "complaint"),
    [
        (lambda path: path.unlink(), "no such file"),
        (lambda path: path.write_bytes(path.read_bytes()[:-20]), "not a whole Parquet file"),
        (lambda path: path.write_text("time,kind\n1,sent\n"), "not a whole Parquet file"),
        (lambda path: pd.DataFrame({"a": [1]}).to_parquet(path), "but no journal"),
        (
            lambda path: say(path, b'{"nodes":4,"from another version":1}'),
            "not of this version",
        ),
    ],
)
def test_what_is_no_whole_journal_is_refused_in_one_line(journal, spoil, complaint):
    spoil(journal)
    with pytest.raises(InputError, match=complaint) as refused:
        read_recordings(journal)
    assert "\n" not in str(refused.value)
    assert str(refused.value).startswith(f"{journal}: ")


def test_a_journal_that_memory_does_not_hold_is_not_read(journal, monkeypatch):
    monkeypatch.setattr("model.views.recording.MOST_RECORDS", 10)
    with pytest.raises(InputError, match=r"it has \d+ records, of which at most 10 are read"):
        read_recordings(journal)


def recording(*rows) -> Recording:
    """Records of (time_s, job, node, peer)."""
    frame = pd.DataFrame(
        [
            Record(time_s * 10**9, "sent", id=1, job=job, node=node, peer=peer)
            for time_s, job, node, peer in rows
        ],
        columns=Record._fields,
    )
    return Recording(make_scenario(job=JOBS), "CEN", frame)


ROWS = [(0, 7, 0, 1), (1, 9, 2, 3), (2, 7, 1, 0), (3, 9, 3, None)]


@pytest.mark.parametrize(
    ("selection", "places"),
    [
        (Selection(), [0, 1, 2, 3]),
        (Selection(job=9), [1, 3]),
        (Selection(from_s=1), [1, 2, 3]),
        (Selection(to_s=2), [0, 1]),  # a window is [from, to)
        (Selection(from_s=1, to_s=3), [1, 2]),
        (Selection(nodes=(3,)), [1, 3]),  # sender or receiver
        (Selection(job=7, from_s=1, nodes=(0, 5)), [2]),
    ],
)
def test_a_selection_is_all_that_fits_all_of_it(selection, places):
    assert list(selection.of(recording(*ROWS)).index) == places


@pytest.mark.parametrize(
    ("selection", "complaint"),
    [
        (Selection(job=8), "--job: job 8 is not in the journal"),
        (Selection(from_s=10), r"from 0 to 3.000000 s; widen --from-s"),
        (Selection(nodes=(9,)), "nothing is selected"),
        (Selection(nodes=(0, 64)), r"--on-nodes: the nodes are 0 to 63 \(not 64\)"),
        (Selection(nodes=(-1,)), r"--on-nodes: the nodes are 0 to 63 \(not -1\)"),
    ],
)
def test_an_empty_selection_is_refused(selection, complaint):
    with pytest.raises(InputError, match=complaint):
        selection.of(recording(*ROWS))


def test_a_window_ends_after_it_begins():
    with pytest.raises(InputError, match=r"^--to-s 10: give a time after --from-s 20$"):
        Selection(from_s=20, to_s=10).of(recording(*ROWS))


def test_a_run_tells_how_far_it_is(monkeypatch):
    monkeypatch.setattr("model.ground.clock.Clock.events_between_reports", 1)
    heard = []
    scenario = make_scenario(nodes=2, job=[{"processes": 1, "memory_mb": 1, "demand_s": 1}])
    record(scenario, "DP", progress=lambda emulation: heard.append(emulation.name))
    assert set(heard) == {"DP"}


def test_windows_have_names():
    jobs = [
        {"processes": 1, "memory_mb": 40, "demand_s": 0.05, "number": 3},
        {"processes": 3, "memory_mb": 40, "demand_s": 0.05, "number": 5, "submit_s": 2},
    ]
    made = record(
        make_scenario(job=jobs, nodes=30, minimum_demand_s=0.001, page_bytes=2**20), "MAN"
    )
    its = made.records[made.records["job"] == 5].groupby("kind", observed=True)["time_ns"]
    by_name = Selection(window="job:5")
    times_s = its.min()["submitted"] / 1e9, (its.max()["ended"] + 1) / 1e9
    assert by_name.times_s(made) == times_s
    by_times = Selection(None, *times_s)
    assert by_name.of(made).equals(by_times.of(made))
    assert by_name.window_ns(made) == by_times.window_ns(made)
    busy_from_s, _ = Selection(window="busiest").times_s(made)
    sent = [
        row.time_ns
        for row in made.records.itertuples()
        if row.kind == "sent" and row.node != row.peer and row.phase not in ("page", "barrier")
    ]
    shortest = min(b - a for a, b in zip(sent, sent[59:], strict=False))
    first_ns = round(busy_from_s * 1e9)
    assert sum(first_ns <= it <= first_ns + shortest for it in sent) >= 60
    with pytest.raises(InputError, match="job 4 is not in the journal"):
        Selection(window="job:4").times_s(made)
    with pytest.raises(InputError, match="give busiest, or job: and a number"):
        Selection(window="quietest")
    with pytest.raises(InputError, match="leave out --from-s and --to-s"):
        Selection(window="busiest", to_s=3)
