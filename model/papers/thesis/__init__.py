"""The thesis of J. J. Oleszkiewicz (2004).

Read `cases.py` (clusters, loads and what table 3.1 varies, as `thesis.toml` declares them),
`figures.py` (4.1 to 4.42), `findings.py` (chapters 4 and 5, statement by statement) and `paper.py`
(what it leaves open; the base case on other jobs). `alternatives.toml` declares other readings.
"""
