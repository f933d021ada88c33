"""A node's disk: unlimited space, one page at a time."""

from agents.interfaces import Resident, Surroundings
from agents.station import Station
from model.ground.clock import DISK


class Disk(Station):
    """Serves page faults in order; a page takes seek, rotation and transfer (thesis, 3.1.2).

    Where pages are written out, too, a fault is one request of two such services.
    """

    def __init__(self, model: Surroundings, node: int) -> None:
        super().__init__(model, f"disk {node}")
        self.node = node
        self.page_ns = model.constants.disks_ns[node]
        self.page_bytes = model.constants.disk_bytes

    def read(self, process: Resident) -> None:
        """Serve a page fault of a process, after all earlier requests; then it goes on."""
        self.serve(process, self.page_ns, self.page_bytes)

    def serve(self, process: Resident, service_ns: int, size_bytes: int) -> None:
        """Read or write `size_bytes` for a process in `service_ns`; then the process goes on."""
        end = self.enter(service_ns, size_bytes)
        if self.journal is not None:
            process.cause = self.journal.disk(process, self, size_bytes, end - service_ns, end)
        self.clock.schedule((end, DISK, self.node, self.node, self.served, self._done, process))

    def _done(self, process: Resident) -> None:
        if self.journal is not None:
            self.journal.because(process.cause, process.job.number)
        process.page_loaded()
