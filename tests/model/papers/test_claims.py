"""Claims: numbers of made up results by hand, and the verdicts that follow."""

from math import exp, log, sqrt

import pytest

from model.ground.errors import InputError
from model.papers.pages import Results
from tests.model.papers.made_up_study import made_up, results

T = 12.7062  # Student's t for two values


def judged(study, measured):
    return Results(study, measured).judged


@pytest.mark.parametrize(
    ("claims", "verdict"),
    [
        ("[{ design = 'CLI', high = 150 }]", "reproduced"),
        ("[{ design = 'CLI', low = 99, high = 101 }]", "reproduced"),
        ("[{ design = 'CLI', low = 101 }]", "not reproduced"),
        ("[{ design = ['CLI', 'DP'], high = 150 }]", "partly reproduced"),
        ("[{ design = 'MAN', high = 150 }]", "cannot be told"),  # 100 and 120: 110 ± 127
        ("[{ design = ['CLI', 'MAN'], low = 101 }]", "not reproduced"),  # one is open
        ("[{ design = ['CLI', 'CLI', 'MAN'], most = true, high = 150 }]", "reproduced"),
        ("[{ design = 'CLI', to = 'DP', near = 0.5, within_pct = 1 }]", "reproduced"),
        ("[{ design = 'CLI', to = 'DP', as = '% below', low = 49, high = 51 }]", "reproduced"),
        ("[{ design = 'CLI', to = 'DP', as = 'minus', low = -101, high = -99 }]", "reproduced"),
        ("[{ design = 'NONE', high = 150 }]", "not run"),
    ],
)
def test_the_verdict_on_a_finding(claims, verdict, tmp_path, monkeypatch):
    study = made_up(tmp_path, monkeypatch, f"[finding.1]\nstatement = ''\ndirection = {claims}")
    runs = [("DP", 200, 200), ("CLI", 100, 100), ("MAN", 100, 120)]
    times = [(name, seed, of[seed - 1], {}) for name, *of in runs for seed in (1, 2)]
    found = Results(study, results(study, *times))
    assert [*map(found.verdict, found.judged)] == [verdict]


def test_intervals_of_seeds_by_hand(tmp_path, monkeypatch):
    entries = """[finding.1]
        statement = ""
        direction = [
            { design = "MAN" },
            { design = "MAN", to = "DP" },
            { design = "MAN", to = "DP", as = "% below, of means" },
        ]
        """
    study = made_up(tmp_path, monkeypatch, entries)
    times = [("DP", 1, 100, {}), ("DP", 2, 200, {}), ("MAN", 1, 50, {}), ("MAN", 2, 50, {})]
    (one,) = judged(study, results(study, *times))
    mean, ratio, below = (claim.parts[0].value for claim in one.claims)
    assert mean[:3] == (50, 50, 50)
    half = T * log(0.5 / 0.25) / sqrt(2) / sqrt(2)  # of the logarithms of 0.5 and 0.25
    middle = sqrt(0.5 * 0.25)
    by_hand = (middle, middle * exp(-half), middle * exp(half))
    assert ratio[:3] == pytest.approx(by_hand, rel=1e-4)
    assert below.mean == pytest.approx(100 * (1 - 100 / 300))


def test_an_interval_is_over_runs_or_over_seeds(tmp_path, monkeypatch):
    entries = """[named.runs]
        both = { window = "=runs/windows/window" }
        [finding.1]
        statement = ""
        direction = [
            { runs = "both", design = "MAN", to = "DP", each = { over = ["runs", "seeds"] } },
        ]
        """
    study = made_up(tmp_path, monkeypatch, entries)
    windows = {first: {"first": first, "jobs": 20} for first in (1, 21)}
    times = [(*dp, where) for dp in (("DP", 1, 100), ("DP", 2, 100)) for where in windows.values()]
    times += [("MAN", seed, time_s, windows[1]) for seed, time_s in ((1, 100), (2, 100))]
    times += [("MAN", seed, time_s, windows[21]) for seed, time_s in ((1, 400), (2, 400))]
    (one,) = judged(study, results(study, *times))
    over_runs, over_seeds = (claim.parts[0].value for claim in one.claims)
    assert over_runs.mean == over_seeds.mean == pytest.approx(2)  # of 1 and 4
    assert (over_runs.n, over_seeds.n) == (2, 2)
    assert over_runs.high == pytest.approx(2 * exp(T * log(4) / 2), rel=1e-3)
    assert over_seeds.high == pytest.approx(2)  # seeds are alike


@pytest.mark.parametrize(
    ("claims", "told"),
    [
        ("direction = [{ desing = 'CLI' }]", "desing: no such entry"),
        ("direction = [{ runs = 'all', design = 'CLI' }]", "all: no such runs"),
        ("direction = [{ design = 'CLI', to = 'DP', as = 'more' }]", "as = 'more': give one of"),
        ("because = ''", "because: no such entry"),
        ("direction = [{ runs = { window = '=runs.no' }, design = 'CLI' }]", "no such value"),
    ],
)
def test_a_mistake_in_the_claims_is_one_line(claims, told, tmp_path, monkeypatch):
    study = made_up(tmp_path, monkeypatch, f"[finding.3]\nstatement = ''\n{claims}")
    with pytest.raises(InputError, match=told) as error:
        _ = study.states
    assert "finding.3" in str(error.value)
