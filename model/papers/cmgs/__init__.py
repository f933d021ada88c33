"""CMGS (Alves, Santana, Santana, Oliveira).

Read `text/findings.toml` (what it found), `figures.py` (its cases, and figures 2 and 3),
`factorial.py` (the analysis of a full factorial design, after Jain), `factorial_tables.py` (the
analysis of CMGS's experiment), `paper.py` (what is claimed, and how) and `text/page.md` (what the
paper leaves open, and what was assumed).
"""
