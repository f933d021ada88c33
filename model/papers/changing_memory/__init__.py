"""What does memory that changes do to those who ask once, and to those who ask again? Our study.

Read `cases.py` (what `changing-memory.toml` declares), `periods.py` (designs that ask again at
other times), `findings.py` (hypotheses and who led us to them) and `paper.py` (pictures, tables,
and how to read them).
"""
