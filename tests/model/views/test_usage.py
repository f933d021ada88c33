"""How many nodes have a running job and how many jobs wait, counted again at every instant."""

import numpy as np
import pytest

from model.core.journal.kinds import Record
from model.core.journal.over_time import spans_of_jobs
from model.core.journal.past import HELD, QUEUED, RUNNING
from model.pnr.scenario import make_scenario
from model.views.gantt import draw, stints
from model.views.levels import busy_nodes
from model.views.recording import Selection, record
from model.views.usage import jobs_in

JOBS = [
    {"processes": 3, "memory_mb": 10, "demand_s": 0.3},
    {"processes": 2, "memory_mb": 10, "demand_s": 0.2, "submit_s": 0.05},
    {"processes": 4, "memory_mb": 10, "demand_s": 0.1, "submit_s": 0.06},
]


def recorded(design="DP", **parameters):
    given = {"nodes": 4, "page_bytes": 2**20, "minimum_demand_s": 0.001, "quantum_s": 0.1}
    return record(make_scenario(job=JOBS, **{**given, **parameters}), design, "protocol")


def level(steps, time_ns):
    times_ns, levels = steps
    return levels[np.searchsorted(times_ns, time_ns, side="right") - 1]


def test_a_node_is_busy_while_anything_is_on_it():
    times_ns, levels = busy_nodes([(0, 10, 30), (0, 20, 40), (2, 30, 50)])
    assert dict(zip(times_ns.tolist(), levels.tolist(), strict=True)) == {
        **{0: 0, 10: 1, 20: 1, 30: 2, 40: 1, 50: 0}
    }


@pytest.mark.parametrize("mpl", [1, 3])
def test_jobs_that_wait_are_submitted_and_not_placed(mpl):
    made = recorded(mpl=mpl)
    steps = jobs_in(made.job_spans, QUEUED, HELD)
    times = {
        kind: made.records[made.records["kind"] == kind].set_index("job")["time_ns"]
        for kind in ("submitted", "placed")
    }
    for now_ns in range(0, int(made.records["time_ns"].max()), 7_000_000):
        waiting = sum(
            times["submitted"][job] <= now_ns < times["placed"][job]
            for job in times["placed"].index
        )
        assert level(steps, now_ns) == waiting
    assert (steps[1].max() > 0) == (mpl == 1)


def test_a_job_that_is_killed_waits_again_under_pnr():
    placed = {"slot": 0, "amount_bytes": 1, "payload": '{"nodes":[0]}'}
    rows = [
        Record(1, "submitted", job=7),
        Record(2, "placed", job=7, **placed),
        Record(5, "submitted", job=8),
        Record(6, "killed", job=7),
        Record(9, "placed", job=8, **placed),
    ]
    times_ns, levels = jobs_in(spans_of_jobs(rows, 1), QUEUED, HELD)
    expected = {0: 0, 1: 1, 2: 0, 5: 1, 6: 2}  # both to the end, at 9
    assert dict(zip(times_ns.tolist(), levels.tolist(), strict=True)) == expected | {9: 1}


def test_the_chart_shows_the_share_of_nodes_with_a_running_job():
    made = recorded()
    axes = draw(made, Selection()).axes[-2]
    (line,) = axes.lines
    all_of_them = stints(made.job_spans)
    at_ms, shown = line.get_xdata(), line.get_ydata()
    for now_ns in range(500, int(made.records["time_ns"].max()), 11_000_000):
        computing = {
            node
            for it in all_of_them
            if it.state == RUNNING and it.start_ns <= now_ns < it.end_ns
            for node in it.nodes
        }
        here = np.searchsorted(at_ms, now_ns / 1e6, side="right") - 1
        assert shown[here] == 100 * len(computing) / 4
