"""Results that come with the code are carried over if a sample that is run again is the same."""

import shutil
from functools import cache

import numpy as np
import pandas as pd
import pytest

from model.ground.errors import InputError
from model.papers import carrying
from model.papers import paper as papers
from model.papers.carrying import carry_paper
from model.papers.later_clusters.cases import HPC2N, LIGHT, PRESETS, windows
from model.papers.page import FINDINGS_FILE
from model.papers.paper import PAPERS, RESULTS_FILE, paper_of, short_key
from model.sweeps.carrying import Differs, Sample
from model.sweeps.execution import LocalProcesses, execute
from model.sweeps.identity import conditions_of, identity, key_of, model_version
from model.sweeps.results import as_table
from tests.model.papers.made_up import rows

OLD = "0123456789abcdef"
SEEDS = {7, 8}  # of the paper's; fewer rows, faster tests
SAMPLE = Sample(number=1, seed=1, longest_s=60, workers=1)
_run = cache(execute)


@pytest.fixture
def cmgs(tmp_path, monkeypatch):
    """A copy of a paper's folder, whose results are of an old version; what to change in them."""
    shutil.copytree(PAPERS / "cmgs", tmp_path / "cmgs")
    monkeypatch.setattr(papers, "PAPERS", tmp_path)

    def outcomes(self, runs):
        yield from ((run, _run(run.scenario)) for run in runs)

    monkeypatch.setattr(LocalProcesses, "outcomes", outcomes)
    paper = paper_of("cmgs")
    table = pd.read_parquet(paper.folder / RESULTS_FILE)
    # Pandas copies the notes deeply, again and again: a short one is kept as a long one is.
    (note, *_) = table.attrs["carried"]
    table.attrs["carried"] = [note | {"run_again": []}]
    table = table[table.seed.isin(SEEDS)].reset_index(drop=True)
    table = table.assign(version=OLD, conditions="old", key="old")

    def store(change=lambda table: None):
        changed = table.copy()
        change(changed)
        changed.to_parquet(paper.folder / RESULTS_FILE, index=False)
        return paper, changed

    return store


def content(paper):
    return {file.name: file.read_bytes() for file in paper.folder.iterdir() if file.is_file()}


def test_equal_results_become_todays_and_the_page_says_so(cmgs, declared_runs):
    paper, before = cmgs()
    (note,) = carry_paper(paper, SAMPLE)
    after = pd.read_parquet(paper.folder / RESULTS_FILE)
    kept = before.columns.difference(["version", "conditions", "key"])
    pd.testing.assert_frame_equal(after[kept], before[kept], check_exact=True)
    assert {*after.version} == {model_version("cmgs")}
    scenarios = [run.scenario for run in declared_runs("cmgs") if run.scenario.seed in SEEDS]
    identities = [*map(identity, scenarios)]
    assert {*after.conditions} == {*map(conditions_of, identities)}
    assert {*after.key} == {short_key(key_of(one)) for one in identities}
    again = [{**run, "key": short_key(run["key"])} for run in note["run_again"]]
    assert after.attrs["carried"] == [*before.attrs["carried"], {**note, "run_again": again}]
    assert (note["from"], note["results"], len(note["run_again"])) == (OLD, len(before), 1)
    page = (paper.folder / FINDINGS_FILE).read_text("utf-8")
    assert f"carried over from version {OLD} to {model_version('cmgs')} on 20" in page
    assert "its code has changed" not in page
    assert carry_paper(paper, SAMPLE) == []


def test_the_last_bit_counts(cmgs):
    def change(table):
        table["mean_response_s"] = np.nextafter(table.mean_response_s, np.float32(np.inf))

    paper, _ = cmgs(change)
    before = content(paper)
    with pytest.raises(Differs, match=r"row \d+ \(C\w+, seed \d+\): mean_response_s is stored as"):
        carry_paper(paper, SAMPLE)
    assert content(paper) == before


def test_a_measure_that_is_stored_in_full_is_compared_in_full(declared_runs):
    today = _run(declared_runs("cmgs")[0].scenario)
    stored = as_table(today).mean_response_s[0]
    assert stored != np.float32(stored)  # it needs all of its digits
    for value, equal in ((stored, True), (np.nextafter(stored, np.inf), False)):
        row, full = {"mean_response_s": value}, {"mean_response_s": np.dtype("float64")}
        assert (carrying._difference(paper_of("cmgs"), row, full, today) == "") is equal


def test_a_row_that_no_sweep_declares_is_refused(cmgs):
    def change(table):
        table.loc[3, "seed"] = 999

    paper, _ = cmgs(change)
    before = content(paper)
    with pytest.raises(InputError, match=r"row 3 of .*seed 999.*declare no such run"):
        carry_paper(paper, SAMPLE)
    assert content(paper) == before


def test_a_failing_page_leaves_the_old_results(cmgs, monkeypatch):
    paper, _ = cmgs()
    before = content(paper)

    def fail(*arguments):
        raise KeyboardInterrupt

    monkeypatch.setattr("model.papers.page.findings_page", fail)
    with pytest.raises(KeyboardInterrupt):
        carry_paper(paper, SAMPLE)
    assert content(paper) == before


def test_results_on_a_log_that_is_not_there_go_with_the_others_and_the_page_says_so(
    tmp_path, monkeypatch
):
    shutil.copytree(PAPERS / "later_clusters", tmp_path / "later_clusters")
    monkeypatch.setattr(papers, "PAPERS", tmp_path)
    monkeypatch.chdir(tmp_path)  # where no log is
    paper = paper_of("later-clusters")
    ours, theirs = windows(PRESETS[0], LIGHT)[0], windows(HPC2N, LIGHT)[0]
    runs = [(case, design, 11, 5.0) for case in (ours, theirs) for design in ("DP", "MAN")]
    table = pd.DataFrame(rows("later-clusters", *runs)).assign(version=OLD)
    table.to_parquet(paper.folder / RESULTS_FILE, index=False)

    def alike(stored, sample):
        assert [one.run.design for one in stored] == ["DP", "MAN"]  # on the bundled log
        known = {"from": OLD, "to": paper.version, "when": "2026-11-22", "run_again": []}
        return [known | {"results": len(stored)}]

    monkeypatch.setattr(carrying, "verified", alike)
    told = []
    carry_paper(paper, Sample(number=1, seed=1, longest_s=60, workers=1, progress=told.append))
    after = pd.read_parquet(paper.folder / RESULTS_FILE)
    assert {*after.version} == {paper.version}
    assert (after.conditions == table.conditions).tolist() == [False, False, True, True]
    assert told == ["hpc2n-part.swf is not in this folder: 2 results on it are not run again"]
    page = (paper.folder / FINDINGS_FILE).read_text("utf-8")
    assert "equal to the bit, and with them 2 on hpc2n-part.swf, which was not there." in page
