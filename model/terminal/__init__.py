"""What a person at a terminal sees: progress, tables, one line for each mistake.

- `comparison.py`: designs or policies compared, and one job's messages;
- `sweeps.py`, `tables.py`, `advice.py`: a sweep as it runs, its results, and what they advise;
- `carrying.py`: results carried over to today's version of the code;
- `sharing.py`: the queueing model of a load sharing paper.
"""
