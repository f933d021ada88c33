"""A full disk: one line, and nothing that looks whole."""

import multiprocessing
import resource
import sys
from contextlib import contextmanager
from pathlib import Path

import pytest

from model.views import animation

COMPARE = "compare --scenario fast.toml --designs DP,MAN --plane actors --quiet"
FROM = "--scenario fast.toml"


@pytest.fixture
def here(here, fast, monkeypatch):
    monkeypatch.setattr(animation, "FRAMES", 2)  # they are slow to draw
    return here


@contextmanager
def room(size):
    """Files grow to so many bytes and no further, as on a disk that gets full."""
    sys.dont_write_bytecode = True  # of what is imported meanwhile: Python keeps even half a file
    multiprocessing.RawArray("b", 1)  # what processes share lies in a file too, made once
    _, most = resource.getrlimit(resource.RLIMIT_FSIZE)
    resource.setrlimit(resource.RLIMIT_FSIZE, (size, most))
    try:
        yield
    finally:
        resource.setrlimit(resource.RLIMIT_FSIZE, (most, most))
        sys.dont_write_bytecode = False


def tree(folder):
    return {path.relative_to(folder) for path in folder.rglob("*")}


#: What is to be written, the option that names it, and the bytes at which the disk is full.
WRITES = [
    (COMPARE, "--out out", 500),
    (COMPARE, "--out out", 20_000),  # the tables fit, the figures do not
    (COMPARE, "--journal j.parquet", 3000),
    (COMPARE, "--report r.html", 50_000),
    (f"view {FROM} --journal-level all", "--out v.png", 1000),
    (f"view {FROM} --journal-level all --kind network", "--out v.gif", 99),
    *(
        (f"export {FROM} --journal-level all", f"--out e.{kind}", 100)
        for kind in ("pftrace", "shiviz", "csv", "parquet", "graphml")
    ),
]


@pytest.mark.parametrize(("arguments", "names", "size"), WRITES)
def test_a_full_disk_is_one_line_and_leaves_nothing(here, command, arguments, names, size):
    before = tree(here)
    with room(size):
        status, _, told = command(f"{arguments} {names}")
    assert status == 2
    (line,) = told.splitlines()
    assert line.startswith(f"error: {names}: ")
    assert tree(here) - before <= {Path("out")}


NO_SPACE = (2, "error: No space left on device\n")


def test_standard_output_onto_a_full_disk_is_one_line(here, command, monkeypatch):
    with open("/dev/full", "w") as full, monkeypatch.context() as patch:
        patch.setattr(sys, "stdout", full)
        status, _, told = command(COMPARE.removesuffix(" --quiet"))
    assert (status, told) == NO_SPACE


def test_nor_does_a_process_say_more_when_it_ends(here, start):
    """And the status of the command is that of the process."""
    with open("/dev/full", "w") as full:
        process = start(f"view {FROM} --job 7 --kind mermaid", stdout=full)
        _, told = process.communicate(timeout=100)
    assert (process.returncode, told) == NO_SPACE


def test_who_has_read_enough_is_no_error(start):
    process = start("--help")
    process.stdout.close()
    process.wait(timeout=100)
    assert process.stderr.read() == ""
