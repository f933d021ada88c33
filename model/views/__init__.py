"""Views of a journal: pictures and texts, derived from its records alone.

`offered.py` lists the views. `recording.py` reads a journal and selects from it; `show.py` draws
one view of it into files. Each view is a file with the name that `run.py view --kind` has for it
(with _ for -), and has either `draw(recording, selection) -> Picture` or
`tell(recording, selection) -> str`:

- `sequence.py`, `space_time.py`: who says what to whom; `flow.py` makes arrows of messages;
- `traffic.py`, `network.py`: how much is sent, and over which links; `animation.py`: in motion;
- `queues.py`: where messages wait; `knowledge.py`: what managers believe; `why.py`: what a job's
  time consisted of;
- `memory.py`: whose memory is where;
- `gantt.py`: jobs over nodes and time; `usage.py`: how many nodes have a running job and how many
  jobs wait, below; `levels.py`: any such number, from each time on;
- `story.py`, `diff.py`, `state.py`: why something happened, where two designs differ, and what a
  node and its roles held at a time, as text;
  `outcomes.py`: what became of each job, `attempts.py`: and of each of its attempts;
  `differences.py`: where two runs differ, by rank.

`gallery.py` puts all pictures on one page, each under its question.

`one_file.py` has what pages of one file have in common: only their own scripts and styles run.
`page/` makes the interactive page, which shows all of this at any scale (`--out FILE.html`), and
`explored/` that in which the state graph of `explore` is walked.

`picture.py` is the frame of every picture, with its axes of time and of nodes; `caption.py` has the
lines under it, `style.py` how pictures look, and `wiring.py` where a network's nodes and switches
stand.
`exports/` writes files for other programs, `frames.py` makes tables for Python. Nothing here looks
into a running model, and no emulation knows the views.
"""
