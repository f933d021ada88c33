"""Load sharing with unknown memory demands (Chen, Xiao, Zhang).

Read `figures.py` (its cases, and figures 2 to 5), `findings.py`, `fit.py` (the mix of programs,
which it does not give, fitted to what it does), `paper.py` (what it leaves open, and what was
taken).
"""
