"""Load sharing with unknown memory demands (Chen, Xiao, Zhang).

The paper is `papers/unknown-memory-demands.txt`.

- `scenario.py`, `constants.py`: the paper's cluster, what it leaves open, and derived constants;
- `programs.py`: the programs that jobs run; `workload.py`: three generated traces of them;
- `load.py`, `paging.py`: a node's load, and how often it faults;
- `policies.py`: two policies that share no load, and four variants of one loop;
- `system.py`: all of these under one name.
"""
