"""The constants of WAL-FC in addition to the shared ones."""

from dataclasses import dataclass
from typing import Self

from agents.sharing.job import SequentialSpec
from agents.sharing.requests import Requests
from model.ground.errors import InputError
from model.ground.units import BYTES_PER_KB, BYTES_PER_MB, NS_PER_MS, NS_PER_S, exact, round_half_up
from model.sharing.constants import SharingConstants
from model.sharing.wal_fc import indices
from model.sharing.wal_fc.scenario import WalFcScenario


@dataclass(frozen=True, slots=True, kw_only=True)
class WalFcConstants(SharingConstants):
    """The shared constants, and those of WAL-FC. `remote_ns` is c without the network's part."""

    buffer: int  # of every node at the beginning, in bytes
    user_least: int  # bytes
    faults_per_ms: float  # mu
    reaccess: float  # r
    size: float  # E(d), bytes
    size_sd: float
    seek_ns: int
    byte_ns: float  # the disk's transfer time of a byte
    io_weight: float
    overload: float
    history: int
    weight_gain: float
    buffer_gain: float

    @classmethod
    def of(cls, scenario: WalFcScenario) -> Self:
        """Derive the constants; raises InputError if the buffer leaves jobs too little memory."""
        if scenario.buffer_mb + scenario.user_least_mb > scenario.ram_mb:
            raise InputError(
                f"--buffer-mb {scenario.buffer_mb:g}: leaves less than the "
                f"--user-least-mb {scenario.user_least_mb:g} of the {scenario.ram_mb:g} MB of RAM"
            )
        shared = cls.shared(scenario)
        data = round_half_up(exact(scenario.data_mb) * BYTES_PER_MB)
        byte_ns = exact(NS_PER_S) / (exact(scenario.disk_mb_s) * BYTES_PER_MB)
        shared["remote_ns"] += round_half_up(2 * data * byte_ns)
        return cls(
            **shared,
            submission_data=data,
            buffer=round_half_up(exact(scenario.buffer_mb) * BYTES_PER_MB),
            user_least=round_half_up(exact(scenario.user_least_mb) * BYTES_PER_MB),
            faults_per_ms=scenario.faults_per_ms,
            reaccess=scenario.reaccess,
            size=scenario.io_kb * BYTES_PER_KB,
            size_sd=scenario.io_sd_kb * BYTES_PER_KB,
            seek_ns=round_half_up(exact(scenario.seek_ms) * NS_PER_MS),
            byte_ns=float(byte_ns),
            io_weight=scenario.io_weight,
            overload=scenario.overload,
            history=scenario.history,
            weight_gain=scenario.weight_gain,
            buffer_gain=scenario.buffer_gain,
        )

    @property
    def service_ms(self) -> float:
        """E(s): the mean service time of an I/O request at the disk, in ms."""
        return (self.seek_ns + self.size * self.byte_ns) / NS_PER_MS

    @property
    def square_service_ms2(self) -> float:
        """E(s²): the mean square of the service time, in ms²."""
        return self.service_ms**2 + (self.size_sd * self.byte_ns / NS_PER_MS) ** 2

    @property
    def move_ms(self) -> float:
        """c = e + d (1/bnet + 1/bdisk + 1/bdisk): the cost of moving a job, in ms."""
        return self.migration_ns(self.submission_data) / NS_PER_MS

    def request_ns(self, size: int) -> int:
        """Service time of an I/O request: seek, rotation and transfer."""
        return self.seek_ns + round(size * self.byte_ns)

    def requests_of(self, spec: SequentialSpec, seed: int) -> Requests | None:
        """The I/O requests of a job that reach the disk; None if it does no I/O."""
        if not spec.io_per_ms:
            return None
        return Requests(seed, spec.number, self.size, self.size_sd)

    def unshared_io_ns(self, spec: SequentialSpec) -> int:
        """Mean time of the job's I/O if it is alone on a node with the initial buffer."""
        alone = indices.LoadIndices(self)
        io = indices.IO(spec.io_per_ms, spec.demand_ns / NS_PER_MS)
        missing = 1 - alone.hit(io, spec.io_per_ms)
        return round(io.cpu_ms * io.per_ms * missing * self.service_ms * NS_PER_MS)
