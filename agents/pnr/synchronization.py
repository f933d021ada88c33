"""How the processes of a job synchronize after each interval of CPU time: who waits for whom.

The thesis has one way, central, and asks for "a more intense and complex model" (section 5.3). The
other ways are ours. `Exchange` stands apart from the other messages since only scenarios whose
processes exchange data have it.
"""

from collections.abc import Mapping, Sequence
from types import MappingProxyType

from agents.messages import message
from agents.pnr.messages import ToProcess


@message("exchange", hears="process", size_bytes="exchange")
class Exchange(ToProcess):
    """Process -> process beside it in a ring: data of this rank, for which nobody waits."""

    job: int
    rank: int


def beside(rank: int, size: int) -> Sequence[int]:
    """The ranks before and after a rank in the ring of a job of this size, without itself."""
    around = ((rank - 1) % size, (rank + 1) % size)
    return tuple(other for other in dict.fromkeys(around) if other != rank)


class Synchronization:
    """Who waits for whom; here nobody, so that processes go on by themselves: no barriers."""

    meets = False  # whether processes wait for each other at all
    in_ring = False  # whether each waits for those beside it, without being released

    def parent(self, rank: int, size: int) -> int | None:
        """The rank that a process tells of its arrival, and that releases it; None: nobody."""
        return None

    def awaited(self, rank: int, size: int) -> Sequence[int]:
        """The ranks whose arrivals a process waits for."""
        return ()


class _Central(Synchronization):
    """All workers tell the master, rank 0, which releases them when it has heard all."""

    meets = True

    def parent(self, rank: int, size: int) -> int | None:
        return 0 if rank else None

    def awaited(self, rank: int, size: int) -> Sequence[int]:
        return () if rank else range(1, size)


class _Tree(Synchronization):
    """Arrivals combine along a binary tree of ranks, and releases come down it."""

    meets = True

    def parent(self, rank: int, size: int) -> int | None:
        return (rank - 1) // 2 if rank else None

    def awaited(self, rank: int, size: int) -> Sequence[int]:
        return range(2 * rank + 1, min(2 * rank + 3, size))


class _Neighbours(Synchronization):
    """Each process waits for those beside it in a ring, and may be one interval ahead of them."""

    meets = in_ring = True

    def awaited(self, rank: int, size: int) -> Sequence[int]:
        return beside(rank, size)


#: By the names that scenarios have for them.
SYNCHRONIZATIONS: Mapping[str, Synchronization] = MappingProxyType(
    {
        "central": _Central(),
        "tree": _Tree(),
        "neighbours": _Neighbours(),
        "none": Synchronization(),
    }
)
