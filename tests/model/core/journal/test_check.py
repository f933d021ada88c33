"""A journal that no run wrote is refused in one line, before a view of it is drawn."""

import re

import pandas as pd
import pyarrow as pa
import pyarrow.parquet as pq
import pytest

from model.core.journal.file import SCHEMA, JournalFile
from model.ground.errors import InputError
from model.pnr.scenario import make_scenario
from model.sharing.scenarios import make_sharing_scenario
from model.systems import run
from model.views.recording import read_recordings

PARALLEL = make_scenario(
    nodes=4,
    page_bytes=2**20,
    minimum_demand_s=0.001,
    barrier_s=0.05,
    job=[
        {"processes": 2, "memory_mb": 40, "demand_s": 0.1, "number": 7},
        {"processes": 1, "memory_mb": 8, "demand_s": 0.2, "submit_s": 0.01, "number": 9},
    ],
)
#: A node comes and another goes.
UNEQUAL = make_scenario(
    node=[{"count": 2}, {"joins_s": 0.02}, {"leaves_s": 0.05, "leave_grace_s": 0.1}],
    page_bytes=2**20,
    minimum_demand_s=0.001,
    job=[{"processes": 2, "memory_mb": 40, "demand_s": 0.1}],
)
SEQUENTIAL = make_sharing_scenario(
    nodes=3, job=[{"submit_s": i / 10, "memory_mb": 30, "demand_s": 1} for i in range(4)]
)


@pytest.fixture(scope="module")
def journals(tmp_path_factory):
    """Writes, once for each, the journal of every hop of a scenario's run."""
    folder = tmp_path_factory.mktemp("journals")

    def journal(scenario, name):
        path = folder / f"{name}.parquet"
        if not path.exists():
            file = JournalFile(path, scenario.model_dump_json())
            run(scenario, name, readers=(file.of(name),), plane="actors")
            file.close()
        return path

    return journal


@pytest.fixture
def damaged(journals, tmp_path):
    """The first record of a kind, changed; or all records, by a function."""

    def damaged(change, scenario=PARALLEL, name="CEN", says=None, managers="{}"):
        table = pq.read_table(journals(scenario, name))
        frame = table.to_pandas(types_mapper={pa.int64(): pd.Int64Dtype()}.get)
        frame = frame.astype({field.name: object for field in SCHEMA if field.type != pa.int64()})
        frame = frame.reset_index(drop=True)
        if callable(change):
            frame = change(frame)
        else:
            kind, column, value = change
            (first, *_) = frame.index[frame["kind"] == kind]
            frame.loc[first, column] = value
        path = tmp_path / "damaged.parquet"
        made = pa.Table.from_pandas(frame, schema=SCHEMA, preserve_index=False)
        metadata = {"scenario": says or scenario.model_dump_json(), "managers": managers}
        pq.write_table(made.replace_schema_metadata(metadata), path)
        return path

    return damaged


def refusal(path):
    with pytest.raises(InputError) as refused:
        read_recordings(path)
    told = str(refused.value)
    assert told.startswith(str(path))
    assert "\n" not in told
    return told


@pytest.mark.parametrize(
    ("scenario", "names"),
    [
        (PARALLEL, ["DP", "CLI", "MAN"]),
        (UNEQUAL, ["MAN", "SURVIVOR"]),
        (SEQUENTIAL, ["NO_LS", "MEM_RE"]),
    ],
)
def test_a_journal_that_a_run_wrote_is_accepted(journals, scenario, names):
    for name in names:
        (recording,) = read_recordings(journals(scenario, name))
        records = recording.records
        assert set(records["kind"]) >= {"submitted", "placed", "ended"}
        assert records.loc[records["kind"] == "borrowed", "job"].notna().all()


@pytest.mark.parametrize(
    ("change", "complaint"),
    [
        (("sent", "time_ns", None), r"record \d+ \(sent\): it has no time_ns"),
        (("sent", "node", 4), r"record \d+ \(sent\): its node is not 0 to 3"),
        (("sent", "peer", None), r"it has no peer"),
        (("hop", "station", None), r"record \d+ \(hop\): it has no station"),
        (("placed", "slot", 2), r"its slot is not 0 to 1"),
        (("sent", "design", None), r"a record names no design"),
        (("placed", "payload", "{"), r"payload of a record \(placed\) cannot be: .*truncated"),
        (("placed", "payload", '{"nodes":[4]}'), r"\(placed\) .* nodes that are not 0 to 3"),
        (("sent", "payload", '["word"]'), r"\(sent\) .* Expected `object`"),
        # as journals had it before decisions told of their search
        (
            ("decided", "payload", '{"request":[3,"manager",0,1],"candidates":{}}'),
            r"\(decided\) .* missing required field `search`",
        ),
        (lambda frame: frame[::-1], r"it is of an earlier time than the one before it"),
    ],
)
def test_a_record_that_no_run_writes_is_refused(damaged, change, complaint):
    assert re.search(complaint, told := refusal(damaged(change))), told
    assert len(told) < 400


@pytest.mark.parametrize(
    "fields",
    [
        '{"word":null,"words":[]}',
        '{"word":"mine"}',  # a user's own, which is no pair: of that tells who looks for it
        '{"words":[[null,[1,2]],["group",[-1.5,2]],[3,[0,0]]]}',
    ],
)
def test_a_message_may_have_fields_of_a_users_own(damaged, fields):
    (recording,) = read_recordings(damaged(("sent", "payload", fields)))
    assert fields in recording.records["payload"].tolist()


def test_so_is_one_of_load_sharing(damaged):
    path = damaged(("placed", "payload", None), SEQUENTIAL, "MEM_RE")
    assert re.search(r"record \d+ \(placed\): it has no payload", refusal(path))


def test_records_of_more_nodes_than_the_scenario_has_are_refused(damaged):
    fewer = PARALLEL.model_copy(update={"nodes": 2}).model_dump_json()
    assert "is not 0 to 1" in refusal(damaged(lambda frame: frame, says=fewer))


@pytest.mark.parametrize("says", ["[]", '{"system": []}', '{"nodes": 0}'])
def test_a_scenario_that_is_none_is_refused(damaged, says):
    assert "its scenario is not of this version" in refusal(damaged(lambda frame: frame, says=says))


@pytest.mark.parametrize(("column", "kind"), [("time_ns", pa.string()), ("node", pa.float64())])
def test_a_column_of_another_type_is_refused(journals, tmp_path, column, kind):
    table = pq.read_table(journals(PARALLEL, "CEN"))
    place = table.column_names.index(column)
    path = tmp_path / "damaged.parquet"
    pq.write_table(table.set_column(place, column, table[column].cast(kind)), path)
    assert f"its column {column} is of type {kind}, not int64" in refusal(path)
