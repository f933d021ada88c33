"""What `model/README.md` says to users of Mesa holds."""

import mesa

from model.pnr.scenario import make_scenario
from model.systems import emulation_of, measure

JOBS = [
    {"processes": 2, "memory_mb": 40, "demand_s": 3},
    {"processes": 1, "memory_mb": 20, "demand_s": 2},
]


def cluster(design="MAN", seed=1):
    scenario = make_scenario(nodes=4, page_bytes=2**16, job=JOBS, seed=seed)
    return emulation_of(scenario, design, engine="actors")


def test_step_is_one_event_and_run_model_goes_to_the_end():
    stepped, ran = cluster(), cluster()
    stepped.step()
    assert stepped.steps == 1
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


def test_a_collector_of_ones_own_collects_when_it_is_asked():
    model = cluster()
    collector = mesa.DataCollector(
        model_reporters={"free": lambda m: sum(node.memory.load for node in m.nodes)}
    )
    for _ in range(5):
        model.step()
        collector.collect(model)
    free = collector.get_model_vars_dataframe()["free"]
    assert len(free) == 5
    assert free.iloc[-1] < 4 * 32 * 2**20
    assert {"time_s", "allocated_mb_mean"} <= {*model.datacollector.model_vars}
