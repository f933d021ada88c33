"""Exports: a journal, or a part of it, in the formats of other programs.

- `formats.py`: which format a file's name asks for;
- `tables.py`: records as a table, and as a smaller journal that can be viewed again;
- `traffic_graph.py`: who sends to whom, as GraphML;
- `perfetto.py`: a trace for ui.perfetto.dev, on a tree of tracks (`tracks.py`); `messages.sql` asks
  it which messages were wasted;
- `shiviz.py`: a log with vector clocks for ShiViz;
- `itf.py`: a path that `explore` has found, state by state, as Apalache and Quint write it;
- `batsim.py`: jobs and their schedule as Batsim writes them, for evalys.
"""
