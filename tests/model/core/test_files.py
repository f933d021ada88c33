"""Files that a person names: regular ones, and no more of them than memory holds."""

import gzip
import os
from pathlib import Path
from time import process_time

import pytest

from model.core.files import gunzip, read_file


def test_a_regular_file_is_read(tmp_path):
    path = tmp_path / "file"
    path.write_bytes(b"\0content")
    assert read_file(path) == b"\0content"
    assert read_file(path, most=8) == b"\0content"


@pytest.mark.parametrize("path", ["/dev/zero", "/dev/null", "pipe"])
def test_a_device_or_a_pipe_is_refused_at_once(tmp_path, monkeypatch, path):
    monkeypatch.chdir(tmp_path)
    os.mkfifo("pipe")
    with pytest.raises(OSError, match="not a regular file"):
        read_file(Path(path))


def test_what_is_larger_than_asked_for_is_refused(tmp_path):
    path = tmp_path / "file"
    path.write_bytes(b"123456789")
    with pytest.raises(OSError, match="it has 9 bytes, of which at most 8 are read"):
        read_file(path, most=8)


def test_all_members_of_a_gzip_file_are_unpacked():
    packed = gzip.compress(b"one") + gzip.compress(b"two") + b"\0\0"
    assert gunzip(packed) == b"onetwo"
    assert gunzip(packed, most=6) == b"onetwo"


def test_many_empty_members_take_no_more_time_each_than_few():
    def cpu_s(members):
        packed = members * gzip.compress(b"") + gzip.compress(b"last")
        began_s = process_time()
        assert gunzip(packed) == b"last"
        return process_time() - began_s

    assert min(cpu_s(40_000) for _ in range(2)) < 10 * max(cpu_s(5_000) for _ in range(2))


@pytest.mark.parametrize(
    ("packed", "reason"),
    [
        (gzip.compress(bytes(10**6), mtime=0), "more than 1000 bytes when it is decompressed"),
        (2 * gzip.compress(bytes(600), mtime=0), "more than 1000 bytes when it is decompressed"),
        (gzip.compress(b"whole", mtime=0)[:-1], "damaged gzip file .*ended before"),
        (gzip.compress(b"whole", mtime=0)[:-8] + b"12345678", "damaged gzip file .*CRC"),
        (b"\x1f\x8bno gzip", "damaged gzip file"),
    ],
    ids=["bomb", "bombs", "cut", "changed", "none"],
)
def test_a_damaged_file_and_a_bomb_are_refused(packed, reason):
    with pytest.raises(ValueError, match=reason):
        gunzip(packed, most=1000)
