"""CMGS's own claims: Jain's example, least squares as a second computation, and hand's numbers."""

from itertools import product
from math import exp

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from model.papers.cases import Case
from model.papers.load_sharing.cmgs.kinds import (
    LEVELS,
    ratio_of_deviations,
    sums_of_squares,
)
from model.papers.pages import Results
from model.papers.study import study_of
from model.papers.verdicts import OPEN
from tests.model.papers.made_up import measured


def test_jains_example_of_two_factors_and_three_replications():
    # Jain, examples 18.1 to 18.4: memory and cache.
    cells = {
        (-1, -1): (15, 18, 12),
        (1, -1): (45, 48, 51),
        (-1, 1): (25, 28, 19),
        (1, 1): (75, 75, 81),
    }
    found = sums_of_squares(("memory", "cache"), cells)
    assert found == {"memory": 5547, "cache": 1083, "error": 102, "all": 7032}


@given(st.lists(st.lists(st.floats(-100, 100), min_size=4, max_size=4), min_size=8, max_size=8))
def test_what_factors_explain_is_what_least_squares_lose_without_them(values):
    cells = dict(zip(product((-1, 1), repeat=3), values, strict=True))
    found = sums_of_squares("PQR", cells)
    y = np.array(values).ravel()
    for place, factor in enumerate("PQR"):
        signs = np.repeat([cell[place] for cell in cells], 4)[:, None]
        _, residual, *_ = np.linalg.lstsq(signs, y, rcond=None)
        assert found[factor] == pytest.approx(y @ y - residual[0], abs=1e-6)


def of(found, **given):
    """The values of a claim."""
    study = study_of("cmgs")
    (claim,) = study.evaluator(found).claims(study.states.entries([given]))
    return [part.value for part in claim.parts]


def losses(seeds):
    """Losses of 10, 6 less under CMGS, 2 more on II; and by how much each seed differs on I."""
    return measured(
        "cmgs",
        *(
            (Case(platform=platform, load=load), policy, seed, value)
            for policy, platform, load in product(*LEVELS.values())
            for seed, more in seeds.items()
            for value in [10.0 - 6 * (policy == "CMGS") + 2 * (platform == "II") + more]
        ),
    )


def test_a_factors_share_is_of_all_variation():
    # 16 values: 16 · 9 by the policy, 16 · 1 by the platform, 16 · 0.25 by seeds.
    found = losses({1: 0.5, 2: -0.5, 3: 0})
    (policy,) = of(found, kind="share", of="policy")
    assert policy.mean == pytest.approx(100 * 24 * 9 / (24 * 9 + 24 + 8 * 0.5))
    (error,) = of(found, kind="share", of="error")
    assert error.mean == pytest.approx(100 * 4 / 244)


def test_without_the_replication_that_errs_the_most_the_others_are_left():
    found = losses({1: 0, 2: 0, 3: 30})
    (error,) = of(found, kind="share", of="error", without_worst_seed=True)
    assert error.mean == pytest.approx(0)


def test_seeds_that_thrash_are_counted():
    found = losses({1: 0, 2: 0, 3: 30})
    runs = {"platform": "I", "load": "memory"}
    reference, own = of(found, kind="above", runs=runs, design=["CPU_MEM", "CMGS"], limit=9)
    assert (reference.mean, own.mean) == (3, 1)


def test_deviations_are_compared_by_the_jackknife_of_their_logarithm():
    # (1, 2, 6) deviates by sqrt(7), (0, 1, 2) by 1: log ratio 0.9730. Without the first, second and
    # third the ratios are sqrt(8)/sqrt(.5) = 4, (5/sqrt 2)/sqrt 2 = 2.5 and 1: pseudo-values of
    # 0.1463, 1.0864 and 2.9189 (3 times 0.9730 minus twice the logarithm), 1.3839 in the mean,
    # whose deviation is 1.4101; t(2) = 4.303 times that over the root of 3 is 3.503.
    found = ratio_of_deviations([1, 2, 6], [0, 1, 2])
    assert found.mean == pytest.approx(exp(1.3839), rel=1e-3)
    assert found.low == pytest.approx(exp(1.3839 - 3.503), rel=1e-2)
    assert found.n == 3


@pytest.mark.parametrize("values", [[], [1.0], [1.0, 2.0], [1.0, 1.0, 1.0]])
def test_deviations_of_too_few_or_equal_seeds_are_not_compared(values):
    assert ratio_of_deviations(values, values) is None


def test_with_the_papers_20_replications_four_findings_are_open():
    study = study_of("cmgs")
    every = study.in_brief()
    few = Results(study, study.measured(every[every.seed <= 20].reset_index(drop=True)))
    found = [one.finding.number for one in few.judged if few.verdict(one) == OPEN]
    assert found == [4, 5, 8, 9]  # as the page says
