"""The ground: formulas and ledgers that everything stands on. It imports nothing of ours.

- `units.py`: whole nanoseconds and bytes, and how they are rounded, once;
- `clock.py`: simulated time, and the order of events;
- `randomness.py`: draws that depend on what they are for, never on what was drawn before;
- `streams.py`: streams of numbers for made workloads;
- `amounts.py`: what is an amount of memory; `memory.py`: the ledger of one node: what it holds,
  lends and borrows;
- `paging.py`: when a process faults; `page_classes.py`: classes of what pages cost;
- `speed.py`: how long nodes of other speeds take; `delays.py`: how long links and switches serve a
  message;
- `ranges.py`: between which values a parameter of a design lies;
- `text.py`: text from files and arguments, as it may be shown;
- `errors.py`: what a person did wrong, and what went wrong in a run.
"""
