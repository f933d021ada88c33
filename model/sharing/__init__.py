"""Load sharing: jobs move to the memory, where parallel network RAM moves memory to the jobs.

The node, its jobs and what a policy is stand in `agents/sharing`; read them first. Then:

1. `scenario.py`, `constants.py`, `workload.py`: the parameters and jobs that all systems share;
   `log.py`, `pareto.py`: jobs of a log, and the distribution of made ones;
2. `reports.py`, `change_reports.py`: how the nodes' load tables come about;
3. `cluster.py`: the Mesa model;
4. `ahead.py`, `ahead_steps.py`: a workstation that needs no event for each fault;
5. `system.py`, `scenarios.py`: the systems, one package for each paper (`memory/`, `unknown/`,
   `wal_fc/`, `cmgs/`): its parameters, workload, memory and policies;
6. `comparison.py`, `checks.py`, `metrics.py`: running, verifying, measuring.
"""
