"""What a person at a terminal sees: progress, tables, and one line for each mistake.

- `progress.py`: how far a command is; `completion.py`: what a shell completes;
- `comparison.py`: designs or policies compared, and one job's messages;
- `printing.py`: tables on standard output; `designs.py`, `policies.py`: those of a comparison;
- `sweeps.py`, `tables.py`, `advice.py`: a running sweep, its results, and the advice they give;
- `carrying.py`: results carried over to today's version of the code;
- `exploring.py`: all orders of messages, and the story of what is found;
- `sharing.py`: the queueing model of a load sharing paper.
"""
