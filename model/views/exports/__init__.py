"""Exports: a journal, or a part of it, in the formats of other programs.

- `formats.py`: which format a file's name asks for;
- `tables.py`: records as a table, and as a smaller journal that can be viewed again;
- `traffic_graph.py`: who sends to whom, as GraphML;
- `perfetto.py`: a trace for ui.perfetto.dev, on a tree of tracks (`tracks.py`) with counters
  (`counters.py`);
- `shiviz.py`: a log with vector clocks for ShiViz;
- `batsim.py`: jobs and their schedule as Batsim writes them, for evalys.
"""
