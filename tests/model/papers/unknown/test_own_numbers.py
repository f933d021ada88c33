"""What the paper's own numbers say about each other, by a second way to work it out."""

from itertools import pairwise
from math import exp, log, pi, sqrt

import pytest

from model.papers.unknown.own_numbers import GROUPS, OWN_NUMBERS, printed_rate, ram_mb, submitted
from model.sharing.unknown.workload import TRACES


@pytest.mark.parametrize("trace", TRACES.values(), ids=lambda trace: f"sigma {trace.sigma}")
def test_jobs_that_equation_6_submits_are_its_integral(trace):
    from scipy.integrate import quad  # takes a while to load, which other workers do without

    sigma = mu = trace.sigma

    def rate(t):
        return exp(-((log(t) - mu) ** 2) / (2 * mu**2)) / (sqrt(2 * pi) * sigma)

    parts = (0.001, 1, 10, 100, 1000, trace.span_s)
    total = sum(quad(rate, *part)[0] for part in pairwise(parts))
    assert submitted(trace) == pytest.approx(total, rel=1e-2)
    assert submitted(trace) < trace.jobs * 0.8


def test_equation_4_pages_where_table_1_does_not():
    assert printed_rate(0, 0) == pytest.approx(-54.98 - 4 / 0.034)
    assert printed_rate(0, 3541) == pytest.approx(-54.98 + 216.001 - 117.647, abs=1e-3)


def test_the_groups_of_table_2():
    # 66.37 + 64.27 MB oversize 124.0 MB by 5.34 %; 8,856 faults in 308.05 s take 34.8 ms each.
    programs, oversized, _, faults, paging_s = GROUPS[0]
    assert ram_mb(programs, oversized) == pytest.approx(130.64 / 1.0534)
    assert 1000 * paging_s / faults == pytest.approx(34.8, abs=0.05)
    assert "| m-m, m-sort | 5.34 % | 12.5 | 31.2 | 35 | 124 |" in OWN_NUMBERS["groups"](None)
