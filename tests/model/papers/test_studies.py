"""All studies alike: what is drawn is declared, and results in brief say what whole ones say."""

import pandas as pd
import pytest

from model.papers.cases import base_case, plain
from model.papers.study import RESULTS_FILE, studies, study_of, write_in_brief
from model.sharing.scenarios import make_sharing_scenario
from model.sweeps.execution import execute
from model.sweeps.results import load_results
from model.sweeps.store import Store
from model.sweeps.sweep import declared_runs, sweeps_in

ALL = pytest.mark.parametrize("study", studies(), ids=lambda study: study.name)


@ALL
def test_every_case_of_the_figures_is_declared(study):
    if not study.figures:
        return
    base = base_case(study.name)

    def of_a_case(parameters):
        return frozenset((key, plain(parameters[key])) for key in {**base, "jobs": None})

    runs = [run for file in sweeps_in(study.folder) for _, run in declared_runs(file)]
    cases = {of_a_case(run.scenario.model_dump(mode="json")) for run in runs}
    designs = {run.design for run in runs}
    for figure in study.figures:
        if designs.isdisjoint(figure.styles):
            continue  # its lines are loads, all of disk paging
        for case in () if figure.summary else figure.cases:
            assert of_a_case({"jobs": None, **base, **case.parameters}) in cases, (figure, case)


@ALL
def test_bundled_results_are_small_and_of_distinct_declared_runs(study):
    assert (study.folder / RESULTS_FILE).stat().st_size < 2**19
    results = study.in_brief()
    assert len(study.load().runs) == len(results)
    assert not results[["version", "conditions", "design"]].duplicated().any()


@ALL
def test_no_two_findings_say_the_same(study):
    told = [finding.statement for finding in study.states.findings]
    assert len({*told}) == len(told)


def test_results_are_condensed_to_parameters_and_measures_of_a_run():
    row = {**base_case("thesis"), "design": "DP", "seed": 1, "conditions": "c", "key": "k" * 64}
    row |= {"wall_s": 1.0, "took_s": 2.0, "mean_response_s": 1 / 3, "load_factor": 1 / 3}
    row |= {"faults_disk": 3, "faults_network": 4, "messages.A": 5, "messages.B": 6, "bytes.A": 7}
    row |= {"stations.links.utilization_max": 0.5, "stations.links.queueing_s": 0.5}
    brief = study_of("thesis").condense(pd.DataFrame([row, {**row, "messages.B": None}]), "v")
    dropped = {"wall_s", "took_s", "messages.A", "messages.B", "bytes.A"}
    dropped |= {"stations.links.queueing_s"}
    assert {*brief} == (row.keys() - dropped) | {"version", "faults", "messages"}
    assert [*brief.faults] == [7, 7]
    assert [*brief.messages] == [11, 5]
    assert (brief.version[0], brief.key[0]) == ("v", "k" * 16)
    assert brief.mean_response_s[0] == pytest.approx(1 / 3, rel=1e-7)
    assert brief.load_factor[0] == 1 / 3  # a parameter is looked for, and so kept to the digit


def test_condensed_results_say_what_the_whole_ones_say(tmp_path):
    store = Store(tmp_path / "runs")
    with store.writing():
        for policy in ("NO_LS", "CPU_RE"):
            store.put(execute(make_sharing_scenario(jobs=20, seed=1, policies=policy)))
    whole = load_results(store.folder)
    study = study_of("memory")
    brief = study.condense(whole, study.version)
    for name in ("seed", "design", "trace", "mean_mb"):
        assert list(brief[name]) == list(whole[name])
    assert list(brief.slowdown_of_sums) == pytest.approx(list(whole.slowdown_of_sums), rel=1e-6)
    assert not [name for name in brief if name.startswith(("bytes.", "messages."))]


def test_results_in_brief_are_read_as_they_were_written(tmp_path):
    runs = study_of("memory").in_brief()
    write_in_brief(runs, tmp_path / RESULTS_FILE)
    pd.testing.assert_frame_equal(pd.read_parquet(tmp_path / RESULTS_FILE), runs)


def test_results_that_are_older_than_a_parameter_have_its_base_value():
    study = study_of("memory")
    runs = study.in_brief()
    older = runs[2:].drop(columns="load_factor")
    both = study._joined(runs[:2], older)
    pd.testing.assert_frame_equal(both, runs, check_like=True)


def test_of_a_measure_that_some_results_lack_nothing_is_known():
    """As where newcomers came to some runs only; the others keep theirs."""
    study = study_of("memory")
    runs = study.in_brief()
    both = study._joined(runs[:2].drop(columns="utilization"), runs[2:])
    assert both.utilization.isna().sum() == 2
    assert [*both.utilization[2:]] == [*runs.utilization[2:]]


def test_results_of_another_version_are_told_in_a_line():
    study = study_of("memory")
    todays = study.measured(study.in_brief().assign(version=study.version))
    assert study.of_another_version(todays) == ""
    others = study.measured(study.in_brief().assign(version="0123456789abcdef"))
    told = study.of_another_version(others)
    assert told.startswith("memory: 2,060 of 2,060 results are of another version of the model")
    assert "\n" not in told
