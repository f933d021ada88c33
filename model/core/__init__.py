"""What every emulation has, whichever system it is of. Read in this order:

1. `scenario.py`: the parameters of every system, and how they are read from files;
2. `topology.py`, `network.py`: networks and designs by name; links, switches and routes;
3. `emulation.py`: the Mesa model: nodes, network, clock, jobs; run, step, the story of a stall;
4. `journal.py`: one stream of records, the truth about what happened;
5. `comparison.py`: designs or policies one after another on the same jobs: the seam of a system;
6. `result.py`, `checks.py`: what a run measured, and whether it kept its own rules.

`swf.py` reads logs, `output.py` writes results whole or not at all. `users_code.py` loads and calls
a user's own functions, so that what fails in them is told as a mistake in them. `version.py` gives
code a version by what it imports, and `jit.py` keeps compiled code under it.
"""
