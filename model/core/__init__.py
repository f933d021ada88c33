"""What the emulations of all systems have in common. Read in this order:

1. `scenario.py`: the parameters of every system, and how they are read from files;
2. `names.py`, `arguments.py`, `topology.py`, `graph_file.py`, `routing.py`, `network.py`: networks
   and designs by name, what their functions take, as graphs, and in files of other programs; which
   way messages take; links and switches;
3. `emulation.py`: the Mesa model: nodes, network, clock, jobs; run, step, the story of a stall;
4. `journal/`: one stream of records, the truth about what happened;
5. `comparison.py`: runs designs or policies on the same jobs; what a system must implement;
6. `measures.py`: what a measure is, of which each system has a registry; `result.py`, `checks.py`,
   `watching.py`: what a run measured, and whether it kept its own rules, and a user's.

`files.py` writes all outputs, whole or not at all; `output.py` writes a comparison's results.
`users_code.py` loads and calls a user's own functions, so that their failures are reported as the
user's mistakes. `version.py` gives code a version by what it imports, and `jit.py` caches compiled
code by it.
"""
