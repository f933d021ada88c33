"""How long the views of a journal of 40,000 records take, in seconds of CPU, Python and all.

    uv run python -m tests.benchmarks.views [JOURNAL]

The aim is 2 s for the whole run, and 1 s for a window. Each view is a process of its own. The first
line is what the libraries take alone: on a busy machine all is slower by the same factor.
"""

import resource
import subprocess
import sys
from pathlib import Path
from tempfile import TemporaryDirectory

RUN = "run.py compare --designs MAN --first 4501 --jobs 160 --topology bus --ram 65 --quiet"
LIBRARIES = "import pandas, pyarrow.parquet, matplotlib.backends.backend_agg, typer, pydantic"
KINDS = ("story", "sequence", "space-time", "traffic", "network", "memory", "gantt", "knowledge")
WINDOW = ("--window", "job:4515")  # 5,000 records, in which managers decide


def cpu_s(*words: str) -> float:
    """How long Python takes with these words."""
    before = resource.getrusage(resource.RUSAGE_CHILDREN)
    subprocess.run([sys.executable, *words], check=True, stdout=subprocess.DEVNULL)
    after = resource.getrusage(resource.RUSAGE_CHILDREN)
    return after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime


def main() -> None:
    """Print the seconds of each view, of the whole run and of a window."""
    with TemporaryDirectory() as folder:
        journal = sys.argv[1] if len(sys.argv) > 1 else f"{folder}/journal.parquet"
        if len(sys.argv) == 1:
            cpu_s(*RUN.split(), "--journal", journal, "--journal-level", "protocol")
        print(f"{'':12} whole  window")
        print(f"{'libraries':12}{cpu_s('-c', LIBRARIES):6.2f}", flush=True)
        for kind in KINDS:
            words = ["run.py", "view", journal, "--kind", kind]
            story = kind == "story"
            words += ["--job", "4515"] if story else ["--out", str(Path(folder, "a.png"))]
            both = (cpu_s(*words, *more) for more in ((), WINDOW))
            print(f"{kind:12}" + "".join(f"{seconds:6.2f}" for seconds in both), flush=True)


if __name__ == "__main__":
    main()
