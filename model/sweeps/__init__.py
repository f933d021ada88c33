"""Sweeps: many runs, declared in one file, each done once and kept. Read it in this order:

- `sweep.py`: a declaration becomes a list of runs; `thesis.toml` is the thesis's;
- `identity.py`: the key of a run, made of all that decides its result;
- `store.py`: a file a run, whole or noticed;
- `execution.py`: runs in local processes, or on a Dask cluster;
- `session.py`: a sweep as a person at a terminal sees it;
- `results.py`: what is stored, as a table;
- `statistics.py`: means of replications, and designs in pairs, with how sure they are;
- `replication.py`: how many seeds an interval takes;
- `tables.py`: both at a terminal;
- `advice.py`: which design to use, table 5.1 of the thesis.

The thesis's experiments, from its sweep's results or from those in `data/`:

- `thesis.py`: its cases, and what was measured in them;
- `thesis_figures.py`: figures 4.1 to 4.42;
- `thesis_findings.py`: what it states, beside what was measured;
- `thesis_report.py`: both, written into a folder.
"""
