"""A folder to stand in, and the command line there."""

import sys

import pytest

import run


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
