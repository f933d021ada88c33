"""The thesis and four papers, each held against what was measured here.

Read `paper.py` (what a paper is), then in the order in which it is made: `cases.py` (what its
sweep declares), `measurements.py` (means over seeds, and comparisons of two), `figures.py` (what is
drawn, and how), `findings.py` (statements, their claims in numbers, verdicts), `page.py` (the page
of the findings, and all that is written). `carrying.py` makes the results that come with the code
those of today's version. README.md says how to add one.

Each has a folder: `thesis/`, `memory/`, `unknown/`, `wal_fc/`, `cmgs/`. In it are its sweep, its
`PAPER` (`paper.py`), figures and findings, and the results that come with the code, with the page
that follows from them.
"""
