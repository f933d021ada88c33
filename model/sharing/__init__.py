"""Load sharing: jobs move to the memory; in Parallel Network RAM, memory moves to the jobs.

The nodes, their jobs and the base of policies are in `agents/sharing`; read them first. Then:

1. `scenario.py`, `constants.py`, `workload.py`: the parameters and jobs that all systems share;
   `log.py`, `pareto.py`: jobs from a log, and the distribution that generated jobs follow;
2. `reports.py`, `change_reports.py`: how nodes learn each other's load;
3. `cluster.py`: the Mesa model;
4. `ahead.py`, `ahead_steps.py`: a workstation that needs no event for each fault;
5. `system.py`, `scenarios.py`: the systems, one package for each paper (`memory/`, `unknown/`,
   `wal_fc/`, `cmgs/`) with its parameters, workload, memory and policies;
6. `comparison.py`, `checks.py`: running, verifying; `measures.py`: all that is measured, one in a
   line; `metrics.py`: a run's tables.
"""
