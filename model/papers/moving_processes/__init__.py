"""Should memory move to the processes, or processes to the memory, or both? A study of ours.

Read `text/findings.toml` (hypotheses, and who led us to them), `paper.py` (what
`moving-processes.toml` declares, pictures and tables) and `text/page.md` (how it was done, and how
to read it).
"""
