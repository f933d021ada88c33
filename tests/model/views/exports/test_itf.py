"""A path as Apalache and Quint write theirs: by the schema of the format, and by hand."""

import json

import pytest

from model.ground.errors import InputError
from model.pnr.explore.narrator import retrace
from model.pnr.explore.search import search
from model.pnr.explore.setting import Setting
from model.pnr.explore.storing import write_finding
from model.pnr.scenario import make_scenario
from model.views.exports.itf import itf
from model.views.recording import Selection, read_recordings, record


@pytest.fixture(scope="module")
def made(tmp_path_factory):
    """A path on which a lost request leaves a job without a grant."""
    folder = tmp_path_factory.mktemp("itf")
    setting = Setting(declared="MAN", nodes=3, jobs=1, losses=1)
    finding, records = search(setting).finding, []
    retrace(setting, finding.path, records.append)
    write_finding(folder / "lost.parquet", setting, finding, records)
    (recording,) = read_recordings(folder / "lost.parquet")
    itf(recording, Selection(), folder / "lost.itf.json")
    return recording, json.loads((folder / "lost.itf.json").read_text("utf-8"))


def is_value(value):
    """ADR 15 of Apalache: a boolean, a text, {"#bigint"}, a list, a set, a map or a record."""
    if isinstance(value, bool | str):
        return True
    if isinstance(value, list):
        return all(map(is_value, value))
    if not isinstance(value, dict):
        return False  # whole numbers are big ones
    if "#bigint" in value:
        return value == {"#bigint": str(int(value["#bigint"]))}
    if "#set" in value:
        return len(value) == 1 and is_value(value["#set"])
    if "#map" in value:
        pairs = value["#map"]
        return len(value) == 1 and all(len(pair) == 2 and is_value(pair) for pair in pairs)
    return not any(key.startswith("#") for key in value) and all(map(is_value, value.values()))


def test_it_is_of_the_format(made):
    _, trace = made
    assert trace["#meta"]["format"] == "ITF"
    assert trace.keys() <= {"#meta", "params", "vars", "states", "loop"}
    for index, state in enumerate(trace["states"]):
        assert state.pop("#meta") == {"index": index}
        assert state.keys() == {*trace["vars"]}
        assert all(map(is_value, state.values()))


def test_a_state_a_step_with_the_messages_under_way(made):
    recording, trace = made
    records = recording.records
    steps = sorted({time_ns // 10**9 for time_ns in records["time_ns"]})
    assert len(trace["states"]) == len(steps)
    for state, step in zip(trace["states"], steps, strict=True):
        until = records[records["time_ns"] < (step + 1) * 10**9]
        sent = until[(until["kind"] == "sent") & (until["node"] != until["peer"])]
        over = {*until.loc[until["kind"].isin(["delivered", "lost"]), "id"]}
        under_way = sorted(
            (row.what, row.node, row.peer) for row in sent.itertuples() if row.id not in over
        )
        assert under_way == sorted(
            (it["kind"], int(it["sender"]["#bigint"]), int(it["receiver"]["#bigint"]))
            for it in state["messages"]["#set"]
        )
    assert any("lost" in line for state in trace["states"] for line in state["happened"])
    assert trace["#meta"]["description"] == recording.finding


def test_only_a_whole_path_is_one(made, tmp_path):
    job = {"processes": 1, "memory_mb": 1, "demand_s": 1}
    run = record(make_scenario(job=[job], nodes=2), "MAN", "protocol")
    with pytest.raises(InputError, match="shows a path that explore has found"):
        itf(run, Selection(), tmp_path / "a.itf.json")
    with pytest.raises(InputError, match="shows a whole path"):
        itf(made[0], Selection(job=1), tmp_path / "a.itf.json")
