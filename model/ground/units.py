"""Units: inside, time is integer nanoseconds and memory integer bytes; people read s and MB."""

from collections.abc import Sequence
from fractions import Fraction
from functools import lru_cache
from math import gcd, lcm

NS_PER_S = 10**9
NS_PER_MS = 10**6
NS_PER_US = 10**3
BYTES_PER_KB = 2**10
BYTES_PER_MB = 2**20


@lru_cache(4096, typed=True)  # thousands of runs have most of their parameters in common
def exact(value: float | int | str) -> Fraction:
    """The decimal number that a person wrote: 0.1 is one tenth, not its nearest binary fraction."""
    return Fraction(str(value))


def round_half_up(value: Fraction) -> int:
    """The nearest integer, halves upwards; every derived constant is rounded this way, once."""
    return (2 * value.numerator + value.denominator) // (2 * value.denominator)


def whole(values: Sequence[Fraction]) -> list[int]:
    """Whole numbers in the same proportions as the values, as small as they can be."""
    common = lcm(*(value.denominator for value in values))
    numbers = [int(value * common) for value in values]
    divisor = gcd(*numbers)
    return [number // divisor for number in numbers]


def seconds(time_ns: float) -> float:
    """Nanoseconds as seconds, for people."""
    return time_ns / NS_PER_S


def megabytes(size_bytes: float) -> float:
    """Bytes as MB of 2^20 bytes, for people."""
    return size_bytes / BYTES_PER_MB


def memory_in_words(size_bytes: int) -> str:
    """An exact number of bytes if it is small, else MB."""
    return f"{size_bytes} bytes" if size_bytes < 10_000 else f"{megabytes(size_bytes):.2f} MB"
