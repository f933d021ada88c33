"""Should memory move to the processes, or processes to the memory, or both? A study of ours.

Read `cases.py` (what `moving-processes.toml` declares), `findings.py` (hypotheses and who led us to
them) and `paper.py` (pictures, tables, and how to read them).
"""
