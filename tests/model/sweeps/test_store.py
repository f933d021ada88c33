"""A result is stored whole or not at all, and damage to it is noticed."""

import errno
import gzip
import json
import os
import subprocess
import sys
from contextlib import suppress
from functools import partial
from pathlib import Path

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from model.core.files import gunzip
from model.ground.errors import InputError
from model.pnr.scenario import make_scenario
from model.sweeps.store import Damaged, Store

KEY = "ab" + "0" * 62
RESULT = {
    "key": KEY,
    "version": "1",
    "conditions": "1",
    "scenario": make_scenario(designs="MAN").model_dump(mode="json"),
    "summary": {"design": "MAN", "jobs": 2, "mean_response_s": 1 / 3, "none": None},
    "stations": {},
    "jobs": {"number": [1, 2], "wait_ns": [0, 5]},
    "took_s": 0.5,
}


@pytest.fixture(scope="module")
def store(tmp_path_factory):
    folder = tmp_path_factory.mktemp("store")
    store = Store(folder)
    with store.writing():
        store.put(RESULT)
    return store


@pytest.fixture(scope="module")
def file(store):
    return next(store.folder.glob("??/*.json.gz"))


def test_what_was_put_is_got(store, file):
    assert store.get(KEY) == RESULT
    assert store.get("cd" + "0" * 62) is None
    assert store.all_keys() == [KEY]
    assert json.loads(gzip.decompress(file.read_bytes()))["summary"] == RESULT["summary"]


@given(st.data())
@settings(suppress_health_check=[HealthCheck.function_scoped_fixture])
def test_a_file_cut_anywhere_is_noticed(store, file, data):
    whole = file.read_bytes()
    try:
        file.write_bytes(whole[: data.draw(st.integers(0, len(whole) - 1))])
        with pytest.raises(Damaged, match=file.name):
            store.get(KEY)
    finally:
        file.write_bytes(whole)


@given(st.data())
def test_a_flipped_bit_is_noticed_or_harmless(store, file, data):
    whole = file.read_bytes()
    changed = bytearray(whole)
    place = data.draw(st.integers(0, len(whole) - 1))
    changed[place] ^= 1 << data.draw(st.integers(0, 7))
    try:
        file.write_bytes(changed)
        with suppress(Damaged):
            assert store.get(KEY) == RESULT  # as when it is in the time stamp
    finally:
        file.write_bytes(whole)


@pytest.mark.parametrize(
    "content",
    [
        gzip.compress(json.dumps(RESULT).encode(), mtime=0),  # without a checksum
        gzip.compress(json.dumps({**RESULT, "checksum": "0"}).encode(), mtime=0),
        gzip.compress(b"[]", mtime=0),
        gzip.compress(b"3", mtime=0),
        gzip.compress(b"\xff", mtime=0),
        b"",
        b"no gzip",
    ],
)
def test_what_we_did_not_write_is_noticed(tmp_path, content):
    (tmp_path / "ab").mkdir()
    (tmp_path / "ab" / f"{KEY}.json.gz").write_bytes(content)
    with pytest.raises(Damaged):
        Store(tmp_path).get(KEY)


def test_another_runs_result_is_noticed(tmp_path):
    store, other = Store(tmp_path), "cd" + "0" * 62
    with store.writing():
        store.put(RESULT)
    (tmp_path / "cd").mkdir()
    (tmp_path / "ab" / f"{KEY}.json.gz").rename(tmp_path / "cd" / f"{other}.json.gz")
    with pytest.raises(Damaged, match="another run's"):
        store.get(other)


def test_a_result_ends_the_record_of_a_failure(tmp_path):
    store = Store(tmp_path)
    with store.writing():
        store.put_error(KEY, {"error": "why"})
        assert store.errors() == {KEY: {"error": "why"}}
        assert store.get(KEY) is None
        store.put(RESULT)
    assert store.errors() == {}


def test_a_record_of_a_failure_that_cannot_be_read_is_one_all_the_same(tmp_path):
    store = Store(tmp_path)
    with store.writing():
        store.put_error(KEY, {"error": "why"})
    next(tmp_path.glob("*/*.error.json")).write_text("{")
    assert store.errors() == {KEY: {}}


def test_a_copy_in_another_place_is_no_second_result(tmp_path):
    store = Store(tmp_path)
    with store.writing():
        store.put(RESULT)
    (file,) = tmp_path.glob("*/*.json.gz")
    (tmp_path / "zz").mkdir()
    (tmp_path / "zz" / file.name).write_bytes(file.read_bytes())
    assert store.all_keys() == [KEY]


def test_a_folder_that_cannot_be_locked_is_one_clear_line(tmp_path, monkeypatch):
    def unsupported(*arguments):
        raise OSError(errno.ENOLCK, "No locks available")

    monkeypatch.setattr("fcntl.flock", unsupported)
    with (
        pytest.raises(InputError, match="No locks available; give a folder"),
        Store(tmp_path).writing(),
    ):
        pass


def test_a_full_disk_leaves_nothing_that_looks_whole(tmp_path, monkeypatch):
    def full(descriptor):
        raise OSError(errno.ENOSPC, "No space left on device")

    store = Store(tmp_path)
    with store.writing():
        monkeypatch.setattr(os, "fsync", full)
        with pytest.raises(OSError, match="No space left"):
            store.put(RESULT)
    assert store.get(KEY) is None
    assert [path for path in tmp_path.rglob("*") if path.is_file()] == []


def test_two_sweeps_do_not_write_into_one_folder(tmp_path):
    code = (
        "import sys, time; from pathlib import Path; from model.sweeps.store import Store\n"
        "with Store(Path(sys.argv[1])).writing(): print('mine', flush=True); time.sleep(60)"
    )
    other = subprocess.Popen(
        [sys.executable, "-c", code, tmp_path],
        cwd=Path(__file__).parents[3],
        stdout=subprocess.PIPE,
    )
    with other.stdout:
        assert other.stdout.readline() == b"mine\n"
        with pytest.raises(InputError, match="another run writes there"):
            Store(tmp_path).writing().__enter__()
        other.kill()  # which gives the right back
        other.wait()
    (tmp_path / "ab").mkdir()
    left = tmp_path / "ab" / ".unfinished-1"
    left.mkdir()
    (left / f"{KEY}.json.gz").write_text("half a res")
    with Store(tmp_path).writing():
        assert not left.exists()


def tree(folder):
    """Every file below a folder, with its content and when it was written."""
    return {
        path: (path.lstat().st_mtime_ns, path.is_file() and path.read_bytes())
        for path in [folder, *folder.rglob("*")]
    }


OTHER = "cd" + "0" * 62
ORDERS = {
    "of a path": {"replaced": ["{victim}"], "notes": []},
    "of a way up": {"replaced": ["../../victim"], "notes": []},
    "of capitals": {"replaced": ["A" * 64], "notes": []},
    "of a number": {"replaced": [7], "notes": []},
    "no list": {"replaced": KEY, "notes": []},
    "no notes": {"replaced": [KEY]},
    "notes of nothing": {"replaced": [KEY], "notes": [5]},
    "none": 5,
}


@pytest.fixture
def decided(tmp_path):
    """Writes a folder with a result, and what another process has decided to put in its place."""

    def decided(order):
        folder = tmp_path / "results"
        store = Store(folder)
        with store.writing():
            store.put(RESULT)
        (folder / ".carried").mkdir()
        Store(folder / ".carried").put({**RESULT, "key": OTHER})
        (tmp_path / "victim.json.gz").write_text("somebody's")
        text = json.dumps(order).replace("{victim}", str(tmp_path / "victim"))
        (folder / ".carried" / "order.json").write_text(text)
        return store

    return decided


@pytest.mark.parametrize("order", ORDERS.values(), ids=ORDERS)
def test_an_order_that_is_none_of_ours_is_refused_and_nothing_touched(tmp_path, decided, order):
    store = decided(order)
    before = tree(tmp_path)
    for read in (store.all_keys, store.notes):
        with pytest.raises(InputError, match=r"order\.json: .*; delete .*\.carried$"):
            read()
    assert store.get(KEY) == RESULT
    assert tree(tmp_path) == before
    with pytest.raises(InputError, match=r"order\.json"), store.writing():
        pass
    assert (tmp_path / "victim.json.gz").read_text() == "somebody's"
    assert store.get(KEY) == RESULT


def test_to_read_what_is_decided_changes_nothing(tmp_path, decided):
    notes = [{"from": "1"}]
    store = decided({"replaced": [KEY], "notes": notes})
    before = tree(tmp_path)
    for reader in (store, Store(store.folder)):
        assert reader.all_keys() == [OTHER]
        assert reader.get(OTHER) == {**RESULT, "key": OTHER}
        assert reader.notes() == notes
        assert reader.errors() == {}
    assert tree(tmp_path) == before
    with store.writing():
        assert not (store.folder / ".carried").exists()
    assert (store.all_keys(), store.notes()) == ([OTHER], notes)
    assert store.get(OTHER) == {**RESULT, "key": OTHER}


@pytest.mark.parametrize("key", ["", "ab", "../../x", "/etc/passwd", KEY.upper(), KEY + "\n"])
def test_a_key_is_64_hex_digits(tmp_path, key):
    store = Store(tmp_path)
    assert store.get(key) is None
    for suffix in (".json.gz", ".error.json"):
        with suppress(OSError):
            (tmp_path / key[:2]).mkdir()
            (tmp_path / key[:2] / f"{key}{suffix}").write_text("{}")
    assert (store.all_keys(), store.errors()) == ([], {})
    with pytest.raises(ValueError, match="is no key of a result"):
        store.put({**RESULT, "key": key})


def damaged(*path, value=None):
    """The result with another value in some place, or (None) without what is there."""
    result = json.loads(json.dumps(RESULT))
    inner = result
    for name in path[:-1]:
        inner = inner[name]
    if value is None:
        del inner[path[-1]]
    else:
        inner[path[-1]] = value
    return result


@pytest.mark.parametrize(
    ("result", "why"),
    [
        (damaged("version"), "it has no version"),
        (damaged("conditions", value=5), "it has no conditions"),
        (damaged("scenario"), "it has no scenario"),
        (damaged("summary", value=[]), "it has no summary"),
        (damaged("took_s", value="1"), "it has no took_s"),
        (damaged("took_s", value=True), "it has no took_s"),
        (damaged("scenario", "trace"), "its scenario is none"),
        (damaged("scenario", "system", value=[]), "its scenario is none"),
        (damaged("scenario", "system", value="another"), "its scenario is none"),
        (damaged("summary", "design"), "its summary has no design"),
        (damaged("summary", "mean_response_s", value="1"), "its summary has no mean_response_s"),
        (damaged("jobs", "wait_ns", value=5), "its jobs are no table"),
        (damaged("jobs", "wait_ns", value=[0]), "its jobs are no table"),
    ],
)
def test_a_result_that_lacks_what_readers_rely_on_is_noticed(tmp_path, result, why):
    store = Store(tmp_path)
    store.put(result)
    with pytest.raises(Damaged, match=rf"damaged \({why}\)$"):
        store.get(KEY)


def test_a_result_that_unpacks_to_more_than_memory_holds_is_noticed(tmp_path, monkeypatch):
    monkeypatch.setattr("model.sweeps.store.gunzip", partial(gunzip, most=100))
    store = Store(tmp_path)
    store.put(RESULT)
    with pytest.raises(Damaged, match=r"damaged \(more than 100 bytes when it is decompressed\)$"):
        store.get(KEY)


@pytest.mark.parametrize("content", ["[]", "5", "null", "", "{", "[" * 100_000, '"why"'])
def test_a_record_of_a_failure_that_is_no_table_says_nothing(tmp_path, content):
    store = Store(tmp_path)
    store.put_error(KEY, {"error": "why"})
    (file,) = tmp_path.glob("*/*.error.json")
    file.write_text(content)
    assert store.errors() == {KEY: {}}


@pytest.mark.parametrize("content", ["{}", "5", "[5]", "{", "[" * 100_000])
def test_notes_that_are_none_are_refused(tmp_path, content):
    (tmp_path / "carried.json").write_text(content)
    with pytest.raises(InputError, match=r"carried\.json: .*; delete it$"):
        Store(tmp_path).notes()
