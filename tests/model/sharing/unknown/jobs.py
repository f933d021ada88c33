"""Jobs of a test's own, and their run on two nodes."""

from agents.sharing.job import Resize, SequentialSpec
from model.sharing.scenarios import make_sharing_scenario
from model.systems import run

MB, S = 2**20, 10**9


def spec(number, demand_s, memory_mb, *events, home=0, submit_s=0, ios=0, weight=1):
    """A job that resizes at each event: s of its CPU time, and MB from then on."""
    return SequentialSpec(
        number,
        round(submit_s * S),
        home,
        round(demand_s * S),
        round(memory_mb * MB),
        tuple(Resize(round(at_s * S), round(mb * MB)) for at_s, mb in events),
        ios=ios,
        fault_weight=weight,
    )


def emulate(jobs, policy="NO_LS", **parameters):
    scenario = make_sharing_scenario(**{"system": "unknown", "nodes": 2, **parameters})
    return run(scenario, policy, check=True, workload=jobs)
