"""The thesis of J. J. Oleszkiewicz (2004).

Read `text/findings.toml` (chapters 4 and 5, statement by statement), `cases.py` (clusters, loads
and what table 3.1 varies, as `thesis.toml` declares them), `single_runs.py` (quantities, with an
interval even for a single run), `claims.py` (what can be claimed of them), `reasons.py` (numbers of
why some differ here), `findings.py` (what all these names stand for), `cliff.py` (what a page may
cost, and what the thesis's numbers imply), `figures.py` (4.1 to 4.42), `directions.py` (where
findings hold), `readings.py` (the base cases under each reading, and CLI whatever was tried),
`design_map.py` (which design where, as `map.toml` declares it), `sensitivities.py` (what depends on
settings, as `alternatives.toml` declares them), `in_brief.py` (the lines to remember, and their
numbers), `paper.py`, and `text/page.md` (what the thesis leaves open; the page).
"""
