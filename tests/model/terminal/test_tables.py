"""What the command line says of replications: how sure, in tables and files; and the advice."""

import pandas as pd
import pytest

from model.core.measures import Table
from model.sweeps.identity import conditions_of, identity, key_of, model_version
from model.sweeps.results import load_results
from model.sweeps.statistics import estimate, reduction_pct
from model.sweeps.store import Store
from model.sweeps.sweep import load_sweep
from model.terminal.printing import print_table

# Two jobs, which together need more RAM than four nodes have: three seeds, two sizes of RAM.
SWEEP = """
nodes = 6
page_bytes = 1048576
job = [
    { processes = 4, memory_mb = 40, demand_s = 2 },
    { processes = 2, memory_mb = 10, demand_s = 2 },
]
[runs.all]
designs = ["DP", "CLI", "MAN"]
ram = [100, 70]
seed = [1, 2, 3]
"""


def store(folder, run, mean_response_s):
    """As if the run had taken place."""
    who = identity(run.scenario)
    summary = {"design": run.design, "seed": run.scenario.seed, "jobs": run.scenario.jobs}
    summary |= {"mean_response_s": mean_response_s, "faults_disk": 0, "faults_network": 0, "pcs": 0}
    result = {
        "key": key_of(who),
        "version": model_version(),
        "code": "0.1.0",
        "conditions": conditions_of(who),
        "scenario": run.scenario.model_dump(mode="json"),
        "summary": summary,
        "stations": {},
        "jobs": {},
        "took_s": 1,
    }
    with Store(folder).writing():
        Store(folder).put(result)


def imagine(folder, responses, **parameters):
    """Stores runs with these mean response times, by design a value a seed."""
    lines = "\n".join(f"{name} = {value!r}" for name, value in parameters.items())
    seeds = [*range(1, 1 + max(map(len, responses.values())))]
    file = folder.parent / "imagined.toml"
    file.write_text(f"first = 1\n{lines}\n[runs.all]\ndesigns = {[*responses]}\nseed = {seeds}\n")
    for run in load_sweep(str(file)).runs.values():
        store(folder, run, responses[run.design][run.scenario.seed - 1])


def test_a_tiny_sweep_from_runs_to_intervals(command, tmp_path, in_this_process):
    (tmp_path / "tiny.toml").write_text(SWEEP)
    assert command("sweep tiny.toml --quiet")[0] == 0
    status, out, _ = command("results results/tiny")
    assert (status, len(out.splitlines())) == (0, 2 + 6 + 2)
    assert command("results results/tiny --csv t.csv --parquet t.parquet")[:2] == (0, "")

    runs = load_results(tmp_path / "results/tiny")
    of = {
        d: runs[(runs.design == d) & (runs.ram == 70)].mean_response_s.tolist()
        for d in ("DP", "MAN")
    }
    for table in (pd.read_csv("t.csv"), pd.read_parquet("t.parquet")):
        assert table[["design", "ram", "n"]].values.tolist() == [
            [design, ram, 3] for ram in (70, 100) for design in ("CLI", "DP", "MAN")
        ]
        man = table[(table.design == "MAN") & (table.ram == 70)].iloc[0]
        wanted = estimate(of["MAN"])
        assert man.mean_response_s_low == pytest.approx(wanted.low)
        assert man.mean_response_s_high == pytest.approx(wanted.high)
        wanted = reduction_pct(of["DP"], of["MAN"])
        assert man.mean_response_s_vs_dp_pct_low == pytest.approx(wanted.low)
    assert f"{wanted.mean:+.2f} ± {wanted.half_width:.2f}" in out

    # DP is compared with when it is not shown; another measure; a row a run
    shown = command("results results/tiny --where design=man --where ram=70")[1]
    assert f"{wanted.mean:+.2f} ± {wanted.half_width:.2f}" in shown
    assert "DP " not in shown.partition("\n")[2]
    assert "faults_disk" in command("results results/tiny --measure faults_disk")[1]
    assert command("results results/tiny --runs --csv runs.csv")[0] == 0
    assert pd.read_csv("runs.csv")["messages.RamRequest"].tolist() == [*runs["messages.RamRequest"]]


def test_a_winner_is_named_only_if_it_is_sure(command, tmp_path):
    folder = tmp_path / "stored"
    imagine(folder, {"DP": [100, 102], "MAN": [50, 52], "CLI": [40, 42.2]}, jobs=10)
    out, err = command("results stored")[1:]
    # MAN - CLI: 10 and 9.8, r = 19.8 / 102, residuals 10 - 50 r = 5 / 17: ± 12.706 · 5 / 17 of 51
    assert out.endswith("\nCLI is lowest, 19.41 ± 7.33 % below MAN\n")
    assert err == ""
    imagine(folder, {"BB2": [37, 46]}, jobs=10)  # mean 41.5; 3 less and 3.8 more than CLI
    assert command("results stored")[1].endswith("\nno winner among CLI, BB2\n")
    imagine(folder, {"CEN": [90, 113]}, jobs=10)  # 10 less and 11 more than DP
    out, err = command("results stored")[1:]
    assert [line.split()[0] for line in out.splitlines() if "~" in line] == ["CEN"]
    assert err == (
        "warning: 1 rows (~) may not differ from DP: the interval of their difference covers zero\n"
    )


def test_what_lacks_dp_is_said(command, tmp_path):
    imagine(tmp_path / "stored", {"MAN": [50, 52, 51]}, jobs=10)
    imagine(tmp_path / "stored", {"DP": [100]}, jobs=10)
    out, _ = command("results stored")[1:]
    (line,) = [line.split() for line in out.splitlines() if line.startswith("MAN")]
    assert line[-2:] == ["3", "(1)"]  # of three replications, DP has one
    imagine(tmp_path / "none", {"MAN": [50, 52]}, jobs=10)
    assert "1 rows have no run of DP" in command("results none")[2]


def test_results_of_an_older_model_with_other_parameters_can_be_read(command, tmp_path):
    imagine(tmp_path / "stored", {"DP": [100], "MAN": [50]}, jobs=10)
    old = Store(tmp_path / "stored")
    with old.writing():
        for result in old.results([model_version()])[0]:
            result["scenario"]["forgotten"] = 1
            old.put({**result, "version": "old"})
    status, out, _ = command("results stored --model-version old")
    assert status == 0
    assert "+50.00" in out


def test_one_replication_has_no_interval_and_no_winner(command, tmp_path):
    imagine(tmp_path / "stored", {"DP": [100], "MAN": [10]}, jobs=10)
    status, out, err = command("results stored")
    assert status == 0
    assert err == "warning: 1 rows (?) have only one replication, so no interval\n"
    assert "±" not in out.partition("\n")[2]
    assert "lowest" not in out


def test_a_sweep_runs_seeds_until_it_is_sure(command, tmp_path, in_this_process):
    (tmp_path / "tiny.toml").write_text(SWEEP.replace("seed = [1, 2, 3]", "seed = 4"))
    assert command("sweep tiny.toml --half-width 1000 --quiet")[0] == 0
    assert set(load_results(tmp_path / "results/tiny").seed) == {1, 4}  # an interval takes two
    status, _, err = command("sweep tiny.toml --half-width 3 --most 6")
    assert status == 0
    runs = load_results(tmp_path / "results/tiny")
    wide = False
    for _, own in runs.groupby("ram"):
        responses = {design: of.mean_response_s.tolist() for design, of in own.groupby("design")}
        widths = [
            reduction_pct(responses["DP"], values).half_width for values in responses.values()
        ]
        seeds = [tuple(of.seed) for _, of in own.groupby("design")]
        assert seeds == [tuple(sorted([4, *[1, 2, 3, 5, 6][: len(seeds[0]) - 1]]))] * 3
        assert max(widths) <= 3 or len(seeds[0]) == 6
        wide |= max(widths) > 3
    assert ("with 6 seeds, some differences from DP are not known to within ± 3 %" in err) == wide
    assert command("sweep tiny.toml --half-width 3 --most 6 --quiet")[0] == 0
    assert len(load_results(tmp_path / "results/tiny")) == len(runs)


@pytest.mark.parametrize(
    ("words", "culprit"),
    [
        ("results stored --measure speed", "--measure speed: give one of faults_disk, "),
        ("results stored --replicated jobs", "--replicated"),
        ("results stored --half-width 0", "--half-width 0"),
        ("results stored --where design=CEN", "design=CEN"),
        ("results stored --csv nowhere/file.csv", "--csv nowhere/file.csv"),
        ("sweep alone.toml --half-width 1", "--half-width: declare DP"),
        ("sweep alone.toml --half-width 1 --most 1", "--most"),
    ],
)
def test_bad_input_is_one_line_that_names_the_culprit(refusal, tmp_path, words, culprit):
    imagine(tmp_path / "stored", {"DP": [100], "MAN": [10]}, jobs=10)
    (tmp_path / "alone.toml").write_text("jobs = 5\n[runs.all]\ndesigns = 'MAN'\n")
    assert culprit in refusal(words)


@pytest.mark.parametrize("terminal", ["0", "1"])
def test_nothing_of_a_table_is_cut_off_in_a_pipe_or_a_narrow_terminal(
    terminal, monkeypatch, capsys
):
    monkeypatch.setenv("TTY_COMPATIBLE", terminal)  # whether rich takes it for a terminal
    monkeypatch.setenv("COLUMNS", "60")
    headings = [f"RELIABLE(BB{managers})" for managers in range(20)]
    numbers = [f"{10**9 + managers:,}" for managers in range(20)]
    print_table(Table(["kind"], headings, [("RamRequest", *numbers)], "messages"))
    shown = capsys.readouterr().out
    assert all(text in shown for text in ("messages", "kind", *headings, *numbers))
