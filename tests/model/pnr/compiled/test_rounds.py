"""Rounds between barriers that repeat are not executed, and nothing shows it."""

from hypothesis import given, settings
from hypothesis import strategies as st

from model.pnr.scenario import make_scenario
from model.systems import emulation_of
from tests.model.pnr.compiled.equality import assert_equal, totals

# So small that most of them page never, and so long that they have 13 to 100 barriers.
JOB = st.fixed_dictionaries(
    {
        "processes": st.integers(2, 8),
        "memory_mb": st.sampled_from([2, 4, 4, 8, 20]),
        "demand_s": st.sampled_from([5, 10]),
        "submit_s": st.sampled_from([0, 0, 0, 1, 2.5]),
    }
)
CLUSTER = st.fixed_dictionaries(
    {
        "topology": st.sampled_from(["star", "bus", "connected"]),
        "synchronization": st.sampled_from(["central", "tree"]),
        "barrier_s": st.sampled_from([0.1, 0.37]),
        "bandwidth_mbps": st.sampled_from([10, 100]),
        "quantum_s": st.sampled_from([7, 60]),
    }
)


@given(
    st.lists(JOB, min_size=1, max_size=4),
    CLUSTER,
    st.sampled_from([33, 66, 40]),
    st.sampled_from(["DP", "CLI", "MAN"]),
)
@settings(max_examples=10)
def test_both_planes_tell_the_same_where_rounds_repeat(jobs, cluster, cpu_mhz, design):
    nodes = [{"count": 4}, {"count": 4, "cpu_mhz": cpu_mhz}]
    assert_equal(make_scenario(job=jobs, node=nodes, **cluster), design, "protocol")


def turns(jobs, repeats=1):
    """What a run on the compiled plane measured, and how many turns its loop took."""
    cluster = emulation_of(make_scenario(nodes=16, job=jobs), "DP", plane="compiled")
    cluster.arrays.run["repeats"] &= repeats
    cluster.run()
    return totals(cluster), int(cluster.arrays.run["turn"])


def test_a_job_that_computes_alone_takes_no_time_between_its_first_rounds_and_its_last():
    short, long = ({"processes": 8, "memory_mb": 4, "demand_s": s} for s in (100, 1000))
    assert turns([long])[1] - turns([short])[1] < 910  # of 900 rounds, one event each


def test_jobs_whose_messages_always_meet_repeat_their_rounds_together():
    jobs = [{"processes": count, "memory_mb": 4, "demand_s": 1000} for count in (5, 5, 6)]
    skipping, few = turns(jobs)
    executing, many = turns(jobs, repeats=0)
    assert skipping == executing
    assert few < many / 5
