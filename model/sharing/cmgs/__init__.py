"""CMGS (Alves, Santana, Santana, Oliveira), `papers/cmgs.txt`.

- `scenario.py`, `constants.py`: the paper's cluster, what it leaves open, and what follows;
- `load.py`, `shared_ram.py`: a node's load, and what its jobs hold of the RAM;
- `policies.py`: CMGS, and the policy that it is compared with;
- `workload.py`: two loads, made;
- `system.py`: all of it under one name.
"""
