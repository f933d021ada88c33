"""The emulation of Parallel Network RAM. Read in this order:

1. `scenario.py`, `node_groups.py`, `constants.py`: every parameter with its reason, nodes that
   differ, and what is derived from them; `presets/`: known clusters; `readings/`:
   what the thesis may mean a page to cost;
2. `memory_profile.py`, `workload.py`, `scaling.py`, `job_spec.py`, `job.py`: the trace's records
   become parallel jobs, as many as keep its load, whose memory may change;
3. `scheduler.py`: what a scheduler is; `gang.py`, `gang_memory.py`, `ousterhout.py`: those with
   time slots, and their matrix of slots and nodes; `stand_still.py`: turns in which nothing
   happens; `schedulers.py`: which a scenario may name; `migration.py`: which processes move to
   other nodes, where a design has them migrate;
4. `design.py`: a manager topology, read and checked;
5. `cluster.py`: the Mesa model that joins them with the agents of `agents/pnr`;
6. `faults.py`, `fault_tables.py`, `node_crashes.py`: what all faults have, what each kind of fault
   does, and what the crash of a whole node brings with it; `membership.py`: nodes that join and
   leave;
7. `watchdog.py`: how a run with timers or faults ends, and when one has stalled; `services.py`:
   what no time could hold; `giving_up.py`: when jobs take longer than the scenario allows;
8. `measures.py`: all that a run measures, one in a line; `sampling.py`, `metrics.py`: its samples
   and tables; `waste.py`: what its messages were good for; `page_costs.py`: what its pages cost;
   `checks.py`: the rules that it keeps;
9. `comparison.py`, `in_words.py`: several designs on the same jobs, and what that tells;
   `scarcity.py`, `placing.py`: whether memory is short for them, found out before they run;
   `estimate.py`: how long runs take;
10. `steps.py`: a cluster as users of Mesa expect one.

`compiled/` is the second implementation of the data plane, for full traces; `explore/` has the
roles without time, to search all orders of their messages.
"""
