"""The same scenario gives the same bytes, whatever the order in which Python hashes."""

import json
import os
import subprocess
import sys
from pathlib import Path

ROOT = Path(__file__).parents[1]
SCENARIO = """
designs = "CLI,MAN,BB2"
nodes = 8
page_bytes = 262144
minimum_demand_s = 0.001
barrier_s = 0.01
quantum_s = 0.05
job = [
    { processes = 3, memory_mb = 60, demand_s = 0.3 },
    { processes = 4, memory_mb = 24, demand_s = 0.2 },
    { processes = 6, memory_mb = 20, demand_s = 0.1, submit_s = 0.02 },
]
"""


COMPARE = "compare --quiet --scenario ../scenario.toml --out . --journal journal.parquet"


def test_two_processes_that_hash_differently_write_the_same(tmp_path, monkeypatch, command):
    (tmp_path / "scenario.toml").write_text(SCENARIO)
    folders = [tmp_path / name for name in ("one", "other")]
    for folder in folders:
        folder.mkdir()
    # Where ours hashes at random, any seed of another process is another one.
    seed = "1" if os.environ.get("PYTHONHASHSEED") != "1" else "2"
    process = subprocess.Popen(
        [sys.executable, ROOT / "run.py", *COMPARE.split()],
        cwd=folders[0],
        env={**os.environ, "PYTHONHASHSEED": seed},
    )
    monkeypatch.chdir(folders[1])
    assert command(COMPARE)[0] == 0
    assert process.wait() == 0

    for name in ("journal.parquet", "jobs.csv", "stations.csv"):
        one, other = (folder / name for folder in folders)
        assert one.read_bytes() == other.read_bytes(), name
    one, other = (json.loads((folder / "summary.json").read_text()) for folder in folders)
    for run in one["runs"] + other["runs"]:
        assert run.pop("wall_s") > 0
        assert run["faults_network"] > 0  # there were loans to agree upon
    assert one == other
