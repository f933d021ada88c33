"""Load sharing with unknown memory demands (Chen, Xiao, Zhang).

Read `text/findings.toml` (what it found), `figures.py` (its cases, and figures 2 to 5), `fit.py`
(the mix of programs, which the paper does not state, fitted to what it states), `own_numbers.py`
(where the paper's numbers cannot hold together), `paper.py` (what is claimed and how, and how much
depends on what was assumed) and `text/page.md` (what the paper leaves open, and what was assumed).
"""
