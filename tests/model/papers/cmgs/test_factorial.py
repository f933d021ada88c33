"""Factorial analysis: Jain's worked example, and least squares as a second computation."""

from itertools import product
from math import prod

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from model.papers.cmgs.factorial import analyse


def test_jains_example_of_two_factors_and_three_replications():
    # Jain, example 18.1 to 18.4: memory and cache, y = 15 18 12, 45 48 51, 25 28 19, 75 75 81.
    analysis = analyse(
        ("A", "B"),
        {
            (-1, -1): (15, 18, 12),
            (1, -1): (45, 48, 51),
            (-1, 1): (25, 28, 19),
            (1, 1): (75, 75, 81),
        },
    )
    a, b, ab = analysis.effects
    assert (analysis.mean, a.size, b.size, ab.size) == (41, 21.5, 9.5, 5)
    assert [effect.sum_of_squares for effect in (a, b, ab)] == [5547, 1083, 300]
    assert (analysis.error, analysis.variation) == (102, 7032)
    assert [round(100 * effect.share, 2) for effect in (a, b, ab)] == [78.88, 15.4, 4.27]
    # s_e = sqrt(102 / 8) = 3.57, s_q = s_e / sqrt(12) = 1.03. Jain's intervals are of 90 %, with
    # t = 1.86; those of 95 % have t(8) = 2.306.
    assert a.high - a.size == pytest.approx(2.306 * (102 / 8) ** 0.5 / 12**0.5, rel=1e-3)
    assert ab.factors == ("A", "B")


@given(st.lists(st.lists(st.floats(-100, 100), min_size=4, max_size=4), min_size=8, max_size=8))
def test_the_effects_are_those_of_least_squares_on_the_signs(values):
    cells = list(product((-1, 1), repeat=3))
    analysis = analyse("PQR", dict(zip(cells, values, strict=True)))
    subsets = [effect.factors for effect in analysis.effects]
    assert len(subsets) == 7
    signs = np.array(
        [
            [1, *(prod(cell["PQR".index(f)] for f in factors) for factors in subsets)]
            for cell in cells
            for _ in range(4)
        ]
    )
    y = np.array(values).ravel()
    solution, *_ = np.linalg.lstsq(signs, y, rcond=None)
    assert [analysis.mean, *(e.size for e in analysis.effects)] == pytest.approx(
        solution.tolist(), abs=1e-9
    )
    residual = y - signs @ solution
    assert analysis.error == pytest.approx(residual @ residual, abs=1e-6)
    parts = analysis.error + sum(effect.sum_of_squares for effect in analysis.effects)
    assert parts == pytest.approx(analysis.variation, abs=1e-6)


def test_an_incomplete_design_is_refused():
    with pytest.raises(ValueError, match="2 cells"):
        analyse(("A",), {(-1,): (1, 2)})
    with pytest.raises(ValueError, match="as many values"):
        analyse(("A",), {(-1,): (1, 2), (1,): (1, 2, 3)})


def test_without_variation_no_effect_has_a_share():
    analysis = analyse(("A",), {(-1,): (3, 3), (1,): (3, 3)})
    assert (analysis.effects[0].size, analysis.share("A"), analysis.error_share) == (0, 0, 0)
