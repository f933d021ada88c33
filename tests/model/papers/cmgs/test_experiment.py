"""The experiment's page: what it says of made up results whose effects are known."""

from itertools import product
from math import exp

import pytest

from model.papers.cmgs.factorial_tables import analysis_of
from model.papers.cmgs.figures import LOADS, PLATFORMS, RESPONSES, STYLES, case
from model.papers.cmgs.paper import PAPER, ratio_of_deviations
from model.papers.page import findings_page
from tests.model.papers.made_up import measured_of, rows


def measured(seeds=(1, 2)):
    """Losses of 10, 6 less under CMGS, 2 more on II; seeds differ by 1."""
    made = []
    for policy, platform, load, seed in product(STYLES, PLATFORMS, LOADS, seeds):
        value = 10 - 6 * (policy == "CMGS") + 2 * (platform == "II") + seed
        run = (case(platform, load), policy, seed, value)
        made += rows("cmgs", run, **dict.fromkeys(RESPONSES, value))
    return measured_of("cmgs", made)


def test_losses_are_compared_by_the_mean_of_ratios_so_that_one_seed_does_not_decide():
    # CMGS at 1 and 1, the reference at 2 and 8, is below by a factor of 2 and 8: 4 in the geometric
    # mean, so by 75 %. The means, 5 and 1, would give 80 %.
    values = {("CMGS", 1): 1, ("CMGS", 2): 1, ("CPU_MEM", 1): 2, ("CPU_MEM", 2): 8}
    made = []
    for (policy, seed), value in values.items():
        run = (case("I", "memory"), policy, seed, float(value))
        made += rows("cmgs", run, **dict.fromkeys(RESPONSES, float(value)))
    page = findings_page(PAPER, measured_of("cmgs", made))
    assert "CMGS, I, memory below CPU_MEM, I, memory, above 0 %: % 75.00" in page


def test_effects_are_those_that_were_put_in():
    analysis = analysis_of(measured(), "slowdown_of_sums")
    assert [effect.size for effect in analysis.effects] == pytest.approx([-3, 1, 0, 0, 0, 0, 0])
    # 16 values: 16 * 9, 16 * 1, and each half of a seed's difference from its cell's mean.
    assert analysis.variation == pytest.approx(144 + 16 + 16 * 0.25)


def test_the_page_has_findings_and_tables():
    page = findings_page(PAPER, measured())
    assert page.count("| error |") == 3
    assert "**8. " in page


def testratio_of_deviations_are_compared_by_the_jackknife_of_their_logarithm():
    # (1, 2, 6) deviates by sqrt(7), (0, 1, 2) by 1: log ratio 0.9730. Without the first, second and
    # third the ratios are sqrt(8)/sqrt(.5) = 4, (5/sqrt 2)/sqrt 2 = 2.5 and 1: pseudo-values of
    # 0.1463, 1.0864 and 2.9189 (3 times 0.9730 minus twice the logarithm), 1.3839 in the mean,
    # whose deviation is 1.4101; t(2) = 4.303 times that over the root of 3 is 3.503.
    found = ratio_of_deviations([1, 2, 6], [0, 1, 2])
    assert found.mean == pytest.approx(exp(1.3839), rel=1e-3)
    assert found.low == pytest.approx(exp(1.3839 - 3.503), rel=1e-2)
    assert found.n == 3


@pytest.mark.parametrize("values", [[], [1.0], [1.0, 2.0], [1.0, 1.0, 1.0]])
def testratio_of_deviations_of_too_few_or_equal_seeds_are_not_compared(values):
    assert ratio_of_deviations(values, values) is None


def test_one_seed_is_not_enough_for_an_analysis():
    page = findings_page(PAPER, measured(seeds=(1,)))
    assert "**Page faults**: runs are missing." in page


def test_rare_seeds_that_thrash_are_why_ratios_are_compared(bundled):
    """The explanations of findings 4, 8, 9 and 10, by the results that come with the code."""
    found = bundled("cmgs")
    loss = case("I", "memory")
    reference = found.values(loss, "CPU_MEM", "slowdown_of_sums")
    own = found.values(loss, "CMGS", "slowdown_of_sums")
    assert len(reference) == len(own) == 300
    others = reference < 5
    assert (~others).sum() == 11
    assert reference[~others].min() == pytest.approx(5.9, abs=0.05)
    assert reference.max() == pytest.approx(793, abs=0.5)
    assert reference[others].max() < 4.6
    assert (own[~others] > 5).sum() == (own > 5).sum() == 5
    assert 1 - own[others].mean() / reference[others].mean() == pytest.approx(0.36, abs=0.005)
    elsewhere = found.values(case("II", "memory"), "CPU_MEM", "slowdown_of_sums")
    assert reference.mean() > 2 * elsewhere.mean()
    assert reference[others].std() / elsewhere.std() == pytest.approx(1.1, abs=0.05)
