"""Should memory move to the processes, or processes to the memory, or both? A study of ours.

Read `cases.py` (what `moving-processes.toml` declares), `findings.py` (hypotheses and who led us to
them), `figures.py`, `tables.py` and `paper.py` (how to read it).
"""
