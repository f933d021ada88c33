"""Where load sharing's jobs were, as the journal says it."""

from model.core.journal.kinds import Record
from model.core.journal.over_time import spans_of_jobs
from model.sharing.scenarios import make_sharing_scenario
from model.views.gantt import draw
from model.views.recording import Selection, record
from model.views.residence import Residence, residences


def journal(*rows):
    """Of rows time, kind, job, nodes."""
    return [
        Record(
            **dict.fromkeys(Record._fields)
            | {"time_ns": time_ns, "kind": kind, "job": job}
            | {"payload": f'{{"nodes":{list(nodes)}}}'}
        )
        for time_ns, kind, job, nodes in rows
    ]


def test_jobs_stand_side_by_side_and_a_place_is_taken_again():
    records = journal(
        (0, "placed", 1, [0]),
        (1, "placed", 2, [0]),
        (2, "ended", 1, [0]),
        (3, "placed", 3, [0]),
        (9, "ended", 3, [0]),
    )
    assert residences(spans_of_jobs(records, 3)) == [
        Residence(1, 0, 0, 0, 2),
        Residence(2, 0, 1, 1, 9),  # still there at the end
        Residence(3, 0, 0, 3, 9),
    ]


def test_a_job_on_its_way_is_nowhere():
    records = journal(
        (0, "submitted", 1, [0]),
        (0, "moved", 1, [0, 1]),  # remote execution: it never was on node 0
        (2, "placed", 1, [1]),
        (5, "moved", 1, [1, 2]),
        (7, "placed", 1, [2]),
        (8, "killed", 1, [2]),
    )
    assert residences(spans_of_jobs(records, 3)) == [
        Residence(1, 1, 0, 2, 5),
        Residence(1, 2, 0, 7, 8),
    ]


def test_a_job_has_its_number_where_there_is_room():
    """A job of 10 s beside one of 10,000 s: in a picture of 20 s both have, in one of all one."""
    job = [
        {"memory_mb": 1, "demand_s": demand_s, "submit_s": 0, "home": home}
        for home, demand_s in enumerate((10, 1e4))
    ]
    made = record(make_sharing_scenario(job=job, nodes=2, policies="NO_LS"), "NO_LS")
    for last_s, numbers in ((20, ["1", "2"]), (None, ["2"])):
        axes = draw(made, Selection(from_s=0, to_s=last_s)).axes[0]
        axes.figure.draw_without_rendering()
        assert [text.get_text() for text in axes.texts if text.fits()] == numbers
