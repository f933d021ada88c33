"""What does memory that changes do to those who ask once, and to those who ask again? Our study.

Read `text/findings.toml` (hypotheses, and who led us to them), `periods.py` (designs that ask again
at other times), `paper.py` (what `changing-memory.toml` declares, pictures and tables) and
`text/page.md` (how it was done, and how to read it).
"""
