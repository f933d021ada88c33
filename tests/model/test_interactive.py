"""What people call in Python: tables against the files of the command line, and the notebook."""

import ast
import json
import re
from pathlib import Path

import pandas as pd
import pytest

import model
from model.core.journal.file import JournalFile
from model.ground.errors import InputError
from model.pnr.scenario import make_scenario
from model.systems import run
from model.views.show import figure_of

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


def test_every_message_over_the_network_is_a_row_with_its_times():
    records = []
    run(make_scenario(**SMALL), "MAN", readers=(records.append,), journal_level="protocol")
    sent = {it.id: it for it in records if it.kind == "sent" and it.node != it.peer}
    assert len(sent) < sum(record.kind == "sent" for record in records)  # some are to oneself
    arrived = {record.id: record for record in records if record.kind == "delivered"}
    messages = model.record("MAN", **SMALL).messages
    assert [*messages.index] == [*sent]
    for id, message in messages.iterrows():
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
    with pytest.raises(InputError, match="sketch is no picture; draw one of sequence"):
        man.draw("sketch")
    with pytest.raises(InputError, match="no picture"):
        figure_of("story", man.recording, None)


def test_a_picture_may_be_against_another_run_and_has_its_own_options_alone():
    man, cli = (model.record(design, **SMALL) for design in ("MAN", "CLI"))
    drawn = man.draw("why", job=1, against=cli)
    assert "under MAN" in drawn.get_suptitle()
    assert "under CLI" in drawn.get_suptitle()
    for says, options in (
        ("against: give a run that was recorded", {"kind": "why", "job": 1, "against": "CLI"}),
        ("--against: only for --kind diff or why or gantt", {"kind": "memory", "against": cli}),
        ("--count: only for --kind traffic", {"kind": "gantt", "count": True}),
        ("colour: no option of pictures", {"kind": "gantt", "colour": "red"}),
    ):
        with pytest.raises(InputError, match=says):
            man.draw(**options)


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
    """Its code runs as it stands there, and its tables have the cells that stand below it."""
    monkeypatch.chdir(tmp_path)
    names: dict[str, object] = {}
    for cell in json.loads((ROOT / "model" / "notebook.ipynb").read_text("utf-8"))["cells"]:
        if cell["cell_type"] != "code":
            continue
        code = ast.parse("".join(cell["source"]))
        last = code.body.pop() if isinstance(code.body[-1], ast.Expr) else None
        exec(compile(code, "notebook", "exec"), names)
        if last is None:
            continue
        shown = eval(compile(ast.Expression(last.value), "notebook", "eval"), names)
        pages = [output.get("data", {}).get("text/html", ()) for output in cell["outputs"]]
        kept = "".join(line for page in pages for line in page)
        if kept:
            assert _cells(shown._repr_html_()) == _cells(kept)


def _cells(table):
    return re.findall(r"<t[hd][^>]*>([^<]*)<", table)


def test_a_name_that_is_no_parameter_is_named_with_those_like_it():
    with pytest.raises(InputError, match=r"^--desings: there is no .* did you mean designs"):
        model.compare(desings="DP")
    with pytest.raises(InputError, match=r"^lossses: no parameter of explore; give losses"):
        model.explore("MAN", lossses=1)


def test_a_fault_that_names_no_message_is_told_before_anything_runs():
    lost = {"kind": "loss", "messages": ["RamGrnt"]}
    jobs = [{"processes": 1, "memory_mb": 40, "demand_s": 1}]
    given = {"nodes": 2, "designs": "CEN", "job": jobs, "fault": [lost]}
    with pytest.raises(InputError, match="no message is called RamGrnt; take page"):
        model.compare(**given)
    with pytest.raises(InputError, match="no message is called RamGrnt; take page"):
        model.record("CEN", **given)
