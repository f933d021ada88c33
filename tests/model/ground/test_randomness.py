"""Counter-based draws: SplitMix64's published numbers, uniformity, independence of streams."""

from itertools import islice, pairwise, product
from math import sqrt

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from model.ground.randomness import (
    DISK_OR_NETWORK,
    FAULT_TIME,
    LENDER,
    MANAGER_CHOICE,
    RELOCALITY,
    TIE,
    draws,
    mix,
    stream_key,
    uniform,
)
from model.pnr.scenario import make_scenario
from tests.journaled import journaled

GOLDEN = 0x9E3779B97F4A7C15
WORDS = 2**64
PURPOSES = (FAULT_TIME, DISK_OR_NETWORK, LENDER, RELOCALITY, MANAGER_CHOICE, TIE)
#: SplitMix64's first outputs, as published: seed 0, and seed 1,234,567 (Rosetta Code).
PUBLISHED = {
    0: (0xE220A8397B1DCDAF, 0x6E789E6AA1B965F4, 0x06C45D188009454F),
    1234567: (6457827717110365317, 3203168211198807973, 9817491932198370423),
}
SAMPLES = 20_000


def sample(seed=1, purpose=FAULT_TIME, job=1, member=0, count=SAMPLES):
    return np.fromiter(islice(draws(seed, purpose, job, member), count), float, count)


def unmixed(word):
    """The word of which SplitMix64's finalizer makes `word`: its steps undone, last first."""

    def unshifted(bits, shift):
        """The x of x ^ (x >> shift) = bits, from the top bits down."""
        value = bits
        for _ in range(64 // shift):
            value = bits ^ (value >> shift)
        return value

    word = unshifted(word, 31) * pow(0x94D049BB133111EB, -1, WORDS) % WORDS
    word = unshifted(word, 27) * pow(0xBF58476D1CE4E5B9, -1, WORDS) % WORDS
    return unshifted(word, 30)


def drawn(key, index):
    """Draw number `index` of a stream, had without those before it."""
    return uniform((key + (index + 1) * GOLDEN) % WORDS)


@pytest.mark.parametrize("seed", PUBLISHED)
def test_mixing_a_counter_gives_the_published_numbers_of_splitmix64(seed):
    # SplitMix64 adds the golden ratio to its state, which begins as the seed, and mixes it
    assert tuple(mix((seed + k * GOLDEN) % WORDS) for k in (1, 2, 3)) == PUBLISHED[seed]


@pytest.mark.parametrize("seed", PUBLISHED)
def test_a_draw_is_the_upper_52_bits_of_a_number_and_a_half(seed):
    for index, number in enumerate(PUBLISHED[seed]):
        assert drawn(seed, index) == (number // 2**12 + 0.5) / 2**52


def test_draws_are_in_the_open_interval_from_0_to_1():
    assert uniform(unmixed(0)) == 2**-53 > 0
    assert uniform(unmixed(WORDS - 1)) == 1 - 2**-53 < 1


def test_draws_that_are_made_at_once_are_those_made_one_by_one():
    key, many = stream_key(7, LENDER, 3, 1), 1_000
    assert list(islice(draws(7, LENDER, 3, 1), many)) == [drawn(key, n) for n in range(many)]


def test_the_first_draws_of_many_streams_are_uniform():
    # neighbouring jobs and ranks: what a short run takes from each stream is its first draws
    firsts = [
        drawn(stream_key(1, FAULT_TIME, job, rank), 0) for job in range(200) for rank in range(64)
    ]
    observed, _ = np.histogram(firsts, bins=100, range=(0, 1))
    expected = 128
    assert abs(((observed - expected) ** 2 / expected).sum() - 99) < 4 * sqrt(198)


@pytest.mark.parametrize(
    "other",
    [
        *({"purpose": purpose} for purpose in PURPOSES if purpose != FAULT_TIME),
        {"job": 2},
        {"member": 1},
        {"seed": 2},
        {"job": 0, "member": 1},
    ],
)
def test_streams_that_differ_in_anything_are_independent(other):
    one, two = sample(), sample(**other)
    assert (one != two).all()
    assert abs(np.corrcoef(one, two)[0, 1]) < 4 / sqrt(SAMPLES)
    # pairs over 10 x 10 cells: chi-square with 99 degrees of freedom
    observed, _, _ = np.histogram2d(one, two, bins=10, range=((0, 1), (0, 1)))
    expected = SAMPLES / 100
    assert abs(((observed - expected) ** 2 / expected).sum() - 99) < 4 * sqrt(198)


def test_no_two_streams_are_the_same_or_overlap_soon():
    words = list(product(range(3), PURPOSES, range(20), range(64)))
    keys = {stream_key(*stream) for stream in words}
    assert len(keys) == len(words) == 3 * 6 * 20 * 64
    # streams are counters in steps of GOLDEN: key k is at the place k / GOLDEN of one long circle
    inverse = pow(GOLDEN, -1, WORDS)
    places = sorted(key * inverse % WORDS for key in keys)
    # 23,040 places on 2^64: two less than 10^6 apart has a probability of 1.4 · 10^-5
    assert min(right - left for left, right in pairwise(places)) > 10**6


@given(
    streams=st.lists(
        st.tuples(
            st.integers(0, 2**63 - 1), st.sampled_from(PURPOSES), *[st.integers(0, 2**40)] * 2
        ),
        min_size=2,
        max_size=4,
    ),
    turns=st.lists(st.integers(0, 3), max_size=30),
)
def test_a_draw_depends_on_its_stream_and_index_only(streams, turns):
    # take from the streams in any order of turns; each gives what it gives alone, backwards
    open_streams = [draws(*stream) for stream in streams]
    taken = [[] for _ in streams]
    for turn in turns:
        turn %= len(streams)
        taken[turn].append(next(open_streams[turn]))
    for stream, values in zip(streams, taken, strict=True):
        key = stream_key(*stream)
        alone = [drawn(key, index) for index in reversed(range(len(values)))]
        assert values == alone[::-1]


@pytest.mark.parametrize("design", ["CLI", "CEN", "MAN", "BB2"])
def test_every_design_gets_the_same_draws(design):
    # 8 MB of 40 are missing, whoever holds them: the CPU time to the first fault is the same
    job = {"processes": 1, "memory_mb": 40, "demand_s": 1}
    scenario = make_scenario(job=[job], nodes=2, page_bytes=2**16)

    def to_first_fault_ns(design):
        _, journal = journaled(scenario, design)
        times = [
            next(record.time_ns for record in journal if record.kind == kind)
            for kind in ("started", "fault")
        ]
        return times[1] - times[0]

    assert to_first_fault_ns(design) == to_first_fault_ns("DP") > 0
