"""The experiments of WAL-FC: figures, findings, what a controller could gain, what was assumed."""

from model.sharing.experiments import Experiments
from model.sharing.wal_fc.figures import FIGURES
from model.sharing.wal_fc.findings import FINDINGS
from model.sharing.wal_fc.gain_tables import tables

EXPERIMENTS = Experiments(
    "wal-fc",
    "WAL-FC (Qin, Jiang, Zhu, Swanson)",
    FIGURES,
    FINDINGS,
    "TODO",
    tables,
)
