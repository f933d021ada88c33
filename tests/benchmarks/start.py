"""The processor time of short commands, most of which is spent on starting, beside its goals.

uv run python -m tests.benchmarks.start
"""

import os
import subprocess
import sys
from pathlib import Path
from resource import RUSAGE_CHILDREN, getrusage
from tempfile import TemporaryDirectory

GOALS_S = {"help": 0.4, "compare": 1.5, "story": 0.8, "picture": 1.6, "small-page": 1.6}
JOB = "[[job]]\nprocesses = 2\ndemand_s = 10\nmemory_mb = 90\n"


def command_s(*words: str) -> float:
    """The processor time of a command of `run.py`, in s."""
    before = getrusage(RUSAGE_CHILDREN)
    subprocess.run([sys.executable, "run.py", *words], check=True, stdout=subprocess.DEVNULL)
    after = getrusage(RUSAGE_CHILDREN)
    return after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime


def start_s(name: str) -> float:
    """What one takes, in s, whose modules and compiled code lie in the caches of before."""
    os.environ.pop("PYTHONDONTWRITEBYTECODE", None)
    with TemporaryDirectory() as folder:
        scenario, journal = Path(folder, "scenario.toml"), Path(folder, "journal.parquet")
        scenario.write_text(f'nodes = 4\ndesigns = ["DP", "CLI", "MAN"]\n{JOB}')
        compare, view = ["compare", "--scenario", str(scenario)], ["view", str(journal)]
        words = {
            "help": ["compare", "--help"],
            "compare": compare,
            "story": [*view, "--kind", "story", "--job", "1"],
            "picture": [*view, "--out", str(Path(folder, "picture.png"))],
            "small-page": [*view, "--out", str(Path(folder, "page.html"))],
        }[name]
        command_s(*compare, "--journal", str(journal), "--journal-level", "protocol")
        command_s(*words)
        return command_s(*words)


def main() -> None:
    """Print a line for each."""
    print("starting: seconds of processor time, and the goal")
    for name, goal_s in GOALS_S.items():
        print(f"{name:10} {start_s(name):5.2f} {goal_s:5.1f}", flush=True)


if __name__ == "__main__":
    main()
