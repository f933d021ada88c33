"""A thesis, four papers and studies of ours, each compared with what was measured here.

Read `cases.py` (what a sweep declares), `measurements.py` (means over seeds, and comparisons),
`claims.py` (what a claims.toml states, and the numbers that follow), `verdicts.py` (what follows
for a finding), `study.py` (a folder with these, and its results), `pages.py` (marked numbers and
tables of a page), `again.py` (runs some numbers again), `figures.py` (what is drawn, and how).
"""
