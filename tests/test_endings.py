"""Ctrl-C, TERM, and a pipe that nobody reads: one line at most, the right status, nothing left."""

import os
import signal
import subprocess
import sys
import time
from pathlib import Path

import pytest

from model.terminal.commands.new import New

ROOT = Path(__file__).parents[1]
COMPARE = "compare --scenario fast.toml --designs DP,MAN --plane actors --out out"
VIEW = "view --scenario fast.toml --journal-level all --out v.png"


@pytest.fixture
def here(here, fast):
    return here


def test_ctrl_c_while_modules_are_imported_is_one_line(start, here):
    module = "pandas._libs.lib"
    process = start(COMPARE, env={**os.environ, "PYTHONPROFILEIMPORTTIME": "1"})
    told = []
    for line in process.stderr:
        told.append(line)
        if line.split("|")[-1].strip() == module:
            break
    process.send_signal(signal.SIGINT)
    told += process.communicate(timeout=120)[1].splitlines()
    (line,) = [line for line in told if not line.startswith("import time:")]
    assert line.startswith("error: interrupted")
    assert process.returncode == 130
    assert [path.name for path in here.iterdir()] in (["fast.toml"], ["fast.toml", "out"])


def test_whatever_a_module_makes_of_ctrl_c_as_it_is_imported_is_one_line(command, monkeypatch):
    def run(self):
        try:
            os.kill(os.getpid(), signal.SIGINT)
            time.sleep(10)
        except KeyboardInterrupt:
            raise ImportError("as some modules do") from None

    monkeypatch.setattr(New, "run", run)
    assert command("new protocol x") == (130, "", "error: interrupted\n")


def test_what_a_view_has_begun_is_gone(start, here):
    process = start(f"{VIEW} --kind network".replace("v.png", "v.gif"))  # a film takes long
    while process.poll() is None and not [*here.glob(".unfinished-*")]:
        time.sleep(0.001)
    process.send_signal(signal.SIGTERM)
    assert process.communicate(timeout=120) == ("", "error: interrupted\n")
    assert process.returncode == 128 + signal.SIGTERM
    assert [path.name for path in here.iterdir()] == ["fast.toml"]


def test_a_second_signal_does_not_disturb_how_it_ends(command, monkeypatch):
    ended = []

    def run(self):
        try:
            os.kill(os.getpid(), signal.SIGTERM)
            time.sleep(10)
        finally:
            os.kill(os.getpid(), signal.SIGINT)
            ended.append("in order")

    monkeypatch.setattr(New, "run", run)
    assert command("new protocol x") == (128 + signal.SIGTERM, "", "error: interrupted\n")
    assert ended == ["in order"]


def test_a_pipe_that_nobody_reads_ends_in_silence_and_what_was_computed_is_kept(here):
    program = f"{sys.executable} {ROOT / 'run.py'} {COMPARE}"
    line = f"{program} | true; exit ${{PIPESTATUS[0]}}"
    ended = subprocess.run(["bash", "-c", line], capture_output=True, text=True, check=False)
    assert (ended.returncode, ended.stdout, ended.stderr) == (141, "", "")
    assert (here / "out" / "summary.json").exists()
