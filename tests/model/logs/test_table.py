"""Logs that are tables: which column is what, and in which unit."""

import gzip
from datetime import UTC, datetime, timedelta
from fractions import Fraction
from math import floor

import pandas as pd
import pytest
from hypothesis import given
from hypothesis import strategies as st

from model.ground.errors import InputError
from model.logs.columns import ColumnMap, read_column_map
from model.logs.table import read_table

MS, NS = 10**6, 10**9
MAP = """
number = "id"
submit = { column = "at", unit = "ms" }
processors = "cpus"
seconds = { column = "took", unit = "min" }
memory = { column = "rss", unit = "mb" }
"""
CSV = "id,who,at,cpus,took,rss\n0,ann,1500,4,0.5,3\n8,bob,2001.5,1,2,\n"


@pytest.fixture
def log(tmp_path):
    """The log of a table written as text, bytes or a frame, by a map written as text."""

    def log(table=CSV, columns=MAP, name="log.csv"):
        path = tmp_path / name
        if isinstance(table, pd.DataFrame):
            table.to_parquet(path)
        else:
            path.write_bytes(table if isinstance(table, bytes) else table.encode())
        (tmp_path / "columns.toml").write_text(columns)
        return read_table(path, read_column_map(tmp_path / "columns.toml"))

    return log


def facts(log):
    """What is known of each job: number, submission and CPU time in ms, processors, bytes."""
    assert (log.run_ns == log.cpu_ns).all()
    times = [times_ns / MS for times_ns in (log.submit_ns, log.cpu_ns)]
    columns = (log.number, *times, log.processors, log.used_bytes)
    return [*zip(*(column.tolist() for column in columns), strict=True)]


def test_each_column_is_read_in_its_unit(log):
    found = log()
    assert facts(found) == [(0, 1500, 30_000, 4, 3 * 2**20), (8, 2001.5, 120_000, 1, -1)]
    assert found.line.tolist() == [2, 3]
    assert found.requested_bytes.tolist() == [-1, -1]


@pytest.mark.parametrize(
    ("unit", "bytes_", "of", "share"),
    [
        ("bytes", 1, "process", 1),
        ("kb", 2**10, "process", 1),
        ("mb", 2**20, "process", 1),
        ("gb", 2**30, "job", 4),  # 3 GB of 4 processors together
    ],
)
def test_memory_has_a_unit_and_is_of_a_process_or_of_the_job(log, unit, bytes_, of, share):
    found = log(columns=MAP.replace('unit = "mb"', f'unit = "{unit}", of = "{of}"'))
    assert found.used_bytes[0] == 3 * bytes_ // share


def test_what_was_requested_and_who_asked_may_be_told(log):
    # users are texts or numbers, and are numbered as they appear; -1 and nothing are nobody
    rows = "1,ann,1,4,1,3,8\n2,7,1,2,1,3,\n3,ann,1,1,1,3,2\n4,-1,1,1,1,3,2\n5,,1,1,1,3,2\n"
    asked = 'user = "who"\nrequested = { column = "asked", unit = "kb", of = "job" }\n'
    found = log("id,who,at,cpus,took,rss,asked\n" + rows, MAP + asked)
    assert found.user.tolist() == [0, 1, 0, -1, -1]
    assert found.requested_bytes[:3].tolist() == [2 * 2**10, -1, 2 * 2**10]
    assert set(found.used_bytes) == {3 * 2**20}
    assert set(log().user) == {-1}


@pytest.mark.parametrize(
    ("unit", "second"),
    [
        ("ns", 10**9),
        ("ms", 1000),
        ("s", 1),
        ("min", Fraction(1, 60)),
        ("h", Fraction(1, 3600)),
    ],
)
def test_times_have_a_unit(log, unit, second):
    found = log(columns=MAP.replace('"ms"', f'"{unit}"'))
    assert Fraction(int(found.submit_ns[0]), NS) * second == 1500


DATES = "id,at,cpus,took,rss\n1,{},1,1,1\n2,{},1,1,1\n"


@pytest.mark.parametrize(
    ("one", "other", "apart_s"),
    [
        ("2004-05-31 23:59:59", "2004-06-01T00:00:01.5", Fraction(5, 2)),
        ("2004-05-31", "2004-06-01", 86_400),
        ("2004-05-31T12:00:00Z", "2004-05-31T12:00:00+02:00", -7200),
    ],
)
def test_a_submission_may_be_a_date(log, one, other, apart_s):
    first, second = log(DATES.format(one, other), MAP.replace('"ms"', '"date"')).submit_ns
    assert (second - first) / NS == apart_s


def test_a_parquet_table_reads_like_a_csv_one(log):
    frame = pd.DataFrame(
        {"id": [0, 8], "at": [1500, 2001.5], "cpus": [4, 1], "took": [0.5, 2], "rss": [3, None]}
    )
    assert facts(log(frame, name="log.parquet")) == facts(log())


@pytest.mark.parametrize("precision", ["ms", "us", "ns"])
@pytest.mark.parametrize("zone", [None, UTC])
def test_timestamps_of_a_parquet_table_are_dates(log, precision, zone):
    at = datetime(2004, 5, 31, 12, tzinfo=zone)
    times = pd.Series([at, at + timedelta(seconds=2.5)]).dt.as_unit(precision)
    frame = pd.DataFrame({"id": [1, 2], "at": times, "cpus": 1, "took": 1, "rss": 1})
    first, second = log(frame, MAP.replace('"ms"', '"date"'), "log.parquet").submit_ns
    assert first / NS == datetime(2004, 5, 31, 12, tzinfo=UTC).timestamp()
    assert (second - first) / NS == 2.5


@given(st.decimals(0, 10**6, places=6), st.integers(1, 1000), st.integers(0, 2**40))
def test_numbers_are_exact_to_the_nanosecond_and_the_byte(tmp_path_factory, at, cpus, rss):
    path = tmp_path_factory.mktemp("table") / "log.csv"
    path.write_text(f"a,c,t,m\n{at},{cpus},{at},{rss}\n")
    columns = ColumnMap(
        submit={"column": "a", "unit": "min"},
        processors="c",
        seconds={"column": "t", "unit": "h"},
        memory={"column": "m", "unit": "bytes", "of": "job"},
    )
    found = read_table(path, columns)
    assert found.submit_ns[0] == Fraction(at) * 60 * NS
    assert found.cpu_ns[0] == found.run_ns[0] == Fraction(at) * 3600 * NS
    assert found.used_bytes[0] == (floor(Fraction(rss, cpus) + Fraction(1, 2)) or -1)


def test_rows_without_a_number_get_the_first_that_no_other_has(log):
    table = "id,at,cpus,took,rss\n,1,1,1,\n1,1,1,1,\n-1,1,1,1,\n"
    assert log(table).number.tolist() == [2, 1, 3]


@pytest.mark.parametrize("cell", ["", "-1", "nan", "NaN"])
def test_what_is_not_there_is_unknown(log, cell):
    found = log(f"id,at,cpus,took,rss\n{cell},5,{cell},{cell},{cell}\n")
    assert [found.number[0], found.processors[0], found.used_bytes[0]] == [1, -1, -1]
    assert [found.run_ns[0], found.cpu_ns[0]] == [-1, -1]


def test_a_compressed_table_with_a_byte_order_mark_is_read(log):
    packed = gzip.compress(b"\xef\xbb\xbf" + CSV.encode())
    assert facts(log(packed, name="log.csv.gz")) == facts(log())


@pytest.mark.parametrize(
    ("table", "says"),
    [
        ("id,at\n1,2\n", r"log\.csv: no column cpus, took, rss; its columns are id, at$"),
        ("", r"log\.csv: No columns.* give a CSV, JSON or Parquet table with the columns at,"),
        ("id,at,cpus,took,rss\n", r"log\.csv: no jobs in it"),
        (CSV.replace("2001.5", "noon"), r"row 3, column at: 'noon' is not a number$"),
        (CSV.replace("2001.5", ""), r"row 3, column at: the time of submission must be known"),
        (CSV.replace(",1,2,", ",1.5,2,"), r"row 3, column cpus: '1\.5' is no whole number$"),
        (b"PK\0\1", r"log\.csv: .*; give a CSV, JSON or Parquet table with"),
    ],
)
def test_a_table_that_cannot_be_read_is_named_with_row_and_column(log, table, says):
    with pytest.raises(InputError, match=says) as refused:
        log(table)
    assert "\n" not in str(refused.value)


@pytest.mark.parametrize("name", ["nowhere.parquet", ".", "text.parquet"])
def test_a_parquet_file_that_is_none_is_named(tmp_path, log, name):
    (tmp_path / "text.parquet").write_text(CSV)
    log()
    columns = read_column_map(tmp_path / "columns.toml")
    path = tmp_path / "log.parquet" if name == "." else tmp_path / name
    if name == ".":
        path.mkdir()
    with pytest.raises(InputError, match=rf"{path.name}: .*(; give a CSV|; its columns are)"):
        read_table(path, columns)


@pytest.mark.parametrize(
    ("columns", "says"),
    [
        ("", r"columns\.toml: submit: field required; .*processors: .*; .*seconds: "),
        (MAP.replace('"mb"', '"pages"'), r"columns\.toml: memory\.unit: .*'pages'"),
        (MAP.replace('{ column = "at", unit = "ms" }', '"at"'), r"columns\.toml: submit: "),
        ("submit = ", r"columns\.toml: not a TOML file"),
    ],
)
def test_a_map_that_is_wrong_is_named(log, columns, says):
    with pytest.raises(InputError, match=says) as refused:
        log(columns=columns)
    assert "\n" not in str(refused.value)
