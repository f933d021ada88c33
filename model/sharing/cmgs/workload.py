"""The loads of CMGS: arrivals and CPU times from a trace, memory requests from a distribution.

The paper's traces, those of CPU-memory load sharing, are lost. Here, too, jobs come in bursts, but
all jobs of a burst come to one node: with jobs of 64 to 256 MB even small bursts make memory
scarce, and both policies look at the home's memory and queue first.
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
    """The jobs of a generated trace or of a log; raises InputError."""
    requests_mb = REQUESTS_MB[scenario.load]
    if scenario.trace.isdecimal():
        return generate(int(scenario.trace), scenario, requests_mb, TRACES)
    return read_jobs(scenario, requests_mb)
