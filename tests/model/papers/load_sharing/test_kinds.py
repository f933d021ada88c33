"""Claims of the papers' own, by hand or by a second way to work them out."""

from itertools import pairwise
from math import exp, log, pi, sqrt

import pytest

from model.papers.load_sharing.unknown.kinds import printed_rate, submitted
from model.papers.study import study_of
from model.sharing.unknown.workload import TRACES
from tests.model.papers.made_up import measured


def values(name, measured=None, **entry):
    """The numbers of each claim of an entry, or of a number of claims.toml."""
    study = study_of(name)
    entries = study.states.numbers[entry["number"]] if "number" in entry else None
    entries = entries or study.states.entries([entry])
    claims = study.evaluator(measured or study.load()).claims(entries)
    return [[part.value.mean for part in claim.parts] for claim in claims]


def test_policies_are_in_multiples_of_the_geometric_mean_of_the_best_three():
    # The best three are at 1, 2 and 4: 2 in the geometric mean, which NO_LS is 10 times.
    case = study_of("memory").states.cases("4 MB")[0]
    slowdowns = {"CPU_MEM_HP_RE": 1.0, "CPU_MEM_HT_RE": 2.0, "MEM_RE": 4.0, "NO_LS": 20.0}
    found = measured("memory", *((case, name, 1, value) for name, value in slowdowns.items()))
    entry = {"kind": "above the best", "runs": "4 MB", "times": {"NO_LS": 5.1}}
    assert values("memory", found, **entry) == [[pytest.approx(10)]]


def test_the_papers_queueing_model_in_two_readings():
    # Node 1 under CPU: 0.49 / (1 - 1.92 * 0.49) = 8.277, node 2: 0.4 / 0.232 = 1.724; mean 5.00.
    cpu, memory = (values("memory", number=f"queues_{name}") for name in ("cpu", "memory"))
    assert [round(value, 2) for (value,) in cpu] == [5.0, 1.62]
    assert [round(value, 2) for (value,) in memory] == [2.86, 1.81]


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
    assert printed_rate(0) == pytest.approx(-54.98 - 4 / 0.034)
    assert printed_rate(3541) == pytest.approx(-54.98 + 216.001 - 117.647, abs=1e-3)


def test_what_follows_from_table_2():
    # 66.37 + 64.27 MB oversize 124.0 MB by 5.34 %; 8,856 faults in 308.05 s take 34.8 ms each.
    ram_mb, rates, fault_ms = values("unknown", number="table_2")
    assert ram_mb[0] == pytest.approx(130.64 / 1.0534)
    assert rates[0] == pytest.approx(31.2, abs=0.05)
    assert fault_ms[0] == pytest.approx(34.8, abs=0.05)


def test_a_migration_takes_along_what_its_time_says():
    # 40 MB take 40 · 2^20 · 8 / 10^7 = 33.554 s and r; 50 of them, and 10 submissions of r.
    mean_s = (50 * (40 * 2**20 * 8 / 10**7 + 0.1) + 10 * 0.1) / 100
    case = study_of("unknown").states.cases("trace 3")[0]
    counts = {"jobs": 100, "killed": 0, "migrations": 50, "remote_submissions": 10}
    runs = [(case, "WORKSIZE", seed, 2.0) for seed in (501, 502)]
    found = measured("unknown", *runs, **counts, **{"breakdown.migration_s": mean_s})
    entry = {"runs": "trace 3", "design": "WORKSIZE"}
    assert values("unknown", found, **entry, measure="mb_a_migration") == [[pytest.approx(40)]]
    assert values("unknown", found, **entry, measure="migrations_a_job") == [[0.5]]
