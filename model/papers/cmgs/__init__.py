"""CMGS (Alves, Santana, Santana, Oliveira).

Read `figures.py` (its cases, and figures 2 and 3), `factorial.py` (the analysis of a full factorial
design, after Jain), `factorial_tables.py` (that of CMGS's experiment), `findings.py`, `paper.py`
(what it leaves open, and what was taken).
"""
