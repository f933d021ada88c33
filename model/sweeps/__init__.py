"""Sweeps: many runs, declared in one file, each done once and stored. Read in this order:

- `sweep.py`: a declaration becomes a list of runs;
- `observing.py`: what takes further measures of runs, for one sweep;
- `identity.py`: the key of a run, made of all that decides its result;
- `store.py`: results in one SQLite file, a row for each run;
- `durations.py`: how long runs take;
- `execution.py`: runs in local processes, or on a Dask cluster;
- `results.py`: what is stored, as a table;
- `statistics.py`: means of replications and designs compared in pairs, and how sure they are;
- `replication.py`: how many seeds an interval needs.

`model/terminal` shows them to a person.
"""
