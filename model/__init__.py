"""The emulation: a Mesa model that joins agents and topologies, and the rooms around it.

Read `cluster.py` first; `scenario.py` lists every parameter, `journal.py` what is recorded.
"""
