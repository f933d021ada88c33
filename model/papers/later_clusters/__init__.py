"""What remains of the thesis's advice on clusters of later years? A study of ours.

Read `cases.py` (what `later-clusters.toml` and `hpc2n-log.toml` declare, and comparisons over their
windows), `page_costs.py` (what a page costs on each cluster), `findings.py` (hypotheses, stated
before the runs), `advice.py` (what follows) and `paper.py` (pictures, tables, how to read them).
"""
