"""The experiments of CPU-memory load sharing: figures, findings, and what was assumed."""

from model.sharing.experiments import Experiments
from model.sharing.memory.figures import FIGURES
from model.sharing.memory.findings import FINDINGS

EXPERIMENTS = Experiments(
    "memory",
    "CPU-memory load sharing (Zhang, Qu, Xiao)",
    FIGURES,
    FINDINGS,
    "The paper's eight traces are lost; these are made (`model/sharing/memory/workload.py`), half "
    "an hour each, and their fault rates found by the paper's rule: NO_LS near a slowdown of 20 "
    "(`calibration.py`, on seeds 1 and 2). Exponent and cap of memory, CT, and how preemptive "
    "migration chooses a job are not given either: see `run.py share --help`.",
)
