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
"""
