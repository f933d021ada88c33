"""The loads of CMGS: arrivals and CPU times of a trace, memory requests of a distribution."""

from model.sharing.cmgs.scenario import CmgsScenario
from model.sharing.job import SequentialSpec
from model.sharing.log import read_jobs
from model.sharing.memory.workload import generate
from model.sharing.pareto import BoundedPareto

#: MB: k, alpha, P of section 5.3.
REQUESTS_MB = {"mixed": BoundedPareto(64, 1, 256), "memory": BoundedPareto(128, 5, 256)}


def jobs_of(scenario: CmgsScenario) -> list[SequentialSpec]:
    """Those of a generated trace, or of a log; raises InputError."""
    requests_mb = REQUESTS_MB[scenario.load]
    if scenario.trace.isdecimal():
        return generate(int(scenario.trace), scenario, requests_mb)
    return read_jobs(scenario, requests_mb)
