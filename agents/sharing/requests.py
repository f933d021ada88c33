"""The part of a job's I/O that reaches the disk.

A job's requests are a Poisson process in its CPU time; the buffer of its node answers each one with
the probability h of that moment. So the requests that it does not answer are a Poisson process too,
with (1 - h) times the rate. Only these are drawn: a hit costs nothing and changes nothing.
"""

from collections.abc import Callable, Iterator

import numpy as np

from model.ground.streams import stream


class Requests:
    """One job's requests, equal under every policy: the n-th gap and size are the n-th draws.

    Gaps are exponential, in mean gaps; sizes are gamma, in bytes.
    """

    def __init__(self, seed: int, job: int, mean_size: float, sd_size: float) -> None:
        gaps, sizes = (stream(seed, purpose, job) for purpose in ("I/O gaps", "I/O sizes"))
        self._gaps = _one_by_one(gaps.standard_exponential)
        if sd_size:
            shape, scale = (mean_size / sd_size) ** 2, sd_size**2 / mean_size
            self._sizes = _one_by_one(lambda count: scale * sizes.standard_gamma(shape, count))
        else:
            self._sizes = _one_by_one(lambda count: np.full(count, mean_size))

    def gap(self) -> float:
        """The CPU time from the last request to the next, in mean gaps."""
        return next(self._gaps)

    def size(self) -> int:
        """The bytes of the next request, at least 1."""
        return max(1, round(next(self._sizes)))


def _one_by_one(draw: Callable[[int], np.ndarray]) -> Iterator[float]:
    """Draws, made a block at a time."""
    while True:
        yield from draw(128).tolist()
