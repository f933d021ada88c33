"""A result is stored whole or not at all, and damage to it is noticed."""

import errno
import json
import signal
import sqlite3
import subprocess
import sys
from contextlib import closing, contextmanager, suppress
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from model.ground.errors import InputError
from model.sweeps.store import Failed, Store

KEY, OTHER = "ab" + "0" * 62, "cd" + "0" * 62
RESULT = {
    "key": KEY,
    "version": "1",
    "code": "0.1.0, commit 5bb3",
    "conditions": "1",
    "scenario": {"nodes": 2},
    "summary": {"design": "MAN", "jobs": 2, "mean_response_s": 1 / 3, "none": None},
    "stations": {},
    "jobs": {"number": [1, 2], "wait_ns": [0, 5]},
    "took_s": 0.5,
}
FAILED = Failed(KEY, "1", {"design": "MAN", "ram": 50}, "why", "where")


@pytest.fixture
def store(tmp_path):
    """A store with one result."""
    store = Store(tmp_path / "results")
    with store.writing():
        store.put(RESULT)
    return store


@contextmanager
def opened(store):
    """The file, as any program opens it."""
    with closing(sqlite3.connect(store.file)) as file, file:
        yield file


def without_jobs(result):
    return {**result, "jobs": {}}


def test_what_was_put_is_got(store):
    assert store.get(KEY) == RESULT
    assert store.results(["1", "2"]) == ([without_jobs(RESULT)], [])
    assert store.results(["2"]) == ([], [])
    assert store.versions() == {"1": ("0.1.0, commit 5bb3", 1)}
    with pytest.raises(InputError, match=f"has no run {OTHER}"):
        store.get(OTHER)
    with opened(store) as file:  # by those who know SQL, too
        query = "SELECT json_extract(result, '$.summary.mean_response_s') FROM runs"
        (mean_s,) = file.execute(query)
    assert mean_s == (1 / 3,)


def test_jobs_are_read_where_some_may_never_have_ended(store):
    hung = {**RESULT, "summary": {**RESULT["summary"], "faults": {"jobs_stuck": 1}}}
    store.put(hung)
    assert store.results(["1"]) == ([hung], [])


def test_a_result_ends_the_record_of_a_failure_and_replaces_another_of_the_run(store):
    store.put_failure(FAILED)
    assert store.failures(["1"]) == [FAILED]
    assert store.failures(["2"]) == []
    again = {**RESULT, "took_s": 7}
    store.put(again)
    assert (store.failures(["1"]), store.get(KEY)) == ([], again)


@pytest.fixture(scope="module")
def two(tmp_path_factory):
    """A store with two results, and what its file holds."""
    store = Store(tmp_path_factory.mktemp("two"))
    with store.writing():
        store.put(RESULT)
        store.put({**RESULT, "key": OTHER})
    return store, store.file.read_bytes()


@given(st.data())
def test_whatever_bit_flips_no_wrong_result_is_read(two, data):
    store, content = two
    changed = bytearray(content)
    changed[data.draw(st.integers(0, len(content) - 1))] ^= 1 << data.draw(st.integers(0, 7))
    store.file.write_bytes(changed)
    with suppress(InputError):  # the file as a whole is damaged
        for result in store.results(["1"])[0]:
            assert result in (without_jobs(RESULT), without_jobs({**RESULT, "key": OTHER}))


@pytest.mark.parametrize(
    "change",
    [
        "result = replace(result, '0.3', '0.4')",
        "jobs = zeroblob(20)",
        "result = NULL",
        "result = CAST(x'ff' AS TEXT)",
    ],
)
def test_a_damaged_result_is_named_and_the_others_are_read(store, change):
    other = {**RESULT, "key": OTHER}
    store.put(other)
    with opened(store) as file:
        file.execute(f"UPDATE runs SET {change} WHERE key = '{KEY}'")
    assert store.results(["1"]) == ([without_jobs(other)], [KEY])
    with pytest.raises(InputError, match=f"the result of run {KEY} is damaged; run it again"):
        store.get(KEY)
    store.put(RESULT)
    assert store.get(KEY) == RESULT


@pytest.mark.parametrize("content", [b"no database" * 99, b"SQLite format 3\0" + bytes(4096)])
def test_a_file_that_is_no_database_is_left_alone_and_named(tmp_path, content):
    store = Store(tmp_path)
    store.file.write_bytes(content)
    for use in (lambda: store.results(["1"]), lambda: store.writing().__enter__()):
        with pytest.raises(InputError, match=r"results\.sqlite: "):
            use()
    assert store.file.read_bytes() == content


def test_to_read_changes_nothing(store):
    before = {path.name: path.read_bytes() for path in store.folder.iterdir()}
    assert Store(store.folder).get(KEY) == RESULT
    assert {path.name: path.read_bytes() for path in store.folder.iterdir()} == before
    assert Store(store.folder / "nowhere").results(["1"]) == ([], [])


def test_a_folder_that_cannot_be_locked_is_one_clear_line(tmp_path, monkeypatch):
    def unsupported(*arguments):
        raise OSError(errno.ENOLCK, "No locks available")

    monkeypatch.setattr("fcntl.flock", unsupported)
    with (
        pytest.raises(InputError, match="No locks available; give a folder"),
        Store(tmp_path).writing(),
    ):
        pass


def test_a_full_disk_loses_nothing_that_was_written(store):
    full = {**RESULT, "key": OTHER, "code": "x" * 10**5}
    with pytest.MonkeyPatch.context() as patch:
        connect = sqlite3.connect

        def small(*arguments, **options):
            file = connect(*arguments, **options)
            file.execute("PRAGMA max_page_count = 10")
            return file

        patch.setattr("sqlite3.connect", small)
        with pytest.raises(InputError, match=r"results\.sqlite: database or disk is full$"):
            store.put(full)
    assert store.results(["1"]) == ([without_jobs(RESULT)], [])
    store.put(full)
    assert store.get(OTHER) == full


PUTS = """
import json, sys
from pathlib import Path
from model.sweeps.store import Store

store, result = Store(Path(sys.argv[1])), json.loads(sys.argv[2])
with store.writing():
    for number in range(10**6):
        store.put({**result, "key": f"{number:064}"})
        print(number, flush=True)
"""


def test_what_was_written_survives_a_kill_and_only_one_process_writes(store):
    words = [sys.executable, "-c", PUTS, store.folder, json.dumps(RESULT)]
    root = Path(__file__).parents[3]
    writer = subprocess.Popen(words, cwd=root, stdout=subprocess.PIPE, text=True)
    with writer.stdout:
        while int(writer.stdout.readline()) < 20:
            pass
        with pytest.raises(InputError, match="another run writes there"):
            store.writing().__enter__()
        assert len(store.results(["1"])[0]) > 20  # others may read meanwhile
        writer.send_signal(signal.SIGKILL)
        told = writer.stdout.read().split()
    writer.wait()
    last = int(told[-1]) if told else 20
    whole, damaged = store.results(["1"])
    assert damaged == []
    assert len(whole) - (last + 2) in (0, 1)  # the first one, too; one may not have been told
    with store.writing():
        store.put(RESULT)
