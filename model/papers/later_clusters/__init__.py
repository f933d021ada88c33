"""What remains of the thesis's advice on clusters of later years? A study of ours.

Read `text/findings.toml` (hypotheses, stated before the runs), `cases.py` (what
`later-clusters.toml` and `hpc2n-log.toml` declare, and comparisons over their windows),
`page_costs.py` (what a page costs on each cluster), `advice.py` (numbers of what follows),
`paper.py` (pictures and tables) and `text/page.md` (how it was done, and what follows).
"""
