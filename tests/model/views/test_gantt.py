"""Jobs over nodes and time slots."""

from matplotlib.figure import Figure

from model.core.journal.kinds import Record
from model.core.journal.over_time import spans_of_jobs
from model.core.journal.past import RUNNING, SWITCHED_OUT
from model.pnr.scenario import make_scenario
from model.views.gantt import Stint, draw, merged, stints
from model.views.picture import write_if_it_fits
from model.views.recording import Selection, record
from tests.model.pnr.test_gang import job

S = 10**9


def written(axes):
    """The numbers that have room."""
    axes.figure.draw_without_rendering()
    return [text.get_text() for text in axes.texts if text.fits()]


def recorded(*jobs, design="DP", **parameters):
    scenario = make_scenario(job=list(jobs), **{"barrier_s": 10**6, **parameters})
    return record(scenario, design, "protocol")


def told(recording):
    return [
        (it.job, it.slot, [*it.nodes], it.state, it.start_ns / S, it.end_ns / S)
        for it in stints(recording.job_spans)
    ]


def test_two_slots_in_turn():
    # as in test_gang: 60 s each, 4 ms between; job 2 ends in its second turn, job 1 in its second
    made = recorded(job(demand_s=100), job(demand_s=70), nodes=1)
    assert told(made) == [
        (1, 0, [0], RUNNING, 0, 60),
        (2, 1, [0], SWITCHED_OUT, 0, 60.004),
        (1, 0, [0], SWITCHED_OUT, 60, 120.008),
        (2, 1, [0], RUNNING, 60.004, 120.004),
        (2, 1, [0], SWITCHED_OUT, 120.004, 160.012),
        (1, 0, [0], RUNNING, 120.008, 160.008),
        (2, 1, [0], RUNNING, 160.012, 170.012),
    ]
    figure = draw(made, Selection())
    assert [axes.get_ylabel() for axes in figure.axes[:2]] == ["Slot 0: node", "Slot 1: node"]
    suspended, running = figure.axes[1].collections[:2]
    assert (len(suspended.get_paths()), len(running.get_paths())) == (2, 2)


def test_consecutive_short_turns_are_merged_and_tell_how_much_of_the_time_a_job_runs():
    """What is as long as the least stays; a long turn, another slot or node, or a gap divides."""

    def cut(*rows):
        its = [
            Stint(1, slot, nodes, state, start, end, ran_ns=(end - start) * (state == RUNNING))
            for slot, nodes, state, start, end in rows
        ]
        found = merged(its, 10)
        return [(it.slot, it.nodes, it.state, it.start_ns, it.end_ns, it.share) for it in found]

    short = [(0, [0], RUNNING, 0, 3), (0, [0], SWITCHED_OUT, 3, 9), (0, [0], RUNNING, 9, 12)]
    assert cut(*short) == [(0, [0], None, 0, 12, 0.5)]
    assert cut(*short[:1]) == [(0, [0], RUNNING, 0, 3, 1.0)]
    assert cut(short[0], (0, [0], RUNNING, 3, 9)) == [(0, [0], RUNNING, 0, 9, 1.0)]
    assert cut(*short, (0, [0], SWITCHED_OUT, 12, 22), (0, [0], RUNNING, 22, 25)) == [
        (0, [0], None, 0, 12, 0.5),
        (0, [0], SWITCHED_OUT, 12, 22, 0.0),
        (0, [0], RUNNING, 22, 25, 1.0),
    ]
    for slot, nodes, start in ((1, [0], 3), (0, [1], 3), (0, [0], 4)):
        assert len(cut(short[0], (slot, nodes, SWITCHED_OUT, start, 9))) == 2


def test_a_job_moves_when_slots_are_unified():
    # jobs 1 and 2 fill slot 0, job 3 waits in slot 1; when job 1 ends, it moves to slot 0 and runs
    made = recorded(
        job(processes=2, demand_s=5), job(demand_s=20), job(processes=2, demand_s=20), nodes=3
    )
    assert told(made) == [
        (1, 0, [0, 1], RUNNING, 0, 5),
        (2, 0, [2], RUNNING, 0, 20),
        (3, 1, [0, 1], SWITCHED_OUT, 0, 5),
        (3, 0, [0, 1], RUNNING, 5, 25),
    ]
    [unified] = made.records[made.records["kind"] == "unified"].itertuples()
    assert (unified.time_ns, unified.slot) == (5 * S, 0)
    assert unified.payload == '{"moved":[[3,1,0]]}'


def test_jobs_that_a_crash_killed_or_never_end_are_told():
    """Job 1 waits in vain, is killed at 5 s and waits again; job 2 gets no nodes."""
    fault = [
        {"kind": "loss", "messages": ["ServerRequest"]},
        {"kind": "node", "nodes": [0], "from_s": 5, "restart_s": 3},
    ]
    jobs = job(processes=2, memory_mb=40), job(processes=3, submit_s=1)
    made = recorded(*jobs, design="CLI", nodes=3, mpl=1, fault=fault, stall_s=10)
    figure = draw(made, Selection())
    title = figure.get_suptitle().replace("\n", " ")
    assert title.startswith("CLI: 1 numbered job; 2 never end")
    assert title.endswith("; 2 never end (1 in the queue, not drawn)")
    kills = [line for line in figure.axes[0].lines if line.get_color() == "#D00000"]
    assert [line.get_xdata().tolist() for line in kills] == [[5, 5]]
    assert "killed by a crash of its node" in [
        text.get_text() for text in figure.legends[0].get_texts()
    ]
    assert figure_of_job_2(made).endswith("no job here; 1 never ends (1 in the queue, not drawn)")


def figure_of_job_2(made):
    return draw(made, Selection(job=2)).get_suptitle().replace("\n", " ")


def test_a_job_has_the_same_color_in_a_window_as_in_the_whole_run():
    made = recorded(job(demand_s=10), job(demand_s=100), nodes=2, scheduler="space")
    whole, late = (
        draw(made, selection).axes[0].collections[1].get_facecolors().tolist()
        for selection in (Selection(), Selection(from_s=20))
    )
    assert late == whole[1:]


def test_a_window_and_nodes_are_cut_out():
    made = recorded(job(2, 100), job(2, 100), nodes=4, scheduler="space")
    axes = draw(made, Selection(from_s=20, to_s=50, nodes=(2,))).axes[0]
    assert axes.get_xlim() == (20, 50)
    assert [tick.get_text() for tick in axes.get_yticklabels()] == ["2"]
    assert written(axes) == ["2"]


def test_a_number_is_written_only_where_it_has_room():
    """Two digits of 7 points take 0.15 by 0.11 inches with a margin; here an inch is 1 by 1."""
    axes = Figure(figsize=(1, 1)).add_axes((0, 0, 1, 1))
    for wide, tall in ((0.2, 0.12), (0.14, 0.12), (0.2, 0.1)):
        write_if_it_fits(axes, "12", (0.5, 0.5 + wide, 0, tall))
    assert [text.fits() for text in axes.texts] == [True, False, False]
    axes.figure.set_size_inches(0.7, 1)
    assert not axes.texts[0].fits()


def test_only_nodes_with_a_job_have_a_row_and_the_others_are_counted():
    made = recorded(job(2, 100), nodes=8)
    axes = draw(made, Selection()).axes[0]
    assert [tick.get_text() for tick in axes.get_yticklabels()] == ["0", "1"]
    assert axes.get_ylabel() == "Slot 0: node\n(6 without)"
    axes = draw(made, Selection(nodes=(0, 5))).axes[0]
    assert [tick.get_text() for tick in axes.get_yticklabels()] == ["0", "5"]
    assert axes.get_ylabel() == "Slot 0: node"


def journal(*rows):
    """Of rows time, kind, job, nodes."""
    return [
        Record(time_ns, kind, job=job, payload=f'{{"nodes":{list(nodes)}}}')
        for time_ns, kind, job, nodes in rows
    ]


def stays(*rows):
    """Job, nodes, place, start and end of each stint of load sharing."""
    found = stints(spans_of_jobs(journal(*rows), 3))
    return [(it.job, it.nodes, it.place, it.start_ns, it.end_ns) for it in found]


def test_jobs_of_load_sharing_stand_side_by_side_and_a_place_is_taken_again():
    assert stays(
        (0, "placed", 1, [0]),
        (1, "placed", 2, [0]),
        (2, "ended", 1, [0]),
        (3, "placed", 3, [0]),
        (9, "ended", 3, [0]),
    ) == [
        (1, (0,), 0, 0, 2),
        (2, (0,), 1, 1, 9),  # still there at the end
        (3, (0,), 0, 3, 9),
    ]


def test_a_job_on_its_way_is_nowhere():
    assert stays(
        (0, "submitted", 1, [0]),
        (0, "moved", 1, [0, 1]),  # remote execution: it never was on node 0
        (2, "placed", 1, [1]),
        (5, "moved", 1, [1, 2]),
        (7, "placed", 1, [2]),
        (8, "killed", 1, [2]),
    ) == [(1, (1,), 0, 2, 5), (1, (2,), 0, 7, 8)]
