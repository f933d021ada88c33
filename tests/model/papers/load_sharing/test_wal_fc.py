"""WAL-FC's own claims: the best buffer of each seed, and how hit rates rise, by hand's numbers."""

import pytest

from model.papers.cases import Case
from model.papers.study import study_of
from tests.model.papers.made_up import measured_of, rows

RUNS = {"of": "both, 8.4", "buffer_mb": [60, 110, 160, 210]}


def value(found, **given):
    """The number of a claim."""
    study = study_of("wal-fc")
    (claim,) = study.evaluator(found).claims(study.states.entries([given]))
    return claim.parts[0].value


def made(slowdown):
    """WAL with fixed buffers, whose slowdowns a function gives; WAL_FC ends with 163 MB."""
    both = Case(io_per_ms=1.5, faults_per_ms=8.4)
    runs = [
        (both.but(buffer_mb=float(mb)), "WAL", seed, slowdown(mb, seed))
        for mb in RUNS["buffer_mb"]
        for seed in (11, 12)
    ]
    runs += [(both, "WAL_FC", seed, 1.0) for seed in (11, 12)]
    return measured_of("wal-fc", rows("wal-fc", *runs, final_buffer_mb=163.0))


def test_the_best_buffer_is_that_of_each_seed():
    found = made(lambda mb, seed: 1 + abs(mb - (60 if seed == 11 else 210)))
    best = value(found, kind="best buffer", runs=RUNS, design="WAL")
    assert (best.mean, best.n) == ((60 + 210) / 2, 2)


@pytest.mark.parametrize(("best_mb", "off_mb"), [(160, 3), (60, 103)])
def test_a_controller_is_as_far_off_as_its_buffer_ends_from_the_best_fixed_one(best_mb, off_mb):
    found = made(lambda mb, seed: seed * (1 + abs(mb - best_mb)))
    off = value(found, kind="off the best buffer", runs=RUNS, design="WAL_FC", to="WAL")
    assert (off.mean, off.low, off.high) == (off_mb, off_mb, off_mb)


def test_a_rise_is_by_mb_and_in_multiples_of_that_in_another_range():
    hits = Case(faults_per_ms=2.0, io_per_ms=2.8)
    sizes = {60.0: 0.1, 160.0: 0.6, 260.0: 0.7}  # 0.005 and 0.001 per MB
    runs = [
        row
        for mb, rate in sizes.items()
        for row in rows("wal-fc", (hits.but(buffer_mb=mb), "IO", 11, 1.0), hit_rate=rate)
    ]
    words = {"runs": "weights", "design": "IO", "upper_mb": [160, 260], "lower_mb": [60, 160]}
    assert value(measured_of("wal-fc", runs), kind="rise", **words).mean == pytest.approx(0.2)
