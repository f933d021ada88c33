"""Independent streams of random numbers for what a workload draws."""

import numpy as np

_PURPOSES = (
    *("bursts", "homes", "lifetimes", "memory", "gaps", "programs"),
    *("I/O rates", "I/O gaps", "I/O sizes"),
)


def stream(seed: int, purpose: str, of: int) -> np.random.Generator:
    """The stream of this seed for one purpose in one trace or job; a change moves no other."""
    return np.random.Generator(np.random.PCG64([seed, _PURPOSES.index(purpose), of]))
