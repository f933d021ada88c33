"""One file for each command: its options, and what it does or who does it.

The top of a file imports what its help needs; what else it needs, `run` imports. To add a command,
write its file and name it in `run.py`.

- `compare.py`, `share.py`: runs, and what came of them; `windows.py`: what to run;
- `reading.py`: a journal that is read, by `view.py` and `export.py`; `watch.py`: the dashboard;
- `live.py`: designs as processes;
- `check.py`: a journal by rules of a user's own;
- `explore.py`: all orders of messages; `new.py`: a file to begin a protocol with, from
  `protocol.txt`;
- `judge.py`: designs judged against others;
- `sweep.py`, `results.py`: many runs, and what is made of their results;
- `papers.py`: the papers' pages and figures.
"""
