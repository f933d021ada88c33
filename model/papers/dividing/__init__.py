"""Even division, or information? A study of ours of the designs between CLI and MAN.

Read `designs.py` (the missing cells between them), `text/findings.toml` (hypotheses), `paper.py`
(what is drawn and tabled) and `text/page.md` (how it was done, and how to read it).
"""
