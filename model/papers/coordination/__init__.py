"""Who should coordinate, and at what price? A study of ours.

Read `cases.py` (what `coordination.toml` declares, and comparisons over all of its windows),
`findings.py` (hypotheses and who led us to them) and `paper.py` (pictures, tables of messages by
their purpose and of what designs make of faults, and how to read them).
"""
