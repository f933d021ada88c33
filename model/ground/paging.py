"""The page fault model (thesis, section 3.1.3): formulas that both data planes call.

L is the limit: how much of a process's data can be out of RAM (`Memory.outside`),
which is min(over-allocation, its size) unless it may hold a part of it in RAM only, or computes
beside others on cores of its node.
D is how much of that has been loaded since the process was last switched in, and U = (L - D)/L.
"""

from math import log, sqrt


def share(amount: int, held: int, together: int) -> int:
    """The part of an amount that falls to a process that holds so much of what several do.

    These compute at once, and are one process of the thesis together.
    """
    return amount if held == together else int(min(amount, together) * (held / together))


def fault_time_ns(uniform: float, page_walk_ns: int, limit: int, loaded: int) -> int:
    """CPU time to the next page fault, exponential with mean R * page / U; at least 1 ns.

    `page_walk_ns` is R * page: how long a linear walk stays in a page. D must be less than L. Times
    longer than any demand are cut to 2^62 ns, which 64 bits hold.
    """
    mean_ns = page_walk_ns * (limit / (limit - loaded))
    return max(1, int(min(0.5 - mean_ns * log(uniform), 2.0**62)))


def relocated_bytes(uniform: float, page: int, excess: int, unit: int) -> int:
    """How many bytes of a process larger than RAM a change of locality unloads.

    Triangular with minimum and mode `page` and maximum `excess` = size - RAM > page, in whole units
    of so many bytes. (Of a process that may hold less in RAM, that counts for RAM.)
    """
    least, most = page // unit, excess // unit
    return unit * int(most - (most - least) * sqrt(1.0 - uniform) + 0.5)
