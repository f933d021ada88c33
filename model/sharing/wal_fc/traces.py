"""The traces of WAL-FC, whose jobs come in heavier bursts than in CPU-memory load sharing."""

from model.sharing.memory.workload import Trace
from model.sharing.pareto import BoundedPareto

TRACES = (
    Trace(7_600, 90, 0.10, 0.2, BoundedPareto(0.10, 1.00, 100)),
    Trace(6_400, 100, 0.12, 0.2, BoundedPareto(0.10, 0.95, 100)),
    Trace(6_200, 110, 0.15, 0.1, BoundedPareto(0.12, 1.00, 120)),
    Trace(8_800, 80, 0.08, 0.2, BoundedPareto(0.10, 1.05, 100)),
    Trace(5_600, 90, 0.15, 0.2, BoundedPareto(0.12, 0.95, 80)),
    Trace(9_400, 110, 0.08, 0.1, BoundedPareto(0.10, 1.10, 150)),
    Trace(8_000, 100, 0.10, 0.2, BoundedPareto(0.12, 1.10, 100)),
    Trace(7_200, 120, 0.14, 0.1, BoundedPareto(0.10, 1.00, 120)),
)
