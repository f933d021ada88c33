"""The loads of CMGS: arrivals and CPU times of a trace, memory requests of a distribution.

The paper's traces, those of CPU-memory load sharing, are lost. Here, too, jobs come in bursts, but
each to one node: jobs of 64 to 256 MB make memory scarce in small bursts already, and it is the
home's memory and queue that both policies look at first.
"""

from agents.sharing.job import SequentialSpec
from model.sharing.cmgs.scenario import CmgsScenario
from model.sharing.log import read_jobs
from model.sharing.memory.workload import Trace, generate
from model.sharing.pareto import BoundedPareto

TRACES = (Trace(5_000, 20, 0.5, 1.0, BoundedPareto(0.1, 1.0, 300)),)
#: MB: k, alpha, P of section 5.3.
REQUESTS_MB = {"mixed": BoundedPareto(64, 1, 256), "memory": BoundedPareto(128, 5, 256)}


def jobs_of(scenario: CmgsScenario) -> list[SequentialSpec]:
    """Those of a generated trace, or of a log; raises InputError."""
    requests_mb = REQUESTS_MB[scenario.load]
    if scenario.trace.isdecimal():
        return generate(int(scenario.trace), scenario, requests_mb, TRACES)
    return read_jobs(scenario, requests_mb)
