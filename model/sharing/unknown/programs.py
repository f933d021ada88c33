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

    `fault_weight` is from the group of four in table 2, faults / (k-time + u-time): m-sort 37,132 /
    80.46 s, bit-r 8,334 / 215.09 s, t-sim 440 / 40.51 s, m-m 11,286 / 4,795.17 s. r-wing is only
    in another group, where it has 23.1 faults/s beside m-sort's 62.2: 0.371 of m-sort's weight.
    Assumed: r-sphere, the same renderer, is like r-wing; metis like t-sim, the other small program.
    """

    name: str
    kernel_s: str
    user_s: str
    least_mb: str
    most_mb: str
    ios: int  # reads and writes
    fault_weight: int  # tenths of a fault in a second of CPU time, where it was measured

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
    Program("bit-r", "0.57", "191.85", "64.22", "64.22", 9, 387),
    Program("m-sort", "1.7", "80.84", "64.27", "64.27", 18, 4615),
    Program("m-m", "1.12", "4901.12", "66.37", "66.37", 4, 24),
    Program("t-sim", "0.14", "38.79", "4.64", "4.64", 225, 109),
    Program("metis", "8.06", "112.85", "1.37", "4.30", 292, 109),
    Program("r-sphere", "0.97", "298.18", "36.84", "39.66", 1624, 1714),
    Program("r-wing", "1.31", "28.98", "19.53", "23.39", 3541, 1714),
)
