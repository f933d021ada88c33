"""Load sharing with unknown memory demands (Chen, Xiao, Zhang).

Read `figures.py` (its cases, and figures 2 to 5), `findings.py`, `fit.py` (the mix of programs,
which the paper does not state, fitted to what it states), `own_numbers.py` (where the paper's
numbers cannot hold together) and `paper.py` (what the paper leaves open, what was assumed, and how
much depends on it).
"""
