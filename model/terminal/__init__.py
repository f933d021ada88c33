"""What a person at a terminal sees: commands, progress, tables, and one line for each mistake.

- `command.py`: what a command is; `program.py`: all of them as one, and a person's mistakes;
- `commands/`: one file for each;
- `options.py`, `scenario_options.py`: options that several have, and those for a scenario;
- `completion.py`: what a shell completes; `progress.py`: how far a command is;
- `comparison.py`: designs or policies compared, and one job's messages;
- `printing.py`: tables on standard output; `designs.py`, `policies.py`: those of a comparison;
- `sweeps.py`, `tables.py`, `advice.py`: a running sweep, its results, and the advice they give;
- `carrying.py`: results carried over to today's version of the code;
- `exploring.py`: all orders of messages, and the story of what is found.
"""
