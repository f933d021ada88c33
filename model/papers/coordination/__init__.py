"""Who should coordinate, and at what price? A study of ours.

Read `cases.py` (what `coordination.toml` declares, and comparisons over all of its windows),
`figures.py`, `findings.py` (hypotheses and who led us to them), `tables.py` (messages by their
purpose; what designs make of faults) and `paper.py` (how to read it).
"""
