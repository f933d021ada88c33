"""Independent streams of random numbers for what a workload draws."""

import numpy as np

_PURPOSES = ("bursts", "homes", "lifetimes", "memory", "gaps", "programs")


def stream(seed: int, purpose: str, trace: int) -> np.random.Generator:
    """The stream of this seed for one purpose in one trace; a change in one moves no other."""
    return np.random.Generator(np.random.PCG64([seed, _PURPOSES.index(purpose), trace]))
