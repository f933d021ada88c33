"""Who should choose the lender? A study of ours of masters, probes and the thesis's worst fit.

Read `lenders.toml` (its runs), `text/findings.toml` (what was expected), `balance.py` (what is
measured of lenders, from a run's journal) and `first_runs.md` (what the first runs showed).
"""
