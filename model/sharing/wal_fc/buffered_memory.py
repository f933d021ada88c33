"""How jobs and the I/O buffer share a node's RAM, and what follows for faults and I/O."""

from collections.abc import Hashable
from typing import TYPE_CHECKING

from agents.sharing.node_memory import NodeMemory
from model.ground.units import NS_PER_MS
from model.sharing.wal_fc.indices import Load, LoadIndices, io_of

if TYPE_CHECKING:
    from agents.sharing.job import SequentialJob
    from model.sharing.wal_fc.constants import WalFcConstants


class BufferedMemory(NodeMemory):
    """A job's whole memory is its working set; jobs have the RAM that the buffer does not take."""

    load: Load

    def __init__(self, constants: "WalFcConstants", _node: int) -> None:
        super().__init__(Load(0, 0, ()))
        self._indices = LoadIndices(constants)
        self._changed()

    def hold(self, job: "SequentialJob") -> None:
        """Count a job that comes to the node."""
        super().hold(job)
        self._changed()

    def release(self, job: "SequentialJob") -> None:
        super().release(job)
        self._changed()

    def set_buffer(self, size: int) -> None:
        """Use `size` bytes of the RAM to buffer I/O from now on."""
        self._indices.buffer = size
        self._changed()

    @property
    def regime(self) -> Hashable:
        """What decides how often jobs fault, and which share of the buffer each one has."""
        return self._fault_every_ns, self._io_per_ms, self._indices.buffer

    def fault_every_ns(self, job: "SequentialJob") -> int | None:
        """The same interval for all jobs while they request more than there is; else None."""
        return self._fault_every_ns

    def requests_every_ns(self, job: "SequentialJob") -> float | None:
        """Mean CPU time between the I/O requests of a job that the buffer does not answer."""
        if not job.io_per_ms:
            return None
        missing = 1 - self._indices.hit(io_of(job), self._io_per_ms)
        return NS_PER_MS / (job.io_per_ms * missing)

    def _changed(self) -> None:
        faults_per_ms = self._indices.faults_per_ms(self.load)
        self._fault_every_ns = max(1, round(NS_PER_MS / faults_per_ms)) if faults_per_ms else None
        self._io_per_ms = self.load.io_per_ms
