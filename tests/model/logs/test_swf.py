"""Reading logs in the Standard Workload Format."""

import gzip
from pathlib import Path

import pytest

from model.ground.errors import InputError
from model.logs.swf import read_swf
from model.pnr.scenario import BUNDLED_TRACE

# Fields from 1: number, submit, wait, run, processors, cpu, memory, asked processors, asked time,
# asked memory, status, and seven that nobody reads.
RECORD = "7 30 5 3362 32 489.00 988 64 900 1024 1 -1 -1 -1 -1 -1 -1 -1"

NS = 10**9


def read(folder: Path, text: str | bytes, name: str = "log.swf"):
    file = folder / name
    file.write_bytes(text if isinstance(text, bytes) else text.encode())
    return read_swf(file)


def facts(log):
    """What is known of each job: line, number, three times, processors, two sizes, user."""
    columns = (log.line, log.number, log.submit_ns, log.run_ns, log.cpu_ns, log.processors)
    more = (log.used_bytes, log.requested_bytes, log.user)
    return [*zip(*(column.tolist() for column in columns + more), strict=True)]


def test_each_field_is_read_from_its_column(tmp_path):
    log = read(tmp_path, RECORD)
    assert facts(log) == [(1, 7, 30 * NS, 3362 * NS, 489 * NS, 32, 988 * 1024, 1024 * 1024, -1)]


@pytest.mark.parametrize("name", ["log.swf.gz", "log.swf"])
def test_a_compressed_log_reads_like_a_plain_one_whatever_its_name(tmp_path, name):
    text = f"; MaxProcs: 128\n{RECORD}\n"
    plain = read(tmp_path, text, "plain.swf")
    packed = read(tmp_path, gzip.compress(text.encode()), name)
    assert (facts(packed), packed.processors_of_machine) == (facts(plain), 128)


def test_comments_and_empty_lines_may_stand_anywhere(tmp_path):
    log = read(
        tmp_path, f"; a log\n\n{RECORD} ; a note\n ;; another: 5\n{RECORD}\n; MaxProcs: 256 (all)"
    )
    assert log.line.tolist() == [3, 5]
    assert log.processors_of_machine == 256


def test_windows_line_ends_do_not_matter(tmp_path):
    log = read(tmp_path, f"; MaxProcs: 64\r\n{RECORD}\r\n{RECORD}\r\n")
    assert (len(log), log.processors_of_machine) == (2, 64)


def test_without_max_procs_the_machine_is_as_large_as_the_largest_job(tmp_path):
    log = read(tmp_path, "1 0 0 9 16\n2 1 0 9 96\n3 2 0 9 32\n")
    assert log.processors_of_machine == 96


def test_a_short_line_of_numbers_is_padded_with_unknowns(tmp_path):
    log = read(tmp_path, f"4 12 -1 60 8\n{RECORD}\n")
    assert facts(log)[0] == (1, 4, 12 * NS, 60 * NS, -1, 8, -1, -1, -1)


def test_where_the_processors_are_unknown_the_requested_ones_stand_in(tmp_path):
    assert read(tmp_path, "1 0 -1 60 -1 -1 -1 24").processors.tolist() == [24]


@pytest.mark.parametrize(
    ("written", "ns"),
    [
        ("0.5", NS // 2),
        ("1287654321.123456", 1_287_654_321_123_456_000),
        ("12345678.1234567895", 12_345_678_123_456_790),  # halves go up
        ("12345678.1234567894", 12_345_678_123_456_789),
        ("1e-9", 1),
    ],
)
def test_times_are_exact_to_the_nanosecond(tmp_path, written, ns):
    log = read(tmp_path, f"1 {written} -1 {written} 8 {written}\n")
    assert [log.submit_ns[0], log.run_ns[0], log.cpu_ns[0]] == [ns] * 3


@pytest.mark.parametrize(
    ("stated", "numbers"), [((-1, -1), [1, 2]), ((-1, 1, 3, -1, -1), [2, 1, 3, 4, 5])]
)
def test_jobs_without_a_number_get_the_first_that_no_other_has(tmp_path, stated, numbers):
    log = read(tmp_path, "".join(f"{number} 0 0 9 1\n" for number in stated))
    assert log.number.tolist() == numbers


def test_memory_may_be_in_bytes(tmp_path):
    file = tmp_path / "log.swf"
    file.write_text(RECORD)
    log = read_swf(file, memory_unit_bytes=1)
    assert [log.used_bytes[0], log.requested_bytes[0]] == [988, 1024]


def test_fields_behind_those_of_the_format_are_counted_and_not_read(tmp_path):
    plain = read(tmp_path, RECORD)
    longer = read(tmp_path, f"{RECORD} 17 batch 0.5\n{RECORD} 3\n")
    assert facts(longer)[0] == facts(plain)[0]
    assert (plain.unread, longer.unread) == (0, 3)


@pytest.mark.parametrize(
    ("status", "kept"), [(0, 1), (1, 1), (5, 1), (-1, 1), (2, 0), (3, 0), (4, 0)]
)
def test_partial_executions_are_no_jobs(tmp_path, status, kept):
    log = read(tmp_path, f"{RECORD}\n2 31 5 60 32 48 988 64 900 1024 {status}\n")
    assert len(log) == 1 + kept


@pytest.mark.parametrize(
    ("line", "says"),
    [
        ("2 31 5 sixty 32", "'sixty'; give numbers"),
        ("2 31 5 60 1e300", "beyond all bounds"),
        ("2 1700000000000 5 60 32", "field 2 is beyond all bounds; the format counts seconds"),
        ("2", "submit time"),
        ("2 -1 5 60 32", "submit time"),
    ],
)
def test_a_malformed_line_is_named_with_its_file(tmp_path, line, says):
    with pytest.raises(InputError) as refused:
        read(tmp_path, f"; a log\n{RECORD}\n{line}\n")
    assert f"{tmp_path / 'log.swf'}, line 3: " in str(refused.value)
    assert says in str(refused.value)


@pytest.mark.parametrize(
    ("content", "says"),
    [
        (b"", "no job records"),
        (b"; only\n; comments\n", "no job records"),
        (b"\x7fELF\x00\x01\x02", "binary data"),
        (gzip.compress(RECORD.encode() * 9)[:-12], "damaged gzip"),
        (b"\x1f\x8b\x08 not really", "damaged gzip"),
    ],
    ids=["empty", "comments", "binary", "truncated gz", "damaged gz"],
)
def test_a_file_that_is_no_log_is_named(tmp_path, content, says):
    with pytest.raises(InputError) as refused:
        read(tmp_path, content)
    assert str(tmp_path / "log.swf") in str(refused.value)
    assert says in str(refused.value)
    assert "\n" not in str(refused.value)


def test_a_missing_file_and_a_folder_are_named(tmp_path):
    for path in (tmp_path / "nowhere.swf", tmp_path):
        with pytest.raises(InputError, match=str(path)):
            read_swf(path)


def test_the_bundled_trace_is_whole():
    log = read_swf(BUNDLED_TRACE)
    assert len(log) == 6055  # as its header's MaxRecords says
    assert log.processors_of_machine == 1024  # the CM-5
    assert log.number.tolist() == list(range(1, 6056))
