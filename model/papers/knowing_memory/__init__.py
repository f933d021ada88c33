"""Should a scheduler avoid paging because it knows memory, or nodes borrow, or both? Our study.

Read `cases.py` (what `knowing-memory.toml` declares), `findings.py` (hypotheses and who led us to
them) and `paper.py` (pictures, tables, also of what users asked for, and how to read them).
"""
