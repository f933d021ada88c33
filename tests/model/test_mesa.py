"""What `model/README.md` says to users of Mesa holds."""

from math import nan

import mesa
import numpy as np
import pytest

from agents.station import Station
from model import Cluster, Node
from model.ground.errors import InputError
from model.pnr import cluster as plain
from model.pnr.scenario import make_scenario
from model.systems import emulation_of, measure

JOBS = [
    {"processes": 2, "memory_mb": 40, "demand_s": 3},
    {"processes": 1, "memory_mb": 20, "demand_s": 2},
]


def cluster():
    scenario = make_scenario(nodes=4, page_bytes=2**16, job=JOBS)
    return emulation_of(scenario, "MAN", plane="actors")


def test_step_is_one_event_and_run_model_goes_to_the_end():
    stepped, ran = cluster(), cluster()
    stepped.step()
    assert stepped.clock.executed == 1
    assert stepped.running
    stepped.run_model()
    ran.run()
    assert not stepped.running
    summaries = [measure(model).summary for model in (stepped, ran)]
    assert {"wall_s"} == {key for key in summaries[0] if summaries[0][key] != summaries[1][key]}


def test_samples_of_memory_are_the_models_own():
    model = cluster()
    model.run()
    samples = model.sampling.samples
    assert list(samples) == [
        *("time_s", "allocated_mb_mean", "allocated_mb_sd", "disk_mb_mean", "disk_mb_sd"),
    ]
    # all jobs arrive at 0 s, so 20 samples span the longest demand, 3 s
    assert samples["time_s"][:2] == [0.15, 0.3]
    # At first, nodes 0 and 1 hold more than they have, and node 2 holds 20 MB.
    assert max(samples["allocated_mb_mean"]) <= 32
    assert measure(model).samples.to_dict("list") == samples


def test_the_old_name_of_a_plane_is_still_read_and_names_the_new_one():
    with pytest.warns(FutureWarning, match="engine= is called plane= now"):
        cluster = emulation_of(make_scenario(nodes=4, job=JOBS), "DP", engine="actors")
    assert type(cluster) is plain.Cluster


PLANES = ("actors", "compiled")
SMALL = {"design": "MAN", "nodes": 4, "page_bytes": 2**16, "job": JOBS, "seed": 1}


def without_wall(model):
    return {name: value for name, value in measure(model).summary.items() if name != "wall_s"}


@pytest.mark.parametrize("plane", PLANES)
def test_steps_of_time_measure_what_a_whole_run_does(plane):
    stepped, whole = Cluster(plane=plane, step_s=0.7, **SMALL), Cluster(plane=plane, **SMALL)
    stepped.step()
    assert (stepped.clock.now_ns, stepped.running) == (700_000_000, True)
    stepped.run_model()
    whole.run()
    assert not stepped.running
    assert without_wall(stepped) == without_wall(whole)
    ended_s = stepped.datacollector.model_vars["time_s"]
    stepped.step()  # nothing is left to do
    assert ended_s[-2:] == [whole.clock.now_ns / 1e9] * 2


@pytest.mark.parametrize("plane", PLANES)
def test_steps_end_where_a_run_hangs(plane):
    lossy = {**SMALL, "plane": plane, "fault": [{"kind": "loss", "rate": 0.6}]}
    stepped, whole = Cluster(step_s=5_000, **lossy), Cluster(**lossy)
    stepped.run_model()
    whole.run()
    assert stepped.stuck
    assert whole.stuck
    assert stepped.clock.now_ns == whole.clock.now_ns


def test_both_planes_collect_the_same_data():
    collected = []
    for plane in PLANES:
        model = Cluster(plane=plane, step_s=0.7, **SMALL)
        model.run_model()
        of_nodes = model.datacollector.get_agenttype_vars_dataframe(Node)
        collected.append((model.datacollector.model_vars, of_nodes.to_numpy().tolist()))
    (actors, nodes), (compiled, others) = collected
    assert nodes == others
    assert str(actors) == str(compiled)  # NaN is like NaN
    assert actors["time_s"][:2] == [0.7, 1.4]
    assert actors["jobs_ended"][0] == 0
    assert str(actors["mean_response_s"][0]) == str(nan)
    # nodes 0 and 1 hold 40 MB of 32 each, node 2 holds 20 and lends 12, node 3 lends 4
    assert actors["lent_mb"][0] == 16
    assert actors["allocated_mb"][0] == 32 + 32 + 32 + 4


@pytest.mark.parametrize("plane", PLANES)
def test_agents_are_found_by_any_class_of_theirs(plane):
    model = Cluster(plane=plane, **SMALL)
    assert [node.index for node in model.agents_by_type[Node]] == [0, 1, 2, 3]
    assert len(model.agents_by_type[Station]) == len(model.stations())
    assert sum(map(len, model.agents_by_type.values())) == len(model.agents)


def test_a_batch_has_a_row_for_each_combination():
    given = {**SMALL, "job": [JOBS], "nodes": np.array([3, 4]), "design": ["DP", "MAN"]}
    rows = mesa.batch_run(Cluster, given, max_steps=10**6, display_progress=False)
    alone = Cluster(**{**SMALL, "nodes": 3, "design": "DP"})
    alone.run_model()
    found = {(row["nodes"], row["design"]): row["time_s"] for row in rows}
    assert {*found} == {(3, "DP"), (3, "MAN"), (4, "DP"), (4, "MAN")}
    assert found[3, "DP"] == alone.datacollector.model_vars["time_s"][-1]


@pytest.mark.parametrize("plane", PLANES)
def test_a_model_of_ones_own_derives_from_it_and_is_made_anew_by_its_class(plane):
    class Mine(Cluster):
        seen = 0

        def step(self):
            super().step()
            self.seen += 1

    model = Mine(plane=plane, **SMALL)
    model.run_model()
    assert model.seen == len(model.datacollector.model_vars["time_s"])
    # as the viewer does on Reset, which has a scenario of Mesa's own from 3.5 on
    anew = type(model)(plane=plane, scenario=mesa, **SMALL)
    assert isinstance(anew, Mine)
    assert anew.clock.now_ns == 0


def test_a_keyword_that_is_no_parameter_is_refused():
    with pytest.raises(InputError, match=r"--nods: there is no .* did you mean nodes"):
        Cluster(nods=4)
