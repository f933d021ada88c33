"""Independent streams of random numbers for what workloads draw."""

import numpy as np

_PURPOSES = (
    *("bursts", "homes", "lifetimes", "memory", "gaps", "programs"),
    *("I/O rates", "I/O gaps", "I/O sizes"),
)


def stream(seed: int, purpose: str, of: int) -> np.random.Generator:
    """The seed's stream for one purpose and trace or job; changes in one stream move no other."""
    return np.random.Generator(np.random.PCG64([seed, _PURPOSES.index(purpose), of]))
