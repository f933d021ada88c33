"""All papers alike: declared, drawn and judged from what is stored, in brief and by version."""

import re
import subprocess
import sys
from dataclasses import replace
from functools import cache
from pathlib import Path

import pandas as pd
import pyarrow.parquet as pq
import pytest

from model.ground.errors import InputError
from model.papers.cases import Case, base_case, plain
from model.papers.declared_runs import lost_log
from model.papers.findings import NOT_REPRODUCED, PARTLY, REPRODUCED, VERDICTS
from model.papers.page import (
    FINDINGS_FILE,
    by_place,
    findings_page,
    of_another_version,
    write_paper,
)
from model.papers.paper import PAPERS, RESULTS_FILE, paper_of, short_key, write_in_brief
from model.papers.sheet import stated
from model.papers.study import study_of
from model.papers.text import text_file
from model.pnr.scenario import make_scenario
from model.sweeps.identity import model_version
from model.sweeps.store import Store
from model.sweeps.sweep import BUNDLED, Sweep, load_sweep
from tests.model.papers.made_up import measured, measured_of, rows


@cache
def sweep_of(file: Path) -> Sweep:
    """A paper's sweep, whose runs and their keys take seconds to find."""
    return load_sweep(str(file))


NAMES = sorted(file.parent.name.replace("_", "-") for file in PAPERS.glob("*/paper.py"))


def test_there_are_four_papers():
    assert NAMES == ["cmgs", "memory", "unknown", "wal-fc"]
    assert [paper_of(name).name for name in NAMES] == NAMES


def test_who_draws_nothing_does_not_wait_for_matplotlib():
    """As sweeps, and claims, which know all papers."""
    code = (
        "import sys\n"
        "import model.papers.sheet, model.terminal.sweeps\n"
        "from model.papers.paper import paper_names, paper_of\n"
        "print([*map(paper_of, paper_names())] and 'matplotlib' in sys.modules)\n"
    )
    told = subprocess.check_output([sys.executable, "-c", code], cwd=PAPERS.parents[1], text=True)
    assert told == "False\n"


@pytest.mark.parametrize("name", NAMES)
def test_every_case_of_the_figures_is_declared_with_its_designs(name):
    base = base_case(name)

    def of_a_case(parameters):
        return frozenset((key, plain(parameters[key])) for key in {**base, "jobs": None})

    declared = sweep_of(BUNDLED[name]).runs.values()  # as others here need them, with keys
    runs = {(run.design, of_a_case(run.scenario.model_dump(mode="json"))) for run in declared}
    designs = {design for design, _ in runs}
    for figure in paper_of(name).figures:
        if designs.isdisjoint(figure.styles):
            continue  # its lines are loads, all of disk paging
        for case in () if figure.summary else figure.cases:
            asked = of_a_case({"jobs": None, **base, **case.parameters})
            assert {(design, asked) for design in figure.styles} <= runs, (figure.number, case)


@pytest.mark.parametrize("name", NAMES)
def test_a_page_has_every_finding_and_claims_nothing_without_runs(name, bundled):
    one = bundled(name).runs.iloc[0].to_dict()
    page = findings_page(paper_of(name), measured_of(name, [{**one, "design": "NO_SUCH"}]))
    paper = paper_of(name)
    for finding in paper.findings:
        assert finding.statement in page
    words = [paper.in_words(verdict) for verdict in (REPRODUCED, PARTLY, NOT_REPRODUCED)]
    if paper.classes:
        head, _, first, *_ = (line for line in page.splitlines() if line.startswith("|"))
        counts = dict(zip(head.split(" | "), first.split(" | "), strict=True))
        assert [counts[verdict] for verdict in words] == ["0", "0", "0"]
    else:
        assert ", ".join(f"0 {verdict}" for verdict in words) in page


def test_a_page_tells_its_seeds_as_ranges(bundled):
    one = bundled("cmgs").runs.iloc[0].to_dict()
    runs = [{**one, "seed": seed} for seed in (9, 3, 1, 2, 5, 6, 11, 12, 13, 14)]
    page = findings_page(paper_of("cmgs"), measured_of("cmgs", runs))
    assert "From 10 runs, seeds 1 to 3, 5, 6, 9, 11 to 14 (" in page


def test_bundled_results_of_another_version_are_asked_for_in_vain():
    with pytest.raises(InputError, match="--model-version old: the results of cmgs that come"):
        paper_of("cmgs").load(None, "old")


LATER = [name for name in NAMES if paper_of(name).later]


@pytest.mark.parametrize("name", LATER)
def test_later_runs_are_those_that_only_later_parts_of_the_sweep_declare(name, bundled):
    """By the runs' keys: those of the bundled results, if they are of today's model."""
    paper, parts = paper_of(name), sweep_of(BUNDLED[name]).parts
    first = {key for part in parts if part not in paper.later for key in parts[part]}
    only = {short_key(key) for part in paper.later for key in parts[part] if key not in first}
    found = bundled(name)
    if of_another_version(paper, found):
        pytest.skip("the bundled results have the keys of another version")
    left = paper.at_first(found).runs
    assert {*found.runs.key} - {*left.key} == only & {*found.runs.key} != set()


def test_a_page_says_which_verdicts_were_others_before_seeds_were_added():
    # With mixed jobs the reference always loses 1.5 times as much, so CMGS a third less. With
    # memory-intensive ones it loses 1.3 and 1.7 times as much with the first two seeds, which tells
    # nothing; the later four, of 1.5 each, make it 27 to 39 % less.
    losses = {("mixed", seed): 1.5 for seed in (1, 2)}
    losses |= {("memory", seed): 1.5 for seed in (21, 22, 23, 24)}
    losses |= {("memory", 1): 1.3, ("memory", 2): 1.7}
    runs = []
    for (load, seed), loss in losses.items():
        case = Case(platform="I", load=load, jobs=2000)
        runs += rows("cmgs", (case, "CPU_MEM", seed, loss), (case, "CMGS", seed, 1.0))
    told = "before, these verdicts were others: 4 cannot be told."
    paper = paper_of("cmgs")
    assert told in findings_page(paper, measured_of("cmgs", runs))
    first = [run for run in runs if run["seed"] < 20]
    assert "more than one try" not in findings_page(paper, measured_of("cmgs", first))


def test_a_ratio_of_means_stands_beside_a_mean_of_ratios_far_from_it():
    """Ratios 1, 1, 1, 1, 2: exp(ln 2 / 5 ± 2.776 · 0.310 / √5); of the means, 1004 / 504."""
    case = Case(trace="1")
    large = [("NO_LS_BLOCKING", seed, 1000 if seed == 5 else 1) for seed in range(1, 6)]
    small = [("COMBINED", seed, 500 if seed == 5 else 1) for seed in range(1, 6)]

    def page(runs):
        return findings_page(
            paper_of("unknown"), measured("unknown", *((case, *run) for run in runs))
        )

    assert "COMBINED 1.15 (0.78 to 1.69) [of means 1.99] no" in page(large + small)
    alike = [(name, seed, 3 if name == "COMBINED" else 12) for name, seed, _ in large + small]
    assert "COMBINED 4.00 ± 0.00 yes" in page(alike)


@pytest.mark.parametrize("name", NAMES)
def test_no_two_findings_say_the_same(name):
    told = [(finding.topic, finding.statement) for finding in paper_of(name).findings]
    assert len({*told}) == len(told)


#: Numbers of the papers' own that are typed in the heads of their pages.
_OF_THE_PAPERS = {"wal-fc": {"2.2", "1.25", "1.43"}}


@pytest.mark.parametrize("name", NAMES)
def test_no_decimals_of_ours_are_typed_in_the_head_of_a_page(name):
    """Or the next results would leave them as they are."""
    head, counts, _ = text_file(name, "page.md").read_text("utf-8").partition("{{ counts }}")
    typed = re.findall(r"\d+\.\d+", re.sub(r"{{.*?}}", "", head, flags=re.DOTALL))
    assert counts
    assert {*typed} == _OF_THE_PAPERS.get(name, set())


@pytest.mark.parametrize("name", ["cmgs"])
def test_a_text_has_the_numbers_of_its_page_by_the_names_that_claims_have(name, bundled):
    paper = paper_of(name)
    numbers = by_place([finding.judge(bundled(name)) for finding in paper.findings])
    assert {f"{name}/{place}": one.mean for place, one in numbers.items()} == {
        one.name: one.value for one in stated(paper, bundled(name))
    }


@pytest.mark.parametrize("name", NAMES)
def test_a_page_has_all_that_its_paper_gives_a_name(name):
    paper = paper_of(name)
    page = text_file(name, "page.md").read_text(encoding="utf-8")
    assert [one for one in paper.named if not re.search(rf"{{[^}}]*\b{one}\b", page)] == []


@pytest.mark.parametrize("name", NAMES)
def test_the_bundled_page_is_what_the_bundled_results_say(name, bundled):
    """But for the line that says that they are of another version: the code changes every day."""
    paper = paper_of(name)
    warning = f"**{of_another_version(paper, bundled(name))}**\n\n"
    page = (paper.folder / FINDINGS_FILE).read_text(encoding="utf-8").replace(warning, "")
    assert page == findings_page(paper, bundled(name)).replace(warning, ""), (
        f"run: run.py figures {name} --condense {paper.folder.relative_to(PAPERS.parents[1])}"
    )
    assert len(page) < 150_000
    for picture in re.findall(r"!\[[^]]*\]\(([^)]+)\)", page):
        assert (paper.folder / picture).is_file(), picture
    assert "no runs of" not in page
    counts = rf"(\d+) (?:{'|'.join(map(paper.in_words, VERDICTS))})[,.]"
    if paper.classes:
        return  # they are not summed
    of_directions = next(line for line in page.splitlines() if re.search(counts, line))
    assert sum(map(int, re.findall(counts, of_directions))) == len(paper.findings)


def test_all_results_that_come_with_the_code_are_small():
    files = [paper_of(name).folder / RESULTS_FILE for name in NAMES]
    assert sum(file.stat().st_size for file in files) < 6 * 10**6


@pytest.mark.parametrize("name", NAMES)
def test_the_bundled_results_are_small_and_of_one_version(name, bundled):
    file = paper_of(name).folder / RESULTS_FILE
    assert file.stat().st_size < 2**19
    runs = bundled(name).runs
    assert len(runs) == len(pd.read_parquet(file))
    assert runs.version.nunique() == 1
    assert not runs[["conditions", "design"]].duplicated().any()


@pytest.mark.parametrize("name", ["unknown"])
def test_results_in_brief_are_read_as_they_were_written(name, bundled, tmp_path):
    paper, runs = paper_of(name), bundled(name).runs.copy()
    runs.attrs["carried"] = [{"from": "a", "to": "b", "when": "", "results": 3, "run_again": []}]
    write_in_brief(runs, tmp_path / RESULTS_FILE)
    there = paper.in_brief(tmp_path)
    pd.testing.assert_frame_equal(there, runs.reset_index(drop=True))
    assert there.attrs == runs.attrs
    assert [*pq.read_metadata(tmp_path / RESULTS_FILE).metadata] == [b"PANDAS_ATTRS"]


@pytest.mark.parametrize("name", NAMES)
def test_bundled_results_are_of_declared_runs_and_of_todays_designs(name, bundled):
    """A design's own file is no part of the model's version, but of the key of its runs."""
    paper, runs = paper_of(name), bundled(name).runs
    files = [file for file in paper.folder.glob("*.toml") if not lost_log(file)]
    declared = {short_key(run.key) for file in files for run in sweep_of(file).runs.values()}
    oflost_logs = runs.key.isna()
    todays = runs[(runs.version == paper.version) & ~oflost_logs]
    others = todays[~todays.key.isin(declared)]
    assert others.empty, f"run `sweep {name} --missing` for {sorted({*others.design})}"
    logs = {lost_log(file) for file in paper.folder.glob("*.toml")}
    assert runs[oflost_logs].trace.isin(logs).all()


def test_results_of_another_version_are_called_so_on_the_page_and_on_stderr(
    bundled, tmp_path, capsys
):
    paper = replace(paper_of("cmgs"), figures=())
    for version, told in ((paper.version, False), ("0123456789abcdef", True)):
        runs = bundled("cmgs").runs.assign(version=version)
        write_paper(paper, paper.measured(runs), tmp_path)
        warning = "These results are of version 0123456789abcdef of the model"
        errors = capsys.readouterr().err
        assert (warning in (tmp_path / FINDINGS_FILE).read_text(encoding="utf-8")) == told
        assert errors.startswith(f"warning: {warning}" if told else "")
        assert len(errors.splitlines()) == told


def test_figures_and_findings_are_written_without_any_results_of_ones_own(
    command, tmp_path, monkeypatch
):
    paper = paper_of("cmgs")
    first, second, *_ = paper.figures
    monkeypatch.setattr("model.papers.cmgs.paper.PAPER", replace(paper, figures=(first, second)))
    status, out, _ = command("figures cmgs")
    assert status == 0
    folder = tmp_path / "results" / "cmgs" / "figures"
    assert str(folder.relative_to(tmp_path)) in out
    assert {file.name for file in folder.iterdir()} == {
        "findings.md",
        *(f"figure-{one.number}.{kind}" for one in (first, second) for kind in ("png", "svg")),
    }
    assert (folder / f"figure-{first.number}.png").read_bytes().startswith(b"\x89PNG")
    assert "<svg" in (folder / f"figure-{first.number}.svg").read_text()


def test_condensed_results_say_the_same_as_what_they_come_from(command, bundled):
    assert command("figures cmgs --condense brief")[0] == 0
    brief = pd.read_parquet("brief/results.parquet")
    pd.testing.assert_frame_equal(brief, bundled("cmgs").runs)


def test_condensed_results_are_added_to_those_of_the_same_version(bundled, tmp_path):
    """A long sweep may be done in pieces: what both have is as in the results that are added."""
    paper = paper_of("cmgs")
    runs = bundled("cmgs").runs.iloc[:6].assign(version="today")
    early, late = {"from": "a", "to": "b"}, {"from": "b", "to": "today"}
    there = pd.concat([runs[2:], runs[:1].assign(version="old")])
    there.attrs["carried"] = [early, late]
    there.to_parquet(tmp_path / RESULTS_FILE)
    added = runs[:3].assign(sim_end_s=[1.0, 2.0, 3.0])
    added.attrs["carried"] = [late]
    table = paper.joined(added, tmp_path)
    expected = runs.assign(sim_end_s=[1.0, 2.0, 3.0, *runs.sim_end_s[3:]])
    pd.testing.assert_frame_equal(table, expected.reset_index(drop=True))
    assert table.attrs["carried"] == [early, late]
    pd.testing.assert_frame_equal(paper.joined(added, tmp_path / "empty"), added)
    other = paper.joined(added.assign(version="newer"), tmp_path)
    assert (len(other), other.attrs["carried"]) == (3, [late])  # nothing of what it drops


def test_a_note_on_results_is_told_once_however_long_its_keys_are(bundled, tmp_path):
    paper = paper_of("cmgs")
    runs = bundled("cmgs").runs.iloc[:2]
    note = {"from": "a", "to": runs.version.iloc[0], "run_again": [{"key": "k" * 64, "seed": 1}]}
    whole = runs.assign(key=["1" * 64, "2" * 64])
    whole.attrs["carried"] = [note]
    brief = paper.condense(whole, note["to"])
    assert brief.attrs["carried"] == [{**note, "run_again": [{"key": "k" * 16, "seed": 1}]}]
    brief.to_parquet(tmp_path / RESULTS_FILE)
    assert paper.joined(brief, tmp_path).attrs["carried"] == brief.attrs["carried"]


def test_results_that_are_older_than_a_parameter_are_kept(bundled, tmp_path):
    paper, runs = paper_of("cmgs"), bundled("cmgs").runs
    assert runs.load_factor.nunique() == 1
    runs[2:].drop(columns="load_factor").to_parquet(tmp_path / RESULTS_FILE)
    both = paper.measured(paper.joined(runs[:2], tmp_path)).runs
    pd.testing.assert_frame_equal(both, runs, check_like=True)


@pytest.mark.parametrize("lacking", [slice(2), slice(2, None)])
def test_of_a_measure_that_some_results_lack_nothing_is_known(bundled, tmp_path, lacking):
    """As where newcomers came to some runs only; the others keep theirs."""
    paper, runs = paper_of("cmgs"), bundled("cmgs").runs
    lack = runs[lacking].drop(columns="utilization")
    has = runs.drop(index=lack.index)
    for added, there in ((lack, has), (has, lack)):
        there.to_parquet(tmp_path / RESULTS_FILE)
        both = paper.joined(added, tmp_path)
        assert {*both} == {*runs}
        unknown = both.key.isin(lack.key)
        assert both.utilization.isna().equals(unknown)
        assert [*both.utilization[~unknown]] == [*has.utilization]
        assert not both.drop(columns="utilization").isna().any().any()


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


@pytest.fixture(scope="module")
def tiny(tmp_path_factory):
    """A folder with a result of another experiment than any paper's."""
    job = {"processes": 2, "memory_mb": 40, "demand_s": 1}
    scenario = make_scenario(job=[job], nodes=4, designs="DP").model_dump(mode="json")
    store = Store(tmp_path_factory.mktemp("tiny"))
    with store.writing():
        store.put(
            {
                **{"key": "ab" * 32, "version": model_version(), "conditions": "c" * 16},
                **{"scenario": scenario, "stations": {}, "jobs": {}, "took_s": 1.0},
                "summary": {"design": "DP", "jobs": 1, "mean_response_s": 1.0},
            }
        )
    return store.folder


def test_results_of_another_version_are_asked_for_by_its_name(command, tiny):
    status, _, err = command(f"figures memory {tiny} --model-version old")
    assert status == 2
    assert f"of version {model_version()} of the model are ignored, this is old" in err
    assert "no results of version old" in err


def test_without_results_it_says_what_makes_them(command, monkeypatch, tmp_path):
    monkeypatch.setattr("model.papers.paper.RESULTS_FILE", "absent.parquet")
    status, out, err = command("figures memory")
    assert (status, out) == (2, "")
    assert err == (
        "error: no results of memory come with the code; `run.py sweep memory` makes them, in "
        "results/memory\n"
    )


def test_bad_input_is_one_line_that_names_the_culprit(command, tmp_path, tiny):
    (tmp_path / "empty").mkdir()
    (tmp_path / "file").write_text("")
    for words, culprit in (
        ("figures", "PAPER"),
        ("figures nobody", "nobody: no such paper; give one of cmgs, "),
        ("figures memory empty", "empty: no results"),
        ("figures memory absent", "absent: no such folder"),
        (f"figures memory {tiny} --model-version {model_version()}", f"{tiny}: no run of"),
        ("figures memory --out file", "file"),
        ("figures memory --condense file", "file"),
    ):
        status, out, err = command(words)
        assert (status, out) == (2, ""), words
        assert err.startswith("error: "), words
        assert culprit in err, words
        assert len(err.splitlines()) == 1, words
