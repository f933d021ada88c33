"""When does coordination pay at all? A study of ours of MAN beside CLI, the disk and a null model.

Read `text/findings.toml` (hypotheses, mostly the thesis's advice), `paper.py` (what `paying.toml`
declares, what is drawn and tabled) and `text/page.md` (how it was done, and how to read it).
"""
