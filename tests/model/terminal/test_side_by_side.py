"""Runs side by side give what they give one after another, whatever becomes of a process."""

import os
import signal
from concurrent.futures import wait

import pandas as pd
import pyarrow.parquet as pq
import pytest

from model.core.journal.file import JournalFile
from model.core.journal.kinds import Record
from model.core.result import RunResult
from model.ground.errors import ProtocolMistake
from model.terminal.progress import Bar
from model.terminal.side_by_side import Crew, processes_for

NAMES = ["DP", "CLI", "MAN"]
HERE = os.getpid()


def result_of(name, readers):
    """A run that journals as many records as its name has letters."""
    for reader in readers:
        for number in range(len(name)):
            reader(Record(number, "note", id=number))
    empty = pd.DataFrame()
    return RunResult({"design": name, "process": os.getpid()}, empty, empty, {})


def results(run, processes=2, journal=None):
    file = None if journal is None else JournalFile(journal, "")
    with Crew(run, NAMES, processes, file) as crew, Bar(len(NAMES), quiet=True) as bar:
        found = list(crew.results(bar, [] if file is None else [file]))
    if file is not None:
        file.close()
    assert [one.summary["design"] for one in found] == NAMES
    return [one.summary["process"] != HERE for one in found]


def test_runs_in_other_processes_come_in_order_with_the_same_journal(tmp_path):
    def run(name, *, readers, progress):
        return result_of(name, readers)

    assert results(run, 2, tmp_path / "both.parquet") == [True] * 3
    assert results(run, 1, tmp_path / "one.parquet") == [False] * 3
    both, one = (pq.read_table(tmp_path / f"{name}.parquet") for name in ("both", "one"))
    assert both.equals(one)
    assert one["design"].to_pylist() == ["DP"] * 2 + ["CLI"] * 3 + ["MAN"] * 3
    assert {file.name for file in tmp_path.iterdir()} == {"both.parquet", "one.parquet"}


def test_a_run_whose_process_is_killed_is_done_again_here():
    def run(name, *, readers, progress):
        if name == "CLI" and os.getpid() != HERE:
            os.kill(os.getpid(), signal.SIGKILL)
        return result_of(name, readers)

    assert results(run)[1] is False


def test_an_error_is_raised_as_it_is_here_after_the_results_before_it():
    def run(name, *, readers, progress):
        if name == "CLI":
            raise ProtocolMistake("sends too much")
        return result_of(name, readers)

    found = []
    with Crew(run, NAMES, 2, None) as crew, Bar(3, quiet=True) as bar:
        names = (one.summary["design"] for one in crew.results(bar, []))
        with pytest.raises(ProtocolMistake, match="sends too much"):
            found.extend(names)
    assert found == ["DP"]


def test_as_many_processes_as_asked_for_but_no_more_than_runs():
    assert processes_for(5, 2) in (1, 2)  # 1 where pytest has threads
    assert processes_for(1, 8) == 1


def test_what_has_ended_comes_though_a_run_is_interrupted():
    def run(name, *, readers, progress):
        if name == "CLI" and os.getpid() == HERE:
            raise KeyboardInterrupt  # while it is done again
        if name == "CLI":
            raise ProtocolMistake("sends too much")
        return result_of(name, readers)

    found = []
    with Crew(run, NAMES, 2, None) as crew, Bar(3, quiet=True) as bar:
        wait(crew._runs)
        names = (one.summary["design"] for one in crew.results(bar, []))
        with pytest.raises(KeyboardInterrupt):
            found.extend(names)
    assert found == ["DP", "MAN"]
