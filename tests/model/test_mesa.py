"""What `model/README.md` says to users of Mesa holds."""

import pytest

from model.pnr.cluster import Cluster
from model.pnr.scenario import make_scenario
from model.systems import emulation_of, measure

JOBS = [
    {"processes": 2, "memory_mb": 40, "demand_s": 3},
    {"processes": 1, "memory_mb": 20, "demand_s": 2},
]


def cluster(design="MAN", seed=1):
    scenario = make_scenario(nodes=4, page_bytes=2**16, job=JOBS, seed=seed)
    return emulation_of(scenario, design, plane="actors")


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


def test_all_agents_are_in_the_sets():
    model = cluster()
    counts = {kind.__name__: len(agents) for kind, agents in model.agents_by_type.items()}
    assert counts["Servent"] == counts["Disk"] == 4
    assert len(model.agents) == sum(counts.values())
    disks = model.agents.select(lambda agent: type(agent).__name__ == "Disk")
    assert len(disks) == 4


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
    assert type(cluster) is Cluster
