"""The seven programs of table 1 (Chen, Xiao, Zhang), which the generated jobs run."""

from dataclasses import dataclass

from agents.sharing.job import Resize
from model.ground.units import BYTES_PER_MB, NS_PER_S, exact, round_half_up

#: If a working set is given as a range, it grows from its least to its most in this many equal
#: steps over the job's life; the paper gives only the range.
STEPS = 8


@dataclass(frozen=True, slots=True)
class Program:
    """One row of table 1, as strings so that decimals stay exact.

    CPU time is k-time + u-time. The time of its own I/O is left out, as in the paper's breakdown of
    execution time (section 6); its I/Os raise the paging rate.
    """

    name: str
    kernel_s: str
    user_s: str
    least_mb: str
    most_mb: str
    ios: int  # reads and writes

    @property
    def demand_ns(self) -> int:
        """The CPU time that the program needs, in ns."""
        return round_half_up((exact(self.kernel_s) + exact(self.user_s)) * NS_PER_S)

    @property
    def memory(self) -> int:
        """The working set that it begins with, in bytes."""
        return round_half_up(exact(self.least_mb) * BYTES_PER_MB)

    @property
    def growth(self) -> tuple[Resize, ...]:
        """Its further working sets, each of which holds for an equal part of its life."""
        least, most = exact(self.least_mb), exact(self.most_mb)
        if least == most:
            return ()
        return tuple(
            Resize(
                self.demand_ns * step // (STEPS + 1),
                round_half_up((least + (most - least) * step / STEPS) * BYTES_PER_MB),
            )
            for step in range(1, STEPS + 1)
        )


PROGRAMS = (
    Program("bit-r", "0.57", "191.85", "64.22", "64.22", 9),
    Program("m-sort", "1.7", "80.84", "64.27", "64.27", 18),
    Program("m-m", "1.12", "4901.12", "66.37", "66.37", 4),
    Program("t-sim", "0.14", "38.79", "4.64", "4.64", 225),
    Program("metis", "8.06", "112.85", "1.37", "4.30", 292),
    Program("r-sphere", "0.97", "298.18", "36.84", "39.66", 1624),
    Program("r-wing", "1.31", "28.98", "19.53", "23.39", 3541),
)
