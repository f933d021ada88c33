"""I/O-aware load sharing with a feedback controller (Qin, Jiang, Zhu, Swanson).

The paper is `papers/wal-fc-feedback-control.txt`.

- `scenario.py`, `constants.py`: the paper's cluster, what it leaves open, and derived constants;
- `indices.py`: the formulas of load and expected response time;
- `buffered_memory.py`: how jobs and the I/O buffer share the RAM;
- `policies.py`: the five policies; `feedback.py`: the controller;
- `workload.py`: generated traces, and the I/O of their jobs;
- `system.py`: all of these under one name.
"""
