"""Load sharing with unknown memory demands (Chen, Xiao, Zhang).

The paper is `papers/unknown-memory-demands.txt`. Read `programs.py` (what the jobs are),
`paging.py` (how often a node faults), `policies.py`, then `workload.py` and `fit.py` (the traces).
"""
