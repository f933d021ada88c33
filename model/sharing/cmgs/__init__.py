"""CMGS (Alves, Santana, Santana, Oliveira), `papers/cmgs.txt`.

- `scenario.py`, `constants.py`: the paper's cluster, what it leaves open, and derived constants;
- `load.py`, `shared_ram.py`: a node's load, and how its jobs share the RAM;
- `policies.py`: CMGS, and the policy that it is compared with;
- `workload.py`: two generated loads;
- `system.py`: all of these under one name.
"""
