"""How long it takes to know a cluster from a million records: the fold, and memory over time.

    uv run python -m tests.benchmarks.past

The aim is 3 s for the fold. The run pages over the network: nearly all records are hops of pages.
"""

from time import process_time

from model.core.journal.file import rows
from model.core.journal.over_time import memory, spans_of_jobs, spans_of_processes
from model.core.journal.past import Past
from model.pnr.scenario import make_scenario
from model.views.recording import record

JOB = {"processes": 16, "memory_mb": 40, "demand_s": 116}


def main() -> None:
    """Print how long each takes."""
    recording = record(make_scenario(designs=["MAN"], job=[JOB]), "MAN", "all")
    nodes, records = recording.scenario.nodes, recording.records
    begin, past = process_time(), Past(nodes)
    for one in rows(records):
        past.read(one)
    print(f"{len(records):,} records of a table folded: {process_time() - begin:.2f} s of CPU")
    for what in (memory, spans_of_jobs, spans_of_processes):
        begin = process_time()
        what(records, nodes)
        print(f"{what.__name__} of it: {process_time() - begin:.2f} s")


if __name__ == "__main__":
    main()
