"""The thesis of J. J. Oleszkiewicz (2004).

Read `cases.py` (clusters, loads and what table 3.1 varies, as `thesis.toml` declares them),
`single_runs.py` (quantities, with an interval even for a single run), `claims.py` (what can be
claimed of them), `findings.py` (chapters 4 and 5, statement by statement) with `reasons.py` (why
some differ here), `cliff.py` (what a page may cost, and what the thesis's numbers imply),
`figures.py` (4.1 to 4.42), `directions.py` (where findings hold), `design_map.py` (which design
where, as `map.toml` declares it), `sensitivities.py` (what hangs on settings, as
`alternatives.toml` declares them), `in_brief.py` (lines to remember) and `paper.py` (what the
thesis leaves open; the page's order).
"""
