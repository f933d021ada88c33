"""What all tests share: repeatable examples, a folder to stand in, the command line, a browser."""

import asyncio
import fcntl
import gc
import os
import signal
import subprocess
import sys
from concurrent.futures import ThreadPoolExecutor
from functools import cache
from pathlib import Path

import pytest
from hypothesis import settings

from tests.forked import PROGRAM, Server

# Hypothesis draws the same examples in every run; a test that needs more of them says so.
settings.register_profile("repeatable", deadline=None, derandomize=True, max_examples=50)
settings.load_profile("repeatable")

# Many tests start Python anew, which takes three times as long where it keeps no bytecode.
os.environ.pop("PYTHONDONTWRITEBYTECODE", None)
sys.dont_write_bytecode = False

# What is imported and collected stays; to look through it for garbage took a tenth of that time.
gc.set_threshold(50_000, 20, 20)

# A relative folder, or an empty name, would be another one in each test, which compiled anew there.
if "NUMBA_CACHE_DIR" in os.environ:
    os.environ["NUMBA_CACHE_DIR"] = str(Path(os.environ["NUMBA_CACHE_DIR"]).absolute())

# A shell that runs the tests in the background has them, and what they start, ignore Ctrl-C, and
# nohup the end of a terminal.
signal.signal(signal.SIGINT, signal.default_int_handler)
signal.signal(signal.SIGHUP, signal.SIG_DFL)


def pytest_xdist_auto_num_workers(config):
    """One worker more than there are cores, since tests also wait: for browsers and processes."""
    return (os.cpu_count() or 1) + 1


def pytest_collection_modifyitems(items):
    """The test that takes longest begins first; else one worker may be left with it at the end."""
    items.sort(key=lambda item: "notebook" not in item.name)


# What this project imports takes seconds; the process that only starts the workers does without.
@pytest.fixture(scope="session", autouse=True)
def roles_keep_their_rules():
    """In every test roles check what they do against their own rules."""
    from agents.pnr.hosting import Host

    Host.validates = True


@pytest.fixture(scope="session", autouse=True)
def progress_is_told_by_those_who_test_it():
    """Elsewhere no test depends on how long a run takes on a busy machine."""
    from model.terminal import progress

    progress.NOTE_EVERY_S = float("inf")
    progress.SLOW_S = 1e6


@pytest.fixture(scope="session", autouse=True)
def one_compiles_for_all(tmp_path_factory, worker_id):
    """Of several workers one compiles a function; the others wait, and find it on the disk."""
    from numba.core.dispatcher import Dispatcher

    common = tmp_path_factory.getbasetemp()
    if worker_id != "master":
        common = common.parent
    compile_one = Dispatcher.compile
    with open(common / "compiling", "w") as lock, pytest.MonkeyPatch.context() as patch:
        depth = 0

        def compile_alone(self, signature):
            nonlocal depth
            depth += 1  # what is compiled may call for another function to be compiled first
            if depth == 1:
                fcntl.flock(lock, fcntl.LOCK_EX)
            try:
                return compile_one(self, signature)
            finally:
                depth -= 1
                if depth == 0:
                    fcntl.flock(lock, fcntl.LOCK_UN)

        patch.setattr(Dispatcher, "compile", compile_alone)
        yield


def pytest_collection_finish():
    """The thousands of tests stay until the end; no collection of garbage goes through them.

    What they make is looked through more rarely than by default, too, which takes a tenth of the
    time of a search.
    """
    gc.collect()
    gc.freeze()


@pytest.fixture(scope="session")
def browser():
    """Chromium. Where it is missing, tests are skipped; CI installs it.

    From then on Playwright's loop runs in this thread: what needs a loop takes `in_its_own_loop`.
    """
    from playwright.sync_api import sync_playwright

    from tests.chromium import launched, path_of_chromium

    if path_of_chromium() is None and "CI" not in os.environ:
        pytest.skip("chromium is not installed")
    with sync_playwright() as playwright:
        chromium = launched(playwright)
        yield chromium
        chromium.close()


@pytest.fixture(scope="session")
def in_its_own_loop():
    """Runs a coroutine in a thread whose event loop is that coroutine's alone."""

    def in_its_own_loop(coroutine):
        with ThreadPoolExecutor(1) as aside:
            return aside.submit(asyncio.run, coroutine).result()

    return in_its_own_loop


FAST = """
nodes = 4
minimum_demand_s = 0.001
page_bytes = 1048576
job = [{ number = 7, processes = 2, memory_mb = 40, demand_s = 0.5 }]
"""


@pytest.fixture
def fast(tmp_path):
    """A scenario in fast.toml that is run in no time."""
    (tmp_path / "fast.toml").write_text(FAST)


@pytest.fixture
def here(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    return tmp_path


@pytest.fixture
def command(here, monkeypatch, capsys):
    """Runs a command line, or its words, in this process; gives its status, stdout and stderr."""

    import run

    def command(words: str | list[str]) -> tuple[int, str, str]:
        words = words.split() if isinstance(words, str) else words
        monkeypatch.setattr(sys, "argv", ["run.py", *words])
        try:
            status = run.main()
        except SystemExit as ended:
            status = ended.code
        return status, *capsys.readouterr()

    return command


@pytest.fixture
def refusal(command):
    """Runs a command line that is refused; gives the one line that says why."""

    def refusal(words: str | list[str]) -> str:
        status, out, err = command(words)
        assert (status, out, err.count("\n")) == (2, "", 1)
        assert err.startswith("error: ")
        return err

    return refusal


@pytest.fixture(scope="session")
def declared():
    """Gives the sweep of a name that comes with the code, loaded once.

    Its runs are told apart by their scenarios, and not checked against their workloads: no test
    here needs their keys or jobs, which take ten times as long.
    """
    from model.sweeps import sweep

    def stated(scenario, observer):
        return {**scenario.model_dump(mode="json"), "observer": observer}

    @cache
    def declared(name):
        with pytest.MonkeyPatch.context() as patch:
            patch.setattr(sweep, "identity", stated)
            return sweep.load_sweep(name)

    return declared


@pytest.fixture
def in_this_process(monkeypatch):
    """Runs of sweeps take place here: a process takes longer to start than a few short ones."""
    from model.sweeps.execution import LocalProcesses, execute

    def outcomes(self, runs, until_s=0):
        yield from ((run, execute(run.scenario, run.observer)) for run in runs)

    monkeypatch.setattr(LocalProcesses, "outcomes", outcomes)


@pytest.fixture(scope="session")
def start():
    """Starts a command line in a process of its own.

    It is forked from one that has imported everything, unless it is given an environment, which
    Python may look at when it begins.
    """
    server = None

    def start(words: str, **options):
        nonlocal server
        if "env" not in options:
            server = server or Server()
            return server.start(words, **options)
        program = [sys.executable, PROGRAM, *words.split()]
        options = {"stdout": subprocess.PIPE, "stderr": subprocess.PIPE, "text": True} | options
        return subprocess.Popen(program, **options)

    yield start
    if server is not None:
        server.close()
