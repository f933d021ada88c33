"""What all tests share: repeatable examples, a folder to stand in, the command line, a browser."""

import os
import shutil
import signal
import subprocess
import sys
from pathlib import Path

import pytest
from hypothesis import settings

import run
from agents.pnr.servent import Servent

Servent.validates = True  # in every test roles keep their own rules

# Hypothesis draws the same examples in every run; a test that needs more of them says so.
settings.register_profile("repeatable", deadline=None, derandomize=True, max_examples=50)
settings.load_profile("repeatable")

# Many tests start Python anew, which takes three times as long where it keeps no bytecode.
os.environ.pop("PYTHONDONTWRITEBYTECODE", None)
sys.dont_write_bytecode = False

# A shell that runs the tests in the background has them, and what they start, ignore Ctrl-C.
signal.signal(signal.SIGINT, signal.default_int_handler)


@pytest.fixture(scope="module")
def browser():
    """Debian's chromium, headless. Where it is missing, tests are skipped; CI installs it.

    Ended after each module: while Playwright is there, its loop runs in this thread.
    """
    path = shutil.which("chromium") or shutil.which("chromium-browser")
    if path is None and "CI" not in os.environ:
        pytest.skip("chromium is not installed")
    from playwright.sync_api import sync_playwright

    with sync_playwright() as playwright:
        chromium = playwright.chromium.launch(executable_path=path, args=["--no-sandbox"])
        yield chromium
        chromium.close()


@pytest.fixture
def here(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    return tmp_path


@pytest.fixture
def command(here, monkeypatch, capsys):
    """Runs a command line in this process; gives its exit status, stdout and stderr."""

    def command(words: str) -> tuple[int, str, str]:
        monkeypatch.setattr(sys, "argv", ["run.py", *words.split()])
        try:
            status = run.main()
        except SystemExit as ended:
            status = ended.code
        return status, *capsys.readouterr()

    return command


@pytest.fixture(scope="session")
def start():
    """Starts a command line in a process of its own."""

    def start(words: str, **options) -> subprocess.Popen:
        program = [sys.executable, Path(run.__file__).absolute(), *words.split()]
        options = {"stdout": subprocess.PIPE, "stderr": subprocess.PIPE, "text": True} | options
        return subprocess.Popen(program, **options)

    return start
