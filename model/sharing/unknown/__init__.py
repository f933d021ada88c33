"""Load sharing with unknown memory demands (Chen, Xiao, Zhang).

The paper is `papers/unknown-memory-demands.txt`.

- `scenario.py`, `constants.py`: the paper's cluster, what it leaves open, and what follows;
- `programs.py`: what the jobs are; `workload.py`: three traces made of them;
- `load.py`, `paging.py`: a node's load, and how often it faults;
- `policies.py`: two policies that share no load, and four of one loop;
- `system.py`: all of it under one name.
"""
