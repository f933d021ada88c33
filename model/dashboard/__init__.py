"""The dashboard of `run.py watch`: runs in a web page, at any moment, forwards and backwards.

All that is shown comes from the journal, of a run that goes on or from a file. In this order:

- `goals.py`: how far a step goes;
- `history.py`: all records of a run that are kept, its past between them, and its traffic;
- `sources.py`: where records come from: a run that goes on, or a journal;
- `session.py`: one run or two at one moment of them;
- `layout.py`, `pictures.py`: what is drawn and written about it, as plain data;
- `controls.py`: the form of all parameters;
- `guard.py`, `server.py`: who may ask, and the server that answers;
- `browser/`: the page itself.
"""
