"""A sweep on a Dask cluster: a real scheduler and real workers, in processes of their own."""

import asyncio
import os
import signal
import socket
import subprocess
import sys
import time
from contextlib import contextmanager
from pathlib import Path

import pytest
from distributed import Client

from model.ground.errors import InputError
from model.sweeps.execution import DaskCluster, LocalProcesses, Lost
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


def test_a_notebook_whose_own_loop_runs_in_this_thread_reaches_the_cluster(runs):
    async def cell(address):
        return [*DaskCluster(address).outcomes(runs())]

    with scheduler() as (_, address), worker(address):
        assert len(asyncio.run(cell(address))) == 4


def test_results_do_not_depend_on_where_nor_on_a_worker_that_is_lost(runs):
    long = runs(demand_s=60)
    with scheduler() as (boss, address), worker(address) as doomed:
        cluster = DaskCluster(address)
        with worker(address):
            while cluster.slots < 2:
                time.sleep(0.05)
            outcomes = cluster.outcomes(long)
            there = [next(outcomes)]
            doomed.send_signal(signal.SIGKILL)
            there += outcomes
        assert told(there) == told(LocalProcesses(2).outcomes(long))
        assert len(there) == 4

        # and when the scheduler goes, we are told so
        cluster = DaskCluster(address)
        outcomes = cluster.outcomes(runs())
        boss.kill()
        with pytest.raises(Lost):
            list(outcomes)


def test_a_worker_with_other_code_is_turned_down(tmp_path):
    other = tmp_path / "code"
    for part in ("agents", "model", "topologies"):
        (other / part).parent.mkdir(exist_ok=True)
        subprocess.run(["cp", "-r", ROOT / part, other / part], check=True)
    with open(other / "model" / "paging.py", "a") as file:
        file.write("\nSURPRISE = 1\n")
    with scheduler() as (_, address), worker(address, PYTHONPATH=str(other)):
        with Client(address, set_as_default=False) as client:
            client.wait_for_workers(1, timeout=30)
        with pytest.raises(InputError, match="other code"):
            DaskCluster(address)


def test_an_address_where_nobody_answers(monkeypatch):
    monkeypatch.setattr("model.sweeps.execution.CONNECT_S", 0.5)
    with socket.create_server(("127.0.0.1", 0)) as silent:  # it takes a call, and says nothing
        listening = f"tcp://127.0.0.1:{silent.getsockname()[1]}"
        for address in ("tcp://127.0.0.1:1", "tls://127.0.0.1:1", "nonsense", listening):
            began = time.monotonic()
            with pytest.raises(InputError, match=f"--dask {address}: no Dask scheduler answers"):
                DaskCluster(address)
            assert time.monotonic() - began < 5
