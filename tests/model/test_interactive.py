"""What people call in Python: tables against the files of the command line, and the notebook."""

import ast
import json
import re
from pathlib import Path

import pandas as pd
import pytest
from pydantic import ValidationError

import model
from model.core.journal.file import JournalFile
from model.core.journal.words import short
from model.ground.errors import InputError
from model.pnr.scenario import make_scenario
from model.pnr.waste import MEASURE_OF_USE
from model.systems import run
from tests.journaled import journaled

ROOT = Path(__file__).parents[2]
SMALL = {
    "nodes": 4,
    "page_bytes": 2**16,
    "job": [
        {"processes": 2, "memory_mb": 40, "demand_s": 3},
        {"processes": 1, "memory_mb": 50, "demand_s": 2, "submit_s": 1},
    ],
}


def test_a_comparison_has_the_numbers_of_its_files(tmp_path):
    results = model.compare(designs="DP,MAN", **SMALL)
    assert [*results.summary.index] == ["DP", "MAN"]
    assert len(results.jobs) == 4
    of_man = results.jobs[results.jobs["design"] == "MAN"]
    assert results.summary.loc["MAN", "mean_response_s"] == pytest.approx(
        of_man["response_s"].mean()
    )
    assert {"design", "station"} <= {*results.stations.columns}
    assert "response, s" in results._repr_html_()
    assert "MAN" in repr(results)


def test_load_sharing_is_compared_too():
    results = model.compare(system="cmgs", policies="CMGS", jobs=20)
    assert [*results.summary.index] == ["CMGS"]
    jobs = model.record("CMGS", system="cmgs", jobs=20).jobs
    assert [*jobs["memory_mb"]] == [*results.jobs["memory_mb"]]


def test_every_message_over_the_network_is_a_row_with_its_times():
    _, records = journaled(make_scenario(**SMALL), "MAN", journal_level="protocol")
    sent = {it.id: it for it in records if it.kind == "sent" and it.node != it.peer}
    assert len(sent) < sum(record.kind == "sent" for record in records)  # some are to oneself
    arrived = {record.id: record for record in records if record.kind == "delivered"}
    messages = model.record("MAN", **SMALL).messages
    assert [*messages.index] == [*map(short, sent)]
    for id, message in zip(sent, messages.to_dict("records"), strict=True):
        assert (message["sender"], message["receiver"]) == (sent[id].node, sent[id].peer)
        assert message["kind"] == sent[id].what
        assert message["sent_s"] == sent[id].time_ns / 1e9
        assert message["arrived_s"] == arrived[id].time_ns / 1e9
    assert messages["use"].notna().all()
    assert not messages["lost"].any()


def test_a_lost_message_never_arrives():
    lossy = {**SMALL, "fault": [{"kind": "loss", "rate": 0.5}]}
    messages = model.record("RELIABLE(MAN)", **lossy).messages
    assert messages["lost"].any()
    assert messages.loc[messages["lost"], "arrived_s"].isna().all()


def test_the_jobs_of_a_journal_are_those_of_the_results():
    ours = model.record("MAN", **SMALL).jobs.set_index("job").sort_index()
    theirs = model.compare(designs="MAN", **SMALL).jobs.set_index("job").sort_index()
    assert [*ours["nodes"]] == ["0 1", "2"]
    assert {*ours["state"]} == {"ended"}
    common = [name for name in ours if name in theirs]
    assert {"submit_s", "start_s", "end_s", "response_s", "memory_mb", "computing_s"} <= {*common}
    pd.testing.assert_frame_equal(
        ours[common], theirs[common], check_dtype=False, check_index_type=False
    )


def test_tables_of_memory_loans_and_decisions_tell_one_story():
    man = model.record("MAN", **SMALL)
    # job 1 lacks 8 MB on nodes 0 and 1 when nodes 2 and 3 have 32 each
    of_job = man.loans[man.loans["job"] == 1]
    for borrower in (0, 1):
        its = of_job[of_job["borrower"] == borrower].groupby("what")["amount_mb"].sum()
        assert its.to_dict() == {"borrowed": 8, "given back": 8}
        assert man.memory.loc[man.memory["node"] == borrower, "borrowed_mb"].max() == 8
    assert {*of_job["lender"]} <= {2, 3}
    ram = man.memory[["own_mb", "lent_mb", "idle_mb", "down_mb"]].sum(axis=1)
    assert ram.tolist() == pytest.approx([32] * len(ram))
    chosen = man.decisions.dropna(subset="chosen")
    assert {*of_job["lender"]} <= {*chosen["chosen"]}
    believed = chosen[~chosen["heard"]]
    assert {*believed["believed_mb"]} == {32}  # one never heard of counts as idle
    assert believed["stated_s"].isna().all()


def test_waste_counts_the_messages_of_each_use_as_the_summary_does():
    summary = model.compare(designs="MAN", **SMALL).summary.loc["MAN"]
    waste = model.record("MAN", **SMALL).waste
    for use, measure in MEASURE_OF_USE.items():
        of_use = waste[waste["use"] == use]
        counts = {f"{measure}.{it.kind}": it.messages for it in of_use.itertuples()}
        assert {name: summary[name] for name in counts} == counts
        assert of_use["messages"].sum() == summary.filter(like=f"{measure}.").sum()


TABLES = ("jobs", "messages", "decisions", "loans", "memory", "queues", "waste")


@pytest.mark.parametrize("name", TABLES)
def test_a_column_has_one_type_whatever_is_in_it(name, called):
    path = model.explore("MAN", jobs=1, losses=1)  # a path without loans, whose job never ends
    full, other = getattr(called["man"], name), getattr(path, name)
    assert len(full)
    assert not [
        column for column in (*full, *other) if column in full and full[column].dtype == "O"
    ]
    assert all(full[column].dtype == other[column].dtype for column in other if column in full)


def test_a_journal_file_has_its_runs_by_name(tmp_path):
    scenario = make_scenario(designs=("DP", "MAN"), **SMALL)
    file = tmp_path / "two.parquet"
    journal = JournalFile(file, scenario.model_dump_json(), {"DP": (), "MAN": (0, 1, 2, 3)})
    for name in ("DP", "MAN"):
        run(scenario, name, readers=(journal.of(name),), journal_level="protocol")
    journal.close()
    read = model.read(file)
    assert [*read] == ["DP", "MAN"]
    pd.testing.assert_frame_equal(read["MAN"].messages, model.record("MAN", **SMALL).messages)
    shown = read.page()._repr_html_()
    assert shown.startswith("<iframe")
    read.page().save(tmp_path / "page.html")
    assert "<script" in (tmp_path / "page.html").read_text("utf-8")


def test_a_picture_is_that_of_the_view():
    man = model.record("MAN", **SMALL)
    drawn = man.draw("gantt", window=(0, 2.5))
    axes = drawn.axes[0]
    assert axes.get_xlim() == pytest.approx((0, 2.5))
    assert drawn._repr_png_().startswith(b"\x89PNG")  # what a notebook shows


WRONG = [  # a call, and what it is told
    ("read('nope.parquet')", "nope.parquet: no such file"),
    ("compare('nope.toml')", "nope.toml: No such file"),
    ("compare(nodes='x')", "--nodes: input should be a valid integer"),
    ("compare(job=[3])", "--job 1: "),
    ("compare(desings='DP')", "--desings: there is no .* did you mean designs"),
    ("record('NOPE')", "'NOPE' is no design"),
    ("explore('NOPE')", "'NOPE' is no design"),
    ("explore('MAN', left_out=('nope',))", "--left-out nope: 0 rules begin so"),
    ("man.draw('sketch')", "sketch is no picture; draw one of sequence"),
    ("man.draw('story')", "story is no picture"),
    ("man.draw(window='x')", "--window x: give busiest"),
    ("man.draw(nodes=[99])", "--on-nodes: the nodes are 0 to 3"),
    ("man.draw('memory', against=man)", "--against: only for --kind diff or why or gantt"),
    ("man.draw('gantt', count=True)", "--count: only for --kind traffic"),
]


@pytest.fixture(scope="module")
def called():
    """What calls may name."""
    offered = {name: getattr(model, name) for name in model.__all__}
    return {**offered, "man": model.record("MAN", **SMALL)}


@pytest.mark.parametrize(("call", "told"), WRONG)
def test_a_wrong_call_is_told_in_one_line_what_is_wrong(call, told, called):
    with pytest.raises(InputError) as refused:
        eval(call, called)
    assert re.match(told, str(refused.value))
    assert "\n" not in str(refused.value)


@pytest.mark.parametrize(
    ("call", "name"),
    [("record('MAN', level='zz')", "level"), ("explore('MAN', lossses=1)", "lossses")],
)
def test_a_value_that_is_none_is_refused_by_its_name(call, name, called):
    with pytest.raises(ValidationError, match=name):
        eval(call, called)


def test_a_picture_may_be_against_another_run():
    man, cli = (model.record(design, **SMALL) for design in ("MAN", "CLI"))
    drawn = man.draw("why", job=1, against=cli)
    assert "under MAN" in drawn.get_suptitle()
    assert "under CLI" in drawn.get_suptitle()


def test_a_search_says_what_it_has_found():
    broken = model.explore("MAN", jobs=1, losses=1)
    assert broken.holds is False
    assert "waits for ever" in repr(broken)
    assert "is lost" in broken.story
    assert broken.run.messages["lost"].sum() == 1
    whole = model.explore("MAN", jobs=1)
    assert whole.holds is True
    assert whole.story.startswith("MAN: nothing found; all states seen")
    with pytest.raises(InputError, match="nothing was found"):
        _ = whole.run
    assert model.explore("MAN", states=10).holds is None


def test_the_room_offers_nothing_else():
    with pytest.raises(AttributeError, match="no attribute 'simulate'"):
        _ = model.simulate


def test_the_notebook_runs_and_shows_what_it_has_kept(tmp_path, monkeypatch):
    """Its code runs as it stands there, and its tables have the cells that stand below it.

    But of eight windows that it compares, which takes long, there are three here.
    """
    monkeypatch.chdir(tmp_path)
    names: dict[str, object] = {}
    for cell in json.loads((ROOT / "model" / "notebook.ipynb").read_text("utf-8"))["cells"]:
        if cell["cell_type"] != "code":
            continue
        source = "".join(cell["source"]).replace("5831, 1281, 1791, 281, 1621, 1761]", "5831]")
        code = ast.parse(source)
        last = code.body.pop() if isinstance(code.body[-1], ast.Expr) else None
        exec(compile(code, "notebook", "exec"), names)
        if last is None:
            continue
        shown = eval(compile(ast.Expression(last.value), "notebook", "eval"), names)
        pages = [output.get("data", {}).get("text/html", ()) for output in cell["outputs"]]
        kept = "".join(line for page in pages for line in page)
        if kept:
            cells = _cells(shown._repr_html_())
            assert len(cells) == len(_cells(kept)) or "firsts" in source
            assert cells == _cells(kept)[: len(cells)]


def _cells(table):
    return re.findall(r"<t[hd][^>]*>([^<]*)<", table)


def test_a_fault_that_names_no_message_is_told_before_anything_runs():
    lost = {"kind": "loss", "messages": ["RamGrnt"]}
    jobs = [{"processes": 1, "memory_mb": 40, "demand_s": 1}]
    given = {"nodes": 2, "designs": "CEN", "job": jobs, "fault": [lost]}
    with pytest.raises(InputError, match="no message is called RamGrnt; take page"):
        model.compare(**given)
    with pytest.raises(InputError, match="no message is called RamGrnt; take page"):
        model.record("CEN", **given)
