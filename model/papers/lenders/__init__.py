"""Who should choose the lender? A study of ours of masters, probes and the thesis's worst fit.

Read `balance.py` (what is measured of lenders, from a run's journal), `cases.py` (what the sweep
declares), `paper.py` (what is drawn, and what the texts name).
"""
