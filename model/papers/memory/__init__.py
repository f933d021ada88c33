"""CPU-memory load sharing (Zhang, Qu, Xiao).

Read `figures.py` (its cases, and figures 2 to 9), `findings.py`, `tables.py` (table 3, the choice
of CT, the fault rates), `queueing_model.py` (its tables 1 and 2) and `paper.py` (what the paper
leaves open, and what was assumed).
"""
