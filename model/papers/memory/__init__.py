"""CPU-memory load sharing (Zhang, Qu, Xiao).

Read `text/findings.toml` (what it found), `figures.py` (its cases, and figures 2 to 9),
`tables.py` (table 3, the choice of CT, the fault rates), `queueing_model.py` (its tables 1 and 2),
`paper.py` (what is claimed, and how) and `text/page.md` (what the paper leaves open, and what was
assumed).
"""
