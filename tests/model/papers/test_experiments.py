"""Papers' figures and findings: declared, drawn from what is stored, judged by hand's numbers."""

from math import exp, log, sqrt

import pandas as pd
import pytest

from model.ground.errors import InputError
from model.papers.experiments import (
    Case,
    Measurements,
    Panel,
    PaperFigure,
    Style,
    compares,
    condensed_file,
    experiments_of,
    measurements_of,
    ranges,
    ratios,
    shows,
)
from model.papers.figures import draw
from model.papers.findings import REPRODUCED
from model.papers.paper import FINDINGS_FILE, PAPERS
from model.papers.report import findings_page
from model.sharing.scenarios import SHARING as SCENARIOS
from model.sweeps.sweep import load_sweep

SYSTEMS = ["memory", "unknown", "wal-fc"]
T2 = 4.302652729911275  # Student's t of 2 degrees of freedom, 97.5 %


def table(*rows: tuple[str, float, int, float]) -> Measurements:
    """Rows of policy, fault rate, seed and slowdown."""
    names = ("design", "fault_rate", "seed", "slowdown_of_sums")
    results = pd.DataFrame(rows, columns=names).assign(
        system="memory", mean_mb=1.0, trace="0", version="v"
    )
    return Measurements("memory", results)


def test_a_mean_is_over_the_seeds_of_its_case():
    measured = table(("A", 1, 1, 2.0), ("A", 1, 2, 3.0), ("A", 1, 3, 4.0), ("A", 2, 1, 9.0))
    found = measured.of(Case(fault_rate=1), "A")
    assert (found.mean, found.n) == (3, 3)
    assert found.half_width == pytest.approx(T2 * 1 / sqrt(3))
    assert measured.of(Case(fault_rate=3), "A") is None
    assert measured.of(Case(fault_rate=1, mean_mb=4), "A") is None
    assert measured.of(Case(fault_rate=1), "B") is None


def test_what_a_case_does_not_say_is_the_default():
    measured = table(("A", float("nan"), 1, 2.0), ("A", 1, 1, 5.0))
    assert measured.of(Case(), "A").mean == 2


def test_a_parameter_of_several_numbers_is_one_value():
    rows = [("A", (1, 2), 1, 2.0), ("A", [2, 1], 1, 5.0), ("A", None, 1, 5.0)]
    results = pd.DataFrame(rows, columns=("design", "mix", "seed", "slowdown_of_sums"))
    measured = Measurements("unknown", results.assign(system="unknown"))
    assert measured.of(Case(mix=(2, 1)), "A").mean == 5
    assert measured.of(Case(), "A") is None  # neither is the default


def test_a_ratio_is_the_geometric_mean_of_pairs():
    measured = table(
        *(("A", 1, seed, slow) for seed, slow in enumerate((2.0, 8.0, 50.0))),
        *(("B", 1, seed, 2.0) for seed in (0, 1)),
    )
    found = measured.ratio(Case(fault_rate=1), "A", "B")
    assert (found.mean, found.n) == (pytest.approx(2), 2)  # of 1 and 4, not of seed 2
    assert log(found.high) == pytest.approx(log(2) + 12.706204736 * log(4) / 2, rel=1e-6)
    assert found.low == pytest.approx(exp(2 * log(2) - log(found.high)))
    assert compares("B")(measured, Case(fault_rate=1), "A").mean == pytest.approx(1 / 2)


def test_a_figure_has_what_is_stored_and_says_so():
    figure = PaperFigure(
        "9",
        "Two cases",
        (Panel((Case(fault_rate=1), Case(fault_rate=2)), ("1", "2"), "Rate"),),
        {"A": Style("#000000"), "B": Style("#E69F00", dashed=True)},
        "Slowdown",
        form="bars",
    )
    measured = table(("A", 1, 1, 2.0), ("A", 2, 1, 5.0), ("B", 1, 1, 3.0))
    picture = draw(figure, measured)
    assert [bar.get_height() for bar in picture.axes[0].patches] == [2, 5, 3]
    assert "3 of 4 values stored" in picture.get_suptitle()


def test_on_a_logarithmic_axis_all_means_are_in_sight():
    panel = Panel((Case(fault_rate=1), Case(fault_rate=2)), (1, 2), "Rate")
    figure = PaperFigure("9", "x", (panel,), {"A": Style("#000000")}, "Slowdown", log=True)
    axes = draw(figure, table(("A", 1, 1, 2.0), ("A", 2, 1, 3000.0))).axes[0]
    low, high = axes.get_ylim()
    assert axes.get_yscale() == "log"
    assert 0 < low < 2 < 3000 < high


def test_a_panel_may_show_a_measure_of_its_own():
    case = (Case(fault_rate=1),)
    panels = (Panel(case, ("",), "x"), Panel(case, ("",), "x", "", shows("slowdown_of_sums", 10)))
    figure = PaperFigure("9", "x", panels, {"A": Style("#000000")}, "Slowdown", form="bars")
    picture = draw(figure, table(("A", 1, 1, 2.0)))
    assert [axes.patches[0].get_height() for axes in picture.axes[:2]] == [2, 20]


def test_claims_hold_by_the_numbers():
    case = Case(fault_rate=1)
    one_seed = (("A", 1, 1, 2.0), ("B", 1, 1, 3.0))
    (claim,) = ratios(case, "B", 1.4, 1.6, ["A"])(table(*one_seed))
    assert claim.answers == [None]  # no interval
    measured = table(*one_seed, ("A", 1, 2, 2.0), ("B", 1, 2, 3.0))
    (claim,) = ratios(case, "B", 1.4, 1.6, ["A"])(measured)
    assert claim.answers == [True]
    (claim,) = ranges("x", case, ["A", "C"], 3, 4, shows("slowdown_of_sums"))(measured)
    assert claim.answers == [False, None]


@pytest.mark.parametrize("system", SYSTEMS)
def test_every_case_of_the_figures_is_declared_with_its_policies(system):
    names = set()
    runs = [*load_sweep(system).runs.values()]
    for run in runs:
        names.add((run.design, tuple(sorted(told(run.scenario.model_dump()).items()))))
    for figure in experiments_of(system).figures:
        for case in figure.cases:
            for policy in figure.policies:
                values = told({**defaults(runs[0].scenario), **case.parameters})
                assert (policy, tuple(sorted(values.items()))) in names


def told(parameters):
    left_out = ("seed", "policies", "job")
    return {name: v for name, v in parameters.items() if name not in left_out}


def defaults(scenario):
    return {name: field.default for name, field in type(scenario).model_fields.items()}


@pytest.mark.parametrize("system", SYSTEMS)
def test_a_page_has_every_finding_once_and_claims_nothing_without_runs(system):
    values = {name: field.default for name, field in SCENARIOS[system].model_fields.items()}
    none = pd.DataFrame([{**values, "seed": 1, "design": "NO_SUCH", "version": "v"}])
    page = findings_page(experiments_of(system), Measurements(system, none))
    for finding in experiments_of(system).findings:
        assert page.count(f"{finding.statement} (§") == 0
        assert finding.statement in page
    assert f"0 {REPRODUCED}" in page


def test_results_of_another_system_are_refused():
    with pytest.raises(InputError, match="sweep memory"):
        Measurements("memory", pd.DataFrame({"system": ["other"]}))
    with pytest.raises(InputError, match="sweep memory"):
        Measurements("memory", pd.DataFrame({"design": ["DP"]}))


BUNDLED = [system for system in SCENARIOS if condensed_file(system).is_file()]


@pytest.mark.parametrize("system", BUNDLED)
def test_the_bundled_page_is_what_the_bundled_results_say(system):
    page = (PAPERS / system.replace("-", "_") / FINDINGS_FILE).read_text(encoding="utf-8")
    assert page == findings_page(experiments_of(system), measurements_of(system, None)), (
        f"run: run.py figures {system} --condense model/sweeps/data/{system}"
    )
    assert len(page) < 100_000
    assert "no runs of" not in page


@pytest.mark.parametrize("system", BUNDLED)
def test_the_bundled_results_are_small_and_of_one_version(system):
    assert condensed_file(system).stat().st_size < 2**19
    runs = measurements_of(system, None).runs
    assert runs.version.nunique() == 1
    assert not runs.duplicated(["conditions", "design"]).any()
