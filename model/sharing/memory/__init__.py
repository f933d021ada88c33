"""CPU-memory load sharing (Zhang, Qu, Xiao), `papers/cpu-memory-load-sharing.txt`.

- `scenario.py`, `constants.py`: the paper's cluster, what it leaves open, and derived constants;
- `load.py`, `working_sets.py`: a node's load, and when its jobs fault;
- `policies.py`: four load indices, and two ways to move;
- `workload.py`: eight generated traces; `stratified.py`: their jobs, with less left to chance;
  `calibration.py` finds the fault rate of each;
- `system.py`: all of these under one name.
"""
