"""The thesis and four papers, each compared with what was measured here, and studies of ours.

A folder with `claims.toml` is made from `study.py` (what a study is, its results), `claims.py`
(what claims.toml states, and the numbers that follow), `verdicts.py` (what follows for a finding),
`pages.py` (a page's marked numbers and tables) and `again.py` (runs some numbers again). The other
folders are to become such ones.

Read `paper.py` (what a paper is), then, in the order in which one is made, `cases.py` (what its
sweep declares), `measurements.py` (means over seeds, and comparisons), `figures.py` (what is drawn,
and how), `text.py` (texts with numbers in them), `findings.py` (claims in numbers, verdicts),
`statements.py` (what a paper found, as its `text/findings.toml` states it), `family.py` (what
stands if none of a page may be wrong), `tables.py` (what the tables of a page are of), `page.py`
(the page, and all that is written; `rules.md` says on it how to read claims). `declared_runs.py`
finds the run that a result is of, and `sheet.py` has every number of all pages and runs them again,
as `claims.toml` says.

Each of these papers has a folder: `memory/`, `unknown/`. It holds the paper's
sweep, its `PAPER` (`paper.py`), figures, what it found and its page (`text/`), the bundled results,
and the page that follows from them.
"""
