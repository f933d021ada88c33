"""What a person at a terminal sees: commands, progress, tables, and one line for each mistake.

- `program.py`: all commands as one, and a person's mistakes; `help.py`: how help is written;
  `ending.py`: Ctrl-C and TERM;
- `command.py`: what a command is; `fields.py`: what a field of it says of an option;
- `options.py`, `scenario_options.py`: options that several have, and those for a scenario;
- `commands/`: one file for each;
- `progress.py`: how far a command is;
- `comparison.py`: designs or policies compared; `side_by_side.py`: in several processes;
- `scarcity.py`: what is known of memory before anything runs;
- `plain.py`: the way of all text to the terminal, which no file's text can steer;
  `console.py`: what Rich shows;
- `printing.py`: tables on standard output; `designs.py`, `policies.py`: those of a comparison;
  `checking.py`: what became of rules of a user's own;
- `judging.py`: a judgement;
- `sweeps.py`, `tables.py`: a running sweep, and its results;
- `exploring.py`: all orders of messages, and the story of what is found; `walking.py`: their
  states as a graph to walk in.
"""
