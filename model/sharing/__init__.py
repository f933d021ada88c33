"""Load sharing: jobs move to the memory, where parallel network RAM moves memory to the jobs.

Read in this order:

1. `round_robin.py`: how the jobs of one node share its CPU;
2. `job.py`, `requests.py`, `node_memory.py`: a sequential job, its I/O, and what the jobs of a node
   hold of its RAM;
3. `policy.py`: who moves where and when, and how to write a policy;
4. `agents/sharing/workstation.py`: the node that runs jobs, pages, reports its load and
   sends jobs away;
   `ahead.py`, `ahead_steps.py`: the same without an event a fault;
5. `reports.py`, `change_reports.py`: how the nodes' load tables come about;
6. `cluster.py`: the Mesa model; `scenario.py`, `workload.py`: what it runs;
7. `system.py`, `scenarios.py`: the systems, a package each (`memory/`, `wal_fc/`, …): its paper's
   parameters, workload, memory and policies, experiments (`experiments.py`);
8. `comparison.py`, `checks.py`, `metrics.py`, `session.py`: running, verifying, measuring, showing.

Node, disk, network, clock and journal are those of parallel network RAM.
"""
