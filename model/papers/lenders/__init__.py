"""Who should choose the lender? A study of ours of masters, probes and the thesis's worst fit.

Read `lenders.toml` (its runs), `text/findings.toml` (what was expected), `balance.py` (what is
measured of lenders, from a run's journal), `cases.py` (what the sweep declares) and `paper.py`
(what is drawn, and the tables of the page).
"""
