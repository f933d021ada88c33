"""WAL-FC (Qin, Jiang, Zhu, Swanson).

Read `text/findings.toml` (what it found), `figures.py` (its cases, and figures 4.1 to 5.5),
`gain_tables.py` (what a feedback controller could gain), `time_tables.py` (where the jobs' time
goes), `reading_tables.py` (what depends on how the text is read), `paper.py` (what is claimed, and
how) and `text/page.md` (what the paper leaves open, and what was assumed).
"""
