"""The dashboard of `run.py watch`: runs in a web page, at any moment, forwards and backwards.

It draws nothing: the page is that of `model/views/page`, which gets its rows from here as they
come, of a run that goes on or from a file. In this order:

- `goals.py`: how far a step goes;
- `history.py`: all records of a run that are kept, and its past between them;
- `sources.py`: where records come from: a run that goes on, or a journal;
- `session.py`: one run or two at one moment of them;
- `controls.py`: the form of all parameters, and faults by hand;
- `feed.py`: what pages are sent: the rows that they lack, and a few lines;
- `requests.py`, `guard.py`, `server.py`: what may be asked, who may ask, and what answers;
- `walk.py`: no run, but a state graph to walk in (`watch --explore`), with the page of
  `model/views/explored`.
"""
