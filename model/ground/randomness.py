"""Counter-based draws: each is a function of (seed, purpose, job, rank or manager, index).

So a seed gives the same draws under every design (common random numbers), and a draw does not
depend on what ran before it. The generator is SplitMix64 (Steele, Lea, Flood: Fast Splittable
Pseudorandom Number Generators, OOPSLA 2014); a library's generator would have to be re-keyed for
every draw, and could not be called from compiled code. Both data planes call these functions; they
are plain Python, and `model/core/jit.py` lets compiled code call them, too. An array of 64-bit
words does as well as one.
"""

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any

import numpy as np

FAULT_TIME, DISK_OR_NETWORK, LENDER, RELOCALITY, MANAGER_CHOICE, TIE = range(6)
PROBE, GOSSIP = 6, 7  # whom a client of PROBE asks, whom a manager of GOSSIP tells
LOSS, DUPLICATE, DELAY, CRASH = range(8, 12)  # faults
ROUTE = 12  # the way of messages from one node to another
PHASE = 13  # how much of its memory a job's processes hold
OWN = 14  # what a user's own roles draw, by a name that they choose (`Role.stream`)
ARRIVAL = 15  # how much longer or shorter it takes until a job arrives
SCALING = 16  # which jobs of a log stay on a smaller cluster
PAGE_COST = 17  # how long a disk takes for a page, if that is drawn

_MASK = 2**64 - 1
_GOLDEN = 0x9E3779B97F4A7C15
#: After so few draws of a stream, `draws` makes so many at once, which takes a quarter of the time.
_FEW, _STEPS = 64, 256
_BLOCK = np.arange(1, _STEPS + 1, dtype=np.uint64) * np.uint64(_GOLDEN)


def mix(bits: int) -> int:
    """SplitMix64's finalizer: a bijection of 64-bit words that flips about half of the bits."""
    bits = (bits ^ (bits >> 30)) * 0xBF58476D1CE4E5B9 & _MASK
    bits = (bits ^ (bits >> 27)) * 0x94D049BB133111EB & _MASK
    return bits ^ (bits >> 31)


def stream_key(seed: int, purpose: int, *words: int) -> int:
    """The 64-bit key of one stream; the words say whose: a job and a rank, or a manager's node."""
    key = 0
    for word in (seed, purpose, *words):
        key = longer_key(key, word)
    return key


def longer_key(key: int, word: int) -> int:
    """The key of a stream that one word more tells from others."""
    return mix(key + _GOLDEN + word & _MASK)


def following(state: int) -> int:
    """The state of a stream at its next draw; before the first it is the stream's key.

    State number n is key + n * _GOLDEN, so any draw of a stream can be made without earlier ones.
    """
    return state + _GOLDEN & _MASK


def uniform(state: int) -> float:
    """The draw at this state of a stream: uniform in the open interval (0, 1)."""
    return ((mix(state) >> 12) + 0.5) * 2.0**-52


@dataclass
class Stream:
    """One stream's draws, one after another, as a key and a position: it can be copied, compared.

    For roles, whose whole state can be copied and compared; `draws` gives the same numbers faster.
    """

    state: int

    @classmethod
    def of(cls, seed: int, purpose: int, job: int, member: int) -> "Stream":
        """The stream at its beginning; arguments as of `stream_key`."""
        return cls(stream_key(seed, purpose, job, member))

    def __next__(self) -> float:
        self.state = following(self.state)
        return uniform(self.state)


def draws(seed: int, purpose: int, *words: int) -> Iterator[float]:
    """One stream's draws, one after another; arguments as of `stream_key`."""
    state = stream_key(seed, purpose, *words)
    for _ in range(_FEW):
        state = following(state)
        yield uniform(state)
    while True:
        block: Any = np.uint64(state) + _BLOCK
        numbers: Any = uniform(block)
        yield from numbers.tolist()
        state = state + _STEPS * _GOLDEN & _MASK
