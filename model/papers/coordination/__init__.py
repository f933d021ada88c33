"""Who should coordinate, and at what price? A study of ours.

Read `text/findings.toml` (hypotheses, and who led us to them), `paper.py` (what `coordination.toml`
declares, pictures, tables of messages by their purpose and of what designs make of faults) and
`text/page.md` (how it was done, and how to read it).
"""
