"""Should a scheduler avoid paging because it knows memory, or nodes borrow, or both? Our study.

Read `text/findings.toml` (hypotheses, and who led us to them), `paper.py` (what
`knowing-memory.toml` declares, pictures, and tables, also of what users asked for) and
`text/page.md` (how it was done, and how to read it).
"""
