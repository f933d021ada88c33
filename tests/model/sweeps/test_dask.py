"""A sweep on a Dask cluster: a real scheduler and real workers, in processes of their own."""

import os
import shutil
import signal
import socket
import subprocess
import sys
import time
from contextlib import contextmanager
from pathlib import Path

import pytest

from model.ground.errors import InputError
from model.sweeps.execution import DaskCluster, execute
from model.sweeps.sweep import load_sweep

ROOT = Path(__file__).parents[3]
RUNS = """
nodes = 4
page_bytes = 1048576
[[job]]
processes = 4
memory_mb = 40
demand_s = {demand_s}
[runs.all]
designs = ["DP", "MAN"]
seed = [1, 2]
"""


@contextmanager
def started(*words, **environment):
    """A Dask process of ours, killed at the end."""
    process = subprocess.Popen(
        [sys.executable, "-m", "dask", *words],
        cwd="/",
        env={**os.environ, "PYTHONPATH": str(ROOT), **environment},
        stdout=subprocess.DEVNULL,
        stderr=subprocess.DEVNULL,
    )
    try:
        yield process
    finally:
        process.kill()
        process.wait()


@contextmanager
def scheduler():
    with socket.socket() as free:
        free.bind(("127.0.0.1", 0))
        port = str(free.getsockname()[1])
    with started("scheduler", "--host", "127.0.0.1", "--port", port, "--no-dashboard") as process:
        while process.poll() is None:
            try:
                socket.create_connection(("127.0.0.1", int(port))).close()
                break
            except ConnectionRefusedError:
                time.sleep(0.05)
        yield process, f"tcp://127.0.0.1:{port}"


def worker(address, **environment):
    return started(
        *("worker", address, "--nthreads", "1", "--no-dashboard", "--no-nanny"), **environment
    )


@pytest.fixture
def runs(tmp_path):
    def runs(demand_s=2):
        file = tmp_path / "sweep.toml"
        file.write_text(RUNS.format(demand_s=demand_s))
        return [*load_sweep(str(file)).runs.values()]

    return runs


def told(outcomes):
    """What must be the same wherever it was computed, by key."""
    told = {}
    for run, result in outcomes:
        del result["took_s"], result["summary"]["wall_s"]
        told[run.key] = result
    return told


@pytest.fixture(scope="module")
def address():
    """Of a cluster with one worker."""
    with scheduler() as (_, address), worker(address):
        yield address


def test_a_notebook_whose_own_loop_runs_in_this_thread_reaches_the_cluster(
    runs, address, in_its_own_loop
):
    async def cell():
        return [*DaskCluster(address).outcomes(runs())]

    assert len(in_its_own_loop(cell())) == 4


def test_results_do_not_depend_on_where_nor_on_a_worker_that_is_lost(runs, address):
    long = runs(demand_s=60)
    with worker(address) as doomed:
        cluster = DaskCluster(address)
        while cluster.slots < 2:
            time.sleep(0.05)
        outcomes = cluster.outcomes(long)
        there = [next(outcomes)]
        doomed.send_signal(signal.SIGKILL)
        there += outcomes
    assert told(there) == told((run, execute(run.scenario)) for run in long)
    assert len(there) == 4


def test_a_scheduler_that_goes_is_told(runs):
    with scheduler() as (boss, address):  # without a worker, no run ends before
        outcomes = DaskCluster(address).outcomes(runs())
        boss.kill()
        with pytest.raises(InputError, match="scheduler is gone"):
            list(outcomes)


def test_a_worker_with_other_code_is_turned_down(tmp_path, address):
    from distributed import Client  # takes a while to load, which other workers do without

    for part in ("agents", "model", "topologies"):
        shutil.copytree(ROOT / part, tmp_path / part)
    with open(tmp_path / "model" / "ground" / "paging.py", "a") as file:
        file.write("\nSURPRISE = 1\n")
    with worker(address, PYTHONPATH=str(tmp_path)) as other:
        with Client(address, set_as_default=False) as client:
            client.wait_for_workers(2, timeout=60)
        with pytest.raises(InputError, match=r"other code \(\w{16}, here"):
            DaskCluster(address)
        other.terminate()
        other.wait()


def test_an_address_where_nobody_answers(monkeypatch):
    monkeypatch.setattr("model.sweeps.execution.CONNECT_S", 0.5)
    with socket.create_server(("127.0.0.1", 0)) as silent:  # it takes a call, and says nothing
        listening = f"tcp://127.0.0.1:{silent.getsockname()[1]}"
        for address in ("tcp://127.0.0.1:1", "tls://127.0.0.1:1", "nonsense", listening):
            began = time.monotonic()
            with pytest.raises(InputError, match=f"--dask {address}: no Dask scheduler answers"):
                DaskCluster(address)
            assert time.monotonic() - began < 5
