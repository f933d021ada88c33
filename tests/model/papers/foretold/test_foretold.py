"""What is foretold: closed forms by hand, the setups against them, and the seal of the page."""

from statistics import fmean

import pytest

from model.papers.foretold import page
from model.papers.foretold.infiniswap import Cluster, cluster, evicted_busy, expected_busy
from model.papers.foretold.segments import ALTERNATE, UNEQUAL, filled, uniform_share


def test_the_page_is_as_it_was_sealed():
    text, seal = page.PAGE.read_text("utf-8").rsplit(f"\n{page.SEAL}", 1)
    assert seal.strip() == page.digest(text)


def test_of_a_batch_those_busy_slabs_are_evicted_that_are_more_than_the_extra_ones():
    assert expected_busy(0) == pytest.approx(10 * 12 / 40)  # as many as of all
    assert expected_busy(12) == 0  # 12 are busy in all
    for extra in (0, 5):
        found = fmean(evicted_busy(extra, seed) for seed in range(1, 101))
        assert found == pytest.approx(expected_busy(extra), abs=0.4)


def test_uniform_choice_gives_each_segment_as_many_bytes_until_small_ones_are_full():
    # Half of 5,200 GiB is 260 for each of ten; 90 % are 4,680, of which 3,200 fill the small ones.
    assert uniform_share(400, UNEQUAL, 50) == pytest.approx(260 / 400)
    assert uniform_share(1000, UNEQUAL, 50) == pytest.approx(260 / 1000)
    assert uniform_share(400, UNEQUAL, 90) == 1
    assert uniform_share(1000, UNEQUAL, 90) == pytest.approx((4680 - 3200) / 2 / 1000)


def test_the_master_meets_it_and_the_best_of_six_is_even():
    drawn = filled("random", UNEQUAL, seed=1)[50]
    assert fmean(drawn[:8]) == pytest.approx(260 / 400, abs=0.05)
    best = filled("free-ratio-first", ALTERNATE, seed=1)[50]
    assert max(best) - min(best) < 8.01 / 260  # an object of 8 GiB in a small segment


def test_machines_have_what_containers_may_have_and_what_these_lack_is_lent():
    found = cluster(seed=1)
    assert fmean(found.without) == pytest.approx(90 * 0.825 * 11.75 / (32 * 64), abs=0.01)
    added = fmean(found.with_it) - fmean(found.without)
    assert added + found.on_disk_gb / (32 * 64) == pytest.approx(0.09, abs=0.02)
    assert Cluster.uneven([0.1, 0.2, 0.4]) == (2, 4)
    assert Cluster.uneven([0.0, 0.2, 0.4]) == (2, None)
